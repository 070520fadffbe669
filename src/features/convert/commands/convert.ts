// `dottool convert`: writes a definition in YAML as a `.tool` file. The output is parsed again first, and must be the same
// definition.
import { basename, dirname, join, resolve } from "node:path";
import { loadDefinitionReader, type ReadDefinition } from "../../../core/catalog/definition-reader.ts";
import { decodeSource, readDefinitionBytes, shownPathOf } from "../../../core/catalog/load.ts";
import { CannotWrite } from "../../../core/language/write/cannot-write.ts";
import { firstDifference } from "../../../core/language/write/same-definition.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import { hasErrors } from "../../../core/text/diagnostic.ts";
import { isYamlPath } from "../../../core/text/source-language.ts";
import type { ToolDefinition } from "../../../core/tool/definition.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";
import { renderAll } from "../../../cli/view/diagnostics-text.ts";
import { printable } from "../../../core/text/display.ts";
import { keepingTrust } from "../../../cli/session/keep-trust.ts";
import { readMended } from "../../../core/catalog/read-mended.ts";
import { reportMissingTool } from "../../../cli/words/no-such-tool.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { unwrittenText } from "../../../cli/view/write-or-tell.ts";

export const convertCommand: WordsCommand = {
  kind: "words",
  usage: ["convert FILE|NAME [-o FILE|--write] [--force]", "convert FILE|NAME --json"],
  about:
    "Converts a definition in YAML to a `.tool` file. The result is parsed again before it is printed; if a part of the definition would be lost, the part is named and nothing is written.",
  options: [
    { name: "output", short: "o", value: "FILE", does: "write to FILE" },
    { name: "write", does: "write to a `.tool` file beside it" },
    { name: "force", does: "replace an existing file" },
    { name: "json", does: "print as JSON, with the text" },
  ],
  words: [1, 1],
  completes: "tools",
  takesFiles: true,
  examples: [
    ["dottool convert release.yaml", "prints it as a `.tool` file"],
    ["dottool convert release.yaml --write", "release.tool beside it"],
  ],
  run: async (input, context) => {
    const [wanted = ""] = input.words;
    if (input.has("write") && input.value("output") !== undefined)
      return reportUsage(context.terminal, "`--write` and `--output` cannot be combined; give one of them", "convert");
    const opened = await openSession(context, { isQuiet: true });
    if (typeof opened === "number") return opened;
    const found = await findDefinition(wanted, opened, context);
    if (typeof found === "number") return found;
    const converted = await convert(found);
    if ("lost" in converted) return refuse(found, converted.lost, context);
    return deliver({ found, text: converted.text }, { input, opened, context });
  },
};

interface Found {
  readonly definition: ToolDefinition;
  readonly owner: string | undefined;
  /** Absolute. */
  readonly path: string;
}

/** Returns an exit code if there is nothing to convert; the reason has been printed. */
async function findDefinition(wanted: string, opened: OpenedSession, context: CommandContext): Promise<Found | number> {
  const path = resolve(opened.cwd, wanted);
  const isFile = /\.(?:tool|ya?ml)$/i.test(wanted) || opened.host.instant.stat(path)?.kind === "file";
  if (isFile) return readFile(path, undefined, { opened, context });
  const entry = opened.catalogue().entry(wanted);
  const entryPath = entry && opened.catalogue().absolutePathOf(entry);
  if (entry && entryPath !== undefined) return readFile(entryPath, ownerOf(wanted), { opened, context });
  const tool = await opened.session.registry.resolve(wanted);
  if (!tool) return reportMissingTool(wanted, opened, context);
  return notYaml(wanted, context);
}

function notYaml(shown: string, { terminal }: CommandContext): number {
  const message = `\`${printable(shown)}\` is not in YAML, which is what \`convert\` reads: it writes \`.tool\` files`;
  return reportUsage(terminal, message, "convert");
}

function ownerOf(name: string): string | undefined {
  return name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : undefined;
}

