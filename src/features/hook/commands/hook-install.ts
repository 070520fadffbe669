// `dottool hook install` and `uninstall`: shows the change of a client's settings, asks, and writes it.
import { dirname, relative } from "node:path";
import { isInsideRun } from "../../../core/catalog/trust.ts";
import { type ClientName, hookFormats } from "../formats.ts";
import { type HookSettings, hookSettings, SettingsError } from "../settings.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { Host } from "../../../core/tool/host.ts";
import type { CommandContext } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { canAsk } from "../../../cli/session/trust-prompt.ts";
import { unwrittenText } from "../../../cli/view/write-or-tell.ts";

const SETTINGS_BYTES_MAX = 16 * 1024 * 1024;
const DIFF_MS_MAX = 1_000;

interface ChangeOptions {
  readonly action: "install" | "uninstall";
  readonly isContained: boolean;
  readonly isProject: boolean;
  readonly isYes: boolean;
}

export async function changeHook(
  client: ClientName,
  { action, isContained, isProject, isYes }: ChangeOptions,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
  if (typeof opened === "number") return opened;
  const { host, cwd } = opened;
  const { title } = hookFormats[client];
  if (isInsideRun(host)) {
    terminal.errors.write(
      "failed[denied]: a tool started this command, and only a person may change what agents ask\n  = run it in your own terminal\n",
    );
    return exitCodes.denied;
  }
  const trouble = isContained && action === "install" ? await whyNoSandbox(host) : undefined;
  if (trouble !== undefined) {
    terminal.errors.write(`failed[sandbox]: \`--contained\` needs the sandbox, which ${printable(trouble)}\n`);
    return exitCodes.failed;
  }
  const settings = hookSettings(client, { host, cwd, isProject, isContained });
  const change = await changeOf(action, settings, host);
  const shown = shownIn(settings.path, host, cwd);
  if ("problem" in change) {
    terminal.errors.write(`failed[file]: \`${printable(shown)}\` ${printable(change.problem)}; nothing was changed\n`);
    return exitCodes.failed;
  }
  const { before, after } = change;
  if (before === after) {
    terminal.output.write(
      action === "install"
        ? `${title} already asks dottool: \`${printable(shown)}\`\n`
        : `${title} does not ask dottool: \`${printable(shown)}\`\n`,
    );
    return exitCodes.done;
  }
  terminal.output.write(shownLines(await diffOf(shown, before, after)));
  if (action === "uninstall" && settings.added(after) !== before)
    terminal.output.write(
      after === undefined
        ? "this file has changed since `install`, or another version wrote it; all of it is removed\n"
        : "this file has changed since `install`, or another version wrote it: blanks and empty lists may not be as before\n",
    );
  if (!isYes) {
    if (!canAsk(terminal, host)) {
      terminal.errors.write(
        "failed[denied]: cannot ask without a terminal, so nothing was changed\n  = `--yes` writes without asking\n",
      );
      return exitCodes.denied;
    }
    const answer = await terminal.input.ask("write this change? [y/N] ");
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) return exitCodes.denied;
  }
  if (!(await written({ path: settings.path, before, after, shown }, host, context))) return exitCodes.failed;
  terminal.output.write(
    action === "install" ? `${title} asks dottool from its next start on\n` : `${title} no longer asks dottool\n`,
  );
  if (action === "install") {
    if (settings.note !== undefined) terminal.output.write(`${settings.note}\n`);
    if (host.processes.find("dottool", host.environment("PATH") ?? "") === undefined)
      terminal.errors.write(
        "warning[path]: `dottool` is not in a folder of PATH, so every tool of the client will be stopped\n  = put it there under this name\n",
      );
  }
  return exitCodes.done;
}

/** Returns why the sandbox does not work here, as the end of a sentence that begins with it. */
async function whyNoSandbox(host: Host): Promise<string | undefined> {
  const place = { host, cwd: "/usr", program: ["dottool"], folder: undefined };
  const found = await (await import("../in-sandbox.ts")).sandboxedLine(":", place);
  return "trouble" in found ? found.trouble : undefined;
}

interface Change {
  /** Undefined: there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

async function changeOf(
  action: "install" | "uninstall",
  settings: HookSettings,
  host: Host,
): Promise<Change | { readonly problem: string }> {
  try {
    const before = await textOf(settings.path, host);
    if (action === "install") return { before, after: settings.added(before) };
    return { before, after: before === undefined ? undefined : settings.removed(before) };
  } catch (error) {
    if (error instanceof SettingsError) return { problem: error.message };
    if (codeOf(error) === undefined) throw error;
    return { problem: `cannot be read (${codeOf(error) ?? "error"})` };
  }
}

async function textOf(path: string, host: Host): Promise<string | undefined> {
  const stat = await host.files.stat(path);
  if (!stat) return undefined;
  if (stat.kind !== "file") throw new SettingsError("is not a file");
  if (stat.sizeBytes > SETTINGS_BYTES_MAX) throw new SettingsError("is too large for settings");
  const bytes = await host.files.readBytes(path, { offset: 0, lengthMax: SETTINGS_BYTES_MAX + 1 });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SettingsError("is not UTF-8");
  }
}

interface WrittenChange extends Change {
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
}

async function written(
  { path, before, after, shown }: WrittenChange,
  host: Host,
  { terminal }: CommandContext,
): Promise<boolean> {
  try {
    // The client may have written it while the question was open.
    if ((await textOf(path, host)) !== before) {
      terminal.errors.write(`failed[file]: \`${printable(shown)}\` has changed meanwhile; nothing was changed\n`);
      return false;
    }
    if (after === undefined) await host.files.remove(path);
    else {
      await host.files.makeFolder(dirname(path));
      await host.files.write(path, after);
    }
    return true;
  } catch (error) {
    terminal.errors.write(unwrittenText("file", shown, error));
    return false;
  }
}

async function diffOf(shown: string, before: string | undefined, after: string | undefined): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const names = [before === undefined ? "/dev/null" : shown, after === undefined ? "/dev/null" : shown] as const;
  const patch = createTwoFilesPatch(...names, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
    timeout: DIFF_MS_MAX,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch ?? "(the difference takes too long to make)\n";
}

/** Makes every line safe for a terminal. */
function shownLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

function shownIn(path: string, { folders }: Host, cwd: string): string {
  const inner = relative(cwd, path);
  if (!inner.startsWith("..")) return inner;
  const own = relative(folders.home, path);
  return own.startsWith("..") ? path : `~/${own}`;
}
