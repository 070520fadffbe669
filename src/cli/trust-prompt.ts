// Asks the person at the terminal whether a project's tool folder may take effect: shows what it could run, or what has changed, and takes a no for
// everything but a yes. What was shown is what is trusted then, whatever the folder has become meanwhile.
import { type FolderContent, readContent, trustContent } from "../catalog/trusted-content.ts";
import { isInsideRun, stateFolderProblem, trustKeyOf, trustStateOf } from "../catalog/trust.ts";
import { readRecord, readTexts } from "../catalog/trust-store.ts";
import { unsafeFact, unsafeHelp } from "../catalog/untrusted.ts";
import type { Host } from "../tool/host.ts";
import type { Terminal } from "../tool/terminal.ts";
import { printable } from "./layout.ts";
import type { OpenedSession } from "./open-session.ts";
import { changesText, reviewOf, reviewText } from "./trust-review.ts";

export function canAsk({ input, errors }: Terminal, host: Host): boolean {
  return input.isTerminal && errors.isTerminal && !isInsideRun(host);
}

/** Whether the person agreed. Says what became of it. */
export async function askForTrust(content: FolderContent, host: Host, { input, errors }: Terminal): Promise<boolean> {
  const inside = stateFolderProblem(trustKeyOf(content.folder, host), host);
  if (inside?.reason === "unsafe") {
    errors.write(`\`${printable(content.folder)}\` ${printable(unsafeFact(inside))}; ${unsafeHelp(inside)}\n`);
    return false;
  }
  errors.write(`${await questionText(content, host)}\n`);
  const answer = await input.ask("trust it as it is? [y/N] ");
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) return false;
  try {
    trustContent(content, host);
    return true;
  } catch (error) {
    errors.write(`failed[file]: this cannot be kept in \`${host.folders.state}\`: ${printable(error instanceof Error ? error.message : String(error))}\n`);
    return false;
  }
}

async function questionText(content: FolderContent, host: Host): Promise<string> {
  const { folder } = content;
  const record = readRecord(trustKeyOf(folder, host), host);
  const texts = record && readTexts(record, host);
  const shown = `${printable(folder)}\`${host.instant.stat(folder)?.isOwn === false ? ", which belongs to another user," : ""}`;
  if (texts && record.sha256 !== content.tree.sha256) return `\`${shown} has changed since you trusted it on ${record.trustedAt.slice(0, 10)}:\n\n${await changesText(content, texts)}`;
  return `nobody has trusted \`${shown} as it is. Once trusted, it could run this with your rights:\n\n${reviewText(await reviewOf(content))}`;
}

/** For a call of a tool that a project holds back: whether the project is trusted now. `name`: also of what no definition has, which may be a plugin's. */
export async function offerTrust(name: string, opened: OpenedSession, terminal: Terminal): Promise<boolean> {
  const { host, catalogue } = opened;
  if (!canAsk(terminal, host)) return false;
  const failure = await opened.session.distrust?.(name);
  if (failure && typeof failure.reason === "object") return false;
  const isMissing = !failure && !catalogue().entry(name);
  const withPlugins = isMissing ? catalogue().plugins.map(({ folder }) => folder).find((folder) => folder.scope === "project" && isAskedFor(trustStateOf(folder, host))) : undefined;
  const folder = failure?.folder ?? withPlugins?.path;
  if (folder === undefined) return false;
  const content = readContent(folder, host);
  return !("problem" in content) && askForTrust(content, host, terminal);
}

function isAskedFor(state: ReturnType<typeof trustStateOf>): boolean {
  return !state.isTrusted && state.distrust.reason !== "unsafe";
}
