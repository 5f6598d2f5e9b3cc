// A class: join one by its code, or open one for others.
import * as oxo from "hyperoxo";

export default {
  mixins: [oxo.sending],
  props: { game: String, games: Array, levels: Array },
  data: ({ game, levels }) => ({
    code: "",
    chosen: game,
    pairs: false,
    level: levels[2].spec,
    title: "",
    boards: "",
    help: false,
  }),
  computed: {
    puzzle: ({ chosen }) => chosen === "puzzle",
    entry: (vm) =>
      vm.games.find(({ spec }) => spec === vm.chosen) ??
      vm.games.find(({ spec }) => spec === "4^3"),
    about() {
      if (this.puzzle)
        return "All begin at the position of the day, win it by force, and meet the best defence.";
      return this.entry.about;
    },
  },
  methods: {
    make() {
      this.send("make", {
        game: this.chosen,
        opponent: this.pairs ? null : this.level,
        title: this.title,
        boards: this.boards === "" ? null : Number(this.boards),
        help: this.help,
      });
    },
  },
  template: `
  <div class="page classes"><h1>A class</h1>
    <p class="lead">One link, a board for each pupil or pair, and one page that shows all boards live.</p>
    <p v-if="error" class="trouble" role="alert">{{ error }}</p>
    <div class="columns">
      <form class="card" @submit.prevent="make"><header><h2>Open a class</h2></header>
        <div class="class-game"><Still v-if="entry.geometry.shape?.length > 2" :geometry="entry.geometry" :view="{ owner: puzzle ? [] : entry.owner }" :explode="0.75"/><Mini v-else :geometry="entry.geometry" :owner="entry.owner"/>
          <label class="field"><span>Game</span><select v-model="chosen"><option v-for="known in games" :key="known.spec" :value="known.spec">{{ known.name }}</option><option value="puzzle">Puzzle of the day</option></select><small class="soft">{{ about }}</small></label></div>
        <fieldset v-if="!puzzle"><legend>Pupils play</legend>
          <label class="check"><input type="radio" v-model="pairs" :value="false"><span>against the computer</span><select v-model="level" :disabled="pairs" aria-label="Strength of the computer"><option v-for="known in levels" :key="known.spec" :value="known.spec">{{ known.name }}</option></select></label>
          <label class="check"><input type="radio" v-model="pairs" :value="true"><span>each other</span></label></fieldset>
        <label class="check"><input type="checkbox" v-model="help"><span>Hints and analysis during the games</span></label>
        <label class="field inline"><span>Title</span><input v-model="title" maxlength="80" placeholder="none"></label>
        <label class="field inline"><span>Boards</span><input v-model="boards" type="number" min="1" max="500" placeholder="as many as you need"></label>
        <p class="tools"><button type="submit" class="go" :disabled="busy">{{ busy ? 'Opening…' : 'Open the class' }}</button></p></form>
      <form class="card" @submit.prevent="send('enter', { code }, false)"><header><h2>Join a class</h2></header>
        <label class="field"><span>Code</span><input v-model="code" class="code" maxlength="12" required autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="ABC DEF"></label>
        <p class="tools"><button type="submit" class="go">Join</button></p></form>
    </div></div>`,
};
