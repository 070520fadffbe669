// What surrounds a command: folder, standard input, environment, and the person it may ask.
import { isDeclared } from "../../../core/language/syntax/reserved-references.ts";
import type { Interaction, Surroundings } from "../../../core/tool/definition.ts";
import type { Template } from "../../../core/tool/template.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { scopeDeclarations } from "../../../core/language/syntax/references.ts";
import type { PlacedSteps } from "../../../core/language/checks/step-dangers.ts";
import { checkVariable } from "../../../core/language/checks/surroundings-dangers.ts";
import { templateText } from "../../../core/language/write/command-text.ts";
import { describedKeys, saysSeveral, says } from "../described-keys.ts";
import type { Fields } from "../fields.ts";
import { choice, flag, map, named, number, readElsewhere, template, text } from "../key-values.ts";
import { isName } from "../names.ts";
import { entryOf } from "../node.ts";
import { readTemplateText, type TemplateContext } from "../template-text.ts";
import { byName } from "../yaml-data.ts";
import { answer } from "./checked-texts.ts";

const environmentKeys = describedKeys("`environment`", {
  variables: named({ is: "text" }, "environment variables; `{NAME}` is a value", { DEBUG: "1" }),
  inherit: flag("the command inherits the caller's environment"),
});

const crossPlatformKeys = describedKeys("`cross-platform`", {
  "windows-separator": choice(["\\"], "the separator on Windows"),
  "unix-separator": choice(["/"], "the separator on Linux and macOS"),
  "auto-convert": flag("the same as `normalize`"),
});
const filePathsKeys = describedKeys("`file-paths`", {
  normalize: flag("turns `\\` in paths of the definition into `/`, which works on every platform"),
  "working-directory": text("the same as `working-directory` of the tool", "{WORKSPACE}"),
  "temp-directory": text(
    "the folder for temporary files, created for each run and removed after it",
    "{TEMP}/{TOOL_NAME}",
  ),
  "cross-platform": map(crossPlatformKeys, "how paths are written"),
});

const ANSWER_MS_MAX = 86_400_000;
const interactiveKeys = describedKeys<Interaction>("`interactive-options`", {
  timeout: says(
    "timeoutMs",
    number(
      "milliseconds to wait for an answer",
      { least: 0, most: ANSWER_MS_MAX, isWhole: true, unit: "milliseconds" },
      30000,
    ),
  ),
  "default-response": says(
    "defaultResponse",
    answer("the answer after that time, and at once if there is no terminal", "y"),
  ),
});

/** The keys of a tool about the surroundings of its commands. */
export const surroundingValues = {
  environment: saysSeveral<{ readonly surroundings: Surroundings }>({
    ...map(environmentKeys, "environment variables of its commands"),
    read: (fields, key, context) => {
      const inner = fields.fields(key);
      const inherits = inner?.flag("inherit");
      const surroundings: Surroundings = {
        environment: [...readTemporary(fields.fields("file-paths")), ...(inner ? readVariables(inner, context) : [])],
        inheritsEnvironment: inherits ?? false,
        ...(inherits === false ? { isolatesEnvironment: true } : {}),
      };
      return { surroundings };
    },
    write: ({ surroundings }) =>
      surroundings && {
        variables: byName(surroundings.environment.map(({ name, value }) => [name, templateText(value)])),
        inherit: surroundings.isolatesEnvironment ? false : surroundings.inheritsEnvironment || undefined,
      },
  }),
  "file-paths": map(filePathsKeys, "its folders, and how paths are written"),
  "working-directory": says("surroundings.cwd", {
    ...template("the folder that it runs in, relative to the caller's", "{WORKSPACE}"),
    read: (fields, _key, context) => readFolder(fields, context),
    write: templateText,
  }),
  input: says("surroundings.stdin", template("what its commands read from standard input", "{TEXT}")),
  interactive: says("surroundings.interaction", {
    ...flag("it asks the person at the terminal"),
    read: (fields, _key, context) => readInteraction(fields, context),
    write: () => true,
  }),
  "interactive-options": says("surroundings.interaction", readElsewhere(map(interactiveKeys, "how it asks"))),
} as const;

interface FilePaths {
  readonly fields?: Fields;
  /** Whether `\` in the definition's own paths becomes `/`, which every platform reads. */
  readonly normalizes: boolean;
}

function readFilePaths(fields: Fields): FilePaths {
  const inner = fields.fields("file-paths");
  if (!inner) return { normalizes: false };
  const cross = inner.fields("cross-platform");
  const converts = cross?.flag("auto-convert");
  const normalizes = inner.flag("normalize");
  if (normalizes !== undefined && converts !== undefined && normalizes !== converts)
    cross?.refuse("auto-convert", "`normalize` and `auto-convert` mean the same, but here they differ", {
      beside: inner.place("normalize"),
    });
  cross?.choice("windows-separator", ["\\"]);
  cross?.choice("unix-separator", ["/"]);
  return { fields: inner, normalizes: normalizes ?? converts ?? false };
}

function readFolder(fields: Fields, context: TemplateContext): Template | undefined {
  const { fields: paths, normalizes } = readFilePaths(fields);
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
    if (text && /\$\{?[A-Za-z_]/.test(text.text))
      context.findings.warn("wrong-value", `nothing expands \`$\` in the value of \`${key}\``, {
        at: text.span,
        help: ["write `environment: [NAME]` to pass on a variable, and put it together in `bash:`"],
      });
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
  const options = fields.fields("interactive-options");
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

/** The names under which programs look for a folder for temporary files. */
export const TEMPORARY_NAMES = ["TMPDIR", "TEMP", "TMP"];
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
    return TEMPORARY_NAMES.map((name) => ({ name, value: TEMPORARY }));
  fields.findings.error("wrong-value", "the folder for temporary files must be below `{TEMP}`: each run creates one", {
    at: text.span,
    label: "expected `{TEMP}/NAME`; NAME may contain `{TOOL_NAME}`",
  });
  return [];
}
