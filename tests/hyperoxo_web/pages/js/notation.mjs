// Text: specs of games, marks of values, clocks, times and numbers.
import assert from "node:assert/strict";
import test from "node:test";
import { skip } from "./facts.mjs";
import { labelsOf } from "../../../../src/hyperoxo_web/pages/static/lib/advice.js";
import { short, ticks } from "../../../../src/hyperoxo_web/pages/static/lib/charts.js";
import { stepsOf } from "../../../../src/hyperoxo_web/pages/static/lib/lines.js";
import { toneOf } from "../../../../src/hyperoxo_web/pages/static/lib/stones.js";
import { addProofLabels } from "../../../../src/hyperoxo_web/pages/static/lib/prove.js";
import { clock } from "../../../../src/hyperoxo_web/pages/static/lib/seats.js";
import {
  build,
  grammar,
  offered,
  parse,
  playersOf,
  normalize,
  optionValue,
} from "../../../../src/hyperoxo_web/pages/static/lib/spec.js";
import { formatDuration, timeAgo } from "../../../../src/hyperoxo_web/pages/static/lib/text.js";

test("a spec is taken apart", { skip }, () => {
  const fields = parse("4^3:players=3,target=2,misere,gravity=1,blocked=centre,opening=poorx2");
  const { kind, side, dim, players, target, misere, gravity, blocked, opening } = fields;
  assert.deepEqual(
    { kind, side, dim, players, target, misere, gravity, blocked, opening },
    {
      kind: "hypercube",
      side: 4,
      dim: 3,
      players: 3,
      target: 2,
      misere: true,
      gravity: 1,
      blocked: "centre",
      opening: "poorx2",
    },
  );
  const plane = parse("7,6,4:gravity");
  assert.deepEqual(
    [plane.kind, plane.columns, plane.rows, plane.run, plane.gravity],
    ["mnk", 7, 6, 4, 0],
  );
  assert.deepEqual(
    [parse("3{0+1/1+2}:misere").base, parse("3{0+1/1+2}:misere").misere],
    ["3{0+1/1+2}", true],
  );
});

test(
  "what is taken apart is put together again, with options that the form does not know",
  { skip },
  () => {
    const specs = [
      "3^2",
      "4^3:players=3",
      "5{0+1/0+2}:opening=0+3+4x2",
      "15,15,5:misere",
      "3^4:gravity",
      "3^4:gravity=2",
      "4^2:blocked=0+1,opening=rich",
      "5^2:connect=4,wrap,misere",
      "7,6,4:wrap=1,gravity",
      "3^3:wrap=0+2,players=3",
      "3^2:convention=new",
      "7,6,4:bias=1+2,gravity,later",
      "2^3w:misere",
    ];
    for (const spec of specs) assert.equal(build(parse(spec)), spec);
  },
);

test("equal sides may be joined by a cross", { skip }, () => {
  assert.equal(build(parse("4x4x4:gravity")), "4^3:gravity");
  assert.equal(build(parse("12×12")), "12^2");
  for (const other of ["7x6", "1x11", "3x3x"]) assert.equal(build(parse(other)), other);
});

test("a spec names its players", { skip }, () => {
  for (const spec of ["3^2", "3^3:players=3", "4{0+1}:misere,players=8", "7,6,4:gravity"])
    assert.equal(playersOf(spec), parse(spec).players);
});

test("a changed field changes the spec alone", { skip }, () => {
  const fields = parse("3^3:misere,new=1");
  assert.equal(build({ ...fields, side: 5, misere: false, gravity: 0 }), "5^3:gravity,new=1");
  assert.equal(build({ ...fields, connect: 2, wrap: "" }), "3^3:connect=2,wrap,misere,new=1");
});

test("values of moves are marked: exact in words, estimates in percent", () => {
  const found = {
    best: 4,
    moves: [
      { cell: 4, kind: "win", text: "W 3", words: "wins, W 3", remoteness: 3 },
      { cell: 7, kind: "win", text: "W 33", words: "wins, W 33", remoteness: 33 },
      { cell: 0, kind: "unknown", score: 0.417, text: "42", words: "estimated 42 percent" },
      { cell: 1, kind: "unknown", score: null, text: "", words: "estimated" },
    ],
  };
  const marks = labelsOf(found);
  assert.deepEqual(marks.get(4), {
    text: "W 3",
    kind: "win",
    best: true,
    words: "wins, W 3",
  });
  assert.deepEqual(marks.get(0), {
    text: "42",
    kind: "unknown",
    best: false,
    words: "estimated 42 percent",
  });
  const tones = [4, 7, 0].map((cell) => toneOf(marks.get(cell)).tone);
  assert.deepEqual(tones, ["win4", "win1", "loss1"]);
  assert.equal(marks.has(1), false);
  assert.equal(labelsOf(null).size, 0);
});

