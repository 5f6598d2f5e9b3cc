// Games on this server: search, continue, watch.
import { Stone, keepAddress, onReturn, pathWith, since } from "hyperoxo";

export default {
  components: { Stone },
  props: { games: Array, now: Number, asked: Object },
  data: ({ games, asked, now }) => ({
    list: games,
    query: asked.query,
    status: asked.status,
    more: games.length === 50,
    clock: now,
  }),
  mounted() {
    this.stop = onReturn(({ query = "", status = "all" }) => {
      Object.assign(this, { query, status });
      this.find();
    });
  },
  beforeUnmount() {
    this.stop();
  },
  methods: {
    /** Look for other games; the address follows. */
    filtered(push) {
      keepAddress(
        pathWith("/games", { query: this.query, status: this.status === "all" ? "" : this.status }),
        push,
      );
      this.find();
    },
    find() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(
        () => this.$emit("find", { query: this.query, status: this.status, offset: 0 }),
        150,
      );
    },
    next() {
      this.$emit("find", { query: this.query, status: this.status, offset: this.list.length });
    },
    found({ games, offset, now, query }) {
      if (query !== this.query) return;
      this.clock = now;
      this.list = offset ? [...this.list, ...games] : games;
      this.more = games.length === 50;
    },
    gone(id) {
      this.list = this.list.filter((game) => game.id !== id);
    },
    own(id) {
      try {
        return JSON.parse(localStorage.getItem(`oxo:${id}`) ?? "{}");
      } catch {
        return {};
      }
    },
    remove(game) {
      if (window.confirm("Delete this game for good?"))
        this.$emit("delete", { id: game.id, host: this.own(game.id).host });
    },
    since,
    /** The seats of this browser, if it does not have them all. */
    you(game) {
      const { you = [] } = this.own(game.id);
      return you.length < game.names.length ? you : [];
    },
    name(game, player) {
      return this.you(game).includes(player) ? "You" : game.names[player - 1];
    },
    winners(game) {
      return /\d/.test(game.result) ? game.result.split("+").map(Number) : [];
    },
    ending(game) {
      const moves = `${game.ply} move${game.ply === 1 ? "" : "s"}`;
      if (game.result === "*") return game.ply ? `${moves} so far` : "Not begun";
      if (game.result === "=") return `Draw after ${moves}`;
      const winners = this.winners(game);
      const you = this.you(game);
      if (you.length && !you.some((player) => winners.includes(player)))
        return `You lost in ${moves}`;
      return `${winners.map((player) => this.name(game, player)).join(" and ")} won in ${moves}`;
    },
    picture(game) {
      const theme = document.documentElement.dataset.theme;
      return `${game.url}.svg?move=${game.ply}${theme ? `&theme=${theme}` : ""}`;
    },
  },
  template: `
  <div class="page games"><h1>Games</h1>
    <div class="search"><input v-model="query" type="search" placeholder="Search: names, titles, games" aria-label="Search" @input="filtered(false)">
      <div class="views"><button v-for="[value, label] in [['all', 'All'], ['open', 'Open'], ['over', 'Over']]" :key="value" type="button" :class="{ on: status === value }" @click="status = value; filtered(true)">{{ label }}</button></div></div>
    <p v-if="!list.length" class="soft">{{ query || status !== 'all' ? 'Nothing found.' : 'No games yet.' }} <a href="/">Begin one.</a></p>
    <ul class="list"><li v-for="game in list" :key="game.id" class="card">
      <a :href="game.url" class="entry game press"><img :src="picture(game)" alt="" loading="lazy" @error="$event.target.style.visibility = 'hidden'">
        <span class="what"><b>{{ ending(game) }}</b><small>{{ game.title }} <span class="mono">{{ game.game }}</span></small></span>
        <span class="names"><span v-for="(_, i) in game.names" :key="i" :class="['c' + (i + 1), { won: winners(game).includes(i + 1) }]"><Stone :player="i + 1"/> <span>{{ name(game, i + 1) }}</span></span></span>
        <span class="soft when">{{ since(game.updated, clock) }}</span></a>
      <button v-if="own(game.id).host" type="button" class="icon" aria-label="Delete" title="Delete" @click="remove(game)">✕</button></li></ul>
    <button v-if="more" type="button" class="plain" @click="next">More</button>
  </div>`,
};
