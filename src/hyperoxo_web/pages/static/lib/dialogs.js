// Small windows: records, keys, names. The browser's own <dialog> keeps the focus in.
import { KEYS } from "./keys.js";

export const Window = {
  props: { title: String },
  emits: ["close"],
  mounted() {
    this.$refs.box.showModal();
  },
  template: `
  <dialog ref="box" class="window" @close="$emit('close')" @click.self="$refs.box.close()" :aria-label="title">
    <header><h2>{{ title }}</h2><button type="button" class="icon" aria-label="Close" @click="$refs.box.close()">✕</button></header>
    <div class="inside"><slot/></div></dialog>`,
};

/** A card on which a file may be dropped, or chosen. */
export const FileDrop = {
  props: { title: String, choose: String },
  emits: ["file"],
  data: () => ({ over: false }),
  methods: {
    take([file]) {
      this.over = false;
      if (file) this.$emit("file", file);
    },
  },
  template: `
  <section class="card drop" :class="{ over }" @dragover.prevent="over = true" @dragleave="over = false" @drop.prevent="take($event.dataTransfer.files)">
    <header><h2>{{ title }}</h2><label class="small file">{{ choose }}<input type="file" class="hidden" @change="take($event.target.files)"></label></header><slot/></section>`,
};

/**
 * Save a text, or what else a file may hold.
 * @type {(name: string, content: string | Blob) => void}
 */
export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: content.type ?? "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const PICTURES = { svg: "SVG", png: "PNG", gif: "Animated (GIF)" };

export const Export = {
  props: { notations: Array, text: Object, picture: Function, space: Function },
  emits: ["close", "export"],
  data: () => ({ chosen: "record", PICTURES }),
  mounted() {
    this.$emit("export", this.chosen);
  },
  computed: {
    entry: ({ notations, chosen }) => notations.find((notation) => notation.name === chosen),
  },
  methods: {
    choose(name) {
      this.chosen = name;
      this.$emit("export", name);
    },
    async download(ending, content) {
      save(this.text.name + ending, await content);
    },
  },
  template: `
  <Window title="Save" @close="$emit('close')">
    <h3>Picture</h3>
    <img class="shot" :src="picture('svg', true)" alt="The position that you look at">
    <div class="tools"><a v-for="(label, kind) in PICTURES" :key="kind" :href="picture(kind)" download>{{ label }}</a>
      <button v-if="space" type="button" :disabled="!text" @click="download('-in-space.png', space())">In space (PNG)</button></div>
    <h3>Record</h3>
    <div class="views wrap"><button v-for="notation in notations" :key="notation.name" type="button" :class="{ on: notation.name === chosen }" @click="choose(notation.name)">{{ notation.name }}</button></div>
    <p class="soft">{{ entry.about }}</p>
    <p v-if="text && text.error" class="trouble">{{ text.error }}</p>
    <textarea v-else ref="field" aria-label="Record" readonly rows="5" spellcheck="false" :value="text ? text.text : ''"></textarea>
    <div class="tools"><button type="button" class="go" :disabled="!text || text.error" @click="$copy(text.text, 'Record', $refs.field)">Copy</button><button type="button" :disabled="!text || text.error" @click="download(entry.ending, text.text)">Save as a file</button></div>
  </Window>`,
};

export const Keys = {
  emits: ["close"],
  data: () => ({ keys: KEYS }),
  template: `
  <Window title="Keys" @close="$emit('close')"><dl class="keys"><template v-for="[key, does] in keys" :key="key"><dt class="mono">{{ key }}</dt><dd class="soft">{{ does }}</dd></template></dl></Window>`,
};

export const SeatEditor = {
  props: { seat: Object, opponents: Array, host: Boolean, mine: Boolean },
  emits: ["close", "seat"],
  data: ({ seat }) => ({ name: seat.name, agent: seat.agent ?? "human" }),
  template: `
  <Window :title="'Seat ' + seat.player" @close="$emit('close')">
    <label class="field"><span>Name</span><input v-model="name" maxlength="80"></label>
    <label class="field" v-if="mine || (host && seat.agent)"><span>Played by</span>
      <input v-model="agent" list="agents" spellcheck="false"><datalist id="agents"><option v-for="[label, spec] in opponents" :key="spec" :value="spec">{{ label }}</option></datalist></label>
    <div class="tools"><button type="button" class="go" @click="$emit('seat', { player: seat.player, name, agent }); $emit('close')">Change</button></div>
  </Window>`,
};
