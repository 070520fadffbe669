// A tool as data: nothing here can run, and names of other tools are not resolved yet.
import type { JsonObject, Json } from "../schema/json.ts";
import type { Omitted } from "../schema/json-schema.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { SourceFile, Spanned } from "../text/source.ts";
import type { SandboxLevel } from "./confinement.ts";
import type { CommandTemplate, OptionReader, Platform, PlatformCommand } from "./command.ts";
import type { Rate } from "./rate.ts";
import type { Step, StepAction } from "./step.ts";
import type { Preset, Template } from "./template.ts";

/** The effects that a tool may have. Without any, they are unknown, which policy treats as the worst. */
export type Effect = "read" | "write" | "run" | "network";

/** Nearest first: see `../catalog/discover.ts`. */
export type Scope = "given" | "bundle" | "project" | "user" | "global" | "package" | "builtin";

export type Origin =
  | { readonly kind: "base" }
  /** `source.text` is read when first asked for. */
  | {
      readonly kind: "file";
      readonly source: SourceFile;
      readonly scope: Scope;
      /** Set for a package that no person has approved: its commands run in the sandbox. */
      readonly isUnapproved?: true;
    }
  | { readonly kind: "plugin"; readonly plugin: string; readonly path: string }
  /** Made by a model while it works: see ../forge. */
  | { readonly kind: "forged" };

export interface DefinitionHead {
  /** `owner/name` if the file is in a sub-folder of a tool folder. */
  readonly name: Spanned<string>;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** The words of `@tags` that are effects. */
  readonly declaredEffects: readonly Effect[];
  /** The other words of `@tags`. */
  readonly tags: readonly string[];
  readonly category?: string;
  readonly keywords: readonly string[];
  readonly version?: string;
  readonly requires: readonly Requirement[];
  readonly depends: readonly Dependency[];
  /** The platforms. If absent, every platform. */
  readonly platforms?: readonly Platform[];
  readonly returns?: Returns;
  readonly examples: readonly JsonObject[];
  readonly tests: readonly ToolTest[];
  readonly asks: readonly Ask[];
  readonly limits: DeclaredLimits;
  readonly security?: DeclaredSecurity;
  /** The parts that are left out of the schema for models. */
  readonly schemaOmits?: readonly SchemaPart[];
  /** The oldest CYCOD that reads the definition, if it comes from a custom-tools YAML. */
  readonly cycodVersion?: string;
  /** What a person is asked before each call. */
  readonly confirm?: string;
  readonly deprecated?: string;
  readonly help?: string;
  readonly changelog: readonly string[];
  /** Notes for readers of the file. */
  readonly notes?: readonly string[];
  /** Annotations of other programs: `x-team core` is the keyword and its text. */
  readonly annotations?: readonly string[];
  readonly origin: Origin;
}

/** The fields of a definition that says no more than its texts and parameters. */
export const nothingDeclared = {
  declaredEffects: [],
  tags: [],
  keywords: [],
  requires: [],
  depends: [],
  examples: [],
  tests: [],
  asks: [],
  limits: {},
  changelog: [],
} as const satisfies Partial<DefinitionHead>;

export type ToolDefinition = BaseDefinition | AliasDefinition | WrappedDefinition | StepsDefinition | CodeDefinition;

/** A tool made in TypeScript: built in, or from a plugin. */
export interface BaseDefinition extends DefinitionHead {
  readonly kind: "base";
  /** Set if it ends an agent's turn when it succeeds. So do aliases and wraps of it. */
  readonly isLoopBreaking?: true;
  /** Set if a call changes which tools there are, so that later calls of a reply wait for it. So do aliases and wraps. */
  readonly changesTools?: true;
}

/** The same tool under another name. */
export interface AliasDefinition extends DefinitionHead {
  readonly kind: "alias";
  readonly base: Spanned<string>;
  /** From `@default`: other defaults for the base tool's parameters. */
  readonly defaults: readonly ParameterValue[];
}

export interface WrappedDefinition extends DefinitionHead {
  readonly kind: "wrapped";
  readonly base: Spanned<string>;
  /** From `@command` or `@script`. Empty if the wrap only has `@with` and `@param`. */
  readonly commands: readonly PlatformCommand[];
  /** From `@with`: the text after `=` as written. The builder parses it, because it knows the base tool's types. */
  readonly presets: readonly Preset[];
  readonly defaults: readonly ParameterValue[];
  readonly surroundings: Surroundings;
  /** The command that runs when this one fails, after the retries. */
  readonly fallback?: CommandTemplate;
  readonly ignoreErrors: boolean;
}

