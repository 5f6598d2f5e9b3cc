// What the pages share.
export * from "./advice.js";
export * from "./boards.js";
export * from "./charts.js";
export * from "./dialogs.js";
export * from "./flat.js";
export * from "./layers.js";
export * from "./lines.js";
export * from "./marks.js";
export * from "./mini.js";
export * from "./moves.js";
export * from "./plan.js";
export * from "./prove.js";
export * from "./report.js";
export * from "./results.js";
export * from "./seats.js";
export * from "./spec.js";
export * from "./table.js";
