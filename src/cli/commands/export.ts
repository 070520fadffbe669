// `dottool export`: writes a tool folder in the form that a client installs.
import { resolve } from "node:path";
import { exitCodes } from "../../run/exit-code.ts";
import { printable } from "../../text/display.ts";
import type { UnpackedFile } from "../../tool/host-bundle.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../command.ts";
import { EXPORT_NAME, type ExportFacts, exportFacts, manifestIn, VERSION_DEFAULT } from "../exports/facts.ts";
import { type FormName, formNames, forms, type Offered, serverWords } from "../exports/forms.ts";
import { toolHelps } from "../exports/tool-helps.ts";
import { baseExecutable } from "../words/base-executable.ts";
import { failedWith, findSharedFolder, type SharedFolder } from "../words/shared-folder.ts";
import { filesExist, unwrittenText } from "../view/write-or-tell.ts";

/** One file instead of a folder. */
const MCPB = "mcpb";
const ELSEWHERE = "`-o` with another name writes elsewhere";

export const exportCommand: WordsCommand = {
  kind: "words",
  usage: [
    `export ${formNames.join("|")} [DIR] -o FOLDER [--name NAME] [--force]`,
    `export ${MCPB} [DIR] -o FILE.mcpb [--base FILE] [--name NAME] [--force]`,
  ],
  about:
    "Writes the tools of DIR (default: `.tools`) in a form that a client can install: " +
    `${formNames.map((name) => `\`${name}\` is ${forms[name].does}`).join("; ")}; ` +
    "`mcpb` is a file for Claude Desktop and others, with the executable inside. " +
    "With every form except `mcpb`, the client needs `dottool` on PATH. " +
    "Name, version, description and author come from `package.json` in DIR. Hidden files and secret values are left out and listed.",
  options: [
    { name: "output", short: "o", value: "OUTPUT", does: "the folder or file to write" },
    {
      name: "base",
      value: "FILE",
      does: "the executable to put into an `mcpb`, such as the release for another platform",
    },
    { name: "name", value: "NAME", does: "use this name instead of the one in `package.json` or that of the project" },
    { name: "force", does: "replace existing files" },
  ],
  words: [1, 2],
  examples: [
    ["dottool export claude-plugin -o acme-tools", "this project's tools for Claude Code"],
    ["dottool export mcpb -o acme.mcpb", "one file, for platforms like this one"],
    ["dottool export skill .tools -o ~/.claude/skills/acme", "for agents that run commands"],
  ],
  run: async (input, context) => {
    const [form, word] = input.words;
    // `-o ""`, as of a variable that is not set, would write over the current folder.
    const output = input.value("output") || undefined;
    if (form !== MCPB && !isFormName(form))
      return reportUsage(context.terminal, `the form must be one of ${known()}; got \`${form ?? ""}\``, "export");
    if (output === undefined)
      return reportUsage(context.terminal, "`export` needs `-o OUTPUT`, the folder or file to write", "export");
    if (form !== MCPB && input.has("base"))
      return reportUsage(
        context.terminal,
        `\`--base\` is for \`${MCPB}\`; \`${form}\` has no executable in it`,
        "export",
      );
    const example = `dottool export ${form} DIR -o ${output}`;
    const folder = await findSharedFolder({ word, output, command: "export", example }, context);
    if (typeof folder === "number") return folder;
    const { collectFiles } = await import("../../bundle/collect-files.ts");
    const collected = collectFiles(folder.path, folder.opened.host);
    if ("problem" in collected) return failedWith(context, ["export", collected.problem, collected.help]);
    const facts = exportFacts({
      name: input.value("name"),
      folderName: folder.calledAfter,
      manifest: manifestIn(collected.files),
      tools: await toolHelps(folder),
    });
    if (!EXPORT_NAME.test(facts.name))
      return reportUsage(
        context.terminal,
        `\`${facts.name}\` cannot be the name here: it is 1 to 32 lowercase letters and digits, joined by \`-\`, and begins with a letter; give one with \`--name\``,
        "export",
      );
    for (const one of collected.leftOut) context.terminal.errors.write(`left out: ${printable(one)}\n`);
    if (facts.version === VERSION_DEFAULT)
      context.terminal.errors.write(
        `note: the version is ${VERSION_DEFAULT}; \`"version"\` of \`package.json\` in the folder sets it\n`,
      );
    const made: Export = { facts, folder, tools: collected.files, output };
    return form === MCPB ? writeMcpb(made, input, context) : writeFolder(form, made, { input, context });
  },
};

