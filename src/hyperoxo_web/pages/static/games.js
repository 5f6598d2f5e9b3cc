// Games on this server: search, continue, watch.
import * as oxo from "hyperoxo";

export default {
  mixins: [oxo.listing],
  props: { entries: Array, now: Number, asked: Object },
  methods: {
    gone(id) {
      this.list = this.list.filter((game) => game.id !== id);
    },
    own: (id) => oxo.readStorage(id, {}),
    remove(game) {
      if (window.confirm("Delete this game for good?"))
        this.$emit("delete", { id: game.id, host: this.own(game.id).host });
    },
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
      const moves = oxo.plural(game.ply, "move");
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
    <div class="search"><input v-model="filter.query" type="search" placeholder="Search: names, titles, games" aria-label="Search" @input="filtered(false)">
      <div class="views"><button v-for="[value, label] in [['', 'All'], ['open', 'Open'], ['over', 'Over']]" :key="value" type="button" :class="{ on: filter.status === value }" @click="filter.status = value; filtered(true)">{{ label }}</button></div></div>
    <p v-if="!list.length" class="soft">{{ filter.query || filter.status ? 'Nothing found.' : 'No games yet.' }} <a href="/">Begin one.</a></p>
    <ul class="list"><li v-for="game in list" :key="game.id" class="card">
      <a :href="game.url" class="entry game press"><img :src="picture(game)" alt="" loading="lazy" @error="$event.target.style.visibility = 'hidden'">
        <span class="title"><b>{{ ending(game) }}</b><small>{{ game.title }} <span class="mono">{{ game.game }}</span></small></span>
        <span class="names"><span v-for="(_, i) in game.names" :key="i" :class="['c' + (i + 1), { won: winners(game).includes(i + 1) }]"><Stone :player="i + 1"/> <span>{{ name(game, i + 1) }}</span></span></span>
        <span class="soft when">{{ $timeAgo(game.updated, clock) }}</span></a>
      <button v-if="own(game.id).host" type="button" class="icon" aria-label="Delete" title="Delete" @click="remove(game)">✕</button></li></ul>
    <button v-if="more" type="button" class="plain" @click="find(list.length)">More</button>
  </div>`,
};
