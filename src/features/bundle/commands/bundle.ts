// `dottool bundle`: writes an executable of a team, with a folder's tools inside.
import { basename, resolve } from "node:path";
import type { CollectedFiles } from "../collect-files.ts";
import type { Executable } from "../executable-form.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { DOTTOOL } from "../../../core/text/program-name.ts";
import { BUNDLE_NAME } from "../../../core/tool/bundle-marker.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { unwrittenText } from "../../../cli/view/write-or-tell.ts";
import { tellingRefusals } from "../../packages/packages-session.ts";
import { baseExecutable, readExecutableAt } from "../base-executable.ts";
import { failedWith, findSharedFolder, type SharedFolder } from "../shared-folder.ts";

const EXECUTABLE_MODE = 0o755;

export const bundleCommand: WordsCommand = {
  kind: "words",
  usage: [
    "bundle [DIR] -o NAME [--base FILE] [--update-from PLACE --sign KEY [--release FOLDER]]",
    "bundle --new-key KEY",
  ],
  about:
    "Writes an executable for your team: a copy of this one, called NAME. Inside are the tools, plugins and `config.yaml` of DIR (default: `.tools`) and the packages of its project. It needs nothing else on the machine that it is copied to. Its tools are trusted there, because they are inside. " +
    "Hidden files and secret values are left out and listed. `NAME --bundle-info` lists what is inside. " +
    "With `--update-from`, `NAME self-update` replaces it by the newest release at PLACE that KEY has signed.",
  options: [
    { name: "output", short: "o", value: "NAME", does: "the file to write; the program is called by its name" },
    {
      name: "base",
      value: "FILE",
      does: "the executable to put the tools into, such as the release for another platform",
    },
    {
      name: "update-from",
      value: "PLACE",
      does: "where it gets updates from: an address, a folder, or `npm:` and a name",
    },
    {
      name: "sign",
      value: "KEY",
      does: "the file of the private key that signs releases; its public half is built in",
    },
    { name: "release", value: "FOLDER", does: "also write the files that belong at PLACE into this folder" },
    { name: "new-key", value: "KEY", does: "only write a new private key, into a file that does not exist" },
  ],
  words: [0, 1],
  examples: [
    ["dottool bundle -o ourtools", "the tools of this project, for machines like this one"],
    ["dottool bundle .tools -o ourtools.exe --base dottool-win-x64.exe", "the same for Windows"],
  ],
  run: async (input, context) => {
    const made = input.value("new-key");
    if (made !== undefined) return (await import("../write-release.ts")).writeNewKey(made, context);
    const output = input.value("output");
    const fault = output === undefined ? "`bundle` needs `-o NAME`, the file to write" : faultOf(nameOf(output), input);
    if (output === undefined || fault !== undefined) return reportUsage(context.terminal, fault ?? "", "bundle");
    const [word] = input.words;
    const example = `dottool bundle DIR -o ${output}`;
    const folder = await findSharedFolder({ word, output, command: "bundle", example }, context);
    if (typeof folder === "number") return folder;
    const base = await baseExecutable(input.value("base"), folder.opened.host, context);
    if (typeof base === "number") return base;
    const { collectWithPackages } = await import("../collect-packages.ts");
    const collected = collectWithPackages(folder.path, folder.opened.host);
    if ("problem" in collected) return failedWith(context, ["bundle", collected.problem, collected.help]);
    return tellingRefusals(context, () => write(output, { base, collected, folder, input, context }), "bundle");
  },
};

function nameOf(output: string): string {
  return basename(output).replace(/\.exe$/i, "");
}

function faultOf(name: string, input: CommandInput): string | undefined {
  if (!BUNDLE_NAME.test(name))
    return `\`${name}\` cannot be the name of a program here: it is 1 to 32 lowercase letters, digits, \`-\` and \`_\`, and begins with a letter`;
  if (name === DOTTOOL) return "choose another name for the bundle, such as `ourtools`";
  const [unfit] = input.has("update-from") ? [] : ["sign", "release"].filter((option) => input.has(option));
  return unfit === undefined ? undefined : `\`--${unfit}\` is for a bundle with \`--update-from PLACE\``;
}

interface WriteOptions {
  readonly base: Executable;
  readonly collected: CollectedFiles;
  readonly folder: SharedFolder;
  readonly input: CommandInput;
  readonly context: CommandContext;
}

async function write(output: string, { base, collected, folder, input, context }: WriteOptions): Promise<number> {
  const { terminal } = context;
  const { host } = folder.opened;
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
  const { updatesOf, writeRelease } = await import("../write-release.ts");
  const updates = updatesOf(input, terminal, host);
  const made = makeBundle({ base, name, files: [...collected.files, ...(updates?.files ?? [])], host });
  const released = updates ? await writeRelease({ ...made, name, platform: base.platform }, updates, host) : "";
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
    `wrote ${printable(shown)}: ${counted(collected.files.length, "file")} inside, for ${base.platform}\nSHA-256 of the files: ${made.sha256}\n${released}`,
  );
  return exitCodes.done;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
