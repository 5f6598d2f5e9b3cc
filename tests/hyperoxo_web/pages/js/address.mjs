// Addresses: what stands in them reads back, and signs of games stay readable.
import assert from "node:assert/strict";
import test from "node:test";
import {
  inAddress,
  pathWith,
  positionPath,
} from "../../../../src/hyperoxo_web/pages/static/lib/address.js";

test("games and positions read back from an address", () => {
  for (const text of [
    "3^4:blocked=0+5+7,target=9",
    "4{0+1/2+3}:misere",
    "2..#1",
    "a b?c&d=e#f%/g",
    "7,6,4:gravity",
  ]) {
    assert.equal(decodeURIComponent(inAddress(text)), text);
    const query = new URL(pathWith("/lab", { game: text }), "http://here");
    assert.equal(query.searchParams.get("game"), text);
    assert.equal(query.hash, "");
    const { pathname, search, hash } = new URL(positionPath(text, "2..#1"), "http://here");
    assert.equal(decodeURIComponent(pathname), `/p/${text}/2..#1`);
    assert.equal(search + hash, "");
  }
});

test("what is readable stays so, and what is empty is left out", () => {
  assert.equal(positionPath("3^4:target=9", "0,21"), "/p/3^4:target=9/0,21");
  assert.equal(positionPath("3^2", ""), "/p/3^2");
  assert.equal(positionPath("3^2", "", "/analyse"), "/analyse/3^2");
  assert.equal(pathWith("/lab", { kind: "", game: null, agent: undefined }), "/lab");
  assert.equal(pathWith("/run/3", { measure: "wins", degree: 0 }), "/run/3?measure=wins&degree=0");
});
