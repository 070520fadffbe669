// `dottool init`: makes `.tools` with one tool that works, and says what to do next.
import { inOwnName } from "../../../core/text/program-name.ts";
import { join, relative } from "node:path";
import { isInsideRun } from "../../../core/catalog/trust.ts";
import { PROJECT_FOLDER_NAME } from "../../../core/catalog/tool-folders.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { Platform } from "../../../core/tool/command.ts";
import type { CommandContext, WordsCommand } from "../../../cli/command.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { canAddTrusted, keep } from "../../../cli/session/keep-trust.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { writeBelowOrTell } from "../../../cli/view/write-or-tell.ts";

export const initCommand: WordsCommand = {
  kind: "words",
  usage: ["init [--plugin]"],
  about:
    "Creates `.tools` in this folder with one working example, and shows the next steps. The new folder is trusted. With `--plugin`, writes a plugin in TypeScript with a test, and what an editor needs to know its types; where `.tools` exists, writes only what is missing.",
  options: [{ name: "plugin", does: "write an example plugin, and types for your editor" }],
  words: [0, 0],
  examples: [
    ["dottool init", "start in this folder"],
    ["dottool init --plugin", "write tools in TypeScript"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    const { host, cwd } = opened;
    const { errors, output } = context.terminal;
    const folder = join(cwd, PROJECT_FOLDER_NAME);
    if (input.has("plugin")) return initPlugin(folder, opened, context);
    if (host.instant.stat(folder) || host.instant.isLink(folder)) {
      errors.write(
        `failed[exists]: \`${PROJECT_FOLDER_NAME}\` already exists\n  = \`dottool new NAME\` writes another tool there, and \`dottool list\` shows yours\n`,
      );
      return exitCodes.failed;
    }
    const file = { path: join(folder, "hello.tool"), shownPath: join(PROJECT_FOLDER_NAME, "hello.tool") };
    const text = exampleText(host.platform);
    if (!(await writeBelowOrTell({ ...file, text }, host, context))) return exitCodes.failed;
    if (!isInsideRun(host)) keep({ root: folder, files: [{ path: file.path, text }] }, host);
    output.write(inOwnName(`wrote ${file.shownPath}\n${nextSteps}`));
    return exitCodes.done;
  },
};

/** Writes what is missing, and says what is there already. */
async function initPlugin(folder: string, { host }: OpenedSession, context: CommandContext): Promise<number> {
  const { errors, output } = context.terminal;
  for (const place of [folder, join(folder, "plugins")])
    if (host.instant.isLink(place)) {
      errors.write(
        `failed[exists]: \`${shownIn(folder, place)}\` is a link, and nothing is written behind one\n  = remove the link, or work in the project that it leads to\n`,
      );
      return exitCodes.failed;
    }
  // A new folder is trusted as it is; to one that exists, a person adds.
  const isKept = host.instant.stat(folder) === undefined ? !isInsideRun(host) : canAddTrusted(host, context);
  const written: { readonly path: string; readonly text: string }[] = [];
  const { pluginFiles } = await import("../../../generated/plugin-files.ts");
  for (const [name, text] of Object.entries(pluginFiles)) {
    const path = join(folder, name);
    const shownPath = shownIn(folder, path);
    if (host.instant.stat(path) || host.instant.isLink(path)) {
      output.write(`left ${shownPath} as it is: it exists\n`);
      continue;
    }
    if (!(await writeBelowOrTell({ path, shownPath, text }, host, context))) return exitCodes.failed;
    written.push({ path, text });
    output.write(`wrote ${shownPath}\n`);
  }
  if (isKept && written.length > 0) keep({ root: folder, files: written }, host);
  output.write(inOwnName(pluginSteps));
  return exitCodes.done;
}

function shownIn(folder: string, path: string): string {
  return join(PROJECT_FOLDER_NAME, relative(folder, path));
}

const pluginSteps = `next:
  dottool greet World            run the example
  dottool test                   run its tests
  npx -p typescript tsc -p ${PROJECT_FOLDER_NAME}    check its types, as your editor does
  dottool dev                    check and test each change
`;

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
