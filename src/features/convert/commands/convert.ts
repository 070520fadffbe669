// `dottool convert`: converts a definition to the other language. The output is parsed again first, and must be the
// same definition.
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

const formats = ["tool", "yaml"] as const;
type Format = (typeof formats)[number];

export const convertCommand: WordsCommand = {
  kind: "words",
  usage: ["convert FILE|NAME [--to tool|yaml] [-o FILE|--write] [--force]", "convert FILE|NAME --json"],
  about:
    "Converts a definition: a `.tool` file to custom-tools YAML, and any YAML definition to a `.tool` file. Features that have no key in YAML go under `x-dottool`. " +
    "The result is parsed again before it is printed; if a part of the definition would be lost, the part is named and nothing is written.",
  options: [
    { name: "to", value: "FORMAT", choices: formats, does: "tool or yaml; default: the other language" },
    { name: "output", short: "o", value: "FILE", does: "write to FILE" },
    { name: "write", does: "write to a file beside it, with the other extension" },
    { name: "force", does: "replace an existing file" },
    { name: "json", does: "print as JSON, with the text" },
  ],
  words: [1, 1],
  completes: "tools",
  takesFiles: true,
  examples: [
    ["dottool convert glob", "the tool `glob` as YAML"],
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
    const to: Format =
      formats.find((format) => format === input.value("to")) ?? (found.format === "tool" ? "yaml" : "tool");
    const converted = await convert(found, to);
    if ("lost" in converted) return refuse(found, { to, lost: converted.lost, context });
    return deliver({ found, to, text: converted.text }, { input, opened, context });
  },
};

interface Found {
  readonly definition: ToolDefinition;
  readonly format: Format;
  readonly owner?: string | undefined;
  /** Absolute; absent if the definition is inside the executable. */
  readonly path?: string;
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
  return { definition: tool.definition, format: "tool", owner: ownerOf(wanted) };
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
  return { definition, format: isYamlPath(path) ? "yaml" : "tool", owner, path };
}

async function report(diagnostics: readonly Diagnostic[], { terminal }: CommandContext): Promise<number> {
  terminal.errors.write(await renderAll(diagnostics, terminal.errors));
  return exitCodes.definitions;
}

/** Returns the text, or as `lost` the first part that the format cannot express, as a noun. */
async function convert(
  { definition, owner, path }: Found,
  to: Format,
): Promise<{ readonly text: string } | { readonly lost: string }> {
  const write =
    to === "tool"
      ? (await import("../../../core/language/write/tool-text.ts")).toolText
      : (await import("../../yaml/yaml-text.ts")).yamlText;
  try {
    const text = write(definition);
    const source = { path: `${definition.name.value.replace(/^.*\//, "")}.${to}`, text };
    const again = (await loadDefinitionReader(source.path)).read(source, {
      scope: "given",
      owner,
      ...(path === undefined ? {} : { folder: dirname(path) }),
    });
    if (!again.value)
      return { lost: again.diagnostics.find(({ severity }) => severity === "error")?.message ?? "all of it" };
    const difference = firstDifference(definition, again.value);
    return difference === undefined ? { text } : { lost: `\`${difference}\`` };
  } catch (error) {
    if (error instanceof CannotWrite) return { lost: error.what };
    throw error;
  }
}

function refuse(
  { definition }: Found,
  { to, lost, context }: { readonly to: Format; readonly lost: string; readonly context: CommandContext },
): number {
  const form = to === "tool" ? "a `.tool` file" : "custom-tools YAML";
  context.terminal.errors.write(
    `failed[lossy]: \`${printable(definition.name.value)}\` cannot be converted without loss to ${form}\n  = lost: ${printable(lost)}\n`,
  );
  return exitCodes.failed;
}

interface Converted {
  readonly found: Found;
  readonly to: Format;
  readonly text: string;
}

async function deliver(
  { found, to, text }: Converted,
  {
    input,
    opened,
    context,
  }: { readonly input: CommandInput; readonly opened: OpenedSession; readonly context: CommandContext },
): Promise<number> {
  const { terminal } = context;
  const target = targetOf(found, to, { input, opened });
  if (target === "nowhere")
    return reportUsage(
      terminal,
      `\`${found.definition.name.value}\` is built into dottool, so \`--write\` has no folder to write to; use \`--output FILE\``,
      "convert",
    );
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
      const writing = { path: target, text, ...(found.path === undefined ? {} : { from: found.path }) };
      await keepingTrust(writing, write, { ...context, host: opened.host });
    } catch (error) {
      terminal.errors.write(unwrittenText("file", shown, error));
      return codeOf(error) === "ENOENT" ? exitCodes.missing : exitCodes.failed;
    }
    if (!input.has("json")) terminal.output.write(`wrote ${printable(shown)}\n`);
    if (input.has("write") && found.path !== undefined && target !== found.path)
      terminal.errors.write(
        `\`${printable(shownPathOf(found.path, opened.cwd))}\` is the same tool: remove the one you do not need\n`,
      );
  }
  const { name } = found.definition;
  if (input.has("json"))
    writeJson(terminal, {
      name: name.value,
      from: found.format,
      to,
      ...(target === undefined ? {} : { path: target }),
      text,
    });
  else if (target === undefined) terminal.output.write(text);
  return exitCodes.done;
}

/** Returns undefined for standard output. */
function targetOf(
  { path, definition }: Found,
  to: Format,
  { input, opened }: { readonly input: CommandInput; readonly opened: OpenedSession },
): string | "nowhere" | undefined {
  const given = input.value("output");
  if (given !== undefined) return resolve(opened.cwd, given);
  if (!input.has("write")) return undefined;
  const name = definition.name.value.replace(/^.*\//, "");
  if (path === undefined) return "nowhere";
  // `my-tool/tool.yaml` is named after its folder, and a folder with other definitions would be their owner.
  if (/^tool\.ya?ml$/i.test(basename(path)) && name !== "tool") return join(dirname(dirname(path)), `${name}.${to}`);
  return path.replace(/\.(?:tool|ya?ml)$/i, `.${to}`);
}
