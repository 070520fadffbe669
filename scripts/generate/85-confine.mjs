// Builds `dottool-confine` for this machine, so that the sources have what the executable contains.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { nativeTarget } from "../package/bases.mjs";
import { buildConfine } from "../package/launcher.mjs";

export function generate() {
  const madeMs = statSync(`dist/confine-${nativeTarget}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ["scripts/confine", "scripts/launcher"].flatMap((folder) =>
    readdirSync(folder).map((name) => `${folder}/${name}`),
  );
  if (sources.every((path) => statSync(path).mtimeMs < madeMs)) return;
  mkdirSync("dist", { recursive: true });
  buildConfine(nativeTarget);
}
