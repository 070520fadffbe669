// What trust answers for: a person has seen what a definition could run, and over MCP the client asks its own person
// about each call; a worker was started to run what is trusted on its machine. Trust cannot answer for what a definition leaves to its caller: a program, any option of one, the
// file that runs, or a whole base tool.
import { codeParameters, isCode } from "../schema/program-text.ts";
import type { Json } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import type { CommandTemplate } from "../tool/command.ts";
import { actionsOf, commandsOf } from "../tool/definition.ts";
import { openValuesOf } from "../tool/open-value.ts";
import type { Host } from "../tool/host.ts";
import type { PolicyRule } from "../tool/policy-rule.ts";
import type { Preset } from "../tool/template.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";
import { decidingNames } from "./approvals.ts";
import { executedByCall, runsItsArguments } from "./deciding-arguments.ts";
import { projectOf } from "./project.ts";

interface Place {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
}

/** The gate has refused a definition that is not trusted before. */
export function trustedDefinitions({ host, cwd }: Place): PolicyRule {
  return {
    name: "trusted",
    decision: "allow",
    reason: "a person has trusted what it runs",
    matches: (call, caller) =>
      (caller === "mcp" || caller === "worker") &&
      !onlyReads(call.tool) &&
      isBounded(call.tool) &&
      !leavesMore(call, { host, cwd }),
  };
}

/**
 * Whether a tool of the user's own runs files of the project in which it is called, which the user may never have seen.
 */
export function runsForeignFiles(call: PreparedCall, { host, cwd }: Place): boolean {
  const { origin } = call.tool.definition;
  if (origin.kind !== "file" || !/^(?:bundle|user|global|package)$/.test(origin.scope)) return false;
  const executed = executedByCall(call, { host, cwd, project: projectOf(cwd, host) });
  return (
    !executed ||
    [...executed.files].some((path) => host.instant.stat(path)?.kind === "file") ||
    [...executed.importsFrom].some((folder) => holdsPython(folder, host))
  );
}

function holdsPython(folder: string, { instant }: Host): boolean {
  return instant.stat(folder)?.kind === "folder" && instant.names(folder).some((name) => name.endsWith(".py"));
}

/** Returns whether the tool only reads: policy allows such a call anyway. */
function onlyReads({ effects }: Tool): boolean {
  return effects.length > 0 && effects.every((effect) => effect === "read");
}

/** Whether the author of a definition or a plugin decided what runs. */
function isBounded(tool: Tool): boolean {
  const { definition } = tool;
  const { origin } = definition;
  if (origin.kind === "plugin") return true;
  if (origin.kind !== "file" || origin.scope === "builtin" || origin.isUnapproved) return false;
  const below = tool.underlying ?? [];
  switch (definition.kind) {
    case "alias":
      return below.every(isBounded);
    case "wrapped":
      return (
        definition.commands.length > 0 ||
        below.every((one) => isBounded(one) || isHeld(one, definition.presets, tool.parameters))
      );
    case "steps":
      return actionsOf(definition).every((one) => {
        const target =
          one.kind === "tool" ? below.find((each) => each.definition.name.value === one.tool.value) : undefined;
        return one.kind !== "tool" || !target || isBounded(target) || isHeld(target, one.arguments, []);
      });
    default:
      return true;
  }
}

/**
 * Whether the author decides where a base tool works: it only reads, or each of its paths and addresses is
 * written out. `passed` are parameters that reach it by their names; without a value, a call is refused or has none.
 */
function isHeld(base: Tool, presets: readonly Preset[], passed: readonly Parameter[]): boolean {
  if (onlyReads(base)) return true;
  if (runsItsArguments(base)) return false;
  return base.parameters.filter(isPlace).every(({ name }) => {
    const preset = presets.find(({ parameter }) => parameter.value === name);
    return preset ? !/(?<!\{)\{(?!\{)/.test(preset.text.value) : !passed.some((one) => one.name === name);
  });
}

function isPlace({ schema }: Parameter): boolean {
  return schema.type === "string" && (schema.format === "path" || schema.format === "url" || isCode(schema));
}

/** Whether the call decides more than data: a program, a file that runs, a subcommand, or an option. */
function leavesMore({ tool, arguments: args }: PreparedCall, place: Place): boolean {
  return (
    codeParameters(tool.parameters).length > 0 ||
    decidingNames(tool, place).length > 0 ||
    commandsBelow(tool).some((command) => openValuesOf(command).some(({ by }) => by === "subcommand")) ||
    tool.parameters.some(
      ({ name, schema, flags }) => (flags === true || schema.type === "array") && holdsOption(args[name]),
    )
  );
}

/** The commands of the tool and of the tools below it. */
function commandsBelow({ definition, underlying = [] }: Tool): readonly CommandTemplate[] {
  return [...commandsOf(definition), ...underlying.flatMap(commandsBelow)];
}

function holdsOption(value: Json | undefined): boolean {
  return typeof value === "string" ? value.startsWith("-") : Array.isArray(value) && value.some(holdsOption);
}
