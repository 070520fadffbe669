// `dottool export`: writes a tool folder in the form that a client installs.
import { resolve } from "node:path";
import { exitCodes } from "../../run/exit-code.ts";
import { printable } from "../../text/display.ts";
import type { UnpackedFile } from "../../tool/host-bundle.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../command.ts";
import { EXPORT_NAME, type ExportFacts, exportFacts, manifestIn, VERSION_DEFAULT } from "../exports/facts.ts";
import { type FormName, formNames, forms } from "../exports/forms.ts";
import { toolHelps } from "../exports/tool-helps.ts";
import { failedWith, findSharedFolder, type SharedFolder } from "../words/shared-folder.ts";
import { unwrittenText } from "../view/write-or-tell.ts";

export const exportCommand: WordsCommand = {
  kind: "words",
  usage: [`export ${formNames.join("|")} [DIR] -o OUTPUT [--name NAME] [--force]`],
  about:
    "Writes the tools of DIR (default: `.tools`) as a folder that a client installs: " +
    `${formNames.map((name) => `\`${name}\` is ${forms[name].does}`).join("; ")}. ` +
    "The client needs `dottool` on PATH. " +
    "Name, version, description and author are those of `package.json` in DIR. Hidden files and values of secrets stay out, and are named.",
  options: [
    { name: "output", short: "o", value: "OUTPUT", does: "the folder to write" },
    { name: "name", value: "NAME", does: "another name than that of `package.json` or the project" },
    { name: "force", does: "replace existing files" },
  ],
  words: [1, 2],
  examples: [
    ["dottool export claude-plugin -o acme-tools", "this project's tools for Claude Code"],
    ["dottool export skill .tools -o ~/.claude/skills/acme", "for agents that run commands"],
  ],
  run: async (input, context) => {
    const [form, word] = input.words;
    const output = input.value("output");
    if (!isFormName(form))
      return reportUsage(context.terminal, `the form must be one of ${known()}; got \`${form ?? ""}\``, "export");
    if (output === undefined)
      return reportUsage(context.terminal, "`export` needs `-o OUTPUT`, the folder to write", "export");
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
        `\`${facts.name}\` cannot be the name here: it is 1 to 32 small letters and digits, joined by \`-\`, the first a letter; give one with \`--name\``,
        "export",
      );
    for (const one of collected.leftOut) context.terminal.errors.write(`left out: ${printable(one)}\n`);
    if (facts.version === VERSION_DEFAULT)
      context.terminal.errors.write(
        `note: the version is ${VERSION_DEFAULT}; \`"version"\` of \`package.json\` in the folder sets it\n`,
      );
    return write({ form, facts, folder, tools: collected.files, output }, input, context);
  },
};

function isFormName(word: string | undefined): word is FormName {
  return formNames.some((name) => name === word);
}

function known(): string {
  return formNames.map((name) => `\`${name}\``).join(", ");
}

interface Export {
  readonly form: FormName;
  readonly facts: ExportFacts;
  readonly folder: SharedFolder;
  readonly tools: readonly UnpackedFile[];
  /** As it was typed. */
  readonly output: string;
}

const EXECUTABLE_MODE = 0o755;

async function write(
  { form, facts, folder, tools, output }: Export,
  input: CommandInput,
  context: CommandContext,
): Promise<number> {
  const { host, catalogue } = folder.opened;
  const hasPlugins = catalogue().plugins.some((plugin) => plugin.folder.path === folder.path);
  const files = [
    ...tools.map((file) => ({ ...file, path: `tools/${file.path}` })),
    // The tools of a plugin are not known before it runs, so nothing else can be held back then.
    ...forms[form].files(facts, { toolNames: hasPlugins ? [] : folder.toolNames }),
  ];
  const root = resolve(context.terminal.workingFolder(), output);
  const existing = files.filter(({ path }) => host.instant.stat(resolve(root, path)) !== undefined);
  if (existing[0] && !input.has("force"))
    return failedExisting(
      existing.map(({ path }) => path),
      output,
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
  const count = `${facts.tools.length} tool${facts.tools.length === 1 ? "" : "s"}`;
  context.terminal.output.write(
    `wrote ${printable(output)}: ${count} as \`${facts.name}\`\n${forms[form].next(output)}\n`,
  );
  return exitCodes.done;
}

function failedExisting(
  [first = "", ...more]: readonly string[],
  output: string,
  { terminal }: CommandContext,
): number {
  const [others, exist, them] =
    more.length === 0 ? ["", "exists", "it"] : [` and ${more.length} more`, "exist", "them"];
  terminal.errors.write(
    `failed[exists]: \`${printable(`${output}/${first}`)}\`${others} already ${exist}; nothing is written\n  = \`--force\` replaces ${them}, \`-o\` with another name writes elsewhere\n`,
  );
  return exitCodes.failed;
}
