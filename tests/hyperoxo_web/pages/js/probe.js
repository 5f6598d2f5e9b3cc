// What tests ask of the page of a game, in the browser: run it there once, then call `oxoProbe`.

/** How blue the dots of Cross's stones are that lie behind a plate, the palest first. */
function covered() {
  const { renderer, fill } = window.oxoSpace;
  const gl = renderer.getContext();
  const [wide, high] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const drawn = (plates) => {
    fill.mesh.visible = plates;
    window.oxoSpace.frame();
    const pixels = new Uint8Array(4 * wide * high);
    gl.readPixels(0, 0, wide, high, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const [bare, seen] = [drawn(false), drawn(true)];
  const blue = (pixels, i) => pixels[i + 2] - pixels[i];
  const found = [];
  for (let i = 0; i < bare.length; i += 4)
    if (blue(bare, i) > 110 && blue(seen, i) < blue(bare, i) - 20) found.push(blue(seen, i));
  return found.sort((a, b) => a - b);
}

/** Show values of all moves, that of cell 0 as the best. */
function analyse() {
  const { node, position } = window.oxoGame;
  const value = { kind: "loss", labels: "", said: "" };
  const moves = position.legal.map((cell) => ({ ...value, cell, text: `L ${cell + 100}` }));
  const found = { node, moves, best: 0, forced: [], player: 1, kind: "loss" };
  window.oxoGame.analyses[node] = found;
  window.oxoGame.overlay = "values";
}

/** The values that are seen, as {text, x, y, wide, high} in points of the screen. */
function written() {
  window.oxoSpace.frame();
  const { eye, size, labels, root } = window.oxoSpace;
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.font = `600 42px ${getComputedStyle(root).fontFamily}`;
  return labels.list.flatMap(({ text, rank }, i) => {
    const [x, y, z, high] = labels.anchors.array.subarray(4 * i, 4 * i + 4);
    if (rank == null || !high) return [];
    const [right, up, away] = eye.project(x, y, z);
    const unit = (high * size.height) / 2 / (away * Math.tan((2.5 * Math.PI) / 180));
    const wide = (pen.measureText(text).width / 64) * unit;
    const at = { x: (right * size.width) / 2, y: (up * size.height) / 2 };
    return [{ text, ...at, wide, high: 0.45 * unit }];
  });
}

/** The values that are seen and lie over each other. */
function overlapping() {
  const all = written();
  const near = (a, b) =>
    Math.abs(a.x - b.x) < 0.45 * (a.wide + b.wide) && Math.abs(a.y - b.y) < (a.high + b.high) / 2;
  return all.filter((a, i) => all.slice(0, i).some((b) => near(a, b))).map(({ text }) => text);
}

/** The share of the window that the board takes. */
function share() {
  const { eye, layout, geometry, renderer } = window.oxoSpace;
  const { width, height } = renderer.domElement.getBoundingClientRect();
  const corners = [0, 1, 2, 3].flatMap((corner) =>
    Array.from({ length: geometry.cells }, (_, cell) => {
      const [x, y, z] = layout.points.subarray(3 * cell, 3 * cell + 3);
      return eye.project(x + (corner & 1) - 0.5, y, z + (corner >> 1) - 0.5);
    }),
  );
  const span = (i) => {
    const at = corners.map((one) => one[i]);
    return Math.max(...at) - Math.min(...at);
  };
  return (span(0) * width * span(1) * height) / 4 / (innerWidth * innerHeight);
}

/** Where on the page a cell can be pressed: at its middle or, where that is hidden, beside it. */
function point(cell) {
  window.oxoSpace.aim();
  const { eye, renderer, layout } = window.oxoSpace;
  const { left, top, width, height } = renderer.domElement.getBoundingClientRect();
  const [x, y, z] = layout.points.subarray(3 * cell, 3 * cell + 3);
  const tries = [0, 0.15, -0.15, 0.3, -0.3, 0.42, -0.42].map((v) => v * layout.sizes[cell]);
  const spots = tries
    .flatMap((dx) => tries.map((dz) => eye.project(x + dx, y, z + dz)))
    .map(([right, up]) => [left + ((1 + right) / 2) * width, top + ((1 - up) / 2) * height]);
  return spots.find((spot) => window.oxoSpace.cellAt(...spot) === cell) ?? spots[0];
}

/** Whether the flat board lies as the room that it has wants. */
function settled() {
  const { flat } = window.oxoBoards.$refs;
  const before = flat.fittedTo;
  flat.resized();
  return document.querySelector(".stage").style.length > 0 && flat.fittedTo === before;
}

/** The left, upper, right and lower end of the flat board, and how large all of the page is. */
function board() {
  const boxes = [...document.querySelectorAll(".flat-board .cell")].map((cell) =>
    cell.getBoundingClientRect(),
  );
  const most = (side, sign) => sign * Math.max(...boxes.map((box) => sign * box[side]));
  const { scrollWidth, scrollHeight } = document.documentElement;
  const ends = [most("left", -1), most("top", -1), most("right", 1), most("bottom", 1)];
  return [...ends, scrollWidth, scrollHeight];
}

/** Drag a finger over the view in space; return how it is turned and tilted then. */
function drag() {
  const canvas = document.querySelector(".space canvas");
  const { left, top } = canvas.getBoundingClientRect();
  const finger = { pointerId: 7, pointerType: "touch" };
  const send = (kind, x, y) =>
    canvas.dispatchEvent(
      new PointerEvent(kind, { ...finger, clientX: left + x, clientY: top + y }),
    );
  canvas.setPointerCapture = () => {};
  send("pointerdown", 100, 100);
  for (let step = 1; step <= 10; step++) send("pointermove", 100 + 5 * step, 100 + 5 * step);
  send("pointerup", 150, 150);
  return [window.oxoSpace.view.turn, window.oxoSpace.view.tilt];
}

const space = { analyse, covered, drag, overlapping, point, share, written };
window.oxoProbe = { ...space, board, settled };
