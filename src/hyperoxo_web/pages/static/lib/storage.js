// Local storage of this browser, if it allows that.

/**
 * Return the stored value of a name in this tab or this browser, or a default.
 *
 * @template Stored
 * @type {(name: string, fallback: Stored) => Stored}
 */
export function readStorage(name, fallback) {
  const key = `oxo:${name}`;
  try {
    const text = globalThis.sessionStorage?.getItem(key) ?? localStorage.getItem(key);
    return JSON.parse(text) ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Store a value under a name; no effect if the browser forbids storage.
 *
 * @type {(name: string, value: unknown, ofTab?: boolean) => void} `ofTab`: also per tab
 */
export function writeStorage(name, value, ofTab = false) {
  try {
    for (const store of ofTab ? [sessionStorage, localStorage] : [localStorage])
      store.setItem(`oxo:${name}`, JSON.stringify(value));
  } catch {}
}
