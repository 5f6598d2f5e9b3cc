// The first page: a board whose first stone begins a game, well-known games, and rules of one's own.
import * as oxo from "hyperoxo";

const CLOCKS = [
  ["No clock", 0, 0],
  ["1 minute", 60, 0],
  ["3 min + 2 s", 180, 2],
  ["10 min + 5 s", 600, 5],
  ["30 minutes", 1800, 0],
];

// The tile of one's own rules: a small board with a hole, and three players.
const OWN_STONES = [0, 3, 0, 0, 0, 9, 1, 0, 2, 0, 1, 0, 0, 0, 3, 2];

/** A number with a button on each side. */
const Stepper = {
  props: { label: String, value: Number, less: String, more: String },
  emits: ["step"],
  template: `<span class="steps"><button type="button" class="press" :aria-label="less" @click="$emit('step', -1)">−</button><output :aria-label="label">{{ value }}</output><button type="button" class="press" :aria-label="more" @click="$emit('step', 1)">+</button></span>`,
};

export default {
  components: { Stepper },
  mixins: [oxo.sending],
  props: {
    geometry: Object,
    presets: Array,
    sample: Object,
    levels: Array,
    agents: Array,
    asked: Boolean,
    grammar: Object,
  },
  data() {
    const spec = this.geometry.game;
    const stored = oxo.storedLevel();
    return {
      spec,
      typed: spec,
      fields: oxo.parse(spec),
      g: this.geometry,
      seats: [],
      clock: 0,
      title: "",
      listed: true,
      help: false,
      pace: 0.4,
      clocks: CLOCKS,
      ownStones: OWN_STONES,
      preset: null,
      level: stored.level,
      suggested: oxo.suggestedLevel(stored, this.levels.length),
      demo: !this.asked,
      own: false,
      blocking: false,
      record: oxo.readStorage("survived 4^3", 0),
    };
  },
  created() {
    this.fill();
    const preset = this.presets.find((entry) => entry.spec === this.spec);
    if (preset) this.preset = preset.name;
    else this.own = this.asked;
  },
  computed: {
    /** The empty board; while cells are being blocked, all may be pressed. */
    position() {
      const owner = oxo.owners(this.g.start);
      return oxo.posed(this.g, owner, this.blocking ? { legal: [...owner.keys()] } : {});
    },
    yours: (vm) => vm.seats[vm.position.mover - 1]?.who === "you",
    /** The games with a picture, each with its lines. */
    tiles: ({ presets }) =>
      presets
        .filter(({ moves }) => moves.length)
        .map((entry) => ({
          ...entry,
          view: {
            owner: entry.owner,
            last: null,
            strokes: entry.won.map((cells) => ({ player: entry.owner[cells[0]], cells })),
          },
        })),
    /** The tile of the puzzle: the Qubic line some moves before its end, and the move to find. */
    puzzle() {
      const { geometry, moves } = this.presets[1];
      const owner = new Array(geometry.cells).fill(0);
      moves.slice(0, 12).forEach((cell, ply) => (owner[cell] = 1 + (ply % 2)));
      return { geometry, view: { owner, strokes: [], last: moves[12] } };
    },
    heading() {
      if (this.g.game === this.presets[1].spec) return "Four in a row. In three dimensions.";
      return this.preset ?? "Your own rules";
    },
    goal: ({ g }) => oxo.goalOf(g),
    /** The moves that the board plays by itself until it is touched. */
    line: (vm) => vm.presets.find(({ spec }) => spec === vm.g.game)?.moves ?? [],
    /** Instruction above the board. */
    lead() {
      if (this.blocking) return "Press cells to block them, or to free them again.";
      if (!this.yours) return "Press Begin, and watch the first move.";
      return `You are ${oxo.NAMES[this.position.mover]}. Put a stone anywhere to begin.`;
    },
    /** Common strength of all opponents, if they are levels. */
    strength: {
      get() {
        const [first, ...others] = this.seats.map(({ who }) => who).filter((who) => who !== "you");
        const alike = others.every((who) => who === first);
        return alike && this.levels.some(({ spec }) => spec === first) ? first : "";
      },
      set(level) {
        this.level = level;
        this.suggested = null;
        oxo.storeLevel(level);
        for (const seat of this.seats)
          if (seat.who !== "you") Object.assign(seat, { who: level, options: "" });
      },
    },
    /** The level of all opponents, with its number; null where they are not alike. */
    opponent() {
      const at = this.levels.findIndex(({ spec }) => spec === this.strength);
      return at < 0 ? null : { number: at + 1, ...this.levels[at] };
    },
    agentsOnly: ({ seats }) => seats.every((seat) => !["you", "person"].includes(seat.who)),
    /** True if several people play, who may want to play without help. */
    people: ({ seats }) => seats.some((seat) => seat.who === "person"),
    kind: ({ fields }) => oxo.kindOf(fields),
    /** The options of the rules that this kind of board has. */
    rules: ({ fields }) => oxo.offered(fields),
    axes: ({ fields }) => Array.from({ length: oxo.axesOf(fields) }, (_, axis) => axis),
  },
  methods: {
    fill() {
      const { players } = this.fields;
      while (this.seats.length < players) {
        const who = this.seats.length ? this.level : "you";
        this.seats.push({ who, name: "", options: "", more: false });
      }
      this.seats.length = players;
    },
    choose(preset) {
      this.preset = preset.name;
      this.fields = oxo.parse(preset.spec);
      this.seats = [];
      this.changed();
    },
    change(values) {
      Object.assign(this.fields, values);
      oxo.normalize(this.fields);
      this.preset = null;
      this.changed();
    },
    /** End what the board plays by itself, and show the game that the fields make. */
    changed() {
      this.demo = false;
      this.fill();
      this.typed = oxo.build(this.fields);
      this.requestPreview();
    },
    requestPreview() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.$emit("preview", { spec: this.typed }), 120);
    },
    type() {
      this.fields = oxo.parse(this.typed);
      this.preset = null;
      this.fill();
      this.requestPreview();
    },
    previewed({ asked, geometry, error }) {
      if (asked !== this.typed.trim()) return;
      this.error = error ?? "";
      if (!geometry) return;
      this.g = geometry;
      this.fields.players = geometry.players;
      this.fill();
      oxo.keepAddress(oxo.pathWith("/", { game: this.typed }));
    },
    failed(words) {
      oxo.sending.methods.failed.call(this, words);
      oxo.toast(words);
    },
    /** A cell was pressed: block it, or begin the game with a stone there. */
    press(cell) {
      if (this.blocking) this.change({ blocked: oxo.blockedWith(this.g.blocked, cell) });
      else if (!this.yours) oxo.toast(`${oxo.NAMES[this.position.mover]} begins: press Begin.`);
      else this.begin(cell);
    },
    /** Make a game whose other seats wait for people. */
    invite() {
      for (const seat of this.seats.slice(1)) Object.assign(seat, { who: "person", options: "" });
      this.seats[0].who = "you";
      this.begin(null, true);
    },
    begin(cell = null, invite = false) {
      const seats = this.seats.map(({ who, name, options }) => {
        if (who === "you") return { name, agent: null, holder: "you" };
        if (who === "person") return { name, agent: null, holder: "" };
        return { name, agent: options.trim() ? `${who}:${options.trim()}` : who, holder: "" };
      });
      const [, seconds, increment] = CLOCKS[this.clock];
      this.send("begin", {
        game: this.typed.trim(),
        seats,
        title: this.title,
        listed: this.listed,
        analysis: this.people && !this.help ? "after" : "always",
        first: cell,
        invite,
        clock: seconds ? { seconds, increment } : null,
        pace: this.agentsOnly ? Number(this.pace) : 0,
      });
    },
    about(who) {
      return [...this.levels, ...this.agents].find((bot) => who === (bot.spec ?? bot.name))?.about;
    },
    choices(who) {
      return this.agents.find(({ name }) => name === who)?.options ?? "";
    },
    optionValue(option) {
      return oxo.optionValue(this.fields, option);
    },
    /** Take a number up or down; the greatest that the board allows may be what is usual. */
    shift(option, by) {
      const { value, most } = this.optionValue(option);
      const next = Math.min(most, Math.max(option.low, value + by));
      if (next === value) return;
      this.change({ [option.name]: option.whole && next === most ? option.default : next });
    },
  },
  template: `
  <div class="game home">
    <div class="left">
      <h1>{{ heading }}</h1><p class="goal">{{ goal }}</p>
      <div class="status yours"><span role="status">{{ lead }}</span><span class="push"></span>
        <fieldset v-if="seats.length > 1" class="levels"><legend class="hidden">Level of your opponent</legend>
          <span class="level-dots"><input v-for="(entry, i) in levels" :key="entry.spec" v-model="strength" type="radio" name="level" :value="entry.spec" :class="{ under: opponent && i < opponent.number }" :aria-label="entry.name + '. ' + entry.about" :title="entry.name"></span>
          <small>{{ opponent ? opponent.name + '. ' + opponent.about : 'Players as you set them.' }}</small>
          <button v-if="suggested" type="button" class="link suggested" @click="strength = suggested.level">{{ suggested.words }}</button></fieldset>
        <button type="button" class="small go begin" :disabled="busy || !!error" @click="begin()">{{ agentsOnly ? 'Watch' : 'Begin' }}</button></div>
      <button v-if="demo && line.length" type="button" class="demo sheet solid" aria-label="A game that plays itself. Press to play on this board." @click="demo = false" @pointermove="$event.pointerType === 'mouse' && (demo = false)">
        <Playing :geometry="g" :games="[line]" :explode="1" turning/></button>
      <Boards v-else :key="g.game" :geometry="g" :position="position" :playable="!busy && !error" :overlays="[]" @play="press" @message="$toast"/>
    </div>
    <aside>
      <section class="tiles" aria-label="Well-known games">
        <button v-for="entry in tiles" :key="entry.name" type="button" class="tile press" :class="{ on: preset === entry.name }" :aria-pressed="preset === entry.name ? 'true' : 'false'" @click="choose(entry)">
          <Still v-if="entry.geometry.shape.length === 3" :geometry="entry.geometry" :view="entry.view" :explode="0.5"/><Mini v-else :geometry="entry.geometry" :owner="entry.owner" :glow="entry.won.flat()"/><b>{{ entry.name }}</b><small>{{ entry.about }}</small></button>
        <a class="tile press" href="/puzzles"><Still :geometry="puzzle.geometry" :view="puzzle.view" :explode="0.5"/><b>Puzzle</b><small>Find the move that wins by force</small></a>
        <a class="tile press" href="/proof#play="><span class="sign" aria-hidden="true"><Stone :player="2"/></span><b>You cannot win this</b><small>{{ record ? 'You survived ' + $plural(record, 'move') + '. Can you hold out longer?' : 'Play against a proof. How long can you hold out?' }}</small></a>
        <button type="button" class="tile press invite" :disabled="busy || !!error" @click="invite"><span class="sign" aria-hidden="true"><Stone :player="1"/><Stone :player="2"/></span><b>Friend</b><small>Send a link, or show a code</small></button>
        <button type="button" class="tile press" :class="{ on: own }" :aria-expanded="own ? 'true' : 'false'" @click="own = !own; blocking = blocking && own"><Mini :geometry="sample" :owner="ownStones"/><b>Your own rules</b><small>Any board, up to eight players</small></button>
      </section>
      <p class="soft"><a :href="'/class?game=' + encodeURIComponent(typed)">For a class</a>: one link, a board for each pupil.</p>
      <div v-if="own" class="own">
        <section class="card board-options"><header><h2>Board</h2></header>
          <p class="more-games"><button v-for="entry in presets.filter(({ moves }) => !moves.length)" :key="entry.name" type="button" class="small" :class="{ on: preset === entry.name }" :title="entry.about" @click="choose(entry)">{{ entry.name }}</button></p>
          <div class="views wrap"><button v-for="kind in grammar.kinds" :key="kind.name" type="button" :class="{ on: fields.kind === kind.name }" @click="change({ kind: kind.name })">{{ kind.label }}</button></div>
          <div class="numbers" v-if="kind">
            <div v-for="size in kind.fields" :key="size.name" class="pair"><span class="soft">{{ size.label }}</span>
              <Stepper :label="size.label" :value="fields[size.name]" :less="'Smaller: ' + size.label.toLowerCase()" :more="'Larger: ' + size.label.toLowerCase()" @step="shift(size, $event)"/></div>
          </div>
          <label class="check"><input type="checkbox" v-model="blocking"><span>Block cells<small>by pressing them on the board</small></span></label>
          <label class="field"><span><Term of="spec">Game spec</Term></span><input v-model="typed" class="mono" spellcheck="false" autocapitalize="off" @input="type" :aria-invalid="error ? 'true' : 'false'"></label>
          <p v-if="error" class="trouble" role="alert">{{ error }}</p><p v-else class="soft">{{ g.facts }}</p>
        </section>
        <section class="card player-options"><header><h2>Players</h2>
            <Stepper label="Players" :value="fields.players" less="Fewer players" more="More players" @step="shift({ name: 'players', low: 2, high: 8 }, $event)"/></header>
          <div v-for="(seat, i) in seats" :key="i" class="seat-line" :class="'c' + (i + 1)"><Stone :player="i + 1"/>
            <div class="seat-fields"><select v-model="seat.who" :aria-label="'Seat ' + (i + 1)" @change="seat.options = agents.find(({ name }) => name === seat.who)?.usual ?? ''"><option value="you">You</option><option value="person">Someone else, by a link</option>
                <optgroup label="Levels"><option v-for="entry in levels" :key="entry.spec" :value="entry.spec">{{ entry.name }}</option></optgroup>
                <optgroup label="For researchers"><option v-for="agent in agents" :key="agent.name" :value="agent.name">{{ agent.label }}</option></optgroup></select>
              <input v-if="seat.who === 'you' || seat.who === 'person'" v-model="seat.name" maxlength="80" placeholder="name" :aria-label="'Name of seat ' + (i + 1)">
              <input v-else-if="seat.more || seat.options" v-model="seat.options" class="mono" maxlength="160" spellcheck="false" :placeholder="choices(seat.who)" :title="choices(seat.who)" :aria-label="'Options of seat ' + (i + 1)">
              <button v-else-if="choices(seat.who)" type="button" class="link soft" :aria-label="'Options of seat ' + (i + 1)" :title="choices(seat.who)" @click="seat.more = true">options</button>
              <small v-if="about(seat.who)" class="soft">{{ about(seat.who) }}</small></div></div>
          <label class="field inline"><span>Clock</span><select v-model="clock"><option v-for="([label], i) in clocks" :key="i" :value="i">{{ label }}</option></select></label>
          <label class="field inline" v-if="agentsOnly"><span>Pace</span><select v-model="pace"><option :value="0">as fast as they can</option><option :value="0.4">0.4 s a move</option><option :value="1">1 s a move</option><option :value="3">3 s a move</option></select></label>
          <details class="more"><summary>Title and list</summary>
          <label class="field inline"><span>Title</span><input v-model="title" maxlength="80" placeholder="none"></label>
          <label class="check"><input type="checkbox" v-model="listed"><span>In the list of games<small>others who reach this server may watch</small></span></label></details>
          <label class="check" v-if="people"><input type="checkbox" v-model="help"><span>Hints and analysis during the game<small>{{ help ? 'for all who ask' : 'only when it is over' }}</small></span></label>
        </section>
        <section class="card rule-options"><header><h2>Rules</h2></header>
          <div class="numbers"><div v-for="option in rules.filter(({ form }) => form === 'number')" :key="option.name" class="pair" :title="option.about"><span class="soft">{{ option.label }}</span>
            <Stepper :label="option.label" :value="optionValue(option).value" :less="'Fewer: ' + option.label.toLowerCase()" :more="'More: ' + option.label.toLowerCase()" @step="shift(option, $event)"/></div></div>
          <label v-for="option in rules.filter(({ form }) => form === 'flag')" :key="option.name" class="check"><input type="checkbox" :checked="fields[option.name]" @change="change({ [option.name]: $event.target.checked })"><span>{{ option.label }}<small>{{ option.about }}</small></span></label>
          <label v-for="option in rules.filter(({ form }) => form === 'axis' || form === 'axes')" :key="option.name" class="check"><input type="checkbox" :checked="fields[option.name] !== null" @change="change({ [option.name]: $event.target.checked ? (option.form === 'axis' ? 0 : '') : null })"><span>{{ option.label }}<small>{{ option.about }}</small></span>
            <select v-if="fields[option.name] !== null && axes.length > 1" :value="fields[option.name]" :aria-label="option.label + ': axis'" @change="change({ [option.name]: option.form === 'axis' ? Number($event.target.value) : $event.target.value })"><option v-if="option.form === 'axes'" value="">all axes</option><option v-for="axis in axes" :key="axis" :value="axis">axis {{ axis }}</option></select></label>
          <label v-for="option in rules.filter(({ form }) => !['number', 'flag', 'axis', 'axes'].includes(form))" :key="option.name" class="field inline"><span>{{ option.label }}</span><input class="mono" :list="'for-' + option.name" :value="fields[option.name]" :title="option.about" :placeholder="option.suggestions.map(([text]) => text).join(', ')" spellcheck="false" @change="change({ [option.name]: $event.target.value.trim() })"><datalist :id="'for-' + option.name"><option v-for="[text, about] in option.suggestions" :key="text" :value="text">{{ about }}</option></datalist></label>
        </section>
      </div>
    </aside>
  </div>`,
};
