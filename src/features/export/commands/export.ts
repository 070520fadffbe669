// `dottool export`: writes a tool folder in the form that a client installs.
import { join, relative, resolve } from "node:path";
import { collectFiles } from "../../bundle/collect-files.ts";
import { collectWithPackages } from "../../bundle/collect-packages.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import type { Host } from "../../../core/tool/host.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { describedTools, hasPlugins, pluginExporters } from "../described-tools.ts";
import { EXPORT_NAME, exportFacts, manifestIn, VERSION_DEFAULT } from "../facts.ts";
import { type Form, formNames, forms, pluginForm, serverWords } from "../forms.ts";
import type { Executable, Making } from "../making.ts";
import { baseExecutable } from "../../bundle/base-executable.ts";
import { failedWith, findSharedFolder, type SharedFolder } from "../../bundle/shared-folder.ts";
import { filesExist, unwrittenText } from "../../../cli/view/write-or-tell.ts";

const WITH_EXECUTABLE = formNames.filter((name) => forms[name].holds === "executable");
const OF_A_FOLDER = formNames.filter((name) => !WITH_EXECUTABLE.includes(name));

export const exportCommand: WordsCommand = {
  kind: "words",
  usage: [
    `export ${OF_A_FOLDER.join("|")} [DIR] -o OUTPUT [--name NAME] [--force]`,
    `export ${WITH_EXECUTABLE.join("|")} [DIR] -o OUTPUT [--base FILE] [--name NAME] [--force]`,
  ],
  about:
    "Writes the tools of DIR (default: `.tools`) in a form that a client can install: " +
    `${formNames.map((name) => `\`${name}\` is ${forms[name].does}`).join("; ")}. ` +
    "Plugins, extensions and skills need `dottool` on PATH. " +
    "Name, version, description and author come from `package.json` in DIR. Hidden files and secret values are left out and listed.",
  options: [
    { name: "output", short: "o", value: "OUTPUT", does: "the folder or file to write" },
    { name: "base", value: "FILE", does: "the executable to put in, such as the release for another platform" },
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
    const wanted = await readWanted(input, context);
    if (typeof wanted === "number") return wanted;
    const { form, output } = wanted;
    const [word] = input.words.slice(1);
    const example = `dottool export ${wanted.name} DIR -o ${output}`;
    const folder = await findSharedFolder({ word, output, command: "export", example }, context);
    if (typeof folder === "number") return folder;
    const made = await makingOf(folder, { form, input, context });
    return typeof made === "number" ? made : write(made, { wanted, folder, input, context });
  },
};

interface Wanted {
  readonly name: string;
  readonly form: Form;
  /** As it was typed. */
  readonly output: string;
}

/** Returns an exit code if the words are wrong; the reason has been printed. */
async function readWanted(input: CommandInput, context: CommandContext): Promise<Wanted | number> {
  const [name = ""] = input.words;
  const wrong = (problem: string): number => reportUsage(context.terminal, problem, "export");
  const known = formNames.find((one) => one === name);
  const exporters = known === undefined ? await pluginExporters(context) : [];
  if (typeof exporters === "number") return exporters;
  const exporter = exporters.find((one) => one.name === name);
  const form = known === undefined ? exporter && pluginForm(exporter) : forms[known];
  if (!form)
    return wrong(
      `the form must be one of ${listed([...formNames, ...exporters.map((one) => one.name)])}; got \`${name}\``,
    );
  // `-o ""`, as of a variable that is not set, would write over the current folder.
  const output = input.value("output") || undefined;
  if (output === undefined) return wrong("`export` needs `-o OUTPUT`, the folder or file to write");
  if (form.holds !== "executable" && input.has("base"))
    return wrong(`\`--base\` is for ${listed(WITH_EXECUTABLE)}; \`${name}\` has no executable in it`);
  if (form.ending !== undefined && !output.endsWith(form.ending))
    return wrong(`the name of the file must end with \`${form.ending}\`; write \`-o ${output}${form.ending}\``);
  return { name, form, output };
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

interface MakingOptions {
  readonly form: Form;
  readonly input: CommandInput;
  readonly context: CommandContext;
}