/** A tool of several steps, from `@step`. */
export interface StepsDefinition extends DefinitionHead {
  readonly kind: "steps";
  /** At least one step, in the order written. */
  readonly steps: readonly Step[];
  /** If absent, the output of the last step that ran. */
  readonly output?: Template;
  /** Steps that run after all others, one after the other, whatever happened. */
  readonly cleanup: readonly Step[];
  /** The surroundings of each step that is a command. */
  readonly surroundings: Surroundings;
  readonly ignoreErrors: boolean;
}

/** JavaScript for the sandbox, from `@code`. */
export interface CodeDefinition extends DefinitionHead {
  readonly kind: "code";
  readonly code: Spanned<string>;
  /** From `@allow`: what the code may reach out of the sandbox with. Absent: nothing. */
  readonly allows?: readonly Allowance[];
}

/** One function of the sandbox, and what it may reach. */
export type Allowance =
  /** Hashes, HMAC and random ids. */
  | { readonly function: "crypto" }
  /** Text files below the working folder. */
  | { readonly function: "fs.readFile" }
  /** `host` is `name` or `name:port`. */
  | { readonly function: "fetch"; readonly host: string }
  | { readonly function: "tools.call"; readonly tool: Spanned<string> };

export const allowedFunctions = [
  "crypto",
  "fs.readFile",
  "fetch",
  "tools.call",
] as const satisfies readonly Allowance["function"][];

/** The tool whose effects and rules a function has, if there is one. */
function toolOfAllowance(allowance: Allowance): string | undefined {
  switch (allowance.function) {
    case "crypto":
      return undefined;
    case "fs.readFile":
      return "read_file";
    case "fetch":
      return "web_fetch";
    case "tools.call":
      return allowance.tool.value;
  }
}

export interface ParameterValue {
  readonly parameter: Spanned<string>;
  readonly value: Spanned<Json>;
}

export interface Surroundings {
  /** Relative to the caller's working folder. */
  readonly cwd?: Template;
  readonly stdin?: Template;
  /** `reader` is that of a command which passes the variable to a program as a word. */
  readonly environment: readonly { readonly name: string; readonly value: Template; readonly reader?: OptionReader }[];
  readonly inheritsEnvironment: boolean;
  /** Set by `@env-inherit no`: a person's call does not pass the environment on either. */
  readonly isolatesEnvironment?: true;
  /** A file with variables, relative to the caller's working folder. What is declared by name wins. */
  readonly environmentFile?: string;
  /** Variables of the caller that are passed on as they are, if they are set. */
  readonly passed?: readonly string[];
  /** Variables that get secrets of the user. */
  readonly secrets?: readonly UsedSecret[];
  /** Set if the program asks its user something. */
  readonly interaction?: Interaction;
}

export interface UsedSecret {
  readonly variable: string;
  /** Its name below `secrets:`, or in the environment. */
  readonly secret: string;
  /**
   * Hosts, as `NAME` or `NAME:PORT`: the commands get a stand-in, and requests to these hosts alone the value. The
   * definition then has them among its hosts, and the sandbox `strict`.
   */
  readonly hosts?: readonly string[];
}

/** Whether its commands get variables that are hidden in their output. */
export function hidesVariables({ secrets, environmentFile }: Surroundings): boolean {
  return (secrets ?? environmentFile) !== undefined;
}

export interface Interaction {
  /** The time that the person at the terminal has for an answer. */
  readonly timeoutMs?: number;
  /** The answer after that time, or at once if no person is there. If absent, the end of the input. */
  readonly defaultResponse?: string;
}

export interface DeclaredLimits {
  readonly timeoutMs?: number;
  readonly outputBytesMax?: number;
  readonly memoryBytesMax?: number;
  readonly cpuMsMax?: number;
  /** Processes and threads. */
  readonly processesMax?: number;
  /** How often it may be called, counted over all processes of a user. */
  readonly rate?: Rate;
  readonly retries?: { readonly attempts: number; readonly delayMs: number };
}

