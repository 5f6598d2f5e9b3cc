// Local storage of this browser, if it allows that.

/**
 * Return the stored value of a name in this tab or this browser, or a default.
 *
 * @template Kept
 * @type {(name: string, usual: Kept) => Kept}
 */
export function recalled(name, usual) {
  const key = `oxo:${name}`;
  try {
    const text = globalThis.sessionStorage?.getItem(key) ?? localStorage.getItem(key);
    return JSON.parse(text) ?? usual;
  } catch {
    return usual;
  }
}

/**
 * Let this browser remember something; where it does not, that lasts as long as the page.
 *
 * @type {(name: string, value: unknown, ofTab?: boolean) => void} `ofTab` where tabs may differ
 */
export function remember(name, value, ofTab = false) {
  try {
    for (const store of ofTab ? [sessionStorage, localStorage] : [localStorage])
      store.setItem(`oxo:${name}`, JSON.stringify(value));
  } catch {}
}
