// Whether a rule matches a call. Rules that refuse or ask match loosely, on everything that the call does; rules that
// allow match exactly, on the call as it was made: if in doubt, a call is refused.
import { isAbsolute, relative, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { patternMatch, wholePattern } from "../schema/pattern-match.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Effect } from "../tool/definition.ts";
import type { CallView } from "./call-views.ts";
import { writesOutside } from "./outside.ts";
import { realPath } from "./real-path.ts";
import type { ArgumentPattern, ConfiguredRule, MatchContext, ValuePattern } from "./rule.ts";
import type { Strictness } from "./text-pattern.ts";

const EXPRESSION_MS_MAX = 100;
/** The limit of all expressions of a decision: a package or a project that nobody reviewed may bring many. */
const EXPRESSIONS_MS_MAX = 1_000;
const NFKC_GROWTH_MAX = 18;

/** `views` begin with the call as made, and `names` are the tool and its dependencies. */
export function refuses(
  rule: ConfiguredRule,
  { views, names }: { readonly views: readonly CallView[]; readonly names: ReadonlySet<string> },
  context: MatchContext,
): boolean {
  // The effects of the called tool cover its dependencies too: a command that only reads does not count as `run`.
  if (rule.effects.length > 0 && !mayHave(views[0]?.effects ?? [], rule)) return false;
  const meant =
    rule.tools.length === 0
      ? views
      : views.filter(({ name }) => rule.tools.some((tool) => tool.matches(name, "exactly")));
  // A dependency that no known call reaches is matched by its name only.
  if (meant.length === 0 && !(rule.arguments.length === 0 && isReached(rule, names))) return false;
  if (
    rule.commands.length > 0 &&
    !views.some((view) => commandsOf(view).some((argv) => rule.commands.some((command) => command.occursIn(argv))))
  )
    return false;
  if (
    rule.arguments.length > 0 &&
    !meant.some((view) => rule.arguments.every((pattern) => fits(pattern, view, { ...context, strictness: "loosely" })))
  )
    return false;
  return !rule.isOutside || writesOutside(views, context);
}

/** Returns whether a rule that refuses does so whatever the arguments are. */
export function refusesAlways(
  rule: ConfiguredRule,
  { names, effects }: { readonly names: ReadonlySet<string>; readonly effects: readonly Effect[] },
): boolean {
  return (
    rule.arguments.length === 0 &&
    rule.commands.length === 0 &&
    !rule.isOutside &&
    isReached(rule, names) &&
    (rule.effects.length === 0 || mayHave(effects, rule))
  );
}

export function allows(rule: ConfiguredRule, views: readonly CallView[], context: MatchContext): boolean {
  const [made] = views;
  if (!made || !(rule.tools.length === 0 || rule.tools.some((tool) => tool.matches(made.name, "exactly"))))
    return false;
  if (
    rule.effects.length > 0 &&
    !(made.effects.length === 0
      ? rule.effects.includes("unknown")
      : made.effects.every((effect) => rule.effects.includes(effect)))
  )
    return false;
  if (!rule.arguments.every((pattern) => fits(pattern, made, { ...context, strictness: "exactly" }))) return false;
  return rule.commands.length === 0 || runsOnly(rule, views, context);
}

function isReached(rule: ConfiguredRule, names: ReadonlySet<string>): boolean {
  if (rule.tools.length === 0) return true;
  return rule.tools.some((tool) => [...names].some((name) => tool.matches(name, "exactly")));
}

/** Returns whether a call may have the rule's effects; unknown effects and programs may have any. */
function mayHave(effects: readonly Effect[], { effects: wanted }: ConfiguredRule): boolean {
  if (effects.length === 0 || effects.includes("run")) return true;
  return wanted.some((effect) => effect !== "unknown" && effects.includes(effect));
}

/** Returns whether every command that may run is allowed, without other variables or another folder. */
function runsOnly({ commands }: ConfiguredRule, views: readonly CallView[], { cwd }: MatchContext): boolean {
  const running = views.filter(
    ({ tool, name }) => name === RUN_COMMAND && (tool === undefined || tool.definition.kind === "base"),
  );
  // Steps and code may make more calls than are visible here.
  const isChain = views.every(
    ({ tool }) => tool === undefined || tool.definition.kind === "base" || tool.below !== undefined,
  );
  return (
    isChain &&
    running.length > 0 &&
    running.every(({ arguments: args }) => {
      const { env, working_dir: folder, inherit_env: inherits, pass_env: passed, argv, command } = args;
      if (
        inherits === true ||
        args["env_file"] !== undefined ||
        Array.isArray(passed) ||
        (isJsonObject(env) && Object.keys(env).length > 0)
      )
        return false;
      if (typeof folder === "string" && relative(cwd, resolve(cwd, folder)).startsWith("..")) return false;
      const words = Array.isArray(argv)
        ? argv.map(String)
        : typeof command === "string"
          ? plainWords(command)
          : undefined;
      return words !== undefined && commands.some((pattern) => pattern.isWhole(words));
    })
  );
}

const RUN_COMMAND = "run_command";

/** Returns the words of a line that a shell only splits. */
function plainWords(line: string): readonly string[] | undefined {
  return /^[\w ./:=@%+,-]+$/.test(line) ? line.trim().split(/ +/) : undefined;
}

const commandsOfView = new WeakMap<CallView, readonly (readonly string[])[]>();

function commandsOf(view: CallView): readonly (readonly string[])[] {
  const known = commandsOfView.get(view) ?? commandsIn(view);
  commandsOfView.set(view, known);
  return known;
}

function commandsIn({ name, arguments: args }: CallView): readonly (readonly string[])[] {
  if (name !== RUN_COMMAND) return [];
  const { argv, command, stdin, env } = args;
  const words = [...(Array.isArray(argv) ? argv.map(String) : []), ...(typeof command === "string" ? [command] : [])];
  // A shell also runs its input, and text in some variables.
  return [
    [
      ...words,
      ...(typeof stdin === "string" && words.length > 0 ? [stdin] : []),
      ...(isJsonObject(env ?? null) ? Object.values(env as JsonObject).map(String) : []),
    ],
  ];
}

interface FitContext extends MatchContext {
  readonly strictness: Strictness;
}

function fits({ name, values }: ArgumentPattern, view: CallView, context: FitContext): boolean {
  const { tool, arguments: args } = view;
  const value = valueAt(args, name);
  if (value === undefined) return false;
  const parameter = tool?.parameters.find((one) => one.name === name);
  return valueFits(value, values, { ...context, parameter, view });
}

/** Returns the value of a name; `env.PATH` is `PATH` in `env`, unless an argument has that whole name. */
function valueAt(args: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(args, name)) return args[name];
  const dot = name.indexOf(".");
  const inner = dot === -1 ? undefined : Object.hasOwn(args, name.slice(0, dot)) ? args[name.slice(0, dot)] : undefined;
  return isJsonObject(inner) ? valueAt(inner, name.slice(dot + 1)) : undefined;
}

