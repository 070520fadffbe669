// Trust after a change: a tool needs trust in its own definition and in the files that it could run, not in the whole
// folder. So a new or changed file asks about itself, a removed one about nothing, and the other tools go on.
import type { Host } from "../tool/host.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import type { ToolTree } from "./tool-tree.ts";
import type { PartTrust } from "./trust-state.ts";

type FileDistrust = { readonly reason: "new" | "changed"; readonly files: readonly string[] };

/** Returns the content of every entry by path: the hash of a file, or what another entry is. */
export function contentsOf({ files, others }: Pick<ToolTree, "files" | "others">): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...files.map(({ path, sha256 }) => [path, sha256]),
    ...others.map(({ path, is }) => [path, is]),
  ]);
}

/**
 * Returns the paths that are new or have changed since they were trusted, sorted. Of those that are gone only the
 * settings count, whose rules may deny.
 */
export function changedPaths({ tree, accepted }: PartTrust): readonly string[] {
  const now = contentsOf(tree);
  return [
    ...new Set([...Object.keys(now), ...(Object.hasOwn(accepted, CONFIGURATION_NAME) ? [CONFIGURATION_NAME] : [])]),
  ]
    .filter((path) => !isAccepted(path, now[path], accepted))
    .sort();
}

/** `is` is the hash of a file, or what another entry is. */
export function isAccepted(path: string, is: string | undefined, accepted: PartTrust["accepted"]): boolean {
  return is !== undefined && Object.hasOwn(accepted, path) && accepted[path] === is;
}

/** Returns the changed files that tools or plugins may run or import: all but definitions, settings and plugins. */
export function changedPrograms(part: PartTrust): readonly string[] {
  return changedPaths(part).filter((path) => isProgram(path) && !/^plugins\/[^/]*\.ts$/.test(path));
}

/** `files` are paths in the folder. The reason is that of the first one. */
export function fileDistrust(files: readonly string[], { accepted }: PartTrust): FileDistrust {
  return { reason: files.some((path) => Object.hasOwn(accepted, path)) ? "changed" : "new", files };
}

interface PartDefinition {
  /** Its place within the folder. */
  readonly path: string;
  /** The hash of what was parsed. */
  readonly sha256: string | undefined;
  /** Set if it is used as it was trusted. */
  readonly trustedSha256?: string | undefined;
  /** Returns the bytes that the file has now. */
  read(): Uint8Array;
}

/** Returns why a definition does not run. */
export function distrustInPart(
  { path, sha256, trustedSha256, read }: PartDefinition,
  part: PartTrust,
  host: Host,
): FileDistrust | undefined {
  if (!isAccepted(path, trustedSha256 ?? sha256, part.accepted)) return fileDistrust([path], part);
  const changed = changedPaths(part).filter((one) => one !== CONFIGURATION_NAME && one !== path);
  const gone = goneDefinitions(part);
  if (changed.length === 0 && gone.length === 0 && trustedSha256 === undefined) return undefined;
  // The present text may name what the trusted one runs in another way, so another change beside it asks.
  if (trustedSha256 !== undefined && (gone.length > 0 || changed.some(isProgram))) return fileDistrust([path], part);
  const bytes = read();
  if (host.sha256(bytes) !== sha256) return fileDistrust([path], part);
  const text = new TextDecoder().decode(bytes);
  // What a name means may be another tool now, without the limits of the one that was trusted.
  const lost = gone.filter(({ names }) => names.some((name) => refersTo(name, text))).map(({ path: file }) => file);
  const files = [...changed.filter((one) => mayRun(one, { path, text }, part)), ...lost];
  return files.length === 0 ? undefined : fileDistrust(files, part);
}

/** Whether the name is in a place of a definition where a tool can be named: `uses x`, `use-tool: x`, `tools.x`. */
function refersTo(name: string, text: string): boolean {
  const before = /(?:@wrapped[ \t]+|\buses[ \t]+|[:[,("'][ \t]*|\btools\.|\/)$/;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (before.test(text.slice(Math.max(0, at - 32), at)) && !/[\w-]/.test(text[at + name.length] ?? " ")) return true;
  return false;
}

/** Scripts, modules and data, which tools that run files may run. Another definition is only run by its name. */
function isProgram(path: string): boolean {
  return path !== CONFIGURATION_NAME && !isDefinition(path);
}

function isDefinition(path: string): boolean {
  return /\.tool$|^(?:[^/]+\/)?tool\.ya?ml$|^[^/]+\.ya?ml$/.test(path);
}

/** What runs files whose names it does not say: shells, interpreters, and programs that run what a project defines. */
const RUNS_FILES =
  /^@(?:shell|script|code|javascript|js)\b|^@(?:step|cleanup)\b.*\b(?:sh|bash|zsh|pwsh|cmd|code|python)\b|\b(?:[a-z]*sh|make|just|task|npm|npx|pnpm|yarn|bun|deno|node|python[\d.]*|py|pytest|tox|nox|uv|ruby|rake|bundle|perl|php|composer|lua|go|cargo|gradlew?|mvn|ant|dotnet|cmake|ninja|bazel|git|docker|podman|env|xargs|find|parallel)\b/m;

/**
 * Whether a definition may run a file of the folder: one that it names, any program if it runs files, and everything if
 * it names the folder or a program, which may run all others.
 */
function mayRun(
  path: string,
  { path: own, text }: { readonly path: string; readonly text: string },
  { tree, accepted }: PartTrust,
): boolean {
  const isNamed = (one: string): boolean =>
    one !== own &&
    (isProgram(one) ? one.split("/") : [one.slice(one.lastIndexOf("/") + 1)]).some((part) => text.includes(part));
  if (isNamed(path) || text.includes(".tool") || /entrypoint/.test(text)) return true;
  const programs = [...Object.keys(contentsOf(tree)), ...Object.keys(accepted)].filter(isProgram);
  return programs.some(isNamed) || (isProgram(path) && (!own.endsWith(".tool") || RUNS_FILES.test(text)));
}

/** Returns the definitions that were trusted and are gone, with the names that no other trusted definition gives. */
function goneDefinitions({
  tree,
  accepted,
  texts = {},
}: PartTrust): readonly { readonly path: string; readonly names: readonly string[] }[] {
  const now = contentsOf(tree);
  const known = Object.keys(accepted).filter((path) => /\.(?:tool|ya?ml)$/.test(path) && path !== CONFIGURATION_NAME);
  const gone = known.filter((path) => !Object.hasOwn(now, path));
  if (gone.length === 0) return [];
  const namesOf = (path: string): readonly string[] => {
    const stem = path.replace(/(?:\/(?:tool|config))?\.\w+$/, "").replace(/^.*\//, "");
    const named = /^(?:@name|name:)[ \t]+["']?([\w/-]+)/m.exec(Object.hasOwn(texts, path) ? (texts[path] ?? "") : "");
    return [named?.[1] ?? stem];
  };
  const given = new Set(known.filter((path) => isAccepted(path, now[path], accepted)).flatMap(namesOf));
  return gone.map((path) => ({ path, names: namesOf(path).filter((name) => !given.has(name)) }));
}
