// How to play: rules with boards that move, and a guide to the pages.

// One player's stones, a line after another: in a layer, through the layers, on a diagonal of the cube.
const DIRECTIONS = [
  [20, 21, 22, 23],
  [5, 21, 37, 53],
  [15, 27, 39, 51],
  [0, 21, 42, 63],
];

export default {
  props: { geometries: Object, version: String },
  data() {
    const { cube, drop, avoid, three } = this.geometries;
    const rule = (geometry, games, name, words) => ({ geometry, games, name, words });
    return {
      rules: [
        rule({ ...cube, turns: [1] }, DIRECTIONS, "Lines run in every direction", [
          "Put a stone on a free cell, then your opponent does. The first to fill a line wins.",
          "A line lies in one layer, climbs straight through the layers, or climbs along a diagonal.",
        ]),
        rule(
          drop,
          [[3, 4, 10, 1, 8, 17, 24, 11, 18, 5, 2, 0, 25, 9, 32, 39, 16]],
          "Gravity: stones fall",
          [
            "Press a column. Your stone drops to the lowest free cell, as in Connect Four.",
            "In a cube, each column is a rod. A stone that you play can carry the stone that beats you.",
          ],
        ),
        rule(avoid, [[4, 5, 3, 2, 8, 1, 6, 0]], "Misère: a line loses", [
          "The aim turns round. Avoid lines, and leave your opponent no other choice.",
        ]),
        rule(
          three,
          [[0, 26, 6, 8, 4, 24, 15, 13, 22, 20, 1, 10, 7, 25]],
          "Three players and more",
          [
            "Up to eight people or computers play in turn, each with a shape of their own.",
            "Stop the player who moves next before you stop anybody else.",
          ],
        ),
      ],
    };
  },
  template: `
  <div class="page how-to">
    <h1>How to play</h1>
    <section v-for="{ geometry, games, name, words } in rules" :key="name" class="rule"><div class="card" role="img" :aria-label="'A moving board. ' + name"><Playing :geometry="geometry" :games="games" :explode="0.7"/></div>
      <div><h2>{{ name }}</h2><p v-for="sentence in words" :key="sentence">{{ sentence }}</p></div></section>
    <p><a href="/">Play a game</a>. <i>Your own rules</i> on the first page combines all of these with several lines to fill, blocked cells and restricted openings.</p>

    <h2>At the board</h2>
    <p>Press a cell of the flat board or of the board in space. Drag the board in space to turn it. Ctrl and the wheel, two fingers, or the signs in its corner zoom.</p>
    <p>Point at a cell to see its lines. Press a seat to see the lines of its player. Looking back changes nothing: press a move in the list, or Backspace. Play another move there, and it becomes a branch. The key ? lists all keys.</p>

    <h2>With friends</h2>
    <p>Anyone who opens a player's link plays for that player, so send it to that person only. The address in the bar is for watching. Among people, going back, swapping seats and a draw need everybody's consent.</p>

    <h2>Values of moves</h2>
    <p>W 5 wins in five moves, counting both sides and this one. L 4 loses in four, and = is a draw. W ≤9 wins as well, but best play may be shorter. Each of these has a proof: a table, a theorem, exact search or a chain of threats. Plain numbers are estimates: the share of points that a search expects.</p>
    <p>With three or more players, a value is what the player to move can force against all the others together.</p>

    <p class="soft">hyperoxo {{ version }}. For programs: <a href="/api/docs">the HTTP interface</a>, <a href="/api/openapi.json">its description</a>.</p>
  </div>`,
};
