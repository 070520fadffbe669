// A name without an owner that no tool has: it means the tool of its only owner, as on the command line. So a definition
// may use `translate`, wherever `official/translate` comes from.
import { isRemoteName } from "../tool/remote-name.ts";
import type { Spanned } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Step, StepAction } from "../tool/step.ts";

interface KnownNames {
  /** The names that definitions want, whatever became of them. */
  wanted(): Iterable<string>;
  /** Whether a tool made in TypeScript has the name, or a definition wants it. */
  isTaken(name: string): boolean;
  /** Whether a call of the name reaches a definition without errors. */
  isUsed(name: string): boolean;
  /** Whether that definition may run. Asked only where several owners have one. */
  isTrusted(name: string): boolean;
}

export class SoleOwners {
  private readonly known: KnownNames;

  constructor(known: KnownNames) {
    this.known = known;
  }

  /** Returns the whole name of the tool that a definition called `user` means by `name`. */
  nameFor(name: string, user: string): string {
    const { wanted, isTaken, isUsed, isTrusted } = this.known;
    if (name.includes("/") || isRemoteName(name) || isTaken(name)) return name;
    // Meaning itself would be a circle, which is not what its author wrote.
    const owned = [...wanted()].filter((one) => one.endsWith(`/${name}`) && one !== user && isUsed(one));
    const own = `${user.split("/", 1)[0] ?? ""}/${name}`;
    if (owned.length < 2 || owned.includes(own)) return owned.includes(own) ? own : (owned[0] ?? name);
    const trusted = owned.filter(isTrusted);
    return trusted.length === 1 ? (trusted[0] ?? name) : name;
  }
}

// A definition with other names for the tools that it uses.

export function withToolNames(definition: ToolDefinition, nameOf: (name: string) => string): ToolDefinition {
  const renamed = (tool: Spanned<string>): Spanned<string> => ({ ...tool, value: nameOf(tool.value) });
  const action = (one: StepAction): StepAction => (one.kind === "tool" ? { ...one, tool: renamed(one.tool) } : one);
  const step = (one: Step): Step => ({
    ...one,
    action: action(one.action),
    ...(one.fallback && { fallback: action(one.fallback) }),
  });
  const depends = definition.depends.map((one) => ({ ...one, tool: nameOf(one.tool) }));
  if (definition.kind === "alias" || definition.kind === "wrapped")
    return { ...definition, depends, base: renamed(definition.base) };
  return definition.kind === "steps"
    ? { ...definition, depends, steps: definition.steps.map(step), cleanup: definition.cleanup.map(step) }
    : { ...definition, depends };
}
