// Colours of the views: borders of cells and marks stand out from the ground, also where they fade in space.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { HAZE } from "../../../../src/hyperoxo_web/pages/static/lib/space.js";

const theme = readFileSync(
  new URL("../../../../src/hyperoxo_web/pages/static/theme.css", import.meta.url),
  "utf8",
);
const pairs = [...theme.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];
const schemes = [2, 3].map((at) => Object.fromEntries(pairs.map((pair) => [pair[1], pair[at]])));
const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);

function light(rgb) {
  const [r, g, b] = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [more, less] = [light(a), light(b)].sort((x, y) => y - x);
  return (more + 0.05) / (less + 0.05);
}

test("borders of cells and all marks reach 3:1 on the farthest cells in each scheme", () => {
  assert.ok(pairs.length > 20);
  for (const colours of schemes) {
    const ground = parts(colours.card);
    for (const name of ["tile-rule", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"]) {
      const faded = parts(colours[name]).map((v, i) => v + (ground[i] - v) * HAZE);
      assert.ok(
        contrast(faded, ground) >= 3,
        `${name} ${colours[name]}: ${contrast(faded, ground).toFixed(2)}`,
      );
    }
  }
});
