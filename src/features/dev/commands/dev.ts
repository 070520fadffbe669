// `dottool dev`: shows each change of the project's tools, trusts it, checks and tests them, while it is on the screen.
// Nothing else trusts by itself, since agents write files as the same user.
import { readContent } from "../../../core/catalog/trusted-content.ts";
import { trustKeyOf, trustStateOf } from "../../../core/catalog/trust.ts";
import { readRecord, readTrustedTexts } from "../../../core/catalog/trust-store.ts";
import { unsafeFact, unsafeHelp } from "../../../core/catalog/untrusted.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { printable } from "../../../core/text/display.ts";
import { inOwnName } from "../../../core/text/program-name.ts";
import type { CommandContext, CommandInput, WordsCommand } from "../../../cli/command.ts";
import { loadCommand } from "../../../cli/commands.ts";
import { reportNoFolder, toolFolderFor } from "../../../cli/commands/trust.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { askForTrust, canAsk, keepTrust } from "../../../cli/session/trust-prompt.ts";
import { changesText, rivalsOf } from "../../../cli/view/trust-review.ts";

const LOOK_MS = 300;

export const devCommand: WordsCommand = {
  kind: "words",
  usage: ["dev"],
  about:
    "Watches the tools of the project while you write them: shows each change when it happens, trusts it, checks the definitions and runs their tests, until you press Ctrl-C. Keep it in view: whatever writes into `.tools` meanwhile, as an agent does, is trusted too.",
  options: [],
  words: [0, 0],
  examples: [["dottool dev", "in a second terminal, while you edit"]],
  run: async (_input, context) => {
    const { errors } = context.terminal;
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    const folder = toolFolderFor(undefined, opened);
    if (folder === undefined) return reportNoFolder(undefined, context.terminal);
    if (!canAsk(context.terminal, opened.host)) {
      errors.write(
        inOwnName(
          "failed[denied]: `dottool dev` trusts what changes, so it runs only at a terminal, with a person in front of it\n  = run it yourself at a terminal\n",
        ),
      );
      return exitCodes.denied;
    }
    if (!(await isTrustedAtFirst(folder, opened, context))) {
      errors.write("not trusted\n");
      return exitCodes.denied;
    }
    context.terminal.expectSignal?.();
    errors.write(`watching \`${printable(folder)}\`: each change is trusted when it is shown here; Ctrl-C ends this\n`);
    return watch(folder, opened, context);
  },
};

async function isTrustedAtFirst(folder: string, opened: OpenedSession, { terminal }: CommandContext): Promise<boolean> {
  if (trustStateOf({ scope: "project", path: folder }, opened.host).isTrusted) return true;
  const content = readContent(folder, opened.host);
  if (!("problem" in content)) return askForTrust(content, opened, terminal);
  terminal.errors.write(`\`${printable(folder)}\` ${printable(content.problem)}; ${printable(content.help)}\n`);
  return false;
}

async function watch(folder: string, opened: OpenedSession, context: CommandContext): Promise<number> {
  const { host } = opened;
  const { errors, signal } = context.terminal;
  const key = trustKeyOf(folder, host);
  let seen = "";
  for (;;) {
    await host.sleep(LOOK_MS, signal);
    if (signal.aborted) return exitCodes.done;
    const state = trustStateOf({ scope: "project", path: folder }, host);
    if (state.isTrusted) continue;
    const content = readContent(folder, host);
    if ("problem" in content || state.distrust.reason === "unsafe") {
      const [fact, help] =
        "problem" in content
          ? [content.problem, content.help]
          : state.distrust.reason === "unsafe"
            ? [unsafeFact(state.distrust), unsafeHelp(state.distrust)]
            : ["", ""];
      errors.write(`failed[untrusted]: \`${printable(folder)}\` ${printable(fact)}\n  = ${printable(help)}\n`);
      return exitCodes.denied;
    }
    // A file may be half written.
    const isWhole = content.tree.sha256 === seen;
    seen = content.tree.sha256;
    if (!isWhole) continue;
    const record = readRecord(key, host);
    const texts = record && readTrustedTexts(record, host);
    if (!texts) {
      errors.write("the trust was revoked, so nothing is watched any more\n");
      return exitCodes.denied;
    }
    errors.write(`\n${await changesText(content, texts, rivalsOf(opened.catalogue()))}\n`);
    if (!keepTrust(content, host, errors)) return exitCodes.failed;
    for (const name of ["check", "test"]) {
      const command = await loadCommand(name);
      if (command?.kind === "words" && (await command.run(noWords, context)) !== exitCodes.done) break;
    }
    errors.write("trusted\n");
  }
}

const noWords: CommandInput = { words: [], has: () => false, value: () => undefined, values: () => [] };
