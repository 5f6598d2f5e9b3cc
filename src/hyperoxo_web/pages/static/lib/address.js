// Addresses: every place that can be gone back to has one.

/** Write a text as part of an address; signs of games stay readable. */
export const inAddress = (text) =>
  encodeURIComponent(text).replace(/%(5E|3A|2C|3D|7B|7D|2F)/g, decodeURIComponent);

/** The address of a position: its game, and the moves or the stones. */
export const positionPath = (game, cells, page = "/p") =>
  `${page}/${inAddress(game)}${cells ? `/${inAddress(cells)}` : ""}`;

/** The address of a page with what was chosen on it; what is empty is left out. */
export function pathWith(page, chosen) {
  const parts = Object.entries(chosen).filter(([, value]) => value !== "" && value != null);
  return (
    page +
    (parts.length
      ? `?${parts.map(([name, value]) => `${name}=${inAddress(String(value))}`).join("&")}`
      : "")
  );
}

/** Let the address be that of what is shown; with `push`, the back button returns to what was shown before. */
export function keepAddress(path, push = false) {
  if (new URL(path, window.location).href === window.location.href) return;
  history[push ? "pushState" : "replaceState"](history.state, "", path);
}

/** Call back with what is chosen in the address whenever it changes by the back or forward button; returns how to stop. */
export function onReturn(show) {
  const heard = () => show(Object.fromEntries(new URLSearchParams(window.location.search)));
  window.addEventListener("popstate", heard);
  return () => window.removeEventListener("popstate", heard);
}
