// `dottool init`: makes `.tools` with one tool that works, and says what to do next.
import { inOwnName } from "../../../core/text/program-name.ts";
import { join } from "node:path";
import { isInsideRun } from "../../../core/catalog/trust.ts";
import { PROJECT_FOLDER_NAME } from "../../../core/catalog/tool-folders.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { Platform } from "../../../core/tool/command.ts";
import type { WordsCommand } from "../../../cli/command.ts";
import { keep } from "../../../cli/session/keep-trust.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { writeBelowOrTell } from "../../../cli/view/write-or-tell.ts";

export const initCommand: WordsCommand = {
  kind: "words",
  usage: ["init"],
  about:
    "Creates `.tools` in this folder with one working example, and shows the next steps. The new folder is trusted.",
  options: [],
  words: [0, 0],
  examples: [["dottool init", "start in this folder"]],
  run: async (_input, context) => {
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    const { host, cwd } = opened;
    const { errors, output } = context.terminal;
    const folder = join(cwd, PROJECT_FOLDER_NAME);
    if (host.instant.stat(folder) || host.instant.isLink(folder)) {
      errors.write(
        `failed[exists]: \`${PROJECT_FOLDER_NAME}\` already exists\n  = \`dottool new NAME\` writes another tool there, and \`dottool list\` shows yours\n`,
      );
      return exitCodes.failed;
    }
    const file = { path: join(folder, "hello.tool"), shownPath: join(PROJECT_FOLDER_NAME, "hello.tool") };
    const text = exampleText(host.platform);
    if (!(await writeBelowOrTell({ ...file, text }, host, context))) return exitCodes.failed;
    if (!isInsideRun(host)) keep({ root: folder, path: file.path, text }, host);
    output.write(inOwnName(`wrote ${file.shownPath}\n${nextSteps}`));
    return exitCodes.done;
  },
};

const nextSteps = `next:
  dottool new NAME --from '…'    make a tool from a command line that works
  dottool hello World            run the example
  dottool check                  find mistakes after you edit a tool
  dottool list                   list your own tools
  dottool mcp                    serve them to Claude Code, Gemini CLI, VS Code, …
`;

function exampleText(platform: Platform): string {
  const command =
    platform === "windows"
      ? '@shell pwsh\n@command Write-Output "Hello, $({name})!"'
      : "@command printf 'Hello, %s!\\n' {name}";
  return `Greet somebody.

These words say what the tool does: people and models choose it by them.

@title Hello
@name hello
@wrapped run_command
${command}
@param name {string} [required, example=World] Who is greeted
@tags read
@example {"name": "World"}
@test greets by name
    with {"name": "World"}
    expect exit-code 0
    expect output-contains Hello, World!
`;
}
