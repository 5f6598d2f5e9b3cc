// Says that it is your turn where the page is not looked at: title, icon and, if allowed, a notification.
import { toast } from "./page.js";
import { sound } from "./sound.js";
/** @import { Geometry } from "./layout.js" */
/** @import { State } from "./tree.js" */

const NOTICE_KEY = "oxo:notice";
const DOT =
  '<circle cx="25" cy="25" r="6.5" fill="#c8440a" stroke="#fff" stroke-width="1.5"/></svg>';

/**
 * Return the beginning of the title: the action that waits for this person, or "".
 * @type {(state: State, you: number[], request: {due: boolean, words: string} | null) => string}
 */
export function calling(state, you, request) {
  if (request?.due) return `● ${request.words.replace(/\.$/, "")}`;
  if (state.over) return state.result_text.replace(/\.$/, "");
  const alone = state.seats.every(({ player }) => you.includes(player));
  return !alone && you.includes(state.to_move) ? "● Your move" : "";
}

/**
 * Return the title of a game's page.
 * @type {(geometry: Geometry, state: State, call: string) => string}
 */
export function titled(geometry, state, call) {
  const board = geometry.shape ? geometry.shape.join("×") : "hyperoxo";
  return call ? `${call} – ${board}` : `${state.title || state.game} · hyperoxo`;
}

export const notice = {
  /** Browsers notify only from pages of this machine or over HTTPS. */
  get possible() {
    return "Notification" in window && window.isSecureContext;
  },
  get on() {
    return (
      this.possible &&
      Notification.permission === "granted" &&
      localStorage.getItem(NOTICE_KEY) === "on"
    );
  },
  /** Ask the browser, if need be; only ever called by a press. */
  async turn(on) {
    if (on && Notification.permission !== "granted") await Notification.requestPermission();
    localStorage.setItem(NOTICE_KEY, on ? "on" : "off");
    return this.on;
  },
  /** Put a dot on the icon of the page, or take it away. */
  async dot(on) {
    const link = document.querySelector("link[rel~=icon]");
    if (!link) return;
    this.plain ??= link.href;
    this.drawing ??= (await (await fetch(this.plain)).text()).replace(/<\/svg>\s*$/, DOT);
    link.href = on ? `data:image/svg+xml,${encodeURIComponent(this.drawing)}` : this.plain;
  },
  send(call, words) {
    if (!this.on || !document.hidden || !call.startsWith("●")) return;
    try {
      const note = new Notification(call.slice(2), { body: words, tag: window.location.pathname });
      note.onclick = () => window.focus();
    } catch {
      localStorage.setItem(NOTICE_KEY, "off"); // some telephones have notifications for installed pages only
    }
  },
};

const NOTE =
  "M6 15.5V4l9-2v11.5M6 15.5a2.5 2 0 1 1-5 0 2.5 2 0 1 1 5 0ZM15 13.5a2.5 2 0 1 1-5 0 2.5 2 0 1 1 5 0Z";
const BELL = "M2 14h13l-1.7-2.6V7.5a4.8 4.8 0 0 0-9.6 0v3.9ZM7 16.3a1.6 1.6 0 0 0 3 0M8.5 2.7V1";

/** The switches, which this browser remembers. */
export const Signals = {
  data: () => ({ soundOn: sound.on, noticeOn: notice.on, possible: notice.possible, NOTE, BELL }),
  methods: {
    turnSound() {
      this.soundOn = sound.on = !this.soundOn;
      sound.play("stone");
      toast(`Sound is ${this.soundOn ? "on" : "off"}.`);
    },
    async turnNotice() {
      const wanted = !this.noticeOn;
      this.noticeOn = await notice.turn(wanted);
      if (!wanted) toast("No more notifications.");
      else if (this.noticeOn)
        toast("The browser notifies you when it is your turn and this page is out of sight.");
      else toast("Your browser does not allow notifications here; its settings for this page can.");
    },
  },
  template: `
  <button type="button" role="switch" class="icon signal" :aria-checked="soundOn ? 'true' : 'false'" aria-label="Sound" title="Sound" @click="turnSound"><svg viewBox="0 0 17 18" aria-hidden="true"><path :d="NOTE"/></svg></button>
  <button v-if="possible" type="button" role="switch" class="icon signal" :aria-checked="noticeOn ? 'true' : 'false'" aria-label="Notify me when it is my turn" title="Notify me when it is my turn" @click="turnNotice"><svg viewBox="0 0 17 18" aria-hidden="true"><path :d="BELL"/></svg></button>`,
};
