// `dottool bundle`: writes an executable of a team, with a folder's tools inside.
import { basename, resolve } from "node:path";
import type { CollectedFiles } from "../collect-files.ts";
import type { Executable } from "../executable-form.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { DOTTOOL } from "../../../core/text/program-name.ts";
import { BUNDLE_NAME } from "../../../core/tool/bundle-marker.ts";
import type { Host } from "../../../core/tool/host.ts";
import { type CommandContext, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { baseExecutable, readExecutableAt } from "../base-executable.ts";
import { failedWith, findSharedFolder } from "../shared-folder.ts";
import { unwrittenText } from "../../../cli/view/write-or-tell.ts";

const EXECUTABLE_MODE = 0o755;

export const bundleCommand: WordsCommand = {
  kind: "words",
  usage: ["bundle [DIR] -o NAME [--base FILE]"],
  about:
    "Writes an executable for your team: a copy of this one, called NAME. Inside are the tools, plugins and `config.yaml` of DIR (default: `.tools`) and the packages of its project. It needs nothing else on the machine that it is copied to. Its tools are trusted there, because they are inside. " +
    "Hidden files and secret values are left out and listed. `NAME --bundle-info` lists what is inside.",
  options: [
    { name: "output", short: "o", value: "NAME", does: "the file to write; the program is called by its name" },
    {
      name: "base",
      value: "FILE",
      does: "the executable to put the tools into, such as the release for another platform",
    },
  ],
  words: [0, 1],
  examples: [
    ["dottool bundle -o ourtools", "the tools of this project, for machines like this one"],
    ["dottool bundle .tools -o ourtools.exe --base dottool-win-x64.exe", "the same for Windows"],
  ],
  run: async (input, context) => {
    const output = input.value("output");
    const fault = output === undefined ? "`bundle` needs `-o NAME`, the file to write" : nameFault(nameOf(output));
    if (output === undefined || fault !== undefined) return reportUsage(context.terminal, fault ?? "", "bundle");
    const [word] = input.words;
    const example = `dottool bundle DIR -o ${output}`;
    const folder = await findSharedFolder({ word, output, command: "bundle", example }, context);
    if (typeof folder === "number") return folder;
    const { opened } = folder;
    const base = await baseExecutable(input.value("base"), opened.host, context);
    if (typeof base === "number") return base;
    const { collectWithPackages } = await import("../collect-packages.ts");
    const collected = collectWithPackages(folder.path, opened.host);
    if ("problem" in collected) return failedWith(context, ["bundle", collected.problem, collected.help]);
    return write(output, { base, collected, host: opened.host, context });
  },
};

function nameOf(output: string): string {
  return basename(output).replace(/\.exe$/i, "");
}

function nameFault(name: string): string | undefined {
  if (!BUNDLE_NAME.test(name))
    return `\`${name}\` cannot be the name of a program here: it is 1 to 32 lowercase letters, digits, \`-\` and \`_\`, and begins with a letter`;
  return name === DOTTOOL ? "choose another name for the bundle, such as `ourtools`" : undefined;
}

interface WriteOptions {
  readonly base: Executable;
  readonly collected: CollectedFiles;
  readonly host: Host;
  readonly context: CommandContext;
}

async function write(output: string, { base, collected, host, context }: WriteOptions): Promise<number> {
  const { terminal } = context;
  const name = nameOf(output);
  const shown = base.platform.startsWith("win") && !/\.exe$/i.test(output) ? `${output}.exe` : output;
  const path = resolve(terminal.workingFolder(), shown);
  const existing = await host.files.stat(path);
  if (existing && "problem" in (await readExecutableAt(path, host)))
    return failedWith(context, [
      "exists",
      `\`${shown}\` exists and is not an executable of dottool`,
      "remove it, or write to another name",
    ]);
  const { makeBundle } = await import("../make-bundle.ts");
  const made = makeBundle({ base, name, files: collected.files, host });
  try {
    await host.files.write(path, made.bytes, { mode: EXECUTABLE_MODE });
  } catch (error) {
    terminal.errors.write(unwrittenText("output-file", shown, error));
    return exitCodes.failed;
  }
  for (const one of collected.leftOut) terminal.errors.write(`left out: ${printable(one)}\n`);
  if (base.bundle)
    terminal.errors.write(`left out: the tools of \`${base.bundle.name}\`, which the executable had inside\n`);
  terminal.output.write(
    `wrote ${printable(shown)}: ${counted(collected.files.length, "file")} inside, for ${base.platform}\nSHA-256 of the files: ${made.sha256}\n`,
  );
  return exitCodes.done;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
