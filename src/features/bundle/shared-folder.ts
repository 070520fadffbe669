// A folder of tools that is given to others, in an executable or in the form of a client: the one that was named, or
// the project's.
import { basename, dirname, join, resolve, sep } from "node:path";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { quoteWord } from "../../core/base/quote.ts";
import { packagesBeside } from "./collect-packages.ts";
import { storedFolderOf } from "../packages/installed-packages.ts";
import { CONFIGURATION_NAME } from "../../core/catalog/discover.ts";
import type { Host } from "../../core/tool/host.ts";
import { checkedScope } from "../check/checked-scope.ts";
import { configProblem, diagnosticsOf } from "../check/commands/check.ts";
import { PROJECT_FOLDER_NAME } from "../../core/catalog/tool-folders.ts";
import { LOCK_NAME } from "../packages/lock.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import { type CommandContext, reportUsage } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";

export interface SharedFolder {
  /** Absolute. */
  readonly path: string;
  /** Its name, or that of the project if it is `.tools`. */
  readonly calledAfter: string;
  /**
   * The names of its tools and of those of its project's packages, as a session with `opened` calls them. A platform may
   * have a definition of its own.
   */
  readonly toolNames: readonly string[];
  /** Whether a file, as an absolute path, is in the folder or in a package of its project. */
  readonly holds: (file: string) => boolean;
  /** A session in which they come first. */
  readonly opened: OpenedSession;
}

interface SharedFolderOptions {
  /** The word of the command line; the project's folder if absent. */
  readonly word: string | undefined;
  /** Where the command writes, as it was typed. */
  readonly output: string;
  /** The command's name and a line that would be accepted. */
  readonly command: string;
  readonly example: string;
}

/** Returns an exit code if there is no such folder, or if a tool in it has errors; the reason has been printed. */
export async function findSharedFolder(
  { word, output, command, example }: SharedFolderOptions,
  context: CommandContext,
): Promise<SharedFolder | number> {
  const { terminal } = context;
  const quiet = { withoutPlugins: true, isQuiet: true } as const;
  const here = await openSession(context, quiet);
  if (typeof here === "number") return here;
  const path =
    word === undefined
      ? here.catalogue().folders.find(({ scope }) => scope === "project")?.path
      : resolve(terminal.workingFolder(), word);
  if (path === undefined) {
    const help = here.host.instant.stat(resolve(terminal.workingFolder(), LOCK_NAME))
      ? `\`mkdir ${PROJECT_FOLDER_NAME}\`, then the packages of \`${LOCK_NAME}\` are taken, without tools of your own`
      : `name the folder: \`${example}\``;
    return failedWith(context, ["missing", "there is no `.tools` here or above", help]);
  }
  if (here.host.instant.stat(path)?.kind !== "folder")
    return failedWith(context, ["missing", `\`${word ?? path}\` is not a directory`, "name a folder with tools"]);
  if (resolve(terminal.workingFolder(), output).startsWith(path + sep))
    return reportUsage(terminal, `\`${output}\` is in the folder that goes into it; write it elsewhere`, command);
  const options = { ...context.options, toolFolders: [path], cwd: dirname(path) };
  const opened = await openSession({ ...context, options }, quiet);
  if (typeof opened === "number") return opened;
  const catalogue = opened.catalogue();
  const own = catalogue.entries.filter(({ scope }) => scope === "given");
  const shown = word ?? PROJECT_FOLDER_NAME;
  const hasPlugins = catalogue.plugins.some((plugin) => plugin.folder.path === path);
  const fault = (await checkFault(path, shown, context)) ?? (await configFault(path, opened.host));
  if (fault) return failedWith(context, fault);
  const told = own.find((entry) => defaultOfSecret(catalogue.definitionOf(entry)) !== undefined);
  if (told)
    return failedWith(context, [
      command,
      `\`${told.name}\` has the value of a secret: the default of \`${defaultOfSecret(catalogue.definitionOf(told)) ?? ""}\``,
      "everyone who gets the output could read it: remove the default, and let `env=NAME` read it from the environment",
    ]);
  const calledAfter = basename(path) === PROJECT_FOLDER_NAME ? basename(dirname(path)) : basename(path);
  const { packages } = packagesBeside(path, opened.host);
  const places = [path, ...packages.map(({ content }) => storedFolderOf(content, opened.host))];
  const holds = (file: string): boolean => places.some((place) => file.startsWith(place + sep));
  const packaged = catalogue.entries.filter(
    (entry) =>
      entry.scope === "package" && entry.resolution.kind === "used" && holds(catalogue.absolutePathOf(entry) ?? ""),
  );
  if (own.length === 0 && packaged.length === 0 && !hasPlugins)
    return failedWith(context, [
      "missing",
      `\`${shown}\` has no tools and no plugins`,
      "`dottool new NAME` writes a tool",
    ]);
  return { path, calledAfter, toolNames: [...new Set([...own, ...packaged].map(({ name }) => name))], holds, opened };
}

/** Returns what `dottool check` refuses of the folder. */
async function checkFault(path: string, shown: string, context: CommandContext): Promise<Trouble | undefined> {
  const scope = await checkedScope([path], context);
  if (typeof scope === "number") return ["definitions", `\`${shown}\` cannot be checked`, CHECK(shown)];
  const [first, ...more] = (await diagnosticsOf(scope)).filter((one) => one.severity === "error");
  if (!first) return undefined;
  const { source, start } = first.at?.span ?? {};
  const place =
    source && start !== undefined ? `${source.path}:${source.text.slice(0, start).split("\n").length}: ` : "";
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  return ["definitions", `\`${shown}\` has errors: ${place}${first.message}${others}`, CHECK(shown)];
}

const CHECK = (shown: string): string => `\`dottool check ${quoteWord(shown)}\` shows them`;

/** Returns what would refuse calls, or be ignored, on every machine. */
async function configFault(path: string, host: Host): Promise<Trouble | undefined> {
  const problem = await configProblem(join(path, CONFIGURATION_NAME), CONFIGURATION_NAME, host);
  if (problem === undefined) return undefined;
  return [
    "definitions",
    `\`${CONFIGURATION_NAME}\` has errors: ${problem}`,
    "fix it: it would be wrong on every machine",
  ];
}

/** Returns the name of a secret parameter whose value is in the definition. */
function defaultOfSecret(definition: ToolDefinition | undefined): string | undefined {
  const parameters = definition && "parameters" in definition ? definition.parameters : [];
  return parameters.find(({ secret, default: value }) => secret && value !== undefined)?.name;
}

export type Trouble = readonly [label: string, fact: string, help: string];

/** Prints what is wrong and how to go on, and returns the exit code. */
export function failedWith({ terminal }: CommandContext, [label, fact, help]: Trouble): number {
  terminal.errors.write(`failed[${label}]: ${printable(fact)}\n  = ${printable(help)}\n`);
  return label === "missing" ? exitCodes.missing : exitCodes.definitions;
}
