// Functions of all pages: messages, copy, send and wait for the answer, and list more and more.
import { here, keepAddress, onReturn, pathWith } from "./address.js";

let fading;

/**
 * Show a message at the foot of the page for a few seconds; "" removes it.
 * @type {(words?: string) => void}
 */
export function toast(words) {
  const element = document.getElementById("toast");
  clearTimeout(fading);
  element.classList.toggle("visible", Boolean(words));
  if (!words) return;
  element.textContent = words;
  fading = setTimeout(toast, 5000);
}

/**
 * Copy a text, and say so; where the browser forbids that, select it in its field, or show it.
 * @type {(text: string, what?: string, field?: HTMLInputElement) => Promise<void>}
 */
export async function copy(text, what = "Link", field = null) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    field?.select();
    toast(field ? "Press Ctrl-C to copy." : text);
  }
}

/** A page that sends something, and waits for it to be done or refused. */
export const sending = {
  data: () => ({ busy: false, error: "" }),
  methods: {
    /** Send an event; until the answer comes, `busy` is its name or the value given. */
    send(event, value = {}, busy = event) {
      this.busy = busy;
      this.error = "";
      this.$emit(event, value);
    },
    failed(words) {
      this.busy = false;
      this.error = words;
    },
  },
};

const FULL = 50; // entries that the server sends at once
const PATIENCE_TYPING = 200; // milliseconds until a search follows what is typed

/** A list that can be searched, and that the address follows; entries come in portions. */
export const listing = {
  data: (vm) => ({
    filter: { ...vm.asked },
    list: vm.entries,
    more: vm.entries.length === FULL,
    clock: vm.now,
    searches: 0,
  }),
  mounted() {
    onReturn((chosen) => {
      for (const name of Object.keys(this.filter)) this.filter[name] = chosen[name] ?? "";
      this.find();
    });
  },
  methods: {
    /** Look for other entries; the address follows. */
    filtered(push) {
      keepAddress(pathWith(here(), this.filter), push);
      this.find();
    },
    /** Find the first entries, or those after so many. */
    find(offset = 0) {
      clearTimeout(this.waiting);
      const request = () => this.$emit("find", { ...this.filter, offset, asked: ++this.searches });
      this.waiting = setTimeout(request, offset ? 0 : PATIENCE_TYPING);
    },
    found({ entries, offset, now, asked }) {
      if (asked !== this.searches) return;
      this.clock = now;
      this.list = offset ? [...this.list, ...entries] : entries;
      this.more = entries.length === FULL;
    },
  },
};
