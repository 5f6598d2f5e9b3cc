// A walk through all positions of a small game, with exact values.
import * as oxo from "hyperoxo";

const put = (text, cell, player) => text.slice(0, cell) + player + text.slice(cell + 1);

export default {
  props: { graph: Object, games: Array, walked: Array },
  data: ({ graph, walked }) => ({ g: graph, moves: [...walked], overlay: "values", focus: -1 }),
  mounted() {
    oxo.onReturn(() => this.return());
  },
  computed: {
    maps: ({ g }) => oxo.symmetries(g.geometry.shape[0]),
    numbers: ({ g }) => new Map(g.nodes.map(([text], number) => [text, number])),
    text: ({ g, moves }) =>
      moves.reduce((text, cell, i) => put(text, cell, (i % 2) + 1), g.nodes[0][0]),
    node: ({ find, text }) => find(text),
    mover: (vm) => (vm.over ? 0 : (vm.moves.length % 2) + 1),
    over: ({ info }) => info.result !== "",
    info: ({ describe, node }) => describe(node),
    /** Result of a move on each free cell. */
    next() {
      if (this.over) return [];
      const found = [...this.text].flatMap((sign, cell) => {
        if (sign !== ".") return [];
        const text = put(this.text, cell, this.mover);
        return { cell, text, ...this.describe(this.find(text)) };
      });
      return found.sort((a, b) => this.score(b) - this.score(a));
    },
    /** The same without moves that lead to the same class. */
    classes() {
      const by = Map.groupBy(this.next, ({ number }) => number);
      return [...by.values()].map((same) => ({ ...same[0], cells: same.map(({ cell }) => cell) }));
    },
    labels() {
      const best = Math.max(...this.next.map((entry) => this.score(entry)));
      const label = (entry) => ({
        text: this.describeMove(entry),
        kind: this.kind(entry),
        tone: oxo.toneOf({ kind: this.kind(entry), text: this.describeMove(entry) }).tone,
        best: this.score(entry) === best,
        words: this.describeMove(entry, true),
      });
      return new Map(this.next.map((entry) => [entry.cell, label(entry)]));
    },
    position() {
      const [legal, last] = [this.next.map(({ cell }) => cell), this.moves.at(-1) ?? null];
      return oxo.posed(this.g.geometry, oxo.owners(this.text), { last, mover: this.mover, legal });
    },
    winning: ({ g, position }) => oxo.filled(g.geometry, position.owner),
    plies() {
      const count = [];
      for (const [, ply] of this.g.nodes) count[ply] = (count[ply] ?? 0) + 1;
      return count;
    },
    positions: ({ g }) => g.nodes.reduce((sum, node) => sum + node[3], 0),
    came: ({ g, node }) =>
      g.edges.filter(([, target]) => target === node).map(([source]) => g.nodes[source][0]),
  },
  methods: {
    set(graph) {
      this.g = graph;
      this.walk(this.coming ?? []);
      this.coming = null;
    },
    /** Stand where some moves lead; the address follows. */
    walk(moves) {
      this.moves = moves;
      oxo.keepAddress(oxo.positionPath(this.g.geometry.game, moves.join(","), "/states"), true);
    },
    /** Go where the address says, by the back or forward button. */
    return() {
      const [, , spec = this.games[0][0], moves = ""] = decodeURIComponent(oxo.here()).split("/");
      const cells = oxo.movesIn(moves) ?? [];
      if (spec === this.g.geometry.game) this.moves = cells;
      else {
        this.coming = cells;
        this.$emit("choose", { game: spec });
      }
    },
    /** The number of the class of a position. */
    find(text) {
      for (const map of this.maps) {
        const number = this.numbers.get(map.map((cell) => text[cell]).join(""));
        if (number !== undefined) return number;
      }
      return 0;
    },
    describe(number) {
      const [, , result, orbit, games, value, remoteness] = this.g.nodes[number];
      return { number, result, orbit, games, value, remoteness };
    },
    /** The value of a following position, for the player who goes there. */
    kind: (entry) => ({ win: "loss", loss: "win", draw: "draw" })[entry.value],
    score(entry) {
      const near = 1000 - entry.remoteness;
      return { win: near, draw: 0, loss: -near }[this.kind(entry)];
    },
    /** Sign or verb of a move, with its plies where the game does not fill the board. */
    describeMove(entry, verb) {
      const kind = this.kind(entry);
      const word = this.g.words[kind][verb ? 1 : 0];
      return kind === "draw" ? word : `${word} ${verb ? "in " : ""}${entry.remoteness + 1}`;
    },
    play(cell) {
      this.walk([...this.moves, cell]);
    },
    to(count) {
      if (count !== this.moves.length) this.walk(this.moves.slice(0, count));
    },
    describePosition() {
      const { value, remoteness, result } = this.info;
      if (result) return result === "=" ? "A draw." : `${oxo.NAMES[Number(result)]} has won.`;
      const name = oxo.NAMES[this.mover];
      if (value === "draw") return `${name} is to move. A draw under best play.`;
      return `${name} is to move and ${this.g.words[value][1]} in ${remoteness}.`;
    },
    owners: oxo.owners,
  },
  template: `
  <div class="page states"><div class="heading"><div><h1>All positions</h1><p class="lead">{{ g.nodes.length.toLocaleString('en') }} <Term of="class">classes</Term> of {{ positions.toLocaleString('en') }} positions, {{ g.edges.length.toLocaleString('en') }} moves between classes. Walk anywhere. Every value is exact.</p></div>
      <div class="views"><button v-for="[spec, name] in games" :key="spec" type="button" :class="{ on: g.geometry.game === spec }" @click="$emit('choose', { game: spec })">{{ name }}</button></div></div>
    <div class="trail"><button type="button" class="ply press" :class="{ cur: !moves.length }" @click="to(0)">start</button><button v-for="(move, i) in moves" :key="i" type="button" class="ply press" :class="{ cur: i === moves.length - 1 }" @click="to(i + 1)"><Stone :player="i % 2 + 1"/> {{ $move(g.geometry, move) }}</button></div>
    <div class="columns"><div><p class="status" role="status" aria-live="polite">{{ describePosition() }}</p>
        <Boards :key="g.geometry.game" :geometry="g.geometry" :position="position" :playable="true" :overlay="overlay" :overlays="['none', 'numbers', 'values']" :labels="labels" :winning="winning" :focus="focus" :limits="{ most: 104, least: 40, height: 0.5 }" @play="play" @overlay="overlay = $event"/>
        <dl class="facts"><dt class="soft">Class</dt><dd>{{ info.number }} of {{ g.nodes.length }}</dd><dt class="soft">Positions in it</dt><dd>{{ info.orbit }}</dd><dt class="soft">Games to here</dt><dd>{{ info.games.toLocaleString('en') }}</dd><dt class="soft">Classes before it</dt><dd>{{ came.length }}</dd></dl>
      </div><div>
        <section class="card"><header><h2>By number of stones</h2></header><div class="plies"><span v-for="(count, ply) in plies" :key="ply" :class="{ on: ply === moves.length }"><i :style="{ height: 4 + 66 * count / Math.max(...plies) + 'px' }"></i><b>{{ count }}</b><small>{{ ply }}</small></span></div></section>
        <section class="card" v-if="classes.length"><header><h2>Next positions</h2><span class="soft">{{ classes.length }} {{ classes.length === 1 ? 'class' : 'classes' }}</span></header>
          <div class="following"><button v-for="entry in classes" :key="entry.number" type="button" class="child press" :style="{ '--tone': 'var(--' + labels.get(entry.cell).tone + ')' }" @click="play(entry.cell)" @mouseenter="focus = entry.cell" @mouseleave="focus = -1" :aria-label="'Play ' + $move(g.geometry, entry.cell) + ', ' + describeMove(entry, true)">
            <Mini :geometry="g.geometry" :owner="owners(entry.text)"/><b>{{ describeMove(entry) }}</b><small class="soft">{{ entry.cells.length > 1 ? entry.cells.length + ' cells' : '1 cell' }}</small></button></div></section>
        <section class="card" v-if="came.length"><header><h2>Previous positions</h2><span class="soft">up to symmetry</span></header><div class="following"><span v-for="(text, i) in came.slice(0, 12)" :key="i" class="child"><Mini :geometry="g.geometry" :owner="owners(text)"/></span></div></section>
      </div></div></div>`,
};
