// The sizes of the executable and of what it loads, which are the same on every machine. They are budgets and not
// limits: a build over one of them works, and this row says so.
import { statSync } from "node:fs";
import process from "node:process";

/** What the build leaves beside the executable: see ../package/chunks.mjs. */
const LOADED = [
  ["program that a warm call loads", "dist/chunks/hot.js", 292],
  ["program that a decision of a hook loads", "dist/chunks/hook.js", 400],
];

export function benchSize(dottool) {
  return [
    {
      name: "size of the executable",
      value: statSync(dottool).size / 1e6,
      unit: "MB",
      reference: statSync(process.execPath).size / 1e6,
      of: "node",
    },
    ...LOADED.map(([name, file, target]) => ({ name, value: statSync(file).size / 1e3, unit: "kB", target })),
  ];
}
