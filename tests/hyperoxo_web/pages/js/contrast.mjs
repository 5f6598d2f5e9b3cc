// Colours of the views: borders of cells and marks stand out from the ground, also where they fade in space.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { toneOf } from "../../../../src/hyperoxo_web/pages/static/lib/stones.js";
import { HAZE } from "../../../../src/hyperoxo_web/pages/static/space/space.js";

const theme = ["theme.css", "board.css"]
  .map((name) => new URL(`../../../../src/hyperoxo_web/pages/static/${name}`, import.meta.url))
  .map((url) => readFileSync(url, "utf8"))
  .join("");
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

test("neighbouring steps of values differ, and what is written on them can be read", () => {
  for (const colours of schemes) {
    const ink = parts(colours.ink);
    for (const kind of ["win", "loss"]) {
      const steps = [1, 2, 3, 4, 5].map((step) => parts(colours[kind + step]));
      steps.slice(1).forEach((step, i) => {
        const found = contrast(step, steps[i]);
        assert.ok(found >= 1.24, `${kind}${i + 2}: ${found.toFixed(2)}`);
      });
      for (const step of steps) assert.ok(contrast(step, ink) >= 4.5);
    }
    assert.ok(contrast(parts(colours.even), ink) >= 4.5);
  }
});

test("a value has the tone of its distance, an estimate that of its certainty", () => {
  const tones = (kind, texts) => texts.map((text) => toneOf({ kind, text }).tone).join();
  assert.equal(
    tones("win", ["W 1", "W 3", "W 7", "W 13", "W 25", "W"]),
    "win5,win4,win3,win2,win1,win3",
  );
  assert.equal(
    tones("loss", ["L 2", "L 4", "L 10", "L 20", "L 30"]),
    "loss5,loss4,loss3,loss2,loss1",
  );
  assert.equal(tones("unknown", ["100 %", "49 %", "40 %", "?"]), "win5,even,loss1,");
  assert.equal(toneOf({ kind: "draw", text: "=" }).tone, "even");
  assert.equal(toneOf({ kind: "none", text: "3" }).tone, "");
  assert.equal(toneOf({ kind: "win", text: "120", tone: "win2" }).tone, "win2");
  assert.deepEqual(
    ["W 5", "56 %"].map((text, i) => toneOf({ kind: ["win", "unknown"][i], text }).guess),
    [false, true],
  );
});
