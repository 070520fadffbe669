// Stage 4 of the walk: turns a `ToolFile` into a definition, or reports all its mistakes at once. Names of other tools
// are resolved by the builder, because that takes a registry.
import { isDeeper, type Json } from "../schema/json.ts";
import type { ParameterSchema } from "../schema/parameter.ts";
import { type Checked, hasErrors } from "../text/diagnostic.ts";
import type { DefinitionHead, ParameterValue, Scope, ToolDefinition } from "../tool/definition.ts";
import type { Preset } from "../tool/template.ts";
import { Analysis, partOf } from "./analysis.ts";
import { type Execution, readExecution } from "./kinds/wrapped-command.ts";
import { checkReading } from "./checks/open-values.ts";
import { permittedEffects } from "./fields/asks.ts";
import { readCheckedFields } from "./fields/checked-fields.ts";
import { readExamples, readReturns } from "./fields/examples.ts";
import { commandsAsSteps } from "./kinds/step-annotations.ts";
import { composedKind, readComposed, withInput } from "./kinds/composed.ts";
import { checkLines, duplicateAnnotation } from "./fields/lines.ts";
import { readBase, readName, readTags, titleOf } from "./fields/names.ts";
import { readParts } from "./fields/parts.ts";
import { withSecretHosts } from "./fields/secret-use.ts";
import { readParameters } from "./fields/parameters.ts";
import { readTests } from "./fields/tests.ts";
import { readTexts, requiredText } from "./fields/texts.ts";
import { annotationKinds, isFreeKeyword } from "./syntax/annotations.ts";
import type { Annotation, Declaration, MappedText, ToolFile } from "./syntax/ast.ts";
import { declaredTypes } from "./fields/declared-types.ts";
import { BRACKET_NESTING_MAX } from "./syntax/grammar.ts";
import type { TextValues } from "./text-fields.ts";
import { NamedTypes } from "./fields/named-types.ts";
import { plainDescription } from "./fields/plain-description.ts";
import { parseTemplate } from "./syntax/template.ts";
import { warnUnused } from "./checks/unused-names.ts";
import { checkUnused } from "./checks/unused-parameters.ts";
import { withOpenValues } from "./checks/open-values.ts";
import { checkFolder } from "./checks/relative-program.ts";

export interface AnalyzeOptions {
  /** The sub-folder of the tool folder. */
  readonly owner?: string;
  /** The absolute folder of the file, for programs beside it. The default is the folder of its source. */
  readonly folder?: string;
  readonly scope?: Scope;
}

