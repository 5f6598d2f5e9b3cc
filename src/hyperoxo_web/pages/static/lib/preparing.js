// Boards are prepared once, at their first use: a line at the foot of any page says so, and how far that is.
/** @typedef {{done: number, needed: number}} Preparing how far a board is prepared */

const PREPARING = "Preparing this board (once).";
// A process that has just been started loads what it needs, and does not know yet whether more is to be done.
const LOADING = "Getting ready.";

/** @type {(preparing: Preparing) => string} Return what is done meanwhile, in words. */
export const whatFor = ({ needed }) => (needed ? PREPARING : LOADING);

// Milliseconds: what is over sooner is not worth a word, and a short break is none.
const PATIENCE = 600;

/**
 * Return how far it is in words; parts are found on the way, so that their number may grow.
 * @type {(preparing: Preparing) => string}
 */
export const howFar = ({ done, needed }) => (needed > 1 ? `${done} of about ${needed} parts` : "");

/**
 * Return a callback for progress, {done, needed} or null, that fills a live region.
 * @type {(place: HTMLElement) => (preparing: Preparing | null) => void}
 */
export function preparingLine(place) {
  let latest = null;
  let waiting = null;
  let said = "";
  const draw = () => {
    waiting = null;
    if (!latest) {
      place.replaceChildren();
      return;
    }
    if (!place.firstChild || said !== whatFor(latest)) {
      place.textContent = said = whatFor(latest);
      const seen = place.appendChild(document.createElement("span"));
      seen.className = "how-far";
      seen.setAttribute("aria-hidden", "true");
      seen.append(document.createElement("progress"), document.createElement("small"));
    }
    const [bar, words] = place.lastChild.children;
    Object.assign(bar, { max: latest.needed, value: latest.done });
    words.textContent = howFar(latest);
  };
  return (value) => {
    latest = value;
    if (place.firstChild && value) draw();
    else waiting ??= setTimeout(draw, PATIENCE);
  };
}
