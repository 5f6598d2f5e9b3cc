// A proof on the board: its branches opened one by one, or a game against it.
import * as oxo from "hyperoxo";

const PLAY = "play=";

/** Parse the address: the moves, and true if they are played against the proof. */
function addressed() {
  const hash = decodeURIComponent(window.location.hash.slice(1));
  const play = hash.startsWith(PLAY);
  const moves = oxo.movesIn(hash.slice(play ? PLAY.length : 0));
  return { play: play && moves !== null, moves: moves ?? [] };
}

export default {
  mixins: [oxo.sending],
  props: { geometry: Object, summary: Object, proofs: Array, most: Number },
  data: ({ summary }) => ({
    node: null,
    play: false,
    began: 0,
    fair: false,
    record: oxo.readStorage(`survived ${summary.name}`, 0),
    asked: 0,
    waiting: true,
    overlay: "replies",
    message: "",
    focus: -1,
    step: 0,
    share: 0,
    counted: summary.counted,
  }),
  computed: {
    moves: ({ node }) => node?.moves ?? [],
    owner: ({ geometry, summary, moves }) =>
      oxo.played(geometry, oxo.owners(summary.position), moves),
    position() {
      const mover = this.node?.player ?? 0;
      const legal = this.node?.turn === "other" ? undefined : [];
      const last = this.moves.at(-1) ?? null;
      return oxo.posed(this.geometry, this.owner, { last, mover, legal, fresh: true });
    },
    winning: ({ geometry, owner }) => oxo.filled(geometry, owner),
    pairs: ({ summary }) => summary.pairs ?? null,
    /** Label of the cells of a key plan, which is followed move by move. */
    planLabel: ({ summary }) =>
      summary.keys ? "marked cell" : summary.rows ? "the plan rests on it" : "",
    /** The pairs of which neither cell is taken. */
    links() {
      if (this.planLabel) return this.current === "replies" ? (this.node?.plan?.pairs ?? []) : [];
      if (this.current !== "pairs") return [];
      const open = (pair) => new Set(pair).size > 1 && pair.every((cell) => !this.owner[cell]);
      return this.pairs.filter(open);
    },
    /** Parts of the proof. */
    about() {
      const { listed, kind, steps, states, keys, rows } = this.summary;
      const tried = "A checker that shares no code with the search has";
      if (this.pairs)
        return `${oxo.plural(this.pairs.length, "pair")}: the answer to a stone on one cell of a pair is the other cell. ${tried} checked every line.`;
      if (steps)
        return `It contains no game: ${oxo.plural(steps, "step")} rule out, one after another, all that such a table can choose. ${tried} checked each.`;
      if (keys)
        return `It lists ${oxo.plural(states, "state")} of ${oxo.plural(keys.length, "marked cell")}, and so where to answer there; after that every line has two cells of its own, and the answer to a stone on one is the other. ${tried} computed these cells again.`;
      if (rows)
        return `${oxo.plural(rows, "row")}, only for moves that make a difference. The plan answers a move on any other cell like a listed one. ${tried} computed these cells again.`;
      if (!listed)
        return "The proof lists no answers: so few lines are open that the other player can stop them all.";
      return `${oxo.plural(listed, "answer")} ${listed === 1 ? "is" : "are"} listed${{ dictionary: "; all others follow from threats", endgames: "; endgames are searched" }[kind] ?? ""}. ${tried} tried every reply.`;
    },
    /** True if moves are played in this proof. */
    playing: ({ summary }) => "counted" in summary,
    tree: (vm) => vm.playing && !vm.pairs && !vm.planLabel,
    /** The player for whom the proof moves. */
    side: (vm) =>
      vm.summary.kind === "coalition" && vm.geometry.players === 2
        ? 3 - vm.summary.seat
        : vm.summary.seat,
    players: ({ owner, moves }) => moves.map((cell) => owner[cell]),
    labels() {
      const found = new Map();
      const usual = { text: "", kind: "none", best: false };
      const label = (cell, words, given) =>
        found.set(cell, { ...usual, ...found.get(cell), ...given, words });
      const replies = this.node?.replies ?? [];
      if (this.pairs)
        this.pairs.forEach((pair, i) => {
          for (const cell of pair) {
            const other = pair.find((at) => at !== cell);
            const partner = `pair ${i + 1}, with ${this.geometry.names[other ?? cell]}`;
            label(cell, other === undefined ? "no partner" : partner, { text: String(i + 1) });
          }
        });
      else if (this.planLabel) {
        for (const cell of this.node?.plan?.zone ?? this.summary.keys ?? [])
          label(cell, this.planLabel, { text: "•", kind: "win", tone: "win1" });
        for (const { reply, cell } of replies) {
          const words =
            cell === null ? "nothing follows" : `answered by ${oxo.moveName(this.geometry, cell)}`;
          label(reply, [found.get(reply)?.words, words].filter(Boolean).join(", "));
        }
      } else {
        const most = Math.max(1, ...replies.map(({ positions }) => positions ?? 0));
        for (const { by, cells, cell: answer, positions } of replies) {
          const size = positions ? oxo.plural(positions, "position") : "loses at once";
          const words = `${size}, answered by ${answer === null ? "no cell" : oxo.moveName(this.geometry, answer)}`;
          const text = positions ? oxo.count(positions) : "";
          const step = Math.ceil(0.5 + 4.5 * Math.sqrt((positions ?? 0) / most));
          const open = by === "listed" || by === "block";
          const colour = open ? { kind: "win", tone: `win${step}` } : { tone: "" };
          for (const cell of cells) label(cell, words, { text, ...colour });
        }
      }
      return found;
    },
    /** The overlay; a game against the proof begins without help. */
    current() {
      if (this.overlay !== "replies" || !this.playing) return this.overlay;
      return this.pairs ? "pairs" : this.play ? "none" : "replies";
    },
    settled: ({ node }) => (node?.turn === "proof" ? node.answer : null),
    line: ({ node }) => node?.line ?? [],
    ghosts() {
      if (!this.line.length) return null;
      const { player } = this.node;
      const ghost = (i) => ({ player: i % 2 ? 3 - player : player, step: i + 1 });
      return new Map(this.line.slice(0, this.step).map((cell, i) => [cell, ghost(i)]));
    },
    /** Why nothing more need be known here, in plain words. */
    why() {
      const name = oxo.NAMES[this.side];
      const others = this.geometry.players === 2 ? oxo.NAMES[3 - this.summary.seat] : "the others";
      const cell = this.settled?.cell == null ? "" : this.geometry.names[this.settled.cell];
      return (
        {
          forced: () =>
            this.settled.sequence.length === 1
              ? `${name} makes two threats at once on ${cell}; ${others} can stop only one.`
              : `${name} wins by threats, in ${oxo.plural(this.settled.sequence.length, "move")}. After each but the last there is one cell that ${others} must take; the last makes two threats or a line.`,
          line: () => `${name} completes a line on ${cell}.`,
          endgame: () => `A search of every move to the end finds ${name} winning by ${cell}.`,
          completion: () =>
            `One of the others completes a line before ${oxo.NAMES[this.summary.seat]} moves again.`,
          potential: () =>
            `Too few lines are still open to ${oxo.NAMES[this.summary.seat]}: the other player stops all of them in time.`,
          over: () => "The game is over.",
        }[this.settled?.by]?.() ?? ""
      );
    },
    done: ({ node }) => node?.turn === "over",
    /** Number of the person's moves against the proof. */
    survived: (vm) => vm.players.slice(vm.began).filter((player) => player !== vm.side).length,
    /** Status of a game against the proof: the moves survived. */
    survivalText() {
      if (!this.fair) return "";
      const record = this.record ? ` Record: ${this.record}.` : "";
      if (!this.survived) return record.trim();
      const moves = oxo.plural(this.survived, "move");
      return (this.done ? `Survived ${moves}.` : `${moves} survived.`) + record;
    },
    status() {
      if (this.message) return this.message;
      if (!this.node) return "Opening the proof…";
      const [winner] = this.winning.map((line) => this.owner[line[0]]);
      if (this.done) {
        const ended = winner
          ? `${oxo.NAMES[winner]} has won${winner === this.side ? ", as proved" : ""}.`
          : "A draw, as proved.";
        return this.play ? `${ended} ${this.survivalText}`.trim() : ended;
      }
      if (this.waiting) return "The proof answers.";
      if (this.play) return `Your move. You are ${oxo.NAMES[this.node.player]}.`;
      return this.settled
        ? this.why
        : `${this.answered} ${oxo.NAMES[this.node.player]} is to move.`.trim();
    },
    /** Source of the proof's last move. */
    answered() {
      const { came } = this.node ?? {};
      if (!came || came.cell === null) return "";
      const who = `${oxo.NAMES[this.players.at(-1)]} ${this.moves.length > 1 ? "answers" : "begins with"} ${oxo.moveName(this.geometry, came.cell)}`;
      return `${who}${{ listed: ", from the list", block: ", which stops a line", forced: ", and wins by threats", endgame: ", found by search", line: ", and completes a line", pair: ", the other cell of the pair", image: ", the opposite cell", free: "; any cell would do" }[came.by] ?? ""}.`;
    },
    size() {
      const { positions, depth } = this.node ?? {};
      if (!this.tree || positions == null) return "";
      return positions
        ? `${oxo.plural(positions, "position")} left to answer, at most ${oxo.count(depth)} of them in one game.`
        : "Nothing is left to answer.";
    },
    /** Pairs or cells on which a plan relies here. */
    planNote() {
      const { settled, pairs, counted, exchanges, zone } = this.node?.plan ?? {};
      if (!this.node?.plan) return "";
      if (settled)
        return pairs.length
          ? `From here on ${oxo.plural(pairs.length, "pair")} ${pairs.length === 1 ? "does" : "do"} the rest, drawn on the board.`
          : "From here on any answers do.";
      if (zone)
        return zone.length
          ? `Only stones on the ${oxo.plural(zone.length, "marked cell")} can matter.`
          : "No later move matters.";
      const used = exchanges.length ? `, ${oxo.plural(exchanges.length, "pair")} used up` : "";
      return `${oxo.plural(counted.length, "stone")} beside the marked cells counted so far${used}.`;
    },
    weak() {
      const { opening } = this.geometry;
      if (!opening) return "";
      const single = opening.moves === 1;
      const where = single
        ? "first move must be on a weak cell, which lies on few lines"
        : `first ${opening.moves} moves must be on weak cells, which lie on few lines`;
      return `${oxo.NAMES[1]}'s ${where}: ${this.side === 1 ? `${oxo.NAMES[1]} wins all the same` : "too great a handicap"}.`;
    },
    hardest: (vm) => (vm.node?.hardest?.length > vm.moves.length ? vm.node.hardest : null),
  },
  mounted() {
    if (!this.playing) return;
    window.addEventListener("hashchange", this.follow);
    window.addEventListener("keydown", this.key);
    if (this.tree && !this.counted) this.$emit("count", {});
    this.follow();
  },
  methods: {
    follow() {
      const { moves, play } = addressed();
      if (play && !this.play) this.began = moves.length;
      // Only a game from its beginning, without moves taken back, counts for the record.
      const again = moves.length <= this.began;
      if (!play || !this.play || moves.length < this.moves.length)
        this.fair = play && again && this.began < (this.side === 1 ? 2 : 1);
      this.play = play;
      this.visit(moves);
    },
    visit(moves) {
      this.waiting = true;
      this.message = "";
      this.asked += 1;
      this.$emit("visit", { moves, play: this.play, asked: this.asked });
    },
    visited(node) {
      if (node.asked !== this.asked) return;
      this.waiting = false;
      this.node = node;
      if (this.play && this.fair && this.done) {
        this.record = Math.max(this.record, this.survived);
        oxo.writeStorage(`survived ${this.summary.name}`, this.record);
      }
      this.step = this.line.length ? 1 : 0;
      history.replaceState(history.state, "", this.address(node.moves));
      this.$nextTick(() => this.$el.querySelector(".trail")?.scrollTo(0, 1e6));
      if (this.refocus)
        this.$nextTick(() => this.$el.querySelector(".branch, .settled button")?.focus());
      this.refocus = false;
    },
    failed(words) {
      this.waiting = false;
      if (!this.node && addressed().moves.length) this.go([]);
      else this.message = words;
    },
    tally({ share, done }) {
      this.share = share;
      if (!done) this.$emit("count", {});
      else {
        this.counted = true;
        this.visit(this.moves);
      }
    },
    address(moves, play = this.play) {
      return `${window.location.pathname}#${play ? PLAY : ""}${moves.join(",")}`;
    },
    /** Go to a position; the browser's own buttons lead back. */
    go(moves, play = this.play) {
      history.pushState(history.state, "", this.address(moves, play));
      this.follow();
    },
    open(cell) {
      if (this.waiting) return;
      this.refocus = Boolean(document.activeElement?.closest?.(".branches"));
      this.focus = -1;
      this.go([...this.moves, cell]);
    },
    /** Earlier positions with the other side to move, up to some number of moves. */
    back(from = this.moves.length) {
      const own = (ply) => this.players[ply] === this.side;
      let at = from - 1;
      while (at > 0 && own(at) && !own(at - 1)) at -= 1;
      this.refocus = Boolean(document.activeElement?.closest?.(".branches, .settled"));
      if (this.moves.length) this.go(this.moves.slice(0, Math.max(0, at)));
    },
    key(event) {
      if (!this.node || this.waiting || oxo.isTyped(event, ".flat, .space")) return;
      const rows = [...this.$el.querySelectorAll("details[open] .branch")];
      const at = rows.indexOf(document.activeElement);
      const does = {
        ArrowDown: () => rows[Math.min(at + 1, rows.length - 1)]?.focus(),
        ArrowUp: () => rows[Math.max(at - 1, 0)]?.focus(),
        ArrowRight: () => at >= 0 && rows[at].click(),
        ArrowLeft: () => this.back(),
        Home: () => this.go([]),
        End: () => this.hardest && this.go(this.hardest),
      }[event.key];
      if (!does || this.play) return;
      event.preventDefault();
      does();
    },
    async take(file) {
      // The checker reads the file, on the server; nothing of it is shown before.
      if (file.size > this.most)
        this.refused(`A proof file has at most ${oxo.count(this.most)} bytes here.`);
      else this.send("open", { file: await file.text() });
    },
    refused: oxo.sending.methods.failed,
  },
  template: `
  <div class="game proof">
    <div class="left"><h1>{{ play ? 'You cannot win this' : 'The proof: ' + summary.words }}</h1>
      <p v-if="play" class="lead">{{ summary.words }} The proof has an answer to every move. How long can you hold out?</p>
      <nav v-if="moves.length" class="trail" aria-label="Moves so far"><button type="button" class="ply press" @click="go([])">Start</button><button v-for="(move, i) in moves" :key="i" type="button" class="ply press" :class="{ cur: i === moves.length - 1 }" :disabled="waiting" :aria-label="$names[players[i]] + ' ' + $move(geometry, move)" :aria-current="i === moves.length - 1 ? 'step' : null" @click="go(moves.slice(0, i + 1))"><Stone :player="players[i]"/> {{ $move(geometry, move) }}</button></nav>
      <div v-if="playing" class="status"><span role="status" aria-live="polite">{{ status }}</span> <span v-if="play" class="soft text">{{ answered }} {{ done ? '' : survivalText }}</span></div>
      <Boards :geometry="geometry" :position="position" :playable="!waiting" :overlay="current" :overlays="play && !pairs ? ['none', 'numbers', 'threats'] : !playing ? ['none'] : ['none', pairs ? 'pairs' : 'replies', 'numbers', 'threats']" :labels="labels" :winning="winning" :links="links" :ghosts="ghosts" :focus="focus" @overlay="overlay = $event === 'pairs' ? 'replies' : $event" @play="open" @message="message = $event"/>
      <div v-if="playing" class="tools">
        <template v-if="play"><button type="button" class="go" :disabled="waiting" @click="go(moves, false)">Show the branches</button><button type="button" :disabled="moves.length <= began || waiting" @click="back()">Take back</button><button type="button" :disabled="moves.length <= began || waiting" @click="go(moves.slice(0, began))">Again</button></template>
        <template v-else><button type="button" class="go" :disabled="waiting || !node || done" @click="go(moves, true)">Play from here</button><button type="button" :disabled="!moves.length" @click="back()">Back</button><button v-if="hardest" type="button" title="End" @click="go(hardest)">To the end of the hardest branch</button></template>
        <button type="button" @click="$copy($href())">Copy link</button></div>
      <p class="soft rules">{{ weak }}</p></div>
    <aside>
      <section v-if="settled && !play" class="card settled"><header><h2>Settled here</h2></header><p>{{ why }}</p>
        <p v-if="line.length > 1" class="pair soft"><button type="button" class="icon" aria-label="One move less" :disabled="step < 1" @click="step -= 1">‹</button> {{ step }} of {{ line.length }} <button type="button" class="icon" aria-label="One move more" :disabled="step >= line.length" @click="step += 1">›</button></p>
        <details class="more"><summary>For researchers</summary><p class="soft">{{ node.details }}.</p></details></section>
      <section v-else-if="node && !play && !done" class="card"><header><h2>Moves of {{ $names[node.player] }}</h2></header>
        <p v-if="planNote" class="soft">{{ planNote }}</p><p v-if="size" class="soft">{{ size }}</p><p v-else-if="tree && !counted" class="soft" role="status">Counting branches… {{ Math.floor(100 * share) }} %</p>
        <Branches :geometry="geometry" :node="node" :proof="side" @open="open" @focus="focus = $event"/></section>
      <section class="card"><header><h2>This proof</h2></header>
        <p class="soft">{{ about }}</p>
        <details class="more"><summary>For researchers</summary><p class="soft">{{ summary.claim }}. {{ summary.theorem }} Kind of file: {{ summary.kind }}. Counts are up to symmetry, each position once, so branches that meet again add up to more than the whole; <code>oxo prove tree</code> prints the same, <code>oxo verify</code> checks the file.</p></details></section>
      <FileDrop title="Other proofs" choose="Open a file" @file="take">
        <nav class="views wrap" aria-label="Proofs"><a v-for="entry in proofs" :key="entry.name" :href="'/proof/' + encodeURIComponent(entry.name)" :class="{ on: entry.name === summary.name }" :aria-current="entry.name === summary.name ? 'page' : null">{{ entry.title }}</a></nav>
        <p v-if="busy" class="soft" role="status">The checker reads the file…</p><p v-if="error" class="trouble" role="alert">{{ error }}</p></FileDrop>
    </aside>
  </div>`,
};