export function analyzeToolFile(file: ToolFile, options: AnalyzeOptions = {}): Checked<ToolDefinition> {
  const analysis = new Analysis(file);
  const misplaced = commandsAsSteps(analysis);
  if (misplaced.length > 0) return { diagnostics: misplaced };
  checkLines(analysis);
  const name = readName(analysis, options);
  const makes = composedKind(analysis);
  const base = makes === "wrap" ? readBase(analysis) : undefined;
  const types = new NamedTypes(declaredTypes(analysis), analysis);
  const declarations = withInput(readParameters(analysis, types), analysis);
  const parameters = declarations.parameters.map((declaration) => declaration.parameter);
  const composed = readComposed(makes, declarations, {
    analysis,
    readExecution: (scope) => readExecution(analysis, declarations.known, scope),
  });
  const isWrap =
    makes === "wrap" &&
    analysis.annotations.some((annotation) => annotationKinds.get(annotation.keyword)?.makesWrap === true);
  const execution = makes === "wrap" ? readExecution(analysis, declarations.known) : undefined;
  const presets = readPresets(analysis);
  if (execution) checkFolder(analysis, { execution, presets, declarations: declarations.known });
  const defaults = readDefaults(analysis);
  const knowsParameters = makes !== "wrap" || analysis.has("command") || analysis.has("script");
  const hasParameters = knowsParameters && declarations.known.length === parameters.length;
  const called = { name: name?.value ?? "this tool", parameters };
  const [tags, fields] = [readTags(analysis), readCheckedFields(analysis, declarations.known)];
  const { surroundings } = composed && "surroundings" in composed ? composed : { ...execution };
  const security = withSecretHosts(fields.security, surroundings?.secrets, {
    at: analysis.all("env").find(({ text }) => text.text.includes("for="))?.text.span ?? analysis.startOfFile(),
    findings: analysis,
  });
  const checked = { ...fields, ...(security ? { security } : {}) };
  const confirm = analysis.first("confirm");
  if (confirm) analysis.add(parseTemplate(confirm.text, declarations.known).diagnostics);
  const returns = readReturns(analysis, types);
  const head: Omit<DefinitionHead, "name"> = {
    ...readWordsForPeople(analysis, name?.value ?? ""),
    parameters,
    ...tags,
    declaredEffects: permittedEffects(checked.security, tags.declaredEffects),
    ...readParts(analysis),
    ...checked,
    ...(returns ? { returns } : {}),
    examples: readExamples(analysis, called.name, hasParameters ? parameters : undefined),
    tests: readTests(analysis, hasParameters ? called : undefined),
    origin: { kind: "file", source: file.source, scope: options.scope ?? "given" },
  };
  if (makes !== "wrap") checkDescription(analysis);
  if (isWrap && execution)
    checkWrap(analysis, {
      base: base?.value,
      declarations: declarations.parameters,
      execution,
      presets,
      isReadOnly: head.declaredEffects.includes("read") && !head.declaredEffects.includes("run"),
    });
  const diagnostics = analysis.diagnostics();
  if (!name || hasErrors(diagnostics)) return { diagnostics };
  if (composed) {
    const definition = { name, ...head, ...composed };
    warnUnused("parameter", declarations.parameters, { definition, findings: analysis });
    return looked(definition, analysis);
  }
  if (!base || !execution) return { diagnostics };
  const { used: _used, ...executes } = execution;
  const value: ToolDefinition = isWrap
    ? { kind: "wrapped", name, ...head, base, presets, defaults, ...executes }
    : { kind: "alias", name, ...head, base, defaults };
  return looked(value, analysis);
}

function looked(definition: ToolDefinition, analysis: Analysis): Checked<ToolDefinition> {
  const value = withOpenValues(definition);
  checkReading(value, analysis);
  return { value, diagnostics: analysis.diagnostics() };
}

type WordsForPeople = TextValues &
  Pick<DefinitionHead, "title" | "description" | "keywords" | "changelog" | "annotations">;

function readWordsForPeople(analysis: Analysis, name: string): WordsForPeople {
  const title = analysis.first("title");
  const annotations = analysis.annotations
    .filter(({ keyword }) => isFreeKeyword(keyword))
    .map(({ keyword, qualifier, text }) =>
      `${keyword}${qualifier ? `(${qualifier.text})` : ""} ${text.text}`.trimEnd(),
    );
  return {
    title: title
      ? requiredText(title, analysis)
      : (plainDescription(analysis.file.description.text).heading ?? titleOf(name)),
    description: descriptionOf(analysis),
    keywords: [],
    changelog: [],
    ...readTexts(analysis),
    ...(annotations.length === 0 ? {} : { annotations }),
  };
}

/** Returns the text before the first annotation, and that of `@description` behind it. */
function descriptionOf(analysis: Analysis): string {
  const annotation = analysis.first("description");
  const texts = [plainDescription(analysis.file.description.text).text, annotation?.text.text, annotation?.body?.text];
  return texts.filter((text) => text !== undefined && text !== "").join("\n");
}

function readPresets(analysis: Analysis): readonly Preset[] {
  return readAssignments("with", analysis).map(({ name, text }) => ({
    parameter: { value: name.text, span: name.span },
    text: { value: text.text, span: text.span },
  }));
}

/** Reads `@default`. The builder knows the type, so a value that is not certainly JSON stays text. */
function readDefaults(analysis: Analysis): readonly ParameterValue[] {
  return readAssignments("default", analysis).map(({ name, text }) => ({
    parameter: { value: name.text, span: name.span },
    value: { value: jsonOrText(text.text), span: text.span },
  }));
}