interface ValueContext extends FitContext {
  readonly view: CallView;
  readonly parameter: Parameter | undefined;
}

/** Matches a value. In lists and maps, one item is enough to refuse, and all are needed to allow. */
function valueFits(value: Json, patterns: readonly ValuePattern[], context: ValueContext): boolean {
  const items = Array.isArray(value)
    ? (value as readonly Json[])
    : isJsonObject(value)
      ? Object.values(value)
      : undefined;
  const fitsAny = (text: string): boolean => patterns.some((pattern) => textFits(text, pattern, context));
  if (items && context.strictness === "exactly")
    return items.length > 0 && items.every((item) => valueFits(item, patterns, context));
  if (items)
    return (
      items.some((item) => valueFits(item, patterns, context)) ||
      fitsAny(Array.isArray(value) ? items.map(textOf).join(" ") : JSON.stringify(value))
    );
  return fitsAny(textOf(value));
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textFits(text: string, pattern: ValuePattern, context: ValueContext): boolean {
  const schema = context.parameter?.schema;
  const inner = schema?.type === "array" ? schema.items : schema;
  const format = inner?.type === "string" ? inner.format : undefined;
  const forms =
    format === "path"
      ? knownPathForms(resolve(context.cwd, text), context)
      : format === "url"
        ? urlForms(text, context.strictness)
        : undefined;
  if (context.strictness === "exactly") return (forms ?? [text]).some((form) => formFits(form, pattern, context));
  return [text, ...(forms ?? [])].some((form) => formFits(form, pattern, context));
}

function formFits(text: string, pattern: ValuePattern, { strictness, host, spent }: ValueContext): boolean {
  if (pattern.kind === "text") return pattern.pattern.matches(text, strictness);
  const expression = patternMatch(
    wholePattern({ source: pattern.source, flags: strictness === "exactly" ? "su" : "isu" }),
  );
  const fits = (): boolean =>
    expression.isIn(text) || (strictness === "loosely" && expression.isIn(text.normalize("NFKC")));
  // NFKC makes a text at most 18 times as long (U+FDFA).
  if (text.length * NFKC_GROWTH_MAX <= expression.safeLength) return fits();
  // Unknown, so it matches rules that refuse, and not rules that allow.
  const unknown = strictness === "loosely";
  if ((spent?.ms ?? 0) >= EXPRESSIONS_MS_MAX) return unknown;
  const startedMs = host.nowMs();
  try {
    return host.runBounded(fits, EXPRESSION_MS_MAX);
  } catch (error) {
    if (codeOf(error) !== "ETIMEDOUT") throw error;
    return unknown;
  } finally {
    if (spent) spent.ms += host.nowMs() - startedMs;
  }
}

const pathFormsOfView = new WeakMap<CallView, Map<string, readonly string[]>>();

/** Returns the forms of a path. They are cached for all rules, because resolving links reads the disk. */
function knownPathForms(plain: string, context: ValueContext): readonly string[] {
  const known = pathFormsOfView.get(context.view) ?? new Map<string, readonly string[]>();
  pathFormsOfView.set(context.view, known);
  const key = `${context.strictness} ${plain}`;
  const forms = known.get(key) ?? pathForms(plain, context);
  known.set(key, forms);
  return forms;
}

/**
 * Returns the path from the root and from the working folder. To refuse, the written path counts too; to allow, only
 * its target.
 */
function pathForms(plain: string, { cwd, host, strictness }: FitContext): readonly string[] {
  const real = realPath(plain, host);
  const inner = inFolder(real, realPath(cwd, host));
  // What `../*` says is true of `..` itself, too.
  const forms = [real, inner, ...(strictness === "loosely" && /(?:^|\/)\.\.$/.test(inner) ? [`${inner}/`] : [])];
  return strictness === "exactly" ? forms : [...forms, plain, inFolder(plain, cwd)];
}

function inFolder(path: string, folder: string): string {
  const inner = relative(folder, path).replaceAll("\\", "/");
  return inner === "" ? "." : isAbsolute(inner) ? path : inner;
}

function urlForms(text: string, strictness: Strictness): readonly string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  if (strictness === "exactly" || !url.hostname.endsWith(".")) return [url.href];
  // `example.com.` is the same host.
  const plain = new URL(url);
  plain.hostname = url.hostname.replace(/(?<!\.)\.+$/, "");
  return [url.href, plain.href];
}
