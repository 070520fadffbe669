// main → features/index.ts → features → cli → core, and within core a room imports only those below it. A feature
// imports another one only if its row in features/index.ts says `uses`. Types and `import()` count.
import { posix } from "node:path";
import { importsOf, isInHost } from "./modules.mjs";

/** The rooms of core from the top down. Those of one row do not import each other. */
const ROOMS = [
  ["session"],
  ["catalog"],
  ["run"],
  ["policy"],
  ["builder"],
  ["steps", "base"],
  ["output"],
  ["language"],
  ["shell"],
  ["store"],
  ["tool"],
  ["schema"],
  ["text"],
];
const rankOf = new Map(ROOMS.flatMap((rooms, rank) => rooms.map((room) => [room, rank])));
/** What the real world, in `host/` of core and of features, knows of the program. */
const HOST_MAY_IMPORT = new Set(["host", "store", "tool", "schema", "text"]);
/**
 * The files that may import from `host/`, and what: the wiring, the streams of the terminal, what concerns a process as
 * a whole, and the contents of the executable.
 */
const HOST_FOR = [
  { from: /^src\/main\.ts$/, file: /^src\/core\/host\/bundle\/own-bundle\.ts$/ },
  { from: /^src\/core\/session\/assemble\.ts$/, file: /^src\/core\/host\// },
  { from: /^src\/features\/hook\/hook-session\.ts$/, file: /^src\/core\/host\/node-host\.ts$/ },
  { from: /^src\/features\/([\w-]+)\//, file: /^src\/features\/\1\/host\// },
  { from: /^src\/features\/(?:resident|mcp-client)\//, file: /^src\/core\/host\/node-host\.ts$/ },
  {
    from: /^src\/(main\.ts|cli\/|features\/[\w-]+\/)/,
    file: /^src\/(?:core|features\/[\w-]+)\/host\/(?:\w+\/)?(terminal|end-program|first-process|argv-bytes|licenses|own-environment|folders|lean-heap|detached-start|handed-over)\.ts$/,
  },
];
const INDEX = "src/features/index.ts";

export function checkLayers({ sources }) {
  const files = sources.filter(({ path }) => path.startsWith("src/"));
  const uses = usesOf(files.find(({ path }) => path === INDEX));
  return [...files.flatMap((file) => checkFile(file, uses)), ...unneededUses(files, uses)];
}

function checkFile({ path, program, lineAt }, uses) {
  const place = placeOf(path);
  if (place.kind === "nowhere")
    return [{ path, line: 1, rule: "layers", text: `\`${place.folder}\` is in no layer; add it to ${LAYERS_FILE}` }];
  return importsOf(program)
    .filter(({ name }) => name.startsWith("."))
    .flatMap(({ name, node }) => {
      const text = problemOf(path, posix.join(posix.dirname(path), name), uses);
      return text === undefined ? [] : [{ path, line: lineAt(node.start), rule: "layers", text }];
    });
}

const LAYERS_FILE = "scripts/tidy/layers.mjs";

/** Returns what is wrong with the import, or undefined. */
function problemOf(path, imported, uses) {
  if (!imported.startsWith("src/")) return `\`${imported}\` lies outside src/; the program imports only its own source`;
  const from = placeOf(path);
  const to = placeOf(imported);
  if (to.kind === "nowhere") return `\`${to.folder}\` is in no layer; add it to ${LAYERS_FILE}`;
  if (to.kind === "generated") return undefined;
  if (isInHost(imported) && !isInHost(path))
    return HOST_FOR.some((entry) => mayImport(entry, path, imported))
      ? undefined
      : `\`${imported}\` is imported by core/session/assemble.ts alone; take a \`Host\` as a parameter`;
  if (isInHost(path) && !isInHost(imported) && !HOST_MAY_IMPORT.has(to.room))
    return `\`host\` may not import \`${to.room ?? to.kind}\`; it knows store, tool, schema and text alone`;
  switch (from.kind) {
    case "main":
      return undefined;
    case "index":
      return to.kind === "feature" || to.kind === "core" || to.kind === "cli" ? undefined : upwards(from, to);
    case "feature":
      if (to.kind !== "feature") return to.kind === "cli" || to.kind === "core" ? undefined : upwards(from, to);
      return to.room === from.room || uses.get(from.room)?.includes(to.room)
        ? undefined
        : `the feature \`${from.room}\` imports \`${to.room}\`, and its row in ${INDEX} does not say \`uses\``;
    case "cli":
      return to.kind === "cli" || to.kind === "core" ? undefined : upwards(from, to);
    case "core":
      if (to.kind !== "core") return upwards(from, to);
      return from.room === to.room || isInHost(path) || rankOf.get(to.room) > rankOf.get(from.room)
        ? undefined
        : upwards(from, to);
    default:
      return undefined;
  }
}

function upwards(from, to) {
  const name = ({ kind, room }) => (kind === "core" ? room : kind === "feature" ? `features/${room}` : kind);
  return `\`${name(from)}\` may not import \`${name(to)}\`, which does not lie below it; move what both need down, or pass it in`;
}

/** A `\1` in the pattern of the imported file stands for what the importing path matched. */
function mayImport({ from, file }, path, imported) {
  const match = from.exec(path);
  return match !== null && new RegExp(file.source.replaceAll("\\1", match[1] ?? "")).test(imported);
}

function placeOf(path) {
  const [, first, second] = path.split("/");
  if (first === "main.ts" || first === "dottool.ts") return { kind: "main" };
  if (first === "generated") return { kind: "generated" };
  if (first === "cli") return { kind: "cli" };
  if (path === INDEX) return { kind: "index" };
  if (first === "features" && second !== undefined) return { kind: "feature", room: second };
  if (first === "core" && (second === "host" || rankOf.has(second))) return { kind: "core", room: second };
  return { kind: "nowhere", folder: first === "core" ? `src/core/${second}` : `src/${first}` };
}

/** Returns the features that each row may use. */
function usesOf(index) {
  const rows = index?.program.body.flatMap(
    ({ declaration }) => declaration?.declarations?.[0]?.init?.elements?.map(({ properties }) => properties) ?? [],
  );
  const value = (row, key) => row.find((property) => property.key.name === key)?.value;
  return new Map(
    (rows ?? []).map((row) => [
      value(row, "name").value,
      (value(row, "uses")?.elements ?? []).map((element) => element.value),
    ]),
  );
}

/** Reports features that a row names under `uses` without need, and circles among the rows. */
function unneededUses(files, uses) {
  const used = new Map();
  for (const { path, program } of files) {
    const from = placeOf(path);
    if (from.kind !== "feature") continue;
    for (const { name } of importsOf(program).filter((one) => one.name.startsWith("."))) {
      const to = placeOf(posix.join(posix.dirname(path), name));
      if (to.kind === "feature") used.set(from.room, (used.get(from.room) ?? new Set()).add(to.room));
    }
  }
  const complain = (text) => ({ path: INDEX, line: 1, rule: "layers", text });
  const idle = [...uses].flatMap(([name, names]) =>
    names
      .filter((one) => !used.get(name)?.has(one))
      .map((one) => complain(`\`${name}\` says that it uses \`${one}\`, and does not`)),
  );
  const reaches = (name, seen = new Set()) => {
    for (const one of uses.get(name) ?? []) if (!seen.has(one)) reaches(one, seen.add(one));
    return seen;
  };
  const circular = [...uses.keys()].filter((name) => reaches(name).has(name));
  return [
    ...idle,
    ...(circular.length === 0
      ? []
      : [complain(`${circular.map((name) => `\`${name}\``).join(", ")} use each other in a circle`)]),
  ];
}
