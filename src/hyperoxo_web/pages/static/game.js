// The page of a game. The server sends states; the page sends what the person wants.
import * as oxo from "hyperoxo";

const PATIENCE = 300; // milliseconds: a move that arrives sooner needs no word
const DRAWERS = ["moves", "analysis", "report"];

// Space for the people: beside the board at least so wide, above and below it so high, in pixels.
const BESIDE = 176;
const ABOVE = 52;

const scheme = () =>
  document.documentElement.dataset.theme ??
  (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export default {
  props: { geometry: Object, state: Object, notations: Array, opponents: Array, options: Object },
  data: ({ state, comes }) => ({
    DRAWERS,
    s: state,
    boards: null,
    drawer: null,
    beside: false,
    sizes: {},
    standings: null,
    viewing: null,
    overlay: "none",
    highlight: null,
    linesText: "",
    analysing: false,
    analyses: {},
    review: null,
    reviewing: false,
    preparing: null,
    hint: -1,
    hinting: false,
    hintText: "",
    step: 0,
    focus: -1,
    dialog: null,
    links: [],
    reach: null,
    exported: null,
    seat: null,
    fresh: false,
    leaving: false,
    sent: false,
    sending: -1,
    slow: false,
    proofs: {},
    marking: false,
    exploring: false,
    marked: [],
    typed: "",
    guest: comes(),
    later: [],
  }),
  computed: {
    node: (vm) => vm.viewing ?? vm.s.node,
    live: ({ node, s }) => node === s.node,
    position() {
      const found = oxo.positionAt(this.geometry, this.s, this.node);
      return { ...found, fresh: this.live && this.fresh };
    },
    you: ({ s }) => s.you,
    others: (vm) => vm.s.seats.some((seat) => !seat.agent && !vm.you.includes(seat.player)),
    /** True if a pupil plays in a class: other controls are hidden. */
    pupil: (vm) => vm.options.lesson && vm.you.length > 0 && !vm.s.host,
    /** True if no other player has to agree to going back and forth. */
    free: (vm) => !vm.others && vm.seated,
    mayPlay() {
      if (this.position.mover === 0) return false;
      if (this.live) return this.you.includes(this.s.to_move);
      return this.free && this.you.includes(this.position.mover);
    },
    /** True if an opponent of the first three levels plays: then a cell that would lose pulses once. */
    easy: ({ s }) => s.seats.some(({ agent }) => /^level:[1-3]$/.test(agent ?? "")),
    found: (vm) => vm.analyses[vm.node] ?? null,
    labels() {
      const labels = oxo.labelsOf(this.found);
      return this.proof ? oxo.addProofLabels(labels, this.proof) : labels;
    },
    proof: (vm) => vm.proofs[vm.node] ?? null,
    /** True if hints and analyses are given now. */
    helped: ({ s }) => s.analysis !== "after" || s.over,
    ghosts() {
      const player = this.position.mover;
      const cell = this.sending >= 0 ? this.sending : this.hint;
      if (cell >= 0) return new Map([[cell, { player, step: "" }]]);
      const moves = this.marking
        ? this.marked.filter(({ node }) => node === this.node)
        : (this.found?.forced.slice(0, this.step) ?? []);
      return moves.length
        ? new Map(moves.map(({ cell, player }, i) => [cell, { player, step: i + 1 }]))
        : null;
    },
    line: ({ s, node }) => (s.line.includes(node) ? s.line : oxo.lineThrough(s.tree, node)),
    ply: ({ s, node }) => oxo.pathTo(s.tree, node).length - 1,
    /** Values after every move of the line: proofs take precedence over estimates. */
    course: (vm) =>
      vm.line.map((node) => {
        const after = vm.review?.course[vm.review.line.indexOf(node)];
        const found = [vm.analyses[node]?.point, after].filter(Boolean);
        return found.find(({ certainty }) => certainty !== "estimate") ?? found[0] ?? null;
      }),
    moves: ({ line, geometry, s }) =>
      line
        .slice(1)
        .map((node) => ({ player: oxo.playerOf(geometry, s, node), cell: s.tree.cells[node] })),
    /** True if the board shows the end of a game. */
    ended: (vm) => vm.s.over && vm.live,
    score: (vm) => (vm.standings ? oxo.describeScore(vm.standings, vm.geometry.players) : ""),
    /** Players at the edge of the board that is nearest to whoever looks at it. */
    near: (vm) => (vm.you.length && vm.you.length < vm.s.seats.length ? vm.you : [1]),
    far: ({ s, near }) => s.seats.flatMap(({ player }) => (near.includes(player) ? [] : player)),
    /** The view that is large at first: space where there are layers. */
    first() {
      const chosen = localStorage.getItem("oxo:large") ?? "space";
      return this.geometry.shape && oxo.shapeOf(this.geometry).length > 2 ? chosen : "flat";
    },
    /** The level after that of the opponent who was just beaten, as its agent; "" without one. */
    next() {
      const agents = [...new Set(this.s.seats.map(({ agent }) => agent).filter(Boolean))];
      const [, level] = /^level:([1-7])$/.exec(agents.join()) ?? [];
      const won = this.you.some((player) => this.s.winners.includes(player));
      return level && won ? `level:${Number(level) + 1}` : "";
    },
    /** The last own move that could have held, to be tried again. */
    turning() {
      const own = ({ player, number }) => number !== null && this.you.includes(player);
      return (!this.reviewing && this.review?.held.find(own)) || null;
    },
    status() {
      const { s } = this;
      if (this.slow) return "Sending…";
      if (!this.live) return `Looking at move ${this.ply} of ${this.s.line.length - 1}.`;
      if (s.over) return oxo.describeEnding(this.geometry, s);
      if (s.paused === "history") return "The others wait. Play on, or let them move.";
      if (s.paused) return s.paused === "asked" ? "Paused." : `Paused: ${s.paused}`;
      const mover = oxo.NAMES[s.to_move];
      if (this.you.includes(s.to_move))
        return this.you.length > 1 ? `${mover} is to move.` : "Your move.";
      if (s.thought?.preparing) return oxo.preparingText(s.thought.preparing);
      if (s.thinking) return `${mover} thinks.`;
      return this.you.length
        ? `${mover}'s move.`
        : `${mover}, ${s.seats[s.to_move - 1].name}, is to move.`;
    },
    /** The last move in words, if another player made it. */
    lastMoveText() {
      const cell = this.s.last_move;
      const by = this.s.node ? oxo.playerOf(this.geometry, this.s, this.s.node) : 0;
      if (!this.live || cell == null || !by || (this.you.length === 1 && this.you.includes(by)))
        return "";
      const through = this.geometry.lines.filter((line) => line.includes(cell));
      const counts = through.map((line) => oxo.tally(line, this.position.owner).counts);
      const own = counts.filter(({ size }) => size === 1).map((count) => count.get(by) ?? 0);
      const most = Math.max(0, ...own);
      const size = this.geometry.lines[0]?.length ?? 0;
      const line = most > 1 && !this.s.over ? ` ${most} of ${size} on one line.` : "";
      return `${oxo.NAMES[by]} plays ${oxo.moveName(this.geometry, cell)}.${line} ${this.hurried}`;
    },
    /** That the last move was asked for at once, and what came of it. */
    hurried: (vm) =>
      vm.live && vm.s.node
        ? vm.s.hurried.replace(/^It/, oxo.NAMES[oxo.playerOf(vm.geometry, vm.s, vm.s.node)])
        : "",
    /** True if this person plays, or has made the game. */
    seated: (vm) => vm.you.length > 0 || vm.s.host,
    /** True if an agent has thought for some seconds, so that *Move now* is offered. */
    waits() {
      const { thought } = this.s;
      return this.live && this.seated && thought && !thought.preparing && !thought.hurried;
    },
    openRequest: (vm) =>
      oxo.openRequests(vm.s, vm.you, vm.s.host).find(({ key }) => !vm.later.includes(key)) ?? null,
    /** The action that waits for this person, for the title of the page. */
    call: ({ s, you, openRequest }) => oxo.calling(s, you, openRequest),
    footnote() {
      const { watchers, analysis } = this.s;
      const words = [...this.geometry.rules];
      if (this.others && this.you.length && analysis === "always")
        words.push("Hints and analysis are on for all.");
      if (watchers) words.push(watchers === 1 ? "1 person watches." : `${watchers} people watch.`);
      return words.join(" ");
    },
    winning: (vm) => (vm.live ? vm.s.winning_lines : []),
    lost: (vm) =>
      vm.s.over && vm.s.result !== "=" && vm.you.some((player) => !vm.s.winners.includes(player)),
  },
  watch: {
    call: {
      handler(call) {
        document.title = oxo.titled(this.geometry, this.s, call);
        oxo.notice.dot(call.startsWith("●"));
        oxo.notice.send(call, this.lastMoveText);
      },
      immediate: true,
    },
    node() {
      this.keepAddress();
      this.highlight = null;
      this.linesText = "";
      this.step = 0;
      this.hint = -1;
      this.hintText = "";
      this.hinting = false;
      if (this.analysing) this.analyse();
    },
    overlay: "keepAddress",
    ended: {
      handler(ended) {
        if (!ended || this.options.view_only) return;
        this.standings = oxo.scoreWith(oxo.readStorage("score", null), this.s);
        sessionStorage.setItem("oxo:score", JSON.stringify(this.standings));
      },
      immediate: true,
    },
    "boards.large"(large, before) {
      if (before) localStorage.setItem("oxo:large", large);
      this.arrange();
    },
    "boards.mode": "arrange",
    guest: { handler: "sit", flush: "post" },
  },
  mounted() {
    this.watcher = new ResizeObserver(() => this.arrange());
    this.sit();
    this.$emit("hello", this.options.view_only ? {} : this.readTokens());
    this.followAddress();
    if (this.options.invite) this.$emit("share", {});
    if (this.options.review) this.why();
    const drawer = localStorage.getItem("oxo:drawer");
    if (DRAWERS.includes(drawer) && window.innerWidth > 820) this.draw(drawer);
    document.addEventListener("keydown", this.key);
    window.addEventListener("hashchange", this.followAddress);
    window.oxoGame = this;
  },
  methods: {
    /** Fill the window: at once, or when a guest has given a name. */
    sit() {
      if (this.guest) return;
      this.boards = this.$refs.boards;
      this.watcher.observe(this.$refs.stage);
    },
    /** Put the people where they leave the board more space: beside it, or above and below. */
    arrange() {
      const { clientWidth, clientHeight } = this.$refs.stage;
      const shape = oxo.shapeOf(this.geometry);
      const wide = shape.length === 4 && this.boards.mode === "cubes" ? shape[0] : 1;
      const fit = (width, height) => {
        if (this.boards.large === "space")
          return { unit: Math.min(width / wide, height), width: wide, height: 1.6 * wide };
        return oxo.fit(this.geometry, { width, height, most: Infinity, least: 0 });
      };
      const high = clientHeight - 2 * ABOVE;
      const beside = fit(clientWidth - 2 * BESIDE, clientHeight);
      const above = fit(clientWidth - 24, high);
      this.beside = beside.unit > above.unit;
      this.sizes = {
        "--board-width": `${Math.min(clientWidth - 2 * BESIDE, Math.ceil(beside.unit * beside.width) + 12)}px`,
        "--board-height": `${Math.min(high, Math.ceil(above.unit * above.height) + 12)}px`,
      };
    },
    /** Keep the tokens of this tab, return them, and take them out of the address, which others may copy. */
    readTokens() {
      const query = new URLSearchParams(window.location.search);
      const own = oxo.readStorage(this.s.id, {});
      for (const token of ["seat", "host"]) if (query.get(token)) own[token] = query.get(token);
      if (own.seat || own.host) oxo.writeStorage(this.s.id, own, true);
      if (query.size)
        history.replaceState(history.state, "", window.location.pathname + window.location.hash);
      // A game that its maker's first stone began: the keys go on walking the board.
      if (query.get("host") && this.s.moves.length) this.boards.$refs.flat.$el.focus();
      return { seat: own.seat ?? null, host: own.host ?? null };
    },
    // Calls from the server.
    show(state) {
      const moved = state.node !== this.s.node;
      this.fresh = moved && state.tree.parents[state.node] === this.s.node;
      for (const [kind, count] of oxo.sounds(this.geometry, this.s, state, state.you, this.helped))
        oxo.sound.play(kind, count);
      if (state.over && !this.s.over && !this.options.view_only) oxo.storeResult(state);
      this.s = state;
      this.stopWaiting();
      if (state.over) this.hinting = false;
      if (moved && this.leaving) this.viewing = null;
      if (moved) this.leaving = false;
      if (this.viewing === state.node) this.viewing = null;
      if (moved && this.fresh) oxo.toast("");
      // The list of games needs the seats of this browser.
      const own = oxo.readStorage(state.id, {});
      if (state.you.length) oxo.writeStorage(state.id, { ...own, you: state.you }, true);
    },
    think(thought) {
      this.s.thought = thought;
    },
    analysed(found) {
      this.analyses[found.node] = found;
    },
    hinted({ node, cell, line, words }) {
      if (!this.hinting || node !== this.node) return;
      this.hinting = false;
      this.hint = cell;
      this.hintText = words;
      const { mover } = this.position;
      this.highlight = line === null ? null : { player: mover, lines: [line], still: true };
    },
    reviewed(review) {
      this.reviewing = review?.busy ?? false;
      const line = this.review?.busy ? this.review.line : oxo.pathTo(this.s.tree, this.s.node);
      this.review = review && { ...review, line };
    },
    notify(words) {
      this.hinting = false;
      this.stopWaiting();
      oxo.toast(words);
    },
    proved(update) {
      this.proofs[update.node] = { ...this.proofs[update.node], ...update };
      if (!update.busy && update.moves?.length && this.overlay === "none") this.overlay = "values";
    },
    /** The address of the displayed position, with its stones. */
    stonesPath(page = "/p") {
      return oxo.positionPath(this.s.game, oxo.textOf(this.position.owner), page);
    },
    /** The address of the displayed position: its moves if they are known, or the stones. */
    address() {
      const { game, start, tree } = this.s;
      if (!/^[.#]*$/.test(start)) return this.stonesPath();
      return oxo.positionPath(game, oxo.movesTo(tree, this.node).join());
    },
    /** Reloading the page, and going back to it, restore the move or the branch, and the overlay. */
    keepAddress() {
      const { view_only: viewOnly } = this.options;
      const on = this.s.line.includes(this.node);
      const where = on
        ? `move=${this.ply}`
        : `branch=${oxo.movesTo(this.s.tree, this.node).join()}`;
      const show = this.overlay !== "none" && `show=${this.overlay}`;
      const parts = [!this.live && !viewOnly && where, show].filter(Boolean).join("&");
      oxo.keepAddress((viewOnly ? this.address() : oxo.here()) + (parts && `#${parts}`));
    },
    missing(words) {
      this.notify(words);
      this.keepAddress();
    },
    /** Go to the position that the address names. */
    followAddress() {
      const query = new URLSearchParams(window.location.hash.slice(1));
      const { tree } = this.s;
      if (query.has("branch")) {
        let node = 0;
        for (const cell of oxo.movesIn(query.get("branch")) ?? [-1])
          node = oxo.branches(tree, node).find((next) => tree.cells[next] === cell) ?? -1;
        if (node >= 0) this.viewNode(node);
        else this.missing("There is no such branch in this game.");
      } else if (query.has("move")) {
        const ply = Number(query.get("move"));
        if (ply < this.s.line.length) this.viewNode(this.s.line[ply]);
        else this.missing(`This game has ${oxo.plural(this.s.line.length - 1, "move")} so far.`);
      } else this.viewing = null;
      const show = query.get("show") ?? "none";
      if (["none", "numbers", "threats", "values"].includes(show) && show !== this.overlay)
        this.chooseOverlay(show);
    },
    copyLink() {
      oxo.copy(oxo.linkTo(this.address()), "Link to this position");
    },
    /** The address of a picture of the displayed position; animated, the moves that led there. */
    picture(kind, themed = false) {
      const ply = this.options.view_only ? -1 : this.s.line.indexOf(this.node);
      const [path, move] = ply < 0 ? [this.address(), ""] : [`/game/${this.s.id}`, `&move=${ply}`];
      return `${path}.${kind}?${kind === "svg" && !themed ? "" : `theme=${scheme()}`}${move}`;
    },
    /** The seat of a player who came by a link and has no name yet; null for others. */
    comes() {
      const query = new URLSearchParams(window.location.search);
      const { you, seats } = this.state;
      const others = seats.some((seat) => !seat.agent && !you.includes(seat.player));
      const seat = seats.find(({ player }) => you.includes(player));
      return query.get("seat") && !query.get("host") && others && oxo.joins(seat) ? seat : null;
    },
    join(named) {
      this.guest = null;
      this.$emit("seat", named);
    },
    share({ links, reach }) {
      Object.assign(this, { links, reach, dialog: "share" });
    },
    /** No longer wait for a move that was sent: it has come, is refused, or was lost on its way. */
    stopWaiting() {
      clearTimeout(this.slowing);
      Object.assign(this, { sent: false, sending: -1, slow: false });
    },
    // Actions of the person.
    play(cell) {
      if (this.marking) this.suggest(cell);
      // Until the move before has arrived, this one would answer the position that was.
      if (this.marking || this.sent) return;
      this.sent = this.leaving = true;
      this.sending = cell;
      this.slowing = setTimeout(() => (this.slow = true), PATIENCE);
      this.$emit("play", { cell, node: this.node, back: !this.live });
    },
    /** Play the cell whose name, number or coordinates are typed; the server reads them. */
    playTyped() {
      if (this.mayPlay) this.$emit("read", { text: this.typed, node: this.node });
      else oxo.toast(this.position.mover ? "It is not your turn." : "The game is over.");
    },
    named(cell) {
      this.typed = "";
      this.$refs.boards.play(cell);
    },
    /** Answer what another person asks for; the next game can also be joined later. */
    reply(yes) {
      const { kind, key } = this.openRequest;
      if (kind === "request") this.$emit("answer", { yes, number: key });
      else if (kind === "again" && yes) this.$emit("again", {});
      else this.later.push(key);
    },
    viewNode(node) {
      this.viewing = node === this.s.node ? null : node;
    },
    viewPly(ply) {
      this.viewNode(this.line[Math.max(0, Math.min(this.line.length - 1, ply))]);
    },
    lines(player) {
      const again = this.highlight?.player === player;
      const found = again ? null : oxo.linesOf(this.geometry, this.position.owner, player);
      this.highlight = found?.lines.length ? found : null;
      this.linesText = found?.words ?? "";
    },
    myLines() {
      this.lines(this.you[0] ?? (this.position.mover || this.s.winners[0] || 1));
    },
    /** Open a drawer, or close the one that is open. */
    draw(drawer) {
      this.drawer = drawer;
      localStorage.setItem("oxo:drawer", drawer ?? "");
      if (this.helped && (drawer === "analysis") !== this.analysing)
        this.toggle(drawer === "analysis");
    },
    back() {
      if (this.options.view_only || !this.seated) this.viewPly(this.ply - 1);
      else this.$emit("offer", { kind: "undo" });
    },
    /** Close a menu when something in it was done; switches leave it open. */
    done(event) {
      if (event.target.closest("button:not([role]), a")) event.currentTarget.hidePopover();
    },
    chooseOverlay(name) {
      if (name !== "values" || this.helped) this.overlay = this.overlay === name ? "none" : name;
      else oxo.toast("No help in this game.");
      if (this.overlay === "values" && !this.analysing && !this.proof) this.toggle(true);
    },
    toggle(on) {
      if (this.analysing && this.found?.busy && !on) this.$emit("stop", {});
      this.analysing = on;
      if (on) {
        if (this.overlay === "none") this.overlay = "values";
        this.analyse();
      } else if (this.overlay === "values") this.overlay = "none";
    },
    analyse(longer = false) {
      const known = this.analyses[this.node];
      if (known && !known.busy && !longer) return;
      if (this.position.mover) this.$emit("analyse", { node: this.node, longer });
    },
    advise() {
      this.hinting = true;
      this.$emit("hint", { node: this.node });
    },
    /** Mark the move that a proof search tries first here; one a position. */
    suggest(cell) {
      const entry = { node: this.node, cell, ply: this.ply, player: this.position.mover };
      const before = this.marked.find(({ node }) => node === entry.node);
      this.forget(entry);
      if (before?.cell !== cell) this.marked.push(entry);
      this.marked.sort((a, b) => a.ply - b.ply);
    },
    forget({ node }) {
      this.marked = this.marked.filter((entry) => entry.node !== node);
    },
    search(longer) {
      this.marking = false;
      const { node } = this;
      this.proofs[node] = { node, busy: true, progress: null };
      const marked = this.marked.map((entry) => ({ node: entry.node, cell: entry.cell }));
      this.$emit("prove", { node, longer, marked });
    },
    stepTo(step) {
      clearInterval(this.stepping);
      this.step = Math.max(0, step);
      const next = () => {
        this.step += 1;
        if (!this.found || this.step >= this.found.forced.length) clearInterval(this.stepping);
      };
      if (step < 0) this.stepping = setInterval(next, 700);
    },
    reviewGame(longer = false) {
      this.reviewing = true;
      this.review = this.preparing = null;
      this.$emit("review", { longer });
    },
    why() {
      if (!this.review && !this.reviewing) this.reviewGame();
      this.draw("report");
      this.$nextTick(() => this.$refs.review.open());
    },
    open(dialog) {
      this.dialog = dialog;
      if (dialog === "export") this.exported = null;
    },
    key(event) {
      if (oxo.isTyped(event, ":popover-open")) return;
      if (event.key === "Escape" && this.$el.querySelector(":popover-open")) return;
      // Arrows walk the board from wherever they mean nothing else.
      const idle =
        this.boards && [document.body, this.boards.$refs.flat.$el].includes(document.activeElement);
      if (event.key.startsWith("Arrow") && idle) {
        event.preventDefault();
        this.boards.$refs.flat.focus();
        return;
      }
      const does = {
        back: () => this.viewPly(this.ply - 1),
        forth: () => this.viewPly(this.ply + 1),
        "back to the game": () => {
          if (this.marking) this.marking = false;
          else if (!this.live) this.viewing = null;
          else this.draw(null);
        },
        moves: () => this.draw(this.drawer === "moves" ? null : "moves"),
        undo: () => this.seated && this.s.moves.length && this.$emit("offer", { kind: "undo" }),
        redo: () =>
          this.seated &&
          this.s.line.at(-1) !== this.s.node &&
          this.$emit("offer", { kind: "redo" }),
        numbers: () => this.chooseOverlay("numbers"),
        threats: () => this.chooseOverlay("threats"),
        values: () => this.chooseOverlay("values"),
        lines: () => this.myLines(),
        hint: () => this.helped && this.advise(),
        analysis: () => this.draw(this.drawer === "analysis" ? null : "analysis"),
        save: () => this.open("export"),
        resign: () =>
          this.you.length && !this.s.over && !this.options.view_only && this.open("resign"),
        agree: () => this.openRequest?.due && this.reply(true),
        decline: () => this.openRequest && this.reply(false),
        help: () => this.open("keys"),
      }[oxo.ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key]];
      if (!does) return;
      event.preventDefault();
      does();
    },
  },
  template: `
  <Join v-if="guest" :seat="guest" :state="s" :geometry="geometry" @join="join"/>
  <div v-else class="desk">
    <div ref="stage" class="stage" :class="[beside ? 'beside' : 'above', { ended }]" :style="sizes">
      <h1 class="hidden">{{ s.title || 'A game of ' + s.game }}</h1>
      <Seats class="far" :players="far" :geometry="geometry" :state="s" :position="position" :showing="highlight ? highlight.player : 0" @lines="lines"/>
      <Boards ref="boards" bare :first="first" :warn="mayPlay && easy" :geometry="geometry" :position="position" :playable="marking ? position.mover > 0 : mayPlay" :overlay="overlay" :labels="labels" :hint="hint" :highlight="highlight" :winning="winning" :ghosts="ghosts" :focus="focus"
        @play="play" @overlay="chooseOverlay" @message="notify"/>
      <div class="status" :class="{ yours: live && (mayPlay || s.over), past: !live }">
        <span class="hidden" role="status" aria-live="polite">{{ lastMoveText }} {{ status }} {{ waits ? 'Move now asks for the best move so far.' : '' }}</span>
        <div v-if="openRequest" :key="openRequest.key" class="request sentence"><span role="alert">{{ openRequest.words }}</span>
          <span class="pair" v-if="openRequest.due"><button type="button" class="small go" title="Y" aria-keyshortcuts="Y" @click="reply(true)">{{ openRequest.yes }}</button><button v-if="openRequest.no" type="button" class="small" title="D" aria-keyshortcuts="D" @click="reply(false)">{{ openRequest.no }}</button></span>
          <button v-else-if="openRequest.mine" type="button" class="small" title="D" aria-keyshortcuts="D" @click="reply(false)">Withdraw</button></div>
        <div v-else class="sentence"><p class="now">{{ status }}</p>
          <Coach :geometry="geometry" :state="s" :position="position" :you="you" @show="highlight = $event"/>
          <p v-if="ended && score" class="score" title="Games won in this match">{{ score }}</p>
          <span v-if="ended && seated" class="pair wrap"><small v-if="s.next !== null">{{ s.next ? s.seats[s.next - 1].name : 'The host' }} plays again.</small><button type="button" class="small go" @click="$emit('again', {})">{{ s.next === null ? 'Rematch' : 'Join the rematch' }}</button>
            <button v-if="helped && moves.length" type="button" class="small" @click="why">{{ lost ? 'Why?' : 'Report' }}</button><button v-if="next && s.next === null" type="button" class="small" @click="$emit('again', { agent: next })">Next level</button><button v-if="turning" type="button" class="small" @click="$emit('from_here', { node: review.line[turning.number - 1] })">Try from move {{ turning.number }}</button></span>
          <span v-if="!live" class="pair wrap"><button type="button" class="small" @click="viewing = null">Back to the game</button>
            <button type="button" class="small" v-if="seated" @click="leaving = true; $emit('go', { node })">{{ free ? 'Go on from here' : 'Ask to go back here' }}</button></span>
          <span v-else-if="s.paused && (s.host || free)"><button type="button" class="small go" @click="$emit('resume', {})">Go on</button></span>
          <span v-if="options.view_only" class="pair"><button type="button" class="small" :disabled="!position.mover" @click="$emit('from_here', { node })">Play from here</button><a class="small" :href="stonesPath('/analyse')">Edit</a></span>
          <p class="soft text" v-if="linesText || hurried">{{ linesText || hurried }}</p>
          <p class="soft text" v-if="hintText"><b>Hint.</b> {{ hintText }}</p>
          <Thought v-if="live && s.thinking && s.thought" :thought="s.thought" :geometry="geometry" :may="seated" @now="$emit('now', $event)"/></div>
      </div>
      <Seats class="close" :players="near" :geometry="geometry" :state="s" :position="position" :showing="highlight ? highlight.player : 0" @lines="lines"/>
    </div>
    <aside v-if="drawer" class="drawer" aria-label="Moves, analysis and report">
      <header class="views"><button v-for="name in DRAWERS" :key="name" type="button" :class="{ on: drawer === name }" :aria-pressed="drawer === name ? 'true' : 'false'" @click="draw(name)">{{ name[0].toUpperCase() + name.slice(1) }}</button><span class="push"></span><button type="button" class="icon" aria-label="Close" title="Esc" @click="draw(null)">✕</button></header>
      <section v-if="drawer === 'moves'"><div class="pair">
          <button type="button" class="icon" aria-label="First position" @click="viewPly(0)">«</button><button type="button" class="icon" aria-label="One move back" @click="viewPly(ply - 1)">‹</button>
          <button type="button" class="icon" aria-label="One move forth" @click="viewPly(ply + 1)">›</button><button type="button" class="icon" aria-label="Last position" @click="viewPly(line.length - 1)">»</button></div>
        <form v-if="you.length && !s.over" class="pair typed" @submit.prevent="playTyped"><input v-model="typed" required aria-label="Cell to play" placeholder="Name of a cell"><button type="submit" class="small" :disabled="sent">Go</button></form>
        <Moves :geometry="geometry" :state="s" :node="node" :review="review" @select="viewNode"/></section>
      <template v-else-if="!helped"><p class="soft">No help in this game. Hints and analysis are here when it is over.</p>
        <p v-if="others && you.length" class="tools"><button type="button" class="small" :disabled="!!s.request" @click="$emit('offer', { kind: 'help' })">Ask to allow hints</button></p></template>
      <template v-else-if="drawer === 'analysis'"><Advice :geometry="geometry" :found="analysing ? found : null" :on="analysing" :over="!position.mover" :step="step"
          @stop="$emit('stop', {})" @focus="focus = $event" @play="mayPlay && play($event)" @step="stepTo" @more="analyse(true)"/>
        <Prove v-if="options.prove" :geometry="geometry" :found="proof" :marking="marking" :marked="marked" :over="!position.mover" @mark="marking = !marking" @drop="forget($event)" @search="search" @stop="$emit('stop', { what: 'proof' })" @select="viewNode" :exploring="exploring" @explore="exploring = true; $emit('explore', {})"/></template>
      <Review v-else ref="review" :geometry="geometry" :course="course" :moves="moves" :at="ply" :busy="reviewing" :preparing="preparing" :review="review" :stale="review !== null && review.line.at(-1) !== s.node" :over="s.over" :lost="lost"
        @select="viewPly" @show="viewNode(review.line[$event])" @from="$emit('from_here', { node: review.line[$event] })" @review="reviewGame($event)" @stop="$emit('stop', { what: 'review' }); reviewing = false"/>
    </aside>
    <div class="line tools" role="group" aria-label="Game">
      <button type="button" title="U" :disabled="!ply" @click="back">Back</button>
      <button v-if="helped" type="button" title="H" :disabled="!position.mover || hinting" @click="advise">{{ hinting ? 'Looking…' : 'Hint' }}</button>
      <button type="button" popovertarget="view">View</button>
      <button v-if="!pupil" type="button" @click="options.view_only ? copyLink() : $emit('share', {})">Share</button>
      <button type="button" popovertarget="more">More</button>
    </div>
    <div id="view" popover class="menu" role="group" aria-label="View">
      <Overlays class="views" :names="['none', 'numbers', 'threats', 'values']" :chosen="overlay" @choose="chooseOverlay"/>
      <div class="views"><button type="button" :class="{ on: highlight }" :aria-pressed="highlight ? 'true' : 'false'" @click="myLines">{{ you.length ? 'My lines' : 'Lines' }}</button>
        <template v-if="boards && boards.spatial"><span class="push"></span><button v-for="name in ['space', 'flat']" :key="name" type="button" :class="{ on: boards.large === name }" :aria-pressed="boards.large === name ? 'true' : 'false'" @click="boards.large !== name && boards.swap()">{{ name === 'space' ? 'In space' : 'Flat' }}</button></template></div>
      <SpaceTools v-if="boards && boards.spatial && boards.large === 'space'" class="views" :boards="boards"/>
    </div>
    <div id="more" popover class="menu all" role="group" aria-label="More" @click="done">
      <button v-for="name in pupil && !helped ? ['moves'] : DRAWERS" :key="name" type="button" @click="draw(name)">{{ name[0].toUpperCase() + name.slice(1) }}</button>
      <button v-if="seated" type="button" :disabled="s.line.at(-1) === s.node" @click="$emit('offer', { kind: 'redo' })">Redo</button>
      <template v-if="!pupil"><button type="button" @click="open('export')">Save</button>
        <button type="button" @click="copyLink">Copy link</button></template>
      <template v-if="!options.view_only"><template v-if="you.length">
          <button type="button" v-if="!pupil" @click="$emit('offer', { kind: 'swap' })">Swap seats</button>
          <button type="button" v-if="!s.over && others" @click="$emit('offer', { kind: 'draw' })">Offer a draw</button>
          <button type="button" v-if="!s.over" @click="open('resign')">Resign…</button></template>
        <button type="button" v-else-if="s.host && !s.over && !s.paused" @click="$emit('pause', {})">Pause</button>
        <button v-for="entry in pupil ? [] : s.seats.filter((e) => you.includes(e.player) || (s.host && e.agent))" :key="entry.player" type="button" :title="'Name and player of ' + $names[entry.player]" @click="seat = entry">Seat: {{ entry.name }}</button></template>
      <button type="button" @click="open('keys')">Keys</button>
      <span class="pair"><Signals/></span>
      <p v-if="footnote" class="soft rules">{{ footnote }}</p>
    </div>
    <Share v-if="dialog === 'share'" :links="links" :reach="reach" :position="reach.origin + address()" :present="s.present" @close="dialog = null" />
    <Export v-if="dialog === 'export'" :notations="notations" :text="exported" :picture="picture" :space="$refs.boards.picture()" @close="dialog = null" @export="$emit('export', { notation: $event, node })"/>
    <Keys v-if="dialog === 'keys'" @close="dialog = null"/>
    <Window v-if="dialog === 'resign'" title="Resign this game?" @close="dialog = null"><div class="tools">
      <button type="button" class="go" @click="dialog = null; $emit('resign', {})">Resign</button><button type="button" @click="dialog = null">Play on</button></div></Window>
    <SeatEditor v-if="seat" :seat="seat" :opponents="opponents" :host="s.host" :mine="you.includes(seat.player)" @close="seat = null" @seat="$emit('seat', $event)"/>
  </div>`,
};
