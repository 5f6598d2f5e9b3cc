// Boards are prepared once, at their first use: a line at the foot of any page says so, and how far that is.
/** @typedef {{done: number, needed: number}} Preparing how far a board is prepared */

const PREPARING = "Preparing this board (once).";
// A process that has just been started loads what it needs, and does not know yet whether more is to be done.
const LOADING = "Getting ready.";

/** @type {(preparing: Preparing) => string} Return what is done meanwhile, in words. */
export const preparingText = ({ needed }) => (needed ? PREPARING : LOADING);

// Milliseconds: what is over sooner is not worth a word, and a short break is none.
const PATIENCE = 600;

/**
 * Describe the progress; parts are found on the way, so that their number may grow.
 * @type {(preparing: Preparing) => string}
 */
export const parts = ({ done, needed }) => (needed > 1 ? `${done} of about ${needed} parts` : "");

/** Progress: a bar, and words that are not read out at every step. */
export const PreparingProgress = {
  props: { preparing: Object },
  methods: { parts },
  template: `<span class="preparing-progress pair" aria-hidden="true"><progress :value="preparing.done" :max="preparing.needed"></progress><small>{{ parts(preparing) }}</small></span>`,
};

/** The board in preparation, and its progress. */
export const PreparingLine = {
  components: { PreparingProgress },
  props: { preparing: Object },
  methods: { preparingText },
  template: `<template v-if="preparing">{{ preparingText(preparing) }}<PreparingProgress :preparing="preparing"/></template>`,
};

/**
 * Return a callback for progress, {done, needed} or null, that shows what lasts.
 * @type {(show: (preparing: Preparing | null) => void) => (preparing: Preparing | null) => void}
 */
export function delayed(show) {
  let [latest, displayed, waiting] = [null, null, null];
  const draw = () => {
    waiting = null;
    show((displayed = latest));
  };
  return (value) => {
    latest = value;
    if (displayed && value) draw();
    else waiting ??= setTimeout(draw, PATIENCE);
  };
}
