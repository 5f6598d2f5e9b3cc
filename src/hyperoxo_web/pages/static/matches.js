// Matches between agents: the score as it grows, and the present game.
import * as oxo from "hyperoxo";

export default {
  mixins: [oxo.sending],
  props: { matches: Array, agents: Array, presets: Array, asked: String },
  data: ({ matches }) => ({
    list: matches,
    game: "3^3",
    seats: ["expert:simulations=300", "ising"],
    games: 20,
    pace: 0.25,
    swap: true,
    watching: null,
    live: null,
    overlay: "none",
  }),
  created() {
    const running = this.asked || this.list.find((entry) => entry.running)?.id;
    if (running) this.watch(running);
  },
  mounted() {
    oxo.onReturn(({ match }) => match && this.watch(match));
  },
  computed: {
    players: ({ game }) => oxo.playersOf(game),
    match: (vm) => vm.list.find((entry) => entry.id === vm.watching) ?? null,
    position: ({ live }) => oxo.positionAt(live.geometry, live.state, live.state.node),
  },
  watch: {
    players(count) {
      while (this.seats.length < count) this.seats.push("random");
      this.seats.length = count;
    },
  },
  methods: {
    begin() {
      this.send("begin", {
        game: this.game.trim(),
        agents: this.seats.map((seat) => seat.trim()),
        games: Number(this.games),
        pace: Number(this.pace),
        swap: this.swap,
      });
    },
    begun(id) {
      this.busy = false;
      this.choose(id);
    },
    updated(match) {
      const at = this.list.findIndex((entry) => entry.id === match.id);
      if (at < 0) this.list.unshift(match);
      else this.list[at] = match;
      if (this.watching === null) this.watch(match.id);
    },
    display(live) {
      if (live.match !== this.watching) return;
      this.live = { geometry: live.geometry ?? this.live?.geometry, state: live.state };
    },
    /** Watch another match; the address follows. */
    choose(id) {
      oxo.keepAddress(oxo.pathWith("/matches", { match: id }), true);
      this.watch(id);
    },
    watch(id) {
      this.watching = id;
      this.live = null;
      this.$emit("follow", { id });
    },
  },
  template: `
  <div class="page matches"><h1>Watch games</h1><p class="lead">Watch a match on the board, move by move. You can open every game later. For thousands of games, use runs.</p><LabTabs here="/matches"/>
    <div class="columns"><div>
      <template v-if="match">
        <section class="card score"><header><h2>{{ match.game }}</h2><span class="soft">game {{ match.played }} of {{ match.games }}</span></header>
          <div v-for="(row, i) in match.rows" :key="i" class="score-row"><span class="mono agent">{{ row.agent }}</span>
            <span class="track"><span class="filled" :class="'a' + (i + 1)" :style="{ width: (match.played && 100 * row.wins / match.played) + '%' }"></span><span v-if="row.interval" class="whisker" :style="{ left: 100 * row.interval[0] + '%', width: 100 * (row.interval[1] - row.interval[0]) + '%' }"></span></span>
            <b>{{ row.wins }}</b><small class="soft" v-if="row.interval">{{ $percent(row.interval[0], 0) }} % to {{ $percent(row.interval[1], 0) }} %</small></div>
          <p class="soft">{{ match.draws }} {{ match.draws === 1 ? 'draw' : 'draws' }}. Whiskers: 95 % Wilson intervals of the share of wins.</p>
          <p v-if="match.waiting" class="soft">It begins after the other matches.</p>
          <p v-if="match.error" class="trouble">{{ match.error }}</p>
          <div class="strip"><a v-for="game in match.results" :key="game.url" :href="game.url" :class="'a' + (game.row + 1)" :title="'Game ' + game.number + ': ' + (game.row < 0 ? 'draw' : match.rows[game.row].agent)" :aria-label="'Game ' + game.number"></a></div>
          <div class="tools"><button v-if="match.running && match.stops" type="button" @click="$emit('stop', { id: match.id })">Stop</button><a v-if="match.current" :href="match.current">Open this game</a></div></section>
      </template>
      <section class="card"><header><h2>New match</h2></header>
        <div class="field inline"><span>Game</span><Pick v-model="game" :options="presets.map(({ name, spec }) => [name, spec])" label="Game" pictured/></div>
        <div v-for="(_, i) in seats" :key="i" class="field inline"><span :class="'c' + (i + 1)"><Stone :player="i + 1"/></span><Pick v-model="seats[i]" :options="agents" :label="'Agent ' + (i + 1)"/></div>
        <label class="field inline"><span>Games</span><input v-model="games" type="number" min="1" max="1000"></label>
        <label class="field inline"><span>Pace</span><select v-model="pace"><option :value="0">as fast as possible</option><option :value="0.25">0.25 s a move</option><option :value="1">1 s a move</option></select></label>
        <label class="check"><input type="checkbox" v-model="swap"><span>Swap seats<small>after every game, and count by <Term of="agent">agent</Term></small></span></label>
        <p v-if="error" class="trouble" role="alert">{{ error }}</p>
        <div class="tools"><button type="button" class="go" :disabled="busy" @click="begin">Start</button></div></section>
    </div><div>
      <section v-if="live" class="picture live" aria-label="The present game"><Boards :key="live.geometry.game" :geometry="live.geometry" :position="position" :playable="false" :overlay="overlay" :overlays="['none', 'numbers']" :winning="live.state.winning_lines" :limits="{ most: 46, least: 8, height: 0.5 }"/>
        <p class="names"><span v-for="seat in live.state.seats" :key="seat.player" :class="'c' + seat.player"><Stone :player="seat.player"/> <span class="mono">{{ seat.name }}</span></span></p></section>
      <section v-if="list.length > (match ? 1 : 0)" class="card"><header><h2>All matches</h2></header>
        <ul class="plain-list"><li v-for="entry in list" :key="entry.id"><button type="button" class="link" @click="choose(entry.id)">{{ entry.game }}: {{ entry.rows.map((row) => row.agent).join(' – ') }}</button> <span class="soft">{{ entry.rows.map((row) => row.wins).join(' : ') }}{{ entry.waiting ? ', waiting' : entry.running ? ', running' : '' }}</span></li></ul></section>
    </div></div></div>`,
};
