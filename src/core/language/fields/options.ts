// `[required, min=1, reject=/…/]`: the options, their requirements, and those that are not about the value itself.
import type { Json } from "../../schema/json.ts";
import type { Parameter, ParameterSchema, Pattern } from "../../schema/parameter.ts";
import { patternMatch } from "../../schema/pattern-match.ts";
import type { Span } from "../../text/source.ts";
import { type Analysis, nearestOf, partOf, partsOf } from "../analysis.ts";
import type { Findings } from "../findings.ts";
import { textOfValue, typedValue } from "./values.ts";
import type { MappedText } from "../syntax/ast.ts";
import type { Part } from "../syntax/grammar.ts";

interface OptionKind {
  readonly takes: "nothing" | "number" | "regex" | "value";
  /** Set if the option is not allowed on a property of an object. */
  readonly onlyParameters?: true;
  /** Set if the option may be given several times. */
  readonly repeats?: true;
}

const optionKinds: ReadonlyMap<string, OptionKind> = new Map<string, OptionKind>([
  ["required", { takes: "nothing" }],
  ["optional", { takes: "nothing" }],
  ["default", { takes: "value" }],
  ["min", { takes: "number" }],
  ["max", { takes: "number" }],
  ["pattern", { takes: "regex" }],
  ["reject", { takes: "regex" }],
  ["flags", { takes: "nothing", onlyParameters: true }],
  ["flag", { takes: "value", onlyParameters: true }],
  ["option", { takes: "value", onlyParameters: true }],
  ["secret", { takes: "nothing", onlyParameters: true }],
  ["stdin", { takes: "nothing", onlyParameters: true }],
  ["lower", { takes: "nothing" }],
  ["upper", { takes: "nothing" }],
  ["trim", { takes: "nothing" }],
  ["env", { takes: "value", onlyParameters: true }],
  ["hidden", { takes: "nothing", onlyParameters: true }],
  ["example", { takes: "value", repeats: true }],
  ["help", { takes: "value", onlyParameters: true }],
  ["transform", { takes: "value", onlyParameters: true }],
  ["unique", { takes: "nothing" }],
]);

export const optionNames: readonly string[] = [...optionKinds.keys()];
export const plainOptionNames: readonly string[] = optionNames.filter(
  (name) => optionKinds.get(name)?.takes === "nothing",
);

/** `g` and `y` are not allowed: they would remember where the last match ended. */
const REGEX_FLAGS = /^[imsuv]*$/;

type OptionFields = Pick<
  Parameter,
  | "default"
  | "flags"
  | "flag"
  | "option"
  | "secret"
  | "environment"
  | "fromStdin"
  | "hidden"
  | "example"
  | "otherExamples"
  | "help"
  | "transform"
>;

export interface Option {
  readonly name: Part;
  readonly value?: Part;
}

/** The parameter or property that has the options. */
interface OptionOwner {
  readonly name: string;
  readonly isProperty: boolean;
}

export function readOptions(part: Part | undefined, owner: OptionOwner, analysis: Analysis): Options {
  const options = new Map<string, Option>();
  const more: Option[] = [];
  for (const option of part ? partsOf(part, "option") : []) {
    const name = partOf(option, "optionName");
    const value = option.parts.find((inner) => inner.rule !== "optionName");
    const read = name && { name, ...(value ? { value } : {}) };
    if (!read || !isUsable(read, owner, analysis)) continue;
    if (options.has(read.name.text.text) && optionKinds.get(read.name.text.text)?.repeats) more.push(read);
    else addOption(options, read, analysis);
  }
  const required = options.get("required");
  const against = options.get("optional") ?? options.get("default");
  if (required && against) {
    const related = [{ span: required.name.text.span, text: "" }];
    analysis.error("malformed-option", `\`required\` cannot be used with \`${against.name.text.text}\``, {
      at: against.name.text.span,
      related,
    });
  }
  return new Options(options, more, { owner, analysis });
}

function addOption(options: Map<string, Option>, option: Option, analysis: Analysis): void {
  const known = options.get(option.name.text.text);
  if (!known) options.set(option.name.text.text, option);
  else
    analysis.error("malformed-option", `duplicate option \`${option.name.text.text}\``, {
      at: option.name.text.span,
      related: [{ span: known.name.text.span, text: "first given here" }],
    });
}

