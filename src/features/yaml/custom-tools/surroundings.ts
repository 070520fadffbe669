// What surrounds a command: folder, standard input, environment, and the person it may ask.
import { isDeclared } from "../../../core/language/syntax/reserved-references.ts";
import type { Interaction, Surroundings } from "../../../core/tool/definition.ts";
import type { Template } from "../../../core/tool/template.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { scopeDeclarations } from "../../../core/language/syntax/references.ts";
import type { PlacedSteps } from "../../../core/language/checks/step-dangers.ts";
import { checkVariable } from "../../../core/language/checks/surroundings-dangers.ts";
import type { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import { entryOf } from "../node.ts";
import { readTemplateText, type TemplateContext } from "../template-text.ts";
import { crossPlatformKeys, environmentKeys, filePathsKeys, interactiveKeys } from "./keys.ts";

export function readSurroundings(fields: Fields, context: TemplateContext): Surroundings {
  const paths = readFilePaths(fields);
  const cwd = readFolder(fields, paths, context);
  const input = fields.text("input");
  const stdin = input && readTemplateText(input, context);
  const environment = fields.fields("environment", environmentKeys);
  const interaction = readInteraction(fields, context);
  return {
    ...(cwd ? { cwd } : {}),
    ...(stdin ? { stdin } : {}),
    environment: [...readTemporary(paths.fields), ...(environment ? readVariables(environment, context) : [])],
    inheritsEnvironment: environment?.flag("inherit") ?? false,
    ...(environment?.flag("inherit") === false ? { isolatesEnvironment: true as const } : {}),
    ...(interaction ? { interaction } : {}),
  };
}

interface FilePaths {
  readonly fields?: Fields;
  /** Whether `\` in the definition's own paths becomes `/`, which every platform reads. */
  readonly normalizes: boolean;
}

function readFilePaths(fields: Fields): FilePaths {
  const inner = fields.fields("file-paths", filePathsKeys);
  if (!inner) return { normalizes: false };
  const cross = inner.fields("cross-platform", crossPlatformKeys);
  const converts = cross?.flag("auto-convert");
  const normalizes = inner.flag("normalize");
  if (normalizes !== undefined && converts !== undefined && normalizes !== converts)
    cross?.refuse("auto-convert", "`normalize` and `auto-convert` mean the same, but here they differ", {
      beside: inner.place("normalize"),
    });
  checkSeparator(cross, "windows-separator", "\\");
  checkSeparator(cross, "unix-separator", "/");
  return { fields: inner, normalizes: normalizes ?? converts ?? false };
}

function checkSeparator(fields: Fields | undefined, key: string, separator: string): void {
  const text = fields?.text(key);
  if (!fields || !text || text.text === separator) return;
  fields.findings.error("wrong-value", `\`${key}\` must be \`${separator}\`: the platform decides it`, {
    at: text.span,
    label: `expected \`${separator}\``,
  });
}

function readFolder(
  fields: Fields,
  { fields: paths, normalizes }: FilePaths,
  context: TemplateContext,
): Template | undefined {
  const own = fields.text("working-directory");
  const other = paths?.text("working-directory");
  if (own && other && own.text !== other.text)
    context.findings.error("conflicting-keys", "a tool can have only one working directory", {
      at: other.span,
      related: [{ span: own.span, text: "" }],
    });
  const text = own ?? other;
  if (!text || (text.text === "{WORKSPACE}" && !isDeclared("WORKSPACE", context.scope.parameters))) return undefined;
  return readTemplateText(normalizes ? normalized(text) : text, context);
}

function normalized(text: MappedText): MappedText {
  return { ...text, text: text.text.replaceAll("\\", "/") };
}

/** Returns the places of the folder and the input, for messages. */
export function placesOf(fields: Fields): PlacedSteps["places"] {
  const paths = fields.entry("file-paths")?.value;
  const folder =
    fields.entry("working-directory") ?? (paths?.kind === "map" ? entryOf(paths, "working-directory") : undefined);
  return { cwd: folder?.value.span, stdin: fields.entry("input")?.value.span };
}

function readVariables(fields: Fields, context: TemplateContext): Surroundings["environment"] {
  return fields.entries("variables").flatMap(({ key, keySpan, value }) => {
    if (!isName("name for an environment variable", { text: key, span: keySpan }, context.findings)) return [];
    const isEmpty = value.kind === "scalar" && (value.value === null || value.value === "");
    const text = isEmpty ? undefined : fields.textOf(value, key);
    const template: Template | undefined = isEmpty ? { parts: [] } : text && readTemplateText(text, context);
    if (template && text)
      checkVariable(
        key,
        { template, span: text.span, declarations: scopeDeclarations(context.scope) },
        context.findings,
      );
    return template ? [{ name: key, value: template }] : [];
  });
}

function readInteraction(fields: Fields, context: TemplateContext): Interaction | undefined {
  const isInteractive = fields.flag("interactive") ?? false;
  const options = fields.fields("interactive-options", interactiveKeys);
  if (options && !isInteractive)
    fields.refuse("interactive-options", "`interactive-options` needs `interactive: true`");
  if (isInteractive && fields.has("steps"))
    fields.refuse(
      "interactive",
      "`interactive` is for a tool with one command: the output of a step is stored, so nobody would see its question",
      {
        beside: fields.place("steps"),
        help: [
          "ask for the answers with `parameters`, or ask in one `bash:` command",
          "or make a tool of the command that asks, and run it before this one",
        ],
      },
    );
  if (isInteractive)
    fields.refuse("input", "an interactive tool reads what the person answers, so it cannot have an `input`", {
      beside: fields.place("interactive"),
    });
  const interaction = interactiveKeys.read(options, context);
  return isInteractive ? interaction : undefined;
}

const TEMPORARY: Template = { parts: [{ placeholder: "TEMP_DIR" }] };

/**
 * Gives programs the run's own folder under the names where they look for one. Its name is new for each run, so that no
 * two share it.
 */
function readTemporary(fields: Fields | undefined): Surroundings["environment"] {
  const text = fields?.text("temp-directory");
  if (!fields || !text) return [];
  if (
    /^\{(?:TEMP|TEMP_DIR)\}(?:[\\/](?:[A-Za-z0-9._-]|\{TOOL_NAME\})+)*[\\/]?$/.test(text.text) &&
    !/[\\/]\.+(?:[\\/]|$)/.test(text.text)
  )
    return ["TMPDIR", "TEMP", "TMP"].map((name) => ({ name, value: TEMPORARY }));
  fields.findings.error("wrong-value", "the folder for temporary files must be below `{TEMP}`: each run creates one", {
    at: text.span,
    label: "expected `{TEMP}/NAME`; NAME may contain `{TOOL_NAME}`",
  });
  return [];
}
