// One class: its teacher sees all boards, others say their name and get one.
import * as oxo from "hyperoxo";

/** One board of the wall: drawn again only when it has changed itself. */
const Desk = {
  props: { desk: Object, geometry: Object },
  emits: ["fill", "drop"],
  computed: {
    owner: ({ desk }) => oxo.owners(desk.position),
    /** The winning lines, or else the last move. */
    glow() {
      const { winning_lines: lines, last_move: last } = this.desk;
      return lines.length ? lines.flat() : last === null ? [] : [last];
    },
    /** State of the board, in words. */
    status() {
      const { names, free, over, winners, ply, agents, present, to_move: mover } = this.desk;
      const moves = oxo.plural(ply, "move");
      const won = winners.map((player) => this.nameOf(player, true)).join(" and ");
      const wins = winners.length > 1 ? "win" : "wins";
      if (over) return `${won ? `${won} ${wins}` : "draw"} after ${moves}`;
      const away = names.filter((_, i) => !agents[i] && ![...free, ...present].includes(i + 1));
      return [
        `${this.nameOf(mover, true)} to move, ${moves} so far`,
        ...away.map((name) => `${name} is away`),
      ].join(", ");
    },
  },
  methods: {
    nameOf(player, capital) {
      const { names, agents } = this.desk;
      if (!agents[player - 1]?.startsWith("level:")) return names[player - 1];
      return capital ? "The computer" : "Computer";
    },
  },
  template: `
  <li class="card desk" :class="{ over: desk.over }">
    <a class="press" :href="desk.url" target="_blank" :title="'Watch board ' + (desk.number + 1)"><Mini :geometry="geometry" :owner="owner" :glow="glow"/>
      <span class="names"><span v-for="(name, n) in desk.names" :key="n" :class="['c' + (n + 1), { won: desk.winners.includes(n + 1), free: desk.free.includes(n + 1) }]"><Stone :player="n + 1"/><span>{{ nameOf(n + 1) }}</span></span></span>
      <small class="soft">{{ status }}</small></a>
    <button v-if="desk.free.length && !desk.over" type="button" class="small" @click="$emit('fill')">Let the computer play</button>
    <button type="button" class="icon drop" :aria-label="'Remove board ' + (desk.number + 1)" title="Remove" @click="$emit('drop')">✕</button></li>`,
};

