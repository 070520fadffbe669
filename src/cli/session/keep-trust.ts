// What a person writes with dottool's own commands in a trusted project stays trusted: the text of `fmt`, `check --fix`
// and `convert` is made from a trusted one, and a new definition is the person's own.
import { basename, sep } from "node:path";
import { contentsOf, isAccepted } from "../../core/catalog/partly-trusted.ts";
import { PROJECT_FOLDER_NAME } from "../../core/catalog/tool-folders.ts";
import { isInsideRun, projectRootOf, trustKeyOf, trustStateOf } from "../../core/catalog/trust.ts";
import { readContent, trustContent } from "../../core/catalog/trusted-content.ts";
import { readRecord } from "../../core/catalog/trust-store.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { canAsk } from "./trust-prompt.ts";
import type { CommandContext } from "../command.ts";

interface Writing {
  /** Absolute: the definition that is written. */
  readonly path: string;
  readonly text: string;
  /** The absolute path of the definition that the text was made from. Absent if a person wrote it. */
  readonly from?: string;
}

/** Writes a definition with `write`, which returns whether it could, and keeps its trust. */
export async function keepingTrust(
  { path, text, from }: Writing,
  write: () => Promise<boolean>,
  { host, terminal }: { readonly host: Host } & Pick<CommandContext, "terminal">,
): Promise<boolean> {
  const root = projectRootOf(path);
  const isOwn = basename(root) === PROJECT_FOLDER_NAME && !isInsideRun(host);
  const isTrusted = isOwn && (from === undefined ? canAddTrusted(host, { terminal }) : isTrustedFile(from, root, host));
  if (!(await write())) return false;
  if (isTrusted) keep({ root, files: [{ path, text }] }, host);
  return true;
}

/** Whether what is written now is a person's own. */
export function canAddTrusted(host: Host, { terminal }: Pick<CommandContext, "terminal">): boolean {
  return !isInsideRun(host) && canAsk(terminal, host);
}

/** Whether a call of the definition at `path`, in a project, runs without a question of trust. */
export function isTrustedNow(path: string, host: Host): boolean {
  const root = projectRootOf(path);
  return basename(root) !== PROJECT_FOLDER_NAME || isTrustedFile(path, root, host);
}

/** Whether the file is in the tool folder, and has the content that was trusted. */
function isTrustedFile(path: string, root: string, host: Host): boolean {
  if (projectRootOf(path) !== root) return false;
  const state = trustStateOf({ scope: "project", path: root }, host);
  const trusted = state.isTrusted ? state.tree && contentsOf(state.tree) : state.part?.accepted;
  const inside = insideOf(path, root);
  const now = readContent(root, host);
  return trusted !== undefined && !("problem" in now) && isAccepted(inside, contentsOf(now.tree)[inside], trusted);
}

function insideOf(path: string, root: string): string {
  return path.slice(root.length + 1).replaceAll(sep, "/");
}

interface Kept {
  readonly root: string;
  /** By absolute path. */
  readonly files: readonly Pick<Writing, "path" | "text">[];
}

/**
 * Trusts the files, unless one was swapped in between. In a folder of which nothing was trusted, they have to be the
 * only ones.
 */
export function keep({ root, files }: Kept, host: Host): void {
  try {
    const content = readContent(root, host);
    if ("problem" in content) return;
    const isWritten = files.every(({ path, text }) => content.texts.get(insideOf(path, root)) === text);
    if (!isWritten) return;
    const { tree } = content;
    if (readRecord(trustKeyOf(root, host), host))
      trustContent(
        content,
        host,
        files.map(({ path }) => insideOf(path, root)),
      );
    else if (tree.files.length === files.length && tree.others.length === 0) trustContent(content, host);
  } catch (error) {
    // The next call asks.
    if (codeOf(error) === undefined) throw error;
  }
}