test("what a proof decides is marked where nothing was proved before", () => {
  const marks = new Map([
    [4, { text: "W3", kind: "win" }],
    [0, { text: "42", kind: "unknown" }],
  ]);
  const moves = [
    { cell: 4, value: "draw", text: "=", words: "keeps a draw, proved" },
    { cell: 0, value: "loss", text: "L", words: "loses, proved" },
    { cell: 1, value: "win", text: "W", words: "wins, proved" },
  ];
  const found = addProofLabels(marks, { value: "win", moves });
  assert.equal(found.get(4).text, "W3");
  assert.deepEqual(found.get(0), { text: "L", kind: "loss", best: false, words: "loses, proved" });
  assert.deepEqual(found.get(1), { text: "W", kind: "win", best: true, words: "wins, proved" });
});

test("clocks show tenths at the end and hours at the beginning", () => {
  const shown = [
    [0, "0.0"],
    [9.96, "10.0"],
    [19.94, "19.9"],
    [20, "0:20"],
    [61.9, "1:01"],
    [3600, "1:00:00"],
    [3725, "1:02:05"],
  ];
  for (const [seconds, words] of shown) assert.equal(clock(seconds), words);
});

test("times are no more exact than they need be", () => {
  const ago = (seconds) =>
    timeAgo("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:00:00Z") + 1000 * seconds);
  assert.deepEqual([0, 30, 60, 150, 7200, 86400 * 3].map(ago), [
    "1 second ago",
    "30 seconds ago",
    "1 minute ago",
    "3 minutes ago",
    "2 hours ago",
    "3 days ago",
  ]);
  assert.deepEqual([0.5, 80.1, 600, 7200, 864000].map(formatDuration), [
    "a moment",
    "81 s",
    "10 min",
    "2.0 h",
    "10 days",
  ]);
});

test("ticks are round, inside, and about as many as wanted", () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(0.13, 0.42, 4), [0.2, 0.3, 0.4]);
  for (const [low, high] of [
    [-3, 9],
    [0.001, 0.0013],
    [5, 5],
    [120, 98765],
  ]) {
    const found = ticks(low, high, 6);
    assert.ok(found.length <= 8);
    for (const at of found)
      assert.ok(at >= low - 1e-9 * Math.abs(low) && at <= Math.max(high, low + 1));
  }
  assert.deepEqual([short(0.30000000000000004), short(1234567)], ["0.3", "1235000"]);
});

test("a form offers what the board has, and takes back the rest", { skip }, () => {
  const names = (spec) => offered(parse(spec)).map(({ name }) => name);
  assert.deepEqual(
    ["connect", "wrap", "gravity"].filter((name) => !names("7,6,4").includes(name)),
    ["connect"],
  );
  assert.ok(names("3^2").includes("connect") && !names("3^2").includes("players"));
  const settled = (spec, values) => {
    const fields = Object.assign(parse(spec), values);
    normalize(fields);
    return build(fields);
  };
  assert.equal(settled("5^3:connect=4,wrap=2,gravity=1", { kind: "mnk" }), "7,6,4:gravity=1");
  assert.equal(settled("5^3:connect=4,gravity=2", { dim: 2, side: 4 }), "4^2:gravity");
  assert.equal(settled("9{0+1}:misere", {}), "9{0+1}:misere");
  const connect = grammar.options.find(({ name }) => name === "connect");
  assert.deepEqual(
    [optionValue(parse("5^2"), connect), optionValue(parse("5^2:connect=3"), connect)],
    [
      { value: 5, most: 5 },
      { value: 3, most: 5 },
    ],
  );
});

test("lines are drawn from cell to neighbouring cell, not across the board", () => {
  assert.deepEqual(stepsOf([4, 4], [0, 5, 10, 15]), [
    [0, 5],
    [5, 10],
    [10, 15],
  ]);
  assert.deepEqual(stepsOf([4, 4], [0, 2, 3]), [[2, 3]]);
  assert.deepEqual(stepsOf([4, 4], [2, 7, 8, 13]), [
    [2, 7],
    [8, 13],
  ]);
});