function isFormName(word: string | undefined): word is FormName {
  return formNames.some((name) => name === word);
}

function known(): string {
  return [...formNames, MCPB].map((name) => `\`${name}\``).join(", ");
}

interface Export {
  readonly facts: ExportFacts;
  readonly folder: SharedFolder;
  readonly tools: readonly UnpackedFile[];
  /** As it was typed. */
  readonly output: string;
}

const EXECUTABLE_MODE = 0o755;

async function writeMcpb(
  { facts, folder, tools, output }: Export,
  input: CommandInput,
  context: CommandContext,
): Promise<number> {
  const { host } = folder.opened;
  const path = resolve(context.terminal.workingFolder(), output);
  if (!output.endsWith(".mcpb"))
    return reportUsage(context.terminal, `clients know the file by its ending; write \`-o ${output}.mcpb\``, "export");
  if (host.instant.stat(path) !== undefined && !input.has("force")) return filesExist([output], ELSEWHERE, context);
  const base = await baseExecutable(input.value("base"), host, context);
  if (typeof base === "number") return base;
  const { makeBundle } = await import("../../bundle/make-bundle.ts");
  const { mcpbBytes } = await import("../exports/mcpb.ts");
  const { bytes: executable } = makeBundle({ base, name: facts.name, files: tools, host });
  try {
    await host.files.write(
      path,
      await mcpbBytes({ facts, executable, platform: base.platform, words: serverWords(offeredOf(folder)) }),
    );
  } catch (error) {
    context.terminal.errors.write(unwrittenText("output-file", output, error));
    return exitCodes.failed;
  }
  context.terminal.output.write(
    `wrote ${printable(output)}: ${counted(facts)} as \`${facts.name}\`, for ${base.platform}\nopen it with Claude Desktop or another client of MCP bundles\n`,
  );
  return exitCodes.done;
}

interface Given {
  readonly input: CommandInput;
  readonly context: CommandContext;
}

async function writeFolder(
  form: FormName,
  { facts, folder, tools, output }: Export,
  { input, context }: Given,
): Promise<number> {
  const { host } = folder.opened;
  const files = [
    ...tools.map((file) => ({ ...file, path: `tools/${file.path}` })),
    ...forms[form].files(facts, offeredOf(folder)),
  ];
  const root = resolve(context.terminal.workingFolder(), output);
  const existing = files.filter(({ path }) => host.instant.stat(resolve(root, path)) !== undefined);
  if (existing[0] && !input.has("force"))
    return filesExist(
      existing.map(({ path }) => `${output}/${path}`),
      ELSEWHERE,
      context,
    );
  try {
    for (const { path, bytes, isExecutable } of files) {
      await host.files.makeFolder(resolve(root, path, ".."));
      await host.files.write(resolve(root, path), bytes, isExecutable ? { mode: EXECUTABLE_MODE } : {});
    }
  } catch (error) {
    context.terminal.errors.write(unwrittenText("output-file", output, error));
    return exitCodes.failed;
  }
  context.terminal.output.write(
    `wrote ${printable(output)}: ${counted(facts)} as \`${facts.name}\`\n${forms[form].next(output)}\n`,
  );
  return exitCodes.done;
}

/** The tools of a plugin are not known before it runs, so nothing is held back if the folder has one. */
function offeredOf({ opened, path, toolNames }: SharedFolder): Offered {
  const hasPlugins = opened.catalogue().plugins.some((plugin) => plugin.folder.path === path);
  return { toolNames: hasPlugins ? [] : toolNames };
}

function counted({ tools }: ExportFacts): string {
  return `${tools.length} tool${tools.length === 1 ? "" : "s"}`;
}
