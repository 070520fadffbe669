// A file in src/ imports from its own folder or from one below it.
import { posix } from "node:path";
import { importsOf } from "./modules.mjs";

/** Layers from the top down. Folders of one row do not import each other. */
const LAYERS = [
  ["main"],
  ["dottool"],
  ["cli"],
  ["api"],
  ["mcp", "agent", "hook"],
  ["dialects"],
  ["forge"],
  ["plugins", "bundle"],
  ["packages"],
  ["catalog"],
  ["check"],
  ["runs"],
  ["run"],
  ["queue"],
  ["policy"],
  ["builder"],
  ["sandbox", "steps", "base"],
  ["language"],
  ["shell"],
  ["tool"],
  ["schema"],
  ["text"],
  ["generated"],
];
const rankOf = new Map(LAYERS.flatMap((folders, rank) => folders.map((folder) => [folder, rank])));
const HOST_MAY_IMPORT = new Set(["host", "tool", "schema", "text"]);
/**
 * The files that may import from host/, and what: the wiring, the streams of the terminal, what concerns a process as a
 * whole, and the contents of the executable.
 */
const HOST_FOR = [
  { from: /^src\/main\.ts$/, file: /^src\/host\/bundle\/own-bundle\.ts$/ },
  { from: /^src\/api\/assemble\.ts$/, file: /^src\/host\// },
  { from: /^src\/cli\/cached-list\.ts$/, file: /^src\/host\/node-host\.ts$/ },
  {
    from: /^src\/cli\/(?:resident\/\w[\w-]*|commands\/resident)\.ts$/,
    file: /^src\/host\/(?:node-host|resident\/\w[\w-]*)\.ts$/,
  },
  { from: /^src\/cli\/session\/hook-session\.ts$/, file: /^src\/host\/node-host\.ts$/ },
  {
    from: /^src\/(main\.ts|cli\/)/,
    file: /^src\/host\/(?:\w+\/)?(terminal|end-program|first-process|argv-bytes|licenses|own-environment|folders|lean-heap|interpreted|relay|detached-start|helper-start|handed-over)\.ts$/,
  },
];

export function checkLayers({ sources }) {
  return sources.filter(({ path }) => path.startsWith("src/")).flatMap(checkFile);
}

function checkFile({ path, program, lineAt }) {
  const folder = folderOf(path);
  if (folder !== "host" && !rankOf.has(folder))
    return [
      { path, line: 1, rule: "layers", text: `\`src/${folder}\` is in no layer; add it to scripts/tidy/layers.mjs` },
    ];
  return importsOf(program)
    .filter(({ name }) => name.startsWith("."))
    .flatMap(({ name, node }) => {
      const text = problemOf(path, posix.join(posix.dirname(path), name));
      return text === undefined ? [] : [{ path, line: lineAt(node.start), rule: "layers", text }];
    });
}

function problemOf(path, imported) {
  const from = folderOf(path);
  const to = folderOf(imported);
  if (!imported.startsWith("src/")) return `\`${imported}\` lies outside src/; the program imports only its own source`;
  if (from === to) return undefined;
  if (from === "host")
    return HOST_MAY_IMPORT.has(to)
      ? undefined
      : `\`host\` may not import \`${to}\`; it knows tool, schema and text alone`;
  if (to === "host") {
    const isAllowed = HOST_FOR.some((entry) => entry.from.test(path) && entry.file.test(imported));
    return isAllowed
      ? undefined
      : `\`${imported}\` is imported by core/session/assemble.ts alone; take a \`Host\` as a parameter`;
  }
  const rank = rankOf.get(to);
  if (rank === undefined) return `\`src/${to}\` is in no layer; add it to scripts/tidy/layers.mjs`;
  if (rank > rankOf.get(from)) return undefined;
  return `\`${from}\` may not import \`${to}\`, which does not lie below it; move what both need down, or pass it in`;
}

function folderOf(path) {
  const [, folder] = path.split("/");
  return folder.endsWith(".ts") ? folder.replace(/\.ts$/, "") : folder;
}