/** Returns an exit code if it cannot be made; the reason has been printed. */
async function makingOf(folder: SharedFolder, { form, input, context }: MakingOptions): Promise<Making | number> {
  const { terminal } = context;
  const collected = collectWithPackages(folder.path, folder.opened.host);
  if ("problem" in collected) return failedWith(context, ["export", collected.problem, collected.help]);
  const { files: tools, leftOut } = collected;
  const described = await describedTools(folder, context);
  if (typeof described === "number") return described;
  const facts = exportFacts({
    name: input.value("name"),
    folderName: folder.calledAfter,
    manifest: manifestIn(tools),
    tools: described.tools,
  });
  if (!EXPORT_NAME.test(facts.name))
    return reportUsage(
      terminal,
      `\`${facts.name}\` cannot be the name here: it is 1 to 32 lowercase letters and digits, joined by \`-\`, and begins with a letter; give one with \`--name\``,
      "export",
    );
  const executable = await executableOf(folder, { form, name: facts.name, tools, base: input.value("base"), context });
  if (typeof executable === "number") return executable;
  // The tools of a plugin may depend on where it runs, so a server then offers all that it finds.
  const offered = hasPlugins(folder) ? [] : folder.toolNames;
  const made: Making = { facts, host: folder.opened.host, words: serverWords(offered), tools, executable };
  const fault = form.fault?.(made);
  if (fault !== undefined) return reportUsage(terminal, fault, "export");
  for (const one of leftOut) terminal.errors.write(`left out: ${printable(one)}\n`);
  if (facts.version === VERSION_DEFAULT)
    terminal.errors.write(
      `note: the version is ${VERSION_DEFAULT}; \`"version"\` of \`package.json\` in the folder sets it\n`,
    );
  for (const note of described.notes) terminal.errors.write(`note: ${note.map(printable).join("\n  = ")}\n`);
  return made;
}

interface ExecutableOptions {
  readonly form: Form;
  readonly name: string;
  readonly tools: Making["tools"];
  readonly base: string | undefined;
  readonly context: CommandContext;
}

async function executableOf(
  { opened: { host } }: SharedFolder,
  { form, name, tools, base: named, context }: ExecutableOptions,
): Promise<Executable | number> {
  if (form.holds !== "executable") return { bytes: new Uint8Array(), platform: "" };
  const base = await baseExecutable(named, host, context);
  if (typeof base === "number") return base;
  const { makeBundle } = await import("../../bundle/make-bundle.ts");
  return { bytes: makeBundle({ base, name, files: tools, host }).bytes, platform: base.platform };
}

interface WriteOptions {
  readonly wanted: Wanted;
  readonly folder: SharedFolder;
  readonly input: CommandInput;
  readonly context: CommandContext;
}

const EXECUTABLE_MODE = 0o755;

async function write(made: Making, { wanted, folder, input, context }: WriteOptions): Promise<number> {
  const { form, output } = wanted;
  const { host } = folder.opened;
  const { facts, executable } = made;
  const definitions = made.tools.map((file) => ({ ...file, path: `tools/${file.path}` }));
  const files = [...(form.holds ? [] : definitions), ...(await form.files(made))];
  const root = resolve(context.terminal.workingFolder(), output);
  const outside = files.find(({ path }) => relative(root, resolve(root, path)).startsWith(".."));
  if (outside) {
    const fact = `\`${wanted.name}\` would write outside of the output: \`${outside.path}\``;
    return failedWith(context, ["export", fact, "its plugin returns paths below the output"]);
  }
  const existing = files.filter(({ path }) => host.instant.stat(resolve(root, path)) !== undefined);
  if (existing[0] && !input.has("force")) {
    const shown = existing.map(({ path }) => (path === "" ? output : `${output}/${path}`));
    return filesExist(shown, "`-o` with another name writes elsewhere", context);
  }
  try {
    for (const { path, bytes, isExecutable } of files) {
      if (path !== "") await host.files.makeFolder(resolve(root, path, ".."));
      await host.files.write(resolve(root, path), bytes, isExecutable ? { mode: EXECUTABLE_MODE } : {});
    }
  } catch (error) {
    context.terminal.errors.write(unwrittenText("output-file", output, error));
    return exitCodes.failed;
  }
  if (!form.holds) {
    const [stale, ...more] = staleFiles(join(root, "tools"), new Set(made.tools.map(({ path }) => path)), host);
    const others = more.length === 0 ? "" : ` and ${more.length} more in \`tools\``;
    if (stale !== undefined)
      context.terminal.errors.write(
        `note: \`${printable(`${output}/tools/${stale}`)}\`${others} was there before and still is; remove what is not yours\n`,
      );
  }
  const count = `${facts.tools.length} tool${facts.tools.length === 1 ? "" : "s"}`;
  const platform = executable.platform === "" ? "" : `, for ${executable.platform}`;
  context.terminal.output.write(
    `wrote ${printable(output)}: ${count} as \`${facts.name}\`${platform}\n${form.next(output, facts, input.words[1])}\n`,
  );
  return exitCodes.done;
}

/** What is there and was not written: a tool that has been removed, which a skill would still run. */
function staleFiles(folder: string, written: ReadonlySet<string>, host: Host): readonly string[] {
  if (host.instant.stat(folder) === undefined) return [];
  const found = collectFiles(folder, host);
  return "problem" in found ? [] : found.files.map(({ path }) => path).filter((path) => !written.has(path));
}
