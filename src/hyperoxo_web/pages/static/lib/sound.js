// Sounds, made while they are played: nothing is loaded, and nothing is heard until it is asked for.
import { playable, threats } from "./lines.js";
import { positionAt } from "./tree.js";
/** @import { Geometry } from "./layout.js" */
/** @import { State } from "./tree.js" */

const ROOTS = [262, 294, 330, 392, 440, 524];
const TRIAD = [1, 5 / 4, 3 / 2];

/**
 * Return the notes of a sound as [hertz, begin, seconds, loudness].
 * @type {(kind: "stone" | "threat" | "lines", count?: number) => number[][]}
 */
export function notes(kind, count = 1) {
  if (kind === "stone")
    return [
      [410, 0, 0.09, 0.3],
      [1066, 0, 0.05, 0.14],
      [2173, 0, 0.025, 0.07],
    ];
  if (kind === "threat")
    return [
      [147, 0, 0.5, 0.22],
      [220, 0, 0.3, 0.05],
    ];
  const roots = ROOTS.slice(0, count);
  return roots.flatMap((root, i) => TRIAD.map((part) => [root * part, 0.15 + 0.4 * i, 0.9, 0.1]));
}

/**
 * Return the sounds after a change, as [kind, count]; threats only against one who has help.
 * @type {(geometry: Geometry, before: State, after: State, you: number[], helped: boolean) => [string, number][]}
 */
export function sounds(geometry, before, after, you, helped) {
  const fresh = after.node !== before.node && after.tree.parents[after.node] === before.node;
  const found = fresh ? [["stone", 1]] : [];
  if (after.over && !before.over && after.winning_lines.length)
    found.push(["lines", after.winning_lines.length]);
  if (!fresh || after.over || !helped || you.length !== 1 || geometry.misere) return found;
  const threatCells = (state, node) => {
    const position = positionAt(geometry, state, node);
    const aims = threats(geometry, position);
    return playable(geometry, position.owner).filter((cell) =>
      [...(aims.get(cell) ?? [])].some((player) => player !== you[0]),
    );
  };
  const known = new Set(threatCells(after, before.node));
  if (threatCells(after, after.node).some((cell) => !known.has(cell))) found.push(["threat", 1]);
  return found;
}

const SOUND_KEY = "oxo:sound";

export const sound = {
  get on() {
    return localStorage.getItem(SOUND_KEY) === "on";
  },
  set on(value) {
    localStorage.setItem(SOUND_KEY, value ? "on" : "off");
  },
  play(kind, count) {
    if (!this.on) return;
    this.context ??= new AudioContext();
    this.context.resume();
    const now = this.context.currentTime + 0.01;
    for (const [hertz, begin, seconds, loudness] of notes(kind, count)) {
      const tone = new OscillatorNode(this.context, { frequency: hertz });
      const volume = new GainNode(this.context, { gain: 0 });
      const from = now + begin;
      volume.gain.setValueAtTime(0, from);
      volume.gain.linearRampToValueAtTime(loudness, from + 0.004);
      volume.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
      tone.connect(volume).connect(this.context.destination);
      tone.start(from);
      tone.stop(from + seconds);
    }
  },
};
