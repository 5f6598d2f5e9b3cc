// Addresses: every place that can be gone back to has one.

// Prefix of this server's addresses: empty, unless it is served below a path.
const ROOT = globalThis.document ? new URL(import.meta.url).pathname.split("/static/")[0] : "";

/**
 * Return a path of this server as the browser asks for it; anything else as it is.
 * @type {(path: string) => string}
 */
export const rooted = (path) => (/^\/(?!\/)/.test(path) ? ROOT + path : path);

/** @type {(path: string) => string} Return the link to a path of this server. */
export const linkTo = (path) => window.location.origin + rooted(path);

/** @type {() => string} Return the path of the page that is shown. */
export const here = () => window.location.pathname.slice(ROOT.length);

/** @type {(text: string) => number[] | null} Return the moves that an address names; null for none. */
export const movesIn = (text) =>
  /^(\d{1,6}(,\d{1,6})*)?$/.test(text) ? text.split(",").filter(Boolean).map(Number) : null;

/**
 * Write a text as part of an address; signs of games stay readable.
 * @type {(text: string) => string}
 */
export const inAddress = (text) =>
  encodeURIComponent(text).replace(/%(5E|3A|2C|3D|7B|7D|2F)/g, decodeURIComponent);

/**
 * The address of a position: its game, and the moves or the stones.
 * @type {(game: string, cells: string, page?: string) => string}
 */
export const positionPath = (game, cells, page = "/p") =>
  `${page}/${inAddress(game)}${cells ? `/${inAddress(cells)}` : ""}`;

/**
 * The address of a page with what was chosen on it; what is empty is left out.
 * @type {(page: string, chosen: Record<string, unknown>) => string}
 */
export function pathWith(page, chosen) {
  const parts = Object.entries(chosen).filter(([, value]) => value !== "" && value != null);
  const query = parts.map(([name, value]) => `${name}=${inAddress(String(value))}`).join("&");
  return query ? `${page}?${query}` : page;
}

/**
 * Let the address be that of what is shown; with `push`, the back button returns to what was shown before.
 * @type {(path: string, push?: boolean) => void}
 */
export function keepAddress(path, push = false) {
  if (new URL(rooted(path), window.location).href === window.location.href) return;
  history[push ? "pushState" : "replaceState"](history.state, "", rooted(path));
}

/**
 * Call back with what the address chooses, whenever it changes by the back or forward button.
 * @type {(show: (chosen: Record<string, string>) => void) => void}
 */
export function onReturn(show) {
  window.addEventListener("popstate", () =>
    show(Object.fromEntries(new URLSearchParams(window.location.search))),
  );
}
