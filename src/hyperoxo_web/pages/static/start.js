// Starts a page: mounts its component, and keeps it in touch with the server.
// Templates may use every component of the library without importing it, and what has a name with a dollar.
import { createApp, h, reactive, toHandlerKey } from "vue";
import * as oxo from "hyperoxo";

// Milliseconds before the first and before later attempts to connect again, and before the page says so.
const PAUSES = [200, 500, 1000, 2000];
const NOTICE = 50;
// Milliseconds between questions whether the server is there, and how many may stay without an answer.
const BEAT = 900;
const SILENT = 6;
const UNKNOWN = 4404;
const ATTRIBUTE = 6; // kind of a node in a template that Vue has read
const { PreparingLine, goalOf, linkTo, delayed, rooted } = oxo;

const { kind, client, props, events } = JSON.parse(
  document.getElementById("page-data").textContent,
);
const lost = document.getElementById("lost");
const line = reactive({ preparing: null });
createApp({ render: () => h(PreparingLine, line) }).mount("#preparing");
const prepares = delayed((preparing) => Object.assign(line, { preparing }));
const { geometry } = props;
// Boards of a class are known by their pictures alone.
const rules = geometry?.rules ? [goalOf(geometry), ...geometry.rules] : [];
const paragraph = (words) => Object.assign(document.createElement("p"), { textContent: words });
document.getElementById("rules")?.replaceChildren(...rules.map(paragraph));
const waiting = [];
let socket;
let last = 0;
let attempts = 0;
let noticing;
let unanswered = 0;
let mount;
const mounted = new Promise((resolve) => (mount = resolve));

function send(event, value) {
  const text = JSON.stringify([event, value ?? {}]);
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
  else waiting.push(text);
}

async function receive({ data }) {
  const { n, call, value, go, preparing } = JSON.parse(data);
  unanswered = 0;
  lost.hidden = true;
  if (!n) return;
  last = n;
  if (preparing !== undefined) {
    prepares(preparing);
    return;
  }
  const page = await mounted;
  if (go) window.location.assign(rooted(go));
  else if (typeof page[call] === "function") page[call](value);
  else page[call] = value;
}

/** Let the addresses of a template begin with what those of this server begin with. */
function lead({ props = [] }) {
  for (const { type, name, arg, exp, value } of props) {
    if (!["href", "src"].includes(name === "bind" ? arg?.content : name)) continue;
    if (type === ATTRIBUTE) value.content = rooted(value.content);
    else exp.content = `$rooted(${exp.content})`;
  }
}

function connect() {
  socket = new WebSocket(linkTo(`/live/${client}?last=${last}`).replace("http", "ws"));
  window.oxoSocket = socket;
  socket.onmessage = receive;
  socket.onopen = () => {
    attempts = 0;
    unanswered = 0;
    clearTimeout(noticing);
    lost.hidden = true;
    for (const text of waiting.splice(0)) socket.send(text);
  };
  socket.onclose = ({ code }) => {
    if (code === UNKNOWN) window.location.reload();
    else connectAgain();
  };
}

function connectAgain() {
  // The last message may not have arrived: the page no longer waits for it.
  mounted.then((page) => page.stopWaiting?.());
  if (attempts === 0) noticing = setTimeout(() => (lost.hidden = false), NOTICE);
  setTimeout(connect, PAUSES[Math.min(attempts++, PAUSES.length - 1)]);
}

/** Ask whether the server is there: networks break off without a word. */
function beat() {
  if (document.hidden) unanswered = 0;
  else if (socket.readyState === WebSocket.OPEN) {
    lost.hidden = unanswered === 0;
    if (unanswered++ < SILENT) socket.send("");
    else {
      socket.onclose = socket.onmessage = null;
      socket.close();
      connectAgain();
    }
  }
}

connect();
setInterval(beat, BEAT);
window.addEventListener("offline", () => (lost.hidden = false));
const { default: component } = await import(`./${kind}.js`);
const listeners = Object.fromEntries(
  events.map((event) => [toHandlerKey(event), (value) => send(event, value)]),
);
const page = { ...component, emits: events };
const app = createApp({ render: () => h(page, { ...props, ...listeners, ref: "page" }) });
app.config.compilerOptions.nodeTransforms = [lead];
Object.assign(app.config.globalProperties, {
  $rooted: rooted,
  $toast: oxo.toast,
  $copy: oxo.copy,
  $link: linkTo,
  $move: oxo.moveName,
  $href: () => window.location.href,
  $names: oxo.NAMES,
  $kinds: oxo.KINDS,
  $count: oxo.count,
  $plural: oxo.plural,
  $percent: oxo.percent,
  $short: oxo.short,
  $timeAgo: oxo.timeAgo,
});
// Forms read and write specs by the grammar of the program.
Object.assign(oxo.grammar, props.grammar);
for (const [name, part] of Object.entries(oxo)) if (part.template) app.component(name, part);
window.oxoPage = app.mount("#page").$refs.page;
mount(window.oxoPage);