/** The requirements of a definition on the machine, with their reasons. A call fails if one cannot be met. */
export interface DeclaredSecurity {
  readonly privilege?: "same-as-user" | "reduced" | "elevated";
  /** `process` is a process group of its own, which every command has. */
  readonly isolation?: "none" | "process" | "container";
  /** Permissions as written: `filesystem:write:{DIRECTORY}`, `network:external:api.github.com`. */
  readonly permissions: readonly string[];
  readonly justification?: string;
  /** The level that its commands run at; at least `strict` if there are hosts or paths. */
  readonly sandbox?: SandboxLevel;
  /** The hosts that its commands may reach, as in `Confinement`. */
  readonly hosts?: readonly string[];
  /**
   * Paths that its commands may write, with `{NAME}` for values of parameters. A folder that may be made ends with `/`.
   */
  readonly writes?: readonly string[];
}

export type SchemaPart = Omitted;

/** An executable that must exist. `range` is a semver range for what `program --version` prints. */
export interface Requirement {
  readonly program: string;
  readonly range?: string;
}

/** Another tool that must exist. */
export interface Dependency {
  readonly tool: string;
  readonly range?: string;
}

export interface Returns {
  readonly schema: ParameterSchema;
  readonly description: string;
}

/** What a person would say, and the arguments of the call that it should lead to. Without any, it must not lead here. */
export interface Ask {
  readonly text: string;
  readonly arguments?: JsonObject;
}

export interface ToolTest {
  readonly name: string;
  readonly description?: string;
  /** `temporary` is an empty folder of its own, `definition` the folder of the definition (`in .`). */
  readonly folder: "temporary" | "definition";
  readonly arguments: JsonObject;
  readonly expectations: readonly Expectation[];
  /** Lines for `sh`, run in the test's folder. */
  readonly setup: readonly string[];
  readonly cleanup: readonly string[];
}

export type Expectation =
  | { readonly kind: "exit-code"; readonly exitCode: number }
  | {
      readonly kind: "output-contains" | "output-equals" | "output-not-contains" | "error-contains";
      readonly text: string;
    }
  | { readonly kind: "output-matches"; readonly source: string; readonly flags: string }
  | { readonly kind: "file-exists" | "directory-exists" | "not-file-exists"; readonly path: string }
  | { readonly kind: "file-contains"; readonly path: string; readonly text: string }
  | { readonly kind: "result"; readonly value: Json };

/** Returns the definition's own commands, for every platform and alternative. */
export function commandsOf(definition: ToolDefinition): readonly CommandTemplate[] {
  switch (definition.kind) {
    case "base":
    case "alias":
    case "code":
      return [];
    case "wrapped":
      return [
        ...definition.commands.map(({ command }) => command),
        ...(definition.fallback ? [definition.fallback] : []),
      ];
    case "steps":
      return actionsOf(definition).flatMap((action) =>
        action.kind === "command" ? action.commands.map(({ command }) => command) : [],
      );
  }
}

export function actionsOf({ steps, cleanup }: StepsDefinition): readonly StepAction[] {
  return [...steps, ...cleanup].flatMap(({ action, fallback }) => [action, ...(fallback ? [fallback] : [])]);
}

/** Yields the names, and all that they lead to, each once. */
export function* reachedFrom(
  names: Iterable<string>,
  below: (name: string) => Iterable<string>,
): Generator<string, void, undefined> {
  const seen = new Set<string>();
  const waiting = [...names];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    yield next;
    waiting.push(...below(next));
  }
}

/** The names of the tools that it wraps, stands for or calls; each once. */
export function underlyingTools(definition: ToolDefinition): readonly string[] {
  switch (definition.kind) {
    case "base":
      return [];
    case "code":
      return [...new Set((definition.allows ?? []).flatMap((allowance) => toolOfAllowance(allowance) ?? []))];
    case "alias":
    case "wrapped":
      return [definition.base.value];
    case "steps":
      return [...new Set(actionsOf(definition).flatMap(toolOf))];
  }
}

function toolOf(action: StepAction): readonly string[] {
  switch (action.kind) {
    case "tool":
      return [action.tool.value];
    case "prompt":
      return ["ask_model"];
    case "command":
      return ["run_command"];
    case "code":
      return action.language === "python" ? ["run_command"] : [];
  }
}
