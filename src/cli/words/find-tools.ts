// The tools that a command names.
import { resolve, sep } from "node:path";
import { DEFINITION_ENDING } from "../../core/catalog/discover.ts";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { CommandContext, CommandInput } from "../command.ts";
import { openSession } from "../session/open-session.ts";
import { type MissingToolContext, reportMissingTool } from "./no-such-tool.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { untrustedFolders } from "../../core/session/untrusted-folders.ts";
import { isRemoteName } from "../../core/tool/remote-name.ts";

export interface NamedTool {
  readonly name: string;
  readonly tool: Tool;
}

/** Returns all tools if none is named; an exit code if one cannot be found, which has been named. */
export async function findTools(
  names: readonly string[],
  opened: OpenedSession,
  context: MissingToolContext,
): Promise<readonly NamedTool[] | number> {
  const { registry } = opened.session;
  if (names.length === 0) {
    await registry.complete();
    return registry.names().flatMap((name) => {
      const tool = registry.find(name);
      return tool ? [{ name, tool }] : [];
    });
  }
  const found: NamedTool[] = [];
  for (const name of new Set(names)) {
    const known = await registry.resolve(name);
    const owned = known ? undefined : await ownedTool(name, opened);
    const tool = owned === undefined ? known : await registry.resolve(owned);
    if (!tool) return reportMissingTool(name, opened, context);
    found.push({ name: owned ?? name, tool });
  }
  return found;
}

/**
 * Returns the whole name of the only tool that the name can mean. Undefined if it has a definition of its own, even a
 * broken one, or if several owners have it. What is not trusted does not make a trusted tool's name ambiguous.
 */
export async function ownedTool(name: string, { session, catalogue }: OpenedSession): Promise<string | undefined> {
  if (name === "" || name.includes("/") || isRemoteName(name)) return undefined;
  const owned = session.registry.names().filter((one) => one.endsWith(`/${name}`) && !isRemoteName(one));
  if (owned.length === 0 || catalogue().entry(name) || (await session.broken?.(name))) return undefined;
  const distrusted = (await session.distrusted?.(owned)) ?? new Set();
  const trusted = owned.filter((one) => !distrusted.has(one));
  const [only, ...others] = trusted.length > 0 ? trusted : owned;
  return others.length > 0 ? undefined : only;
}

/**
 * Returns the tool that the file with this path defines, and the context that has it: its own, where the file is in no
 * tool folder, as if it were given with `--tools`. Undefined if there is no such file, or if its folder is to be trusted
 * first.
 */
export async function toolInFile(
  path: string,
  opened: OpenedSession,
  context: CommandContext,
): Promise<{ readonly name: string; readonly context: CommandContext } | undefined> {
  const file = resolve(opened.cwd, path);
  if (!DEFINITION_ENDING.test(path) || !opened.host.instant.stat(file)) return undefined;
  const entryIn = (session: OpenedSession): CatalogueEntry | undefined =>
    session.catalogue().entries.find((entry) => session.catalogue().absolutePathOf(entry) === file);
  const known = entryIn(opened);
  if (known?.resolution.kind === "used" || known?.resolution.kind === "broken") return { name: known.name, context };
  // What an untrusted project may not name, such as another `glob`, would else run without being trusted.
  if (known && untrustedFolders(opened).some((folder) => file.startsWith(folder.path + sep))) return undefined;
  const wider = {
    ...context,
    options: { ...context.options, toolFolders: [file, ...context.options.toolFolders] },
  };
  const session = await openSession(wider, { isQuiet: true });
  const entry = typeof session === "number" ? undefined : entryIn(session);
  return entry && { name: entry.name, context: wider };
}

/** Puts the names of tools in place of the files that define them, for commands that take names: `show x.tool`. */
export async function withNamesOfFiles(
  input: CommandInput,
  context: CommandContext,
): Promise<{ readonly input: CommandInput; readonly context: CommandContext }> {
  const words = [...input.words];
  let within = context;
  for (const [index, word] of words.entries()) {
    if (!DEFINITION_ENDING.test(word)) continue;
    const opened = await openSession(within, { isQuiet: true });
    // The command says what is wrong.
    if (typeof opened === "number") break;
    const found = (await opened.session.registry.resolve(word)) ? undefined : await toolInFile(word, opened, within);
    if (!found) continue;
    words[index] = found.name;
    within = found.context;
  }
  return { input: { ...input, words }, context: within };
}
