// Links for other people, and the dialog for a player who comes by one.
import { NAMES } from "./stones.js";

/**
 * True while a seat has no name of its own: the player enters one first.
 * @type {(seat: {name: string} | undefined) => boolean}
 */
export const joins = (seat) => Boolean(seat) && /^Player \d+$/.test(seat.name);

/** Clients that can open the links of this server, if not all can. */
export const Reach = {
  props: { reach: Object },
  template: `
  <p v-if="reach.only === 'machine'" class="trouble">Only this machine can open this link. To let others in, stop the server and start it again with <code>oxo serve --host 0.0.0.0</code>.</p>
  <p v-else-if="reach.only === 'network'" class="soft">Machines in your network can open this link: it begins with <b>{{ reach.origin }}</b>, the address of this machine.</p>`,
};

export const Share = {
  props: { links: Array, reach: Object, present: Array, position: String },
  emits: ["close"],
  computed: {
    /** Seats of others that are still free. */
    open: (vm) => vm.links.filter(({ seat, own }) => seat && !own && !vm.present?.includes(seat)),
    /** The link to give away: of the first open seat, or else to watch. */
    link: (vm) => vm.open[0] ?? vm.links.find(({ seat }) => !seat),
    others() {
      const others = this.links.filter((link) => link !== this.link);
      return [...others, { url: this.position, about: "The position that you look at" }];
    },
  },
  watch: {
    open(open, before) {
      if (before.length && !open.length) this.$emit("close");
    },
  },
  methods: {
    label({ seat, name, own, about }) {
      if (about) return about;
      if (!seat) return "To watch";
      return own ? "Your own seat, on another device" : `${NAMES[seat]}: ${name}`;
    },
  },
  template: `
  <Window title="Share" @close="$emit('close')">
    <p v-if="link.seat" role="status">Send this link to a friend, who then plays {{ $names[link.seat] }}. The first to open it takes that seat.</p>
    <p v-else role="status">Everybody with this link can watch.</p>
    <div class="links"><p class="pair"><input readonly :value="link.url" aria-label="Link" @focus="$event.target.select()"><button type="button" class="small go" @click="$copy(link.url, 'Link', $event.target.previousElementSibling)">Copy</button></p></div>
    <Reach :reach="reach"/>
    <div class="codes"><img :src="link.code" alt="Picture of the link, to be scanned"></div>
    <details class="more"><summary>Other links</summary><div class="links"><label v-for="other in others" :key="other.url" class="field"><span>{{ label(other) }}</span>
      <span class="pair"><input readonly :value="other.url" @focus="$event.target.select()"><button type="button" class="plain" @click="$copy(other.url, 'Link', $event.target.previousElementSibling)">Copy</button></span></label></div></details>
  </Window>`,
};

/** The form that a friend joins by, before the board appears. */
export const Join = {
  props: { seat: Object, state: Object, geometry: Object },
  emits: ["join"],
  data: () => ({ name: "" }),
  computed: {
    board: (vm) => vm.geometry.shape?.join("×") ?? vm.state.game,
    /** Names of the other players. */
    hosts() {
      const others = this.state.seats.filter((seat) => seat !== this.seat && !joins(seat));
      return others.map(({ name }) => name).join(" and ");
    },
  },
  mounted() {
    this.$refs.name.focus();
  },
  template: `
  <form class="card join-form" @submit.prevent="$emit('join', { player: seat.player, name, agent: 'human' })">
    <h1>{{ hosts ? hosts + ' invites you' : 'Join a game' }}</h1>
    <p class="lead"><Stone :player="seat.player"/> You play on {{ board }}. {{ geometry.rules.join(' ') }}</p>
    <label class="field"><span>Your name</span><input ref="name" v-model.trim="name" maxlength="80" required autocomplete="nickname"></label>
    <p class="tools"><button type="submit" class="go">Join game</button></p>
  </form>`,
};
