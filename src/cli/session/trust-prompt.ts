// Asks the person at the terminal whether to trust a project's tool folder: shows what it could run, or what has
// changed, and treats every answer except yes as no. Exactly the shown content is trusted, whatever the folder has
// become meanwhile.
import { type FolderContent, readContent, trustContent } from "../../core/catalog/trusted-content.ts";
import { isInsideRun, stateFolderProblem, trustKeyOf, trustStateOf } from "../../core/catalog/trust.ts";
import { readRecord, readTrustedTexts } from "../../core/catalog/trust-store.ts";
import { unsafeFact, unsafeHelp } from "../../core/catalog/untrusted.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { printable } from "../../core/text/display.ts";
import { broken, showByPages } from "../view/asked-call.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { changesText, reviewOf, reviewText, type Rivals, rivalsOf } from "../view/trust-review.ts";

export function canAsk({ input, errors }: Terminal, host: Host): boolean {
  return input.isTerminal && errors.isTerminal && !isInsideRun(host);
}

type Opened = Pick<OpenedSession, "host" | "catalogue">;

/** Returns whether the person agreed. Prints problems. */
export async function askForTrust(
  content: FolderContent,
  opened: Opened,
  { input, errors }: Terminal,
): Promise<boolean> {
  const { host } = opened;
  const inside = stateFolderProblem(trustKeyOf(content.folder, host), host);
  if (inside?.reason === "unsafe") {
    errors.write(`\`${printable(content.folder)}\` ${printable(unsafeFact(inside))}; ${unsafeHelp(inside)}\n`);
    return false;
  }
  const [head = "", ...lines] = (await questionText(content, opened)).split("\n");
  const review = [head, ...lines.flatMap((line) => marked(line, errors.columns))];
  if (!(await showByPages(review, { input, errors }))) return false;
  const answer = await input.ask("trust this content? [y/N] ");
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) return false;
  return keepTrust(content, host, errors);
}

/** Stores the trust; prints why if that fails. */
export function keepTrust(content: FolderContent, host: Host, errors: Terminal["errors"]): boolean {
  try {
    trustContent(content, host);
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    errors.write(
      `failed[file]: the trust cannot be stored in \`${host.folders.state}\`: ${printable(error instanceof Error ? error.message : String(error))}\n`,
    );
    return false;
  }
}

const COLUMNS_MIN = 20;

/** Marks continued lines, so that none can pass for a separate line. */
function marked(line: string, columns: number): readonly string[] {
  if (broken(line, columns).length === 1) return [line];
  const mark = `${/^ */.exec(line)?.[0] ?? ""}  ↳ `;
  const [first = "", ...rest] = broken(line, Math.max(COLUMNS_MIN, columns - mark.length));
  return [first, ...rest.map((part) => mark + part)];
}

async function questionText(content: FolderContent, { host, catalogue }: Opened): Promise<string> {
  const rivals: Rivals = content.package ? new Map() : rivalsOf(catalogue());
  const { folder } = content;
  const record = readRecord(trustKeyOf(folder, host), host);
  const texts = record && readTrustedTexts(record, host);
  // Several spaces could move the rest of a name to where a line of the review would begin.
  const name = printable(nameOf(content)).replaceAll(/ {2,}/g, (blanks) => "\\u{20}".repeat(blanks.length));
  const shown = `${name}\`${host.instant.stat(folder)?.isOwn === false ? ", which belongs to another user," : ""}`;
  if (texts && record.sha256 !== content.tree.sha256)
    return `\`${shown} has something that is not trusted yet. Once trusted, it could run this with your permissions:\n\n${await changesText(content, texts, rivals)}`;
  return `\`${shown} is not trusted. Once trusted, it could run this with your permissions:\n\n${reviewText(await reviewOf(content, rivals))}`;
}

/** Returns what people call it. */
export function nameOf({ folder, package: installed }: Pick<FolderContent, "folder" | "package">): string {
  return installed ? `${installed.name}@${installed.version}` : folder;
}

/**
 * Offers to trust the project of a called tool; returns whether it is trusted now. `name` may be without a definition,
 * because it may be a plugin's.
 */
export async function offerTrust(name: string, opened: OpenedSession, terminal: Terminal): Promise<boolean> {
  const { host, catalogue } = opened;
  if (!canAsk(terminal, host)) return false;
  const failure = await opened.session.distrust?.(name);
  if (failure && typeof failure.reason === "object") return false;
  const isMissing = !failure && !catalogue().entry(name);
  const withPlugins = isMissing
    ? catalogue()
        .plugins.map(({ folder }) => folder)
        .find((folder) => folder.scope === "project" && isAskedFor(trustStateOf(folder, host)))
    : undefined;
  const folder = failure?.folder ?? withPlugins?.path;
  if (folder === undefined) return false;
  const content = readContent(folder, host);
  return !("problem" in content) && askForTrust(content, opened, terminal);
}

function isAskedFor(state: ReturnType<typeof trustStateOf>): boolean {
  return !state.isTrusted && state.distrust.reason !== "unsafe";
}
