// `dottool try FILE`: runs a tool of a definition that is not trusted, where it can hurt nothing.
import { commandLine } from "../../../core/base/quote.ts";
import { basename, join, resolve } from "node:path";
import { reachableTools } from "../../../core/catalog/reachable-tools.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { ceilingOf, whyGuarded } from "../../../core/run/ceiling.ts";
import { placeOptions } from "../../../core/run/permit.ts";
import { printable } from "../../../core/text/display.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import { runTool } from "../../../cli/call.ts";
import { type CommandContext, type RawCommand, reportUsage } from "../../../cli/command.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession } from "../../../cli/session/open-session.ts";

export const tryCommand: RawCommand = {
  kind: "raw",
  usage: ["try FILE [ARG…]"],
  about:
    "Runs the tool of a definition that you have not reviewed. Its commands see the system's programs, the working folder and what `sandbox: {reads: …}` of your config.yaml names, read-only, and nothing else: no network, no home folder, no other processes, whatever the definition asks for. " +
    "A definition that calls anything but commands and code is refused, and so is one that asks for a secret.",
  options: [],
  examples: [["dottool try downloads/count.tool --help", "the parameters of a tool that somebody sent you"]],
  run: async (words, context) => {
    const [file, ...own] = words;
    if (file === undefined || file.startsWith("-"))
      return reportUsage(context.terminal, "`try` needs the path of a definition", "try");
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    const { host, cwd } = opened;
    const folder = await host.files.makeTemporaryFolder("dottool-try-");
    try {
      const text = await host.files.readBytes(resolve(context.terminal.workingFolder(), file), {
        offset: 0,
        lengthMax: DEFINITION_BYTES_MAX,
      });
      await host.files.write(join(folder, basename(file)), text);
      // A folder that is named on the command line may run, but not its plugins: there are none in this one.
      const inside: CommandContext = { ...context, options: { ...context.options, toolFolders: [folder] } };
      const name = await nameIn(folder, file, inside);
      if (typeof name === "number") return name;
      const guarded = whyGuarded(placeOptions(opened.session));
      if (guarded !== undefined) return reportGuarded(cwd, guarded, context);
      const confinement = { ...ceilingOf(cwd, await opened.session.sandboxSettings?.()), writes: [], hosts: [] };
      return await runTool(name, { words: own, form: "short", confinement }, inside);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      const why = code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
      context.terminal.errors.write(
        `failed[file]: \`${printable(file)}\` ${why}\n  = \`try\` takes the path of one definition, such as \`count.tool\`\n`,
      );
      return exitCodes.missing;
    } finally {
      await host.files.remove(folder);
    }
  },
};

function reportGuarded(folder: string, why: string, { terminal: { errors } }: CommandContext): number {
  errors.write(
    `failed[denied]: the working folder \`${printable(folder)}\` ${why}, and \`try\` shows the working folder\n  = run it in another folder\n`,
  );
  return exitCodes.denied;
}

const DEFINITION_BYTES_MAX = 1024 * 1024;

/** Returns the name of the tool in the folder; an exit code if it may not run, and the reason has been printed. */
async function nameIn(folder: string, file: string, context: CommandContext): Promise<string | number> {
  const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
  if (typeof opened === "number") return opened;
  const { errors } = context.terminal;
  const entry = opened
    .catalogue()
    .entries.find((one) => opened.catalogue().absolutePathOf(one)?.startsWith(folder) === true);
  if (entry?.resolution.kind !== "used") {
    errors.write(
      `failed[definition]: \`${printable(file)}\` has no tool that works\n  = \`dottool check ${printable(commandLine([file]))}\` shows what is wrong\n`,
    );
    return exitCodes.definitions;
  }
  const problem = beyondSandbox(entry.name, opened);
  if (problem === undefined) return entry.name;
  errors.write(
    `failed[untrusted]: \`${printable(entry.name)}\` ${printable(problem)}, which \`try\` does not allow\n  = review it, and put it into a tool folder to run it\n`,
  );
  return exitCodes.denied;
}

/** Returns what the tool would do outside a process or the sandbox for code. */
function beyondSandbox(name: string, { catalogue }: OpenedSession): string | undefined {
  for (const one of reachableTools(name, catalogue()).names) {
    const definition = catalogue().definition(one);
    if (!definition && one !== "run_command") return `calls \`${one}\``;
    if (definition && "surroundings" in definition && definition.surroundings.secrets)
      return `asks for the secret \`${definition.surroundings.secrets[0]?.secret ?? ""}\``;
    if (definition && "surroundings" in definition && definition.surroundings.environmentFile !== undefined)
      return `takes the variables of \`${definition.surroundings.environmentFile}\``;
  }
  return undefined;
}