export default {
  components: { Desk },
  mixins: [oxo.sending],
  props: { classroom: Object, geometry: Object },
  data: ({ classroom }) => ({
    role: "",
    desks: [],
    pupils: 0,
    closed: classroom.closed,
    picture: "",
    name: "",
    words: "",
    closing: false,
    dropping: null,
    own: {},
    reach: { origin: window.location.origin, only: "" },
  }),
  computed: {
    key: ({ classroom }) => `class:${classroom.code}`,
    spaced: ({ classroom }) => `${classroom.code.slice(0, 3)} ${classroom.code.slice(3)}`,
    link: ({ reach, classroom }) => reach.origin + classroom.url,
    joinAddress: ({ reach }) => `${reach.origin.replace(/^https?:\/\//, "")}/class`,
    /** Game and opponent. */
    what() {
      const { named, game, title, opponent, strength } = this.classroom;
      const board = this.geometry.shape?.join("×") ?? game;
      return `${named ? `${named}, ${board}` : title ? `On ${board}` : board}, ${opponent === null ? "pupils against each other" : `against the computer: ${strength}`}.`;
    },
    /** The people of the board to remove. */
    people() {
      const { names, agents, free } = this.dropping;
      return names.filter((_, i) => !agents[i] && !free.includes(i + 1)).join(" and ");
    },
    count() {
      const over = this.desks.filter((desk) => desk?.over).length;
      const counts = [oxo.plural(this.pupils, "pupil"), oxo.plural(this.desks.length, "board")];
      if (over) counts.push(`${over} finished`);
      return `${counts.join(", ")}.${this.closed ? " The class is closed." : ""}`;
    },
  },
  mounted() {
    const asked = new URLSearchParams(window.location.search).get("teacher");
    this.own = oxo.readStorage(this.key, {});
    if (asked) this.store({ teacher: asked });
    if (window.location.search) history.replaceState(history.state, "", window.location.pathname);
    this.$emit("hello", { teacher: this.own.teacher ?? null });
  },
  methods: {
    store(more) {
      this.own = { ...this.own, ...more };
      oxo.writeStorage(this.key, this.own);
    },
    // Calls from the server.
    taught({ picture, reach }) {
      Object.assign(this, { picture, reach });
    },
    teach({ desks, pupils, closed }) {
      Object.assign(this, { role: "teacher", pupils, closed });
      this.desks = [];
      for (const desk of desks) this.desks[desk.number] = desk;
    },
    desk(desk) {
      this.desks[desk.number] = desk;
    },
    changed({ pupils, closed }) {
      Object.assign(this, { pupils, closed });
    },
    joined(game) {
      this.store({ game });
    },
    announced() {
      this.words = "";
      oxo.toast("All boards have your message.");
    },
  },
  template: `
  <div class="page class">
    <template v-if="role === 'teacher'">
      <h1>{{ classroom.title || 'Your class' }}</h1><p class="lead">{{ what }}</p>
      <details v-if="!closed" class="more" open><summary>Join the class</summary><div class="class-head"><div>
          <p class="class-code"><span class="hidden">Code: </span>{{ spaced }}</p>
          <p>Pupils scan the code, open the link, or go to <b>{{ joinAddress }}</b> and type the code.</p>
          <p class="pair"><input ref="link" readonly :value="link" aria-label="Link" @focus="$event.target.select()"><button type="button" class="plain" @click="$copy(link, 'Link', $refs.link)">Copy</button></p>
          <Reach :reach="reach"/>
        </div><img class="class-picture" :src="picture" alt="QR code of the link"></div></details>
      <div class="class-line"><p role="status">{{ count }}</p>
        <form class="pair" @submit.prevent="send('announce', { words })"><input v-model="words" maxlength="200" required aria-label="Message to all boards" placeholder="Message to all boards"><button type="submit" class="plain">Send to all</button></form>
        <button v-if="!closed" type="button" class="plain" @click="closing = true">Close the class…</button></div>
      <p v-if="error" class="trouble" role="alert">{{ error }}</p>
      <ul class="wall"><template v-for="(desk, i) in desks" :key="i"><Desk v-if="desk" :desk="desk" :geometry="geometry" @fill="send('fill', { number: i })" @drop="dropping = desk"/></template></ul>
      <p v-if="!desks.length" class="soft">No pupil has joined yet. Boards appear here as pupils join.</p>
      <Window v-if="closing" title="Close this class?" @close="closing = false"><p>After that, no pupil can join. Pupils can finish their games, and you still see them here.</p>
        <div class="tools"><button type="button" class="go" @click="closing = false; send('close')">Close the class</button><button type="button" @click="closing = false">Keep it open</button></div></Window>
      <Window v-if="dropping" title="Remove this board?" @close="dropping = null"><p>The board of {{ people }} leaves this page and makes room for another. The game itself stays.</p>
        <div class="tools"><button type="button" class="go" @click="send('drop', { number: dropping.number }); dropping = null">Remove</button><button type="button" @click="dropping = null">Keep it</button></div></Window>
    </template>
    <form v-else-if="role" class="card join-form" @submit.prevent="send('join', { name })">
      <h1>{{ classroom.title || 'Join the class' }}</h1><p class="lead">{{ what }}</p>
      <p v-if="own.game"><a class="small go" :href="'/game/' + own.game">Continue on your board</a></p>
      <p v-if="closed">This class is closed.</p>
      <template v-else><label class="field"><span>Your name</span><input v-model="name" maxlength="80" required autocomplete="off"></label>
        <p v-if="error" class="trouble" role="alert">{{ error }}</p>
        <p class="tools"><button type="submit" class="go">Join</button></p>
        <p class="soft">Your teacher sees your board and your name.</p></template>
    </form>
  </div>`,
};