function isUsable({ name, value }: Option, owner: OptionOwner, analysis: Analysis): boolean {
  const span = name.text.span;
  const kind = optionKinds.get(name.text.text);
  if (!kind) {
    unknownOption(name, owner, analysis);
  } else if (owner.isProperty && kind.onlyParameters) {
    analysis.error("malformed-option", `\`${name.text.text}\` is an option of parameters, not of properties`, {
      at: span,
    });
  } else if (kind.takes === "nothing" && value) {
    analysis.error("malformed-option", `\`${name.text.text}\` does not take a value`, { at: value.text.span });
  } else if (kind.takes !== "nothing" && !value) {
    analysis.error("malformed-option", `\`${name.text.text}\` needs a value`, {
      at: span,
      help: [`write \`${name.text.text}=${exampleOf(kind, name.text.text)}\``],
    });
  } else if (kind.takes === "regex" && value && value.rule !== "regex") {
    analysis.error("malformed-option", `\`${name.text.text}\` must be a regular expression between slashes`, {
      at: value.text.span,
      label: "expected one such as /[a-z]+/",
    });
  } else return true;
  return false;
}

function exampleOf(kind: OptionKind, name: string): string {
  if (kind.takes === "regex") return "/…/";
  if (kind.takes === "number") return "1";
  return name === "flag" ? '"--name {value}"' : name === "env" ? "NAME" : "…";
}

function unknownOption(name: Part, owner: OptionOwner, analysis: Analysis): void {
  const known = [...optionKinds]
    .filter(([, kind]) => !(owner.isProperty && kind.onlyParameters))
    .map(([option]) => option);
  analysis.unknown("malformed-option", `unknown option \`${name.text.text}\``, {
    at: name.text.span,
    meant: nearestOf(name.text.text, known),
    help: [`the options are ${known.join(", ")}; choices are the type, as in \`{"low"|"high"}\``],
  });
}

/** The checked options of one parameter: known, complete, each once. */
export class Options {
  readonly #options: ReadonlyMap<string, Option>;
  readonly owner: OptionOwner;
  readonly analysis: Analysis;

  /** Repeated occurrences of options that may repeat. */
  readonly #more: readonly Option[];

  constructor(
    options: ReadonlyMap<string, Option>,
    more: readonly Option[],
    { owner, analysis }: { readonly owner: OptionOwner; readonly analysis: Analysis },
  ) {
    this.#options = options;
    this.#more = more;
    this.owner = owner;
    this.analysis = analysis;
  }

  has(name: string): boolean {
    return this.#options.has(name);
  }

  get(name: string): Option | undefined {
    return this.#options.get(name);
  }

  pattern(name: "pattern" | "reject"): Pattern | undefined {
    const value = this.#options.get(name)?.value;
    return value && readRegex(value.text, this.analysis);
  }

  /** Returns the fields that do not constrain the value. `schema` has its constraints already, `plain` has none. */
  fieldsOf(schema: ParameterSchema, plain: ParameterSchema = schema): OptionFields {
    const transform = this.#transform();
    // The result of a transform is known only when it has run.
    const written = transform === undefined ? schema : plain;
    const fallback = this.#typed("default", written);
    const example = this.#typed("example", written);
    const otherExamples = this.#more
      .map((option) => this.#typedOption(option, written))
      .filter((one) => one !== undefined);
    const help = this.#options.get("help")?.value;
    const flag = this.#flag(schema);
    const environment = this.#environment();
    const option = this.#named("option", /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "a command-line option");
    if (this.has("stdin") && schema.type !== "string")
      this.analysis.error("malformed-option", "`stdin` needs a string parameter, because piped input is text", {
        at: this.#options.get("stdin")?.name.text.span ?? this.analysis.startOfFile(),
      });
    if (this.has("flags") && schema.type !== "string" && schema.type !== "array") {
      this.analysis.error("malformed-option", "`flags` needs a string or array parameter", {
        at: this.#options.get("flags")?.name.text.span ?? this.analysis.startOfFile(),
      });
    }
    return {
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(this.has("flags") ? { flags: true } : {}),
      ...(flag === undefined ? {} : { flag }),
      ...(option === undefined ? {} : { option }),
      ...(this.has("secret") ? { secret: true } : {}),
      ...(this.has("stdin") ? { fromStdin: true } : {}),
      ...(environment === undefined ? {} : { environment }),
      ...(this.has("hidden") ? { hidden: true } : {}),
      ...(example === undefined ? {} : { example }),
      ...(otherExamples.length === 0 ? {} : { otherExamples }),
      ...(help ? { help: textOfValue(help) } : {}),
      ...(transform === undefined ? {} : { transform }),
    };
  }

  #typed(option: "default" | "example", schema: ParameterSchema): Json | undefined {
    const known = this.#options.get(option);
    return known && this.#typedOption(known, schema);
  }