function jsonOrText(text: string): Json {
  if (!/^["[{]/.test(text)) return text;
  try {
    const value = JSON.parse(text) as Json;
    return isDeeper(value, BRACKET_NESTING_MAX) ? text : value;
  } catch {
    return text;
  }
}

function readAssignments(
  keyword: "with" | "default",
  analysis: Analysis,
): readonly { readonly name: MappedText; readonly text: MappedText }[] {
  const seen = new Map<string, Annotation>();
  return analysis.all(keyword).flatMap((annotation) => {
    const part = analysis.readWithRest(annotation, "assignment", { words: 2, hasBrackets: false });
    const name = part && partOf(part, "target")?.text;
    const text = part && partOf(part, "assigned")?.text;
    if (!name) return [];
    if (!text)
      analysis.error("malformed-annotation", `\`@${keyword}\` does not give \`${name.text}\` a value`, {
        at: annotation.text.span,
        label: "expected a value after the `=`",
      });
    const known = seen.get(name.text);
    if (known) duplicateAnnotation(analysis, `\`${name.text}\` is set twice`, { first: known, other: annotation });
    seen.set(name.text, annotation);
    return text && !known ? [{ name, text }] : [];
  });
}

interface Wrapping {
  readonly base: string | undefined;
  readonly declarations: readonly Declaration[];
  readonly execution: Execution;
  readonly presets: readonly Preset[];
  /** Whether the tool is tagged `read` and not `run`. */
  readonly isReadOnly: boolean;
}

function checkDescription(analysis: Analysis): void {
  const isMeant = ["name", "description"].some((keyword) => analysis.meant(keyword).length > 0);
  if (descriptionOf(analysis) === "" && !isMeant)
    analysis.warn("missing-description", "this tool has no description", {
      at: analysis.first("name")?.span ?? analysis.startOfFile(),
      help: ["say above the first annotation what it does and when to use it: models see nothing else"],
    });
}

function checkWrap(analysis: Analysis, wrapping: Wrapping): void {
  const place = analysis.first("name")?.span ?? analysis.startOfFile();
  // An alias has the description of its base tool.
  if (analysis.has("command") || analysis.has("script") || analysis.has("param")) checkDescription(analysis);
  const [parameter] = wrapping.declarations;
  if (
    wrapping.base === "run_command" &&
    parameter &&
    wrapping.presets.length === 0 &&
    !["command", "script"].some((keyword) => analysis.has(keyword) || analysis.meant(keyword).length > 0)
  ) {
    analysis.error("missing-command", "this wrap of `run_command` has no command", {
      at: analysis.first("wrapped")?.span ?? place,
      related: [{ span: parameter.span, text: "this value would not be used" }],
      help: ["add `@command` with the command and `{NAME}` where values go"],
    });
  }
  if (wrapping.isReadOnly) for (const declaration of wrapping.declarations) checkFlags(analysis, declaration);
  checkUnused(analysis, wrapping);
}

/**
 * Requires `reject` for `flags` of a tool that only reads, because a value can be any option of the program, such as
 * `find -delete`.
 */
function checkFlags(analysis: Analysis, { parameter, span }: Declaration): void {
  if (parameter.flags !== true || parameter.schema.type !== "array" || isNarrow(parameter.schema.items)) return;
  const tags = analysis.first("tags");
  analysis.error(
    "flags-need-reject",
    `\`${parameter.name}\` accepts any option of the program, but the tool says that it only reads`,
    {
      at: span,
      related: tags ? [{ span: tags.span, text: "declared here" }] : [],
      help: [
        "reject options that write or run, for example `reject=/^-(delete|exec)$/`",
        "or tag the tool `run` instead of `read`",
      ],
    },
  );
}

function isNarrow(schema: ParameterSchema): boolean {
  return schema.type === "array"
    ? isNarrow(schema.items)
    : schema.type !== "string" ||
        schema.reject !== undefined ||
        schema.pattern !== undefined ||
        schema.choices !== undefined;
}
