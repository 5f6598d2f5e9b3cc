// A record to be looked at move by move: pasted, dropped or chosen.
export default {
  props: { notations: Array, example: String },
  data: () => ({ text: "", notation: "", game: "", error: "", busy: false, over: false }),
  methods: {
    read() {
      this.busy = true;
      this.error = "";
      this.$emit("read", { text: this.text, notation: this.notation, game: this.game.trim() });
    },
    failed(error) {
      this.busy = false;
      this.error = error;
    },
    async take(files) {
      this.over = false;
      const [file] = files;
      if (!file) return;
      if (file.size > 500_000) {
        this.error = "A record has at most 500,000 characters.";
        return;
      }
      this.text = await file.text();
      this.read();
    },
  },
  template: `
  <div class="page analyse"><h1>Analyse a game</h1>
    <p class="lead">Every move is looked at: what it was worth, what was better, and where the loser could still have held on. Proved where it says so; the rest are estimates.</p>
    <section class="card drop" :class="{ over }" @dragover.prevent="over = true" @dragleave="over = false" @drop.prevent="take($event.dataTransfer.files)">
      <header><h2>Record</h2><label class="small file">Choose a file<input type="file" class="hidden" @change="take($event.target.files)"></label></header>
      <textarea v-model="text" rows="9" spellcheck="false" aria-label="Record" :placeholder="'Paste a record, or drop a file here. For example:\\n\\n' + example"></textarea>
      <div class="row-fields"><label class="field inline"><span>Notation</span><select v-model="notation"><option value="">find out</option><option v-for="entry in notations" :key="entry.name" :value="entry.name">{{ entry.name }}: {{ entry.about }}</option></select></label>
        <label class="field inline"><span>Game</span><input v-model="game" class="mono" placeholder="if the record does not say" spellcheck="false"></label></div>
      <p v-if="error" class="trouble" role="alert">{{ error }}</p>
      <div class="tools"><button type="button" class="go" :disabled="busy || !text.trim()" @click="read">{{ busy ? 'Reading…' : 'Analyse' }}</button><button type="button" @click="text = example; read()">Take the example</button></div>
    </section></div>`,
};
