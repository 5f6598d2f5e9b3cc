// Overlays of the board and its view: buttons above a board, or in the menu *View*.

/** The overlays, one of which lies over the board. */
export const Overlays = {
  props: { names: Array, chosen: String },
  emits: ["choose"],
  template: `
  <div role="group" aria-label="Shown on the board">
    <button v-for="name in names" type="button" :key="name" :class="{ on: chosen === name }" :aria-pressed="chosen === name ? 'true' : 'false'" @click="$emit('choose', name)">{{ name === "none" ? "Plain" : name[0].toUpperCase() + name.slice(1) }}</button></div>`,
};

/** Spread, angle and size of the view in space. */
export const SpaceTools = {
  props: { boards: Object },
  data: () => ({ angles: ["home", "top", "front", "side"], axes: ["right", "front", "up", "w"] }),
  template: `
  <div role="group" aria-label="View in space">
    <template v-if="boards.dim === 4"><button v-for="mode in ['cubes', 'tesseract']" :key="mode" type="button" :class="{ on: boards.mode === mode }" :aria-pressed="boards.mode === mode ? 'true' : 'false'" @click="boards.mode = mode">{{ mode[0].toUpperCase() + mode.slice(1) }}</button></template>
    <label v-if="boards.mode === 'tesseract'" class="slide"><span>Turn</span><input type="range" min="0" max="6.28" step="0.02" v-model="boards.spin"></label>
    <span v-if="boards.mode === 'tesseract'" class="axes pair"><i v-for="(name, i) in axes" :key="name" :style="'--axis: var(--axis' + (i + 1) + ')'">{{ name }}</i></span>
    <label v-else class="slide"><span>Spread</span><input type="range" min="0" max="2" step="0.05" v-model="boards.explode"></label>
    <span class="push"></span>
    <span v-if="boards.awake" class="pair wrap angles"><button v-if="boards.strokes.length > 1" type="button" class="small" @click="boards.cube.nextLine()">Next line</button>
      <button v-for="angle in angles" :key="angle" type="button" class="small" @click="boards.cube.go(angle)">{{ angle[0].toUpperCase() + angle.slice(1) }}</button>
      <button type="button" class="icon" aria-label="Smaller" @click="boards.cube.scale(0.85)">−</button><button type="button" class="icon" aria-label="Larger" @click="boards.cube.scale(1.18)">+</button></span></div>`,
};
