// The first page: a board whose first stone begins a game, well-known games, and rules of one's own.
import {
  BOARD_KINDS,
  Boards,
  Mini,
  NAMES,
  OPTIONS,
  Stone,
  axesOf,
  build,
  keepAddress,
  moverAt,
  offered,
  owners,
  parse,
  pathWith,
  playable,
  recalled,
  settle,
  standing,
  Term,
} from "hyperoxo";

const CLOCKS = [
  ["No clock", 0, 0],
  ["1 minute", 60, 0],
  ["3 min + 2 s", 180, 2],
  ["10 min + 5 s", 600, 5],
  ["30 minutes", 1800, 0],
];

export default {
  components: { Boards, Mini, Stone, Term },
  props: { geometry: Object, presets: Array, levels: Array, agents: Array, asked: Boolean },
  data() {
    const spec = this.geometry.game;
    return {
      spec,
      typed: spec,
      fields: parse(spec),
      g: this.geometry,
      error: "",
      facts: this.geometry.facts,
      seats: [],
      clock: 0,
      title: "",
      listed: true,
      help: false,
      pace: 0.4,
      clocks: CLOCKS,
      kinds: BOARD_KINDS,
      busy: false,
      preset: null,
      level: this.levels[Math.floor(this.levels.length / 2)].spec,
      own: this.asked,
      blocking: false,
      record: recalled("survived 4^3", 0),
      toast: "",
    };
  },
  created() {
    this.fill();
    const preset = this.presets.find((entry) => entry.spec === this.spec);
    if (preset) this.preset = preset.name;
  },
  mounted() {
    window.oxoHome = this;
  },
  computed: {
    /** Who puts the first stone; the position may have stones already. */
    mover() {
      const stones = owners(this.g.start).filter((player) => player && player < 9).length;
      return moverAt(this.g, stones);
    },
    /** The empty board; while cells are being blocked, all may be pressed. */
    position() {
      const owner = owners(this.g.start);
      const { mover } = this;
      const legal = this.blocking
        ? [...owner.keys()]
        : playable(this.g, owner, { player: mover, mover });
      return {
        owner,
        last: null,
        mover,
        legal,
        scores: new Array(this.g.players + 1).fill(0),
        here: true,
      };
    },
    yours() {
      return this.seats[this.mover - 1]?.who === "you";
    },
    invites() {
      return this.yours && this.seats.some(({ who }) => who === "person");
    },
    /** What to do, above the board. */
    lead() {
      if (this.blocking) return "Press cells to block them, or to free them again.";
      if (!this.yours) return "Press Begin, and watch the first move.";
      return `You are ${NAMES[this.mover]}. Put a stone anywhere to begin.`;
    },
    /** How strong all opponents are, where they are levels and the same. */
    strength: {
      get() {
        const others = [
          ...new Set(this.seats.map(({ who }) => who).filter((who) => who !== "you")),
        ];
        return others.length === 1 && this.levels.some(({ spec }) => spec === others[0])
          ? others[0]
          : "";
      },
      set(level) {
        this.level = level;
        for (const seat of this.seats)
          if (seat.who !== "you") Object.assign(seat, { who: level, options: "" });
      },
    },
    agentsOnly() {
      return this.seats.every((seat) => !["you", "person"].includes(seat.who));
    },
    /** Whether several people play, who may want to play without help. */
    people() {
      return this.seats.some((seat) => seat.who === "person");
    },
    kind() {
      return BOARD_KINDS.find(({ name }) => name === this.fields.kind);
    },
    /** The options of the rules that this kind of board has. */
    rules() {
      return offered(this.fields);
    },
    axes() {
      return Array.from({ length: axesOf(this.fields) }, (_, axis) => axis);
    },
  },
  methods: {
    fill() {
      const { players } = this.fields;
      while (this.seats.length < players) {
        this.seats.push({
          who: this.seats.length ? this.level : "you",
          name: "",
          options: "",
          more: false,
        });
      }
      this.seats.length = players;
    },
    choose(preset) {
      this.preset = preset.name;
      this.fields = parse(preset.spec);
      this.seats = [];
      this.fill();
      this.changed();
    },
    change(values) {
      Object.assign(this.fields, values);
      settle(this.fields);
      this.preset = null;
      this.fill();
      this.changed();
    },
    changed() {
      this.typed = build(this.fields);
      this.ask();
    },
    ask() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.$emit("look", { spec: this.typed }), 120);
    },
    type() {
      this.fields = parse(this.typed);
      this.preset = null;
      this.fill();
      this.ask();
    },
    looked({ asked, geometry, error }) {
      if (asked !== this.typed.trim()) return;
      this.error = error ?? "";
      if (!geometry) return;
      this.g = geometry;
      this.facts = geometry.facts;
      if (this.fields.players !== geometry.players) {
        this.fields.players = geometry.players;
        this.fill();
      }
      keepAddress(pathWith("/", { game: this.typed }));
    },
    failed(error) {
      this.busy = false;
      this.error = this.toast = error;
    },
    /** A cell was pressed: block it, or begin the game with a stone there. */
    press(cell) {
      if (this.blocking) this.block(cell);
      else if (!this.yours) this.toast = `${NAMES[this.mover]} begins: press Begin.`;
      else this.begin(cell);
    },
    block(cell) {
      const blocked = new Set(this.g.blocked);
      if (!blocked.delete(cell)) blocked.add(cell);
      const usual = OPTIONS.find(({ name }) => name === "blocked").default;
      this.change({ blocked: blocked.size ? [...blocked].sort((a, b) => a - b).join("+") : usual });
    },
    /** Make a game whose other seats wait for people. */
    invite() {
      for (const seat of this.seats.slice(1)) Object.assign(seat, { who: "person", options: "" });
      this.seats[0].who = "you";
      this.begin(null, true);
    },
    begin(cell = null, invite = false) {
      this.busy = true;
      const seats = this.seats.map(({ who, name, options }) => {
        if (who === "you") return { name, agent: null, holder: "you" };
        if (who === "person") return { name, agent: null, holder: "" };
        return { name, agent: options.trim() ? `${who}:${options.trim()}` : who, holder: "" };
      });
      const [, seconds, increment] = CLOCKS[this.clock];
      this.$emit("begin", {
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
      const found =
        this.levels.find(({ spec }) => spec === who) ??
        this.agents.find(({ name }) => name === who);
      return found ? found.about : "";
    },
    choices(who) {
      const agent = this.agents.find((entry) => entry.name === who);
      return agent ? agent.options : "";
    },
    standing(option) {
      return standing(this.fields, option);
    },
    shift(option, by) {
      const { value, most } = this.standing(option);
      const next = Math.min(most, Math.max(option.low, value + by));
      this.change({ [option.name]: option.whole && next === most ? option.default : next });
    },
    step(name, by, low, high) {
      const value = Math.min(high, Math.max(low, this.fields[name] + by));
      if (value !== this.fields[name]) this.change({ [name]: value });
    },
  },
  template: `
  <div class="game home">
    <div class="left">
      <h1>Tic-tac-toe in two, three and four dimensions</h1>
      <div class="status yours"><span role="status">{{ lead }}</span><span class="push"></span>
        <label v-if="seats.length > 1"><span class="hidden">Strength of the other players</span><select v-model="strength"><option v-if="!strength" value="">Players as set</option><option v-for="entry in levels" :key="entry.spec" :value="entry.spec" :title="entry.about">against {{ entry.name }}</option></select></label>
        <button type="button" class="small go begin" :disabled="busy || !!error" @click="begin()">{{ agentsOnly ? 'Watch' : 'Begin' }}</button></div>
      <Boards :key="g.game" :geometry="g" :position="position" :playable="!busy && !error" :overlays="[]" @play="press" @say="toast = $event"/>
    </div>
    <aside>
      <section class="tiles" aria-label="Well-known games">
        <button v-for="entry in presets.filter(({ example }) => example)" :key="entry.name" type="button" class="tile press" :class="{ on: preset === entry.name }" :aria-pressed="preset === entry.name ? 'true' : 'false'" @click="choose(entry)">
          <Mini :geometry="entry.geometry" :owner="entry.owner" solid/><b>{{ entry.name }}</b><small>{{ entry.about }}</small></button>
        <a class="tile press" href="/puzzles"><span class="sign" aria-hidden="true">?</span><b>Puzzle of the day</b><small>win by force from a real position</small></a>
        <a class="tile press" href="/proof#play="><span class="sign" aria-hidden="true"><Stone :player="2"/></span><b>You cannot win this</b><small>{{ record ? 'You survived ' + record + ' moves. Can you hold out longer?' : 'Play against a proof. How long can you hold out?' }}</small></a>
        <button type="button" class="tile press invite" :disabled="busy || !!error" @click="invite"><span class="sign" aria-hidden="true">+</span><b>Invite a friend</b><small>get a link to send, and a code to scan</small></button>
        <a class="tile press" :href="'/class?game=' + encodeURIComponent(typed)"><svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z" fill="none" stroke="currentColor" stroke-width="1.4"/></svg><b>A class</b><small>one link, a board for each pupil</small></a>
      </section>
      <details class="own" :open="own" @toggle="own = $event.target.open; blocking = blocking && own"><summary>Your own rules</summary>
        <section class="card what"><header><h2>Board</h2></header>
          <p class="more-games"><button v-for="entry in presets.filter(({ example }) => !example)" :key="entry.name" type="button" class="small" :class="{ on: preset === entry.name }" :title="entry.about" @click="choose(entry)">{{ entry.name }}</button></p>
          <div class="views wrap"><button v-for="kind in kinds" :key="kind.name" type="button" :class="{ on: fields.kind === kind.name }" @click="change({ kind: kind.name })">{{ kind.label }}</button></div>
          <div class="numbers" v-if="kind">
            <div v-for="{ name, label, low, high } in kind.fields" :key="name" class="number-field"><span class="soft">{{ label }}</span>
              <span class="steps"><button type="button" class="press" :aria-label="'Smaller: ' + label.toLowerCase()" @click="step(name, -1, low, high)">−</button><output :aria-label="label">{{ fields[name] }}</output><button type="button" class="press" :aria-label="'Larger: ' + label.toLowerCase()" @click="step(name, 1, low, high)">+</button></span></div>
          </div>
          <label class="check"><input type="checkbox" v-model="blocking"><span>Block cells<small>by pressing them on the board</small></span></label>
          <label class="field"><span><Term of="spec">Game spec</Term></span><input v-model="typed" class="mono" spellcheck="false" autocapitalize="off" @input="type" :aria-invalid="error ? 'true' : 'false'"></label>
          <p v-if="error" class="trouble" role="alert">{{ error }}</p><p v-else class="soft">{{ facts }}</p>
        </section>
        <section class="card who"><header><h2>Players</h2>
            <span class="steps"><button type="button" class="press" aria-label="Fewer players" @click="step('players', -1, 2, 8)">−</button><output aria-label="Players">{{ fields.players }}</output><button type="button" class="press" aria-label="More players" @click="step('players', 1, 2, 8)">+</button></span></header>
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
        <section class="card how"><header><h2>Rules</h2></header>
          <div class="numbers"><div v-for="option in rules.filter(({ form }) => form === 'number')" :key="option.name" class="number-field" :title="option.about"><span class="soft">{{ option.label }}</span>
            <span class="steps"><button type="button" class="press" :aria-label="'Fewer: ' + option.label.toLowerCase()" @click="shift(option, -1)">−</button><output :aria-label="option.label">{{ standing(option).value }}</output><button type="button" class="press" :aria-label="'More: ' + option.label.toLowerCase()" @click="shift(option, 1)">+</button></span></div></div>
          <label v-for="option in rules.filter(({ form }) => form === 'flag')" :key="option.name" class="check"><input type="checkbox" :checked="fields[option.name]" @change="change({ [option.name]: $event.target.checked })"><span>{{ option.label }}<small>{{ option.about }}</small></span></label>
          <label v-for="option in rules.filter(({ form }) => form === 'axis' || form === 'axes')" :key="option.name" class="check"><input type="checkbox" :checked="fields[option.name] !== null" @change="change({ [option.name]: $event.target.checked ? (option.form === 'axis' ? 0 : '') : null })"><span>{{ option.label }}<small>{{ option.about }}</small></span>
            <select v-if="fields[option.name] !== null && axes.length > 1" :value="fields[option.name]" :aria-label="option.label + ': axis'" @change="change({ [option.name]: option.form === 'axis' ? Number($event.target.value) : $event.target.value })"><option v-if="option.form === 'axes'" value="">all axes</option><option v-for="axis in axes" :key="axis" :value="axis">axis {{ axis }}</option></select></label>
          <label v-for="option in rules.filter(({ form }) => !['number', 'flag', 'axis', 'axes'].includes(form))" :key="option.name" class="field inline"><span>{{ option.label }}</span><input class="mono" :list="'for-' + option.name" :value="fields[option.name]" :title="option.about" :placeholder="option.suggestions.map(([text]) => text).join(', ')" spellcheck="false" @change="change({ [option.name]: $event.target.value.trim() })"><datalist :id="'for-' + option.name"><option v-for="[text, about] in option.suggestions" :key="text" :value="text">{{ about }}</option></datalist></label>
        </section>
      </details>
    </aside>
    <p class="toast" role="status" :class="{ seen: toast }">{{ toast }}</p>
  </div>`,
};