  #typedOption({ name, value }: Option, schema: ParameterSchema): Json | undefined {
    if (!value) return undefined;
    const option = name.text.text;
    const typed = typedValue(schema, value, this.owner.name);
    if (typed.value !== undefined) return typed.value;
    const code = option === "default" ? "default-mismatch" : "example-mismatch";
    this.analysis.error(code, `the ${option} of \`${this.owner.name}\` does not fit its type`, {
      at: value.text.span,
      label: typed.message,
    });
    return undefined;
  }

  #transform(): string | undefined {
    const option = this.#options.get("transform");
    const environment = this.#options.get("env");
    if (option?.value && environment)
      this.analysis.error("malformed-option", "`transform` cannot be used with `env`", {
        at: option.name.text.span,
        related: [{ span: environment.name.text.span, text: "" }],
      });
    return option?.value && textOfValue(option.value);
  }

  #flag(schema: ParameterSchema): string | undefined {
    const value = this.#options.get("flag")?.value;
    if (!value) return undefined;
    const flag = textOfValue(value);
    if (schema.type === "boolean" || flag.includes("{value}")) return flag;
    this.analysis.error("malformed-option", "`flag` has no `{value}`", {
      at: value.text.span,
      help: [`write \`flag="${flag} {value}"\` or \`flag="${flag}={value}"\``],
    });
    return undefined;
  }

  #environment(): string | undefined {
    return this.#named("env", /^[A-Za-z_]\w*$/, "an environment variable");
  }

  #named(option: "env" | "option", form: RegExp, noun: string): string | undefined {
    const value = this.#options.get(option)?.value;
    if (!value) return undefined;
    const name = textOfValue(value);
    if (form.test(name)) return name;
    this.analysis.error("malformed-option", `\`${name}\` is not a valid name for ${noun}`, {
      at: value.text.span,
      help: [`use letters, digits${option === "env" ? "" : ", `-`"} and \`_\``],
    });
    return undefined;
  }
}

/** Reads a text that matches the rule `regex`. Returns undefined if a problem was reported. */
export function readRegex(mapped: MappedText, analysis: Findings): Pattern | undefined {
  const end = mapped.text.lastIndexOf("/");
  const pattern = { source: mapped.text.slice(1, end), flags: mapped.text.slice(end + 1) };
  return checkedRegex(pattern, mapped.span, analysis);
}

export function checkedRegex(pattern: Pattern, at: Span, analysis: Findings): Pattern | undefined {
  const problem = regexProblem(pattern);
  if (problem !== undefined) {
    analysis.error("bad-regex", "this is not a valid regular expression", { at, label: problem });
    return undefined;
  }
  const { unbounded } = patternMatch(pattern);
  if (unbounded !== undefined) analysis.warn("slow-pattern", SLOW_PATTERN, { at, label: unbounded });
  return pattern;
}

export const SLOW_PATTERN = "this pattern may be slow, and is stopped when it takes too long";

/** Returns undefined if the pattern compiles. */
export function regexProblem(pattern: Pattern): string | undefined {
  if (!REGEX_FLAGS.test(pattern.flags)) return `the flags are i, m, s, u and v, not \`${pattern.flags}\``;
  try {
    new RegExp(pattern.source, pattern.flags);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(": ").at(-1) ?? "") : "";
    return reason.slice(0, 1).toLowerCase() + reason.slice(1);
  }
}
