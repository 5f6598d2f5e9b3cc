// Setting up a position: on the board, or from a text in any notation.
import * as oxo from "hyperoxo";

const put = (text, cell, sign) => text.slice(0, cell) + sign + text.slice(cell + 1);
const TOOLS = { turn: "Stones in turn", 0: "Remove stones", block: "Block cells" };

export default {
  props: {
    geometry: Object,
    cells: String,
    status: Object,
    notations: Array,
    presets: Array,
    example: String,
    grammar: Object,
  },
  data: ({ geometry, cells, status }) => ({
    TOOLS,
    g: geometry,
    stones: cells,
    spec: geometry.game,
    typed: geometry.game,
    info: status,
    tool: "turn",
    past: [],
    future: [],
    overlay: "none",
    focus: -1,
    error: "",
    text: "",
    notation: "",
    trouble: "",
    busy: false,
    moves: 0,
  }),
  computed: {
    /** The stones; none while another board is on its way. */
    owner: (vm) => oxo.owners(vm.stones.length === vm.g.cells ? vm.stones : ".".repeat(vm.g.cells)),
    players: ({ g }) => Array.from({ length: g.players }, (_, i) => i + 1),
    /** Whose stone the next press puts; 0 for none. */
    next() {
      return this.tool === "turn" ? oxo.moverOn(this.g, this.owner) : Number(this.tool) || 0;
    },
    position: ({ owner, next, g }) =>
      oxo.posed(g, owner, { mover: next, legal: [...owner.keys()] }),
    winning: ({ g, owner }) => oxo.filled(g, owner),
    /** Address of the position's page, if the position is valid. */
    address: (vm) => oxo.positionPath(vm.spec, /[1-8]/.test(vm.stones) ? vm.stones : ""),
    message() {
      const rings = ["", " A ring marks it."];
      const ringed = rings[this.info.wrong.length] ?? " Rings mark them.";
      return this.error || this.info.trouble + ringed || this.info.result_text;
    },
  },
  mounted() {
    document.addEventListener("keydown", this.key);
  },
  methods: {
    // Calls from the server.
    checked({ asked, geometry, cells, error, ...info }) {
      if (asked[0] !== this.spec || asked[1] !== this.stones) return;
      this.error = error ?? "";
      if (error) return;
      if (geometry) this.g = geometry;
      this.spec = this.g.game;
      if (document.activeElement !== this.$refs.spec) this.typed = this.spec;
      this.stones = cells;
      this.info = info;
      oxo.keepAddress(oxo.positionPath(this.spec, /[1-8]/.test(cells) ? cells : "", "/analyse"));
    },
    took({ game, cells, moves }) {
      this.busy = false;
      this.moves = moves;
      this.edit({ spec: game, stones: cells });
    },
    failed(words) {
      if (this.busy) this.trouble = words;
      else oxo.toast(words);
      this.busy = false;
    },
    // Actions of the person.
    press(cell) {
      const here = this.owner[cell];
      const away = here && (this.tool === "turn" || here === this.next);
      if (this.tool === "block") this.block(cell);
      else this.write(cell, away || !this.next ? "." : String(this.next));
    },
    block(cell) {
      const { blocked } = this.g;
      const spec = oxo.build({ ...oxo.parse(this.spec), blocked: oxo.blockedWith(blocked, cell) });
      this.edit({ spec, stones: put(this.stones, cell, blocked.includes(cell) ? "." : "#") });
    },
    /** Let another player be to move: another has begun then. */
    turn(player) {
      const spec = oxo.build({ ...oxo.parse(this.spec), first: this.info.movers[player] });
      this.edit({ spec });
    },
    edit(change, undoable = true) {
      if (undoable) {
        this.past.push({ spec: this.spec, stones: this.stones });
        this.future = [];
      }
      Object.assign(this, change);
      if (change.spec) this.typed = change.spec;
      this.$emit("check", { game: this.spec, cells: this.stones, known: this.g.game });
    },
    undo(from = this.past, to = this.future) {
      const before = from.pop();
      if (!before) return;
      to.push({ spec: this.spec, stones: this.stones });
      this.edit(before, false);
    },
    type() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.edit({ spec: this.typed.trim() }), 250);
    },
    /** Send the text, to be `read` onto the board or analysed as a `whole` game. */
    send(event) {
      this.busy = true;
      this.trouble = "";
      if (event === "read") this.moves = 0;
      this.$emit(event, { text: this.text, notation: this.notation, game: this.g.game });
    },
    async take(file) {
      if (file.size > 500_000) this.trouble = "A record has at most 500,000 characters.";
      else {
        this.text = await file.text();
        this.send("read");
      }
    },
    key(event) {
      if (event.altKey || event.target.closest?.("input, textarea, select")) return;
      const name = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey) {
        if (name !== "z" && name !== "y") return;
        event.preventDefault();
        if (name === "y" || event.shiftKey) this.undo(this.future, this.past);
        else this.undo();
        return;
      }
      const cell = Number(event.target.closest?.(".flat-board .cell")?.dataset.cell ?? -1);
      if (cell < 0) return;
      if (name === "#") this.block(cell);
      else if (["delete", "backspace", "."].includes(name)) this.write(cell, ".");
      else if (/^[1-8]$/.test(name) && Number(name) <= this.g.players) this.write(cell, name);
      else return;
      event.preventDefault();
    },
    write(cell, sign) {
      if (this.owner[cell] === oxo.BLOCKED) oxo.toast("This cell is blocked.");
      else if (this.stones[cell] !== sign) this.edit({ stones: put(this.stones, cell, sign) });
    },
  },
  template: `
  <div class="game editor">
    <div class="left">
      <h1>Set up a position</h1>
      <div class="status" :class="{ bad: info.trouble || error }"><span role="status" aria-live="polite">{{ message }}</span></div>
      <div class="palette">
        <div class="views" role="group" aria-label="Tool">
          <button v-for="name in ['turn', ...players.map(String), '0', 'block']" :key="name" type="button" :class="{ on: tool === name }" :aria-pressed="tool === name ? 'true' : 'false'" :aria-label="TOOLS[name] ?? 'Stones of ' + $names[name]" :title="TOOLS[name] ?? 'Stones of ' + $names[name]" @click="tool = name">
            <Stone v-if="players.includes(Number(name))" :player="Number(name)"/><template v-else>{{ { turn: 'In turn', 0: 'Erase', block: 'Block' }[name] }}</template></button></div>
        <div class="views" role="group" aria-label="To move"><span class="soft">To move</span>
          <button v-for="player in players" :key="player" type="button" :class="{ on: info.mover === player }" :aria-pressed="info.mover === player ? 'true' : 'false'" :disabled="!info.movers[player]" :aria-label="$names[player] + ' is to move'" :title="info.movers[player] ? $names[player] + ' is to move' : 'Not with these stones'" @click="turn(player)"><Stone :player="player"/></button></div>
        <div class="views"><button type="button" :disabled="!past.length" @click="undo()">Undo</button><button type="button" :disabled="!future.length" @click="undo(future, past)">Redo</button><button type="button" :disabled="!/[1-8]/.test(stones)" @click="edit({ stones: stones.replace(/[1-8]/g, '.') })">Clear</button></div>
      </div>
      <Boards :key="g.game" :geometry="g" :position="position" :playable="!error" :overlay="overlay" :overlays="['none', 'numbers', 'threats']" :winning="winning" :wrong="info.wrong" :focus="focus"
        @play="press" @overlay="overlay = $event" @message="$toast"/>
      <div class="tools">
        <a v-if="info.legal && !error" class="go" :href="address + '#show=values'">Analyse</a><button v-else type="button" class="go" disabled>Analyse</button>
        <button type="button" :disabled="!info.mover || !info.legal || busy || !!error" @click="$emit('begin', { game: spec, cells: stones })">Play from here</button>
        <button type="button" :disabled="!info.legal || !!error" @click="$copy($link(address), 'Link to this position')">Copy link</button></div>
    </div>
    <aside>
      <section class="card"><header><h2>Board</h2></header>
        <p class="more-games"><button v-for="entry in presets" :key="entry.spec" type="button" class="small" :class="{ on: g.game === entry.spec }" :title="entry.about" @click="edit({ spec: entry.spec })">{{ entry.name }}</button></p>
        <label class="field"><span>Any other game</span><input ref="spec" v-model="typed" class="mono" spellcheck="false" autocapitalize="off" :aria-invalid="error ? 'true' : 'false'" @input="type"></label>
        <p class="soft">{{ g.facts }}</p></section>
      <FileDrop title="From a text" choose="Choose a file" @file="take">
        <textarea v-model="text" rows="6" spellcheck="false" aria-label="Position or game" :placeholder="'Paste a position or a game, or a drawn board:\\n\\nX.O\\n.X.\\n..O'"></textarea>
        <label class="field inline"><span>Notation</span><select v-model="notation"><option value="">detect</option><option v-for="entry in notations" :key="entry.name" :value="entry.name">{{ entry.name }}: {{ entry.about }}</option></select></label>
        <p v-if="trouble" class="trouble" role="alert">{{ trouble }}</p>
        <p v-else-if="moves" class="soft" role="status">A game of {{ moves === 1 ? '1 move' : moves + ' moves' }}. The board shows its last position.</p>
        <div class="tools"><button type="button" class="go" :disabled="busy || !text.trim()" @click="send('read')">{{ busy ? 'Reading…' : 'Put on the board' }}</button>
          <button type="button" v-if="moves" :disabled="busy" @click="send('whole')">Analyse the whole game</button><button type="button" v-else-if="!text.trim()" @click="text = example; send('read')">Example</button></div></FileDrop>
      <p class="soft">With a cell in focus, 1 {{ g.players > 2 ? 'to' : 'or' }} {{ g.players }} sets a stone, Delete removes it, # blocks the cell. Ctrl Z undoes a step.</p>
    </aside>
  </div>`,
};