async function readFile(
  path: string,
  owner: string | undefined,
  { opened, context }: { readonly opened: OpenedSession; readonly context: CommandContext },
): Promise<Found | number> {
  const { terminal } = context;
  const shown = shownPathOf(path, opened.cwd);
  if (opened.host.instant.stat(path) === undefined) {
    terminal.errors.write(`failed[missing]: there is no file \`${printable(shown)}\`\n`);
    return exitCodes.missing;
  }
  if (!isYamlPath(path)) return notYaml(shown, context);
  const bytes = readDefinitionBytes(path, shown, { host: opened.host });
  const source = "code" in bytes ? bytes : decodeSource(shown, bytes);
  if ("code" in source) return report([source], context);
  const reader = await loadDefinitionReader(path);
  const place = { scope: "given", owner, folder: dirname(path) } as const;
  const read: ReadDefinition = reader.read(source, place);
  const isSound = read.value && !hasErrors(read.diagnostics);
  const mended = isSound ? undefined : readMended(source, read, { reader, place });
  const definition = isSound ? read.value : mended?.lacksTests ? undefined : mended?.value;
  if (!definition) return report(read.diagnostics, context);
  return { definition, owner, path };
}

async function report(diagnostics: readonly Diagnostic[], { terminal }: CommandContext): Promise<number> {
  terminal.errors.write(await renderAll(diagnostics, terminal.errors));
  return exitCodes.definitions;
}

/** Returns the text, or as `lost` the first part that a `.tool` file cannot express, as a noun. */
async function convert({
  definition,
  owner,
  path,
}: Found): Promise<{ readonly text: string } | { readonly lost: string }> {
  const { toolText } = await import("../../../core/language/write/tool-text.ts");
  try {
    const text = toolText(definition);
    const source = { path: `${definition.name.value.replace(/^.*\//, "")}.tool`, text };
    const place = { scope: "given", owner, folder: dirname(path) } as const;
    const again = (await loadDefinitionReader(source.path)).read(source, place);
    if (!again.value)
      return { lost: again.diagnostics.find(({ severity }) => severity === "error")?.message ?? "all of it" };
    const difference = firstDifference(definition, again.value);
    return difference === undefined ? { text } : { lost: `\`${difference}\`` };
  } catch (error) {
    if (error instanceof CannotWrite) return { lost: error.what };
    throw error;
  }
}

function refuse({ definition }: Found, lost: string, { terminal }: CommandContext): number {
  terminal.errors.write(
    `failed[lossy]: \`${printable(definition.name.value)}\` cannot be converted without loss to a \`.tool\` file\n  = lost: ${printable(lost)}\n`,
  );
  return exitCodes.failed;
}

interface Converted {
  readonly found: Found;
  readonly text: string;
}

async function deliver(
  { found, text }: Converted,
  {
    input,
    opened,
    context,
  }: { readonly input: CommandInput; readonly opened: OpenedSession; readonly context: CommandContext },
): Promise<number> {
  const { terminal } = context;
  const target = targetOf(found, { input, opened });
  if (target !== undefined) {
    const shown = shownPathOf(target, opened.cwd);
    if (opened.host.instant.stat(target) && !input.has("force")) {
      terminal.errors.write(`failed[exists]: \`${printable(shown)}\` already exists\n  = \`--force\` replaces it\n`);
      return exitCodes.failed;
    }
    try {
      const write = async (): Promise<true> => {
        await opened.host.files.write(target, text);
        return true;
      };
      await keepingTrust({ path: target, text, from: found.path }, write, { ...context, host: opened.host });
    } catch (error) {
      terminal.errors.write(unwrittenText("file", shown, error));
      return codeOf(error) === "ENOENT" ? exitCodes.missing : exitCodes.failed;
    }
    if (!input.has("json")) terminal.output.write(`wrote ${printable(shown)}\n`);
    if (input.has("write"))
      terminal.errors.write(
        `\`${printable(shownPathOf(found.path, opened.cwd))}\` is the same tool: remove the one you do not need\n`,
      );
  }
  const { name } = found.definition;
  if (input.has("json"))
    writeJson(terminal, { name: name.value, ...(target === undefined ? {} : { path: target }), text });
  else if (target === undefined) terminal.output.write(text);
  return exitCodes.done;
}

/** Returns undefined for standard output. */
function targetOf(
  { path, definition }: Found,
  { input, opened }: { readonly input: CommandInput; readonly opened: OpenedSession },
): string | undefined {
  const given = input.value("output");
  if (given !== undefined) return resolve(opened.cwd, given);
  if (!input.has("write")) return undefined;
  const name = definition.name.value.replace(/^.*\//, "");
  // `my-tool/tool.yaml` is named after its folder, and a folder with other definitions would be their owner.
  if (/^tool\.ya?ml$/i.test(basename(path)) && name !== "tool") return join(dirname(dirname(path)), `${name}.tool`);
  return path.replace(/\.ya?ml$/i, ".tool");
}
