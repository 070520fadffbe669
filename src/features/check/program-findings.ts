// The programs that tools need, and the bundled tools that need none. A bundled tool may work in another way on each
// platform, so all of its programs are shown, not only those that it requires.
import type { OpenedSession } from "../../core/session/assemble.ts";
import { commandFor } from "../../core/builder/wrapped.ts";
import type { CommandTemplate, Platform } from "../../core/tool/command.ts";
import { actionsOf, type Requirement, type ToolDefinition } from "../../core/tool/definition.ts";
import type { Finding } from "../../cli/finding.ts";
import { installText } from "./program-packages.ts";

export function programFindings({ host, session }: OpenedSession): readonly Finding[] {
  const wanted = new Map<string, { readonly tools: string[]; readonly ranges: Set<string> }>();
  const inProcess: string[] = [];
  for (const name of session.registry.names()) {
    const definition = session.registry.find(name)?.definition;
    if (!definition || definition.platforms?.includes(host.platform) === false) continue;
    const needed = isBundled(definition) ? programsOf(definition, host.platform) : definition.requires;
    if (needed.length === 0 && isBundled(definition)) inProcess.push(name);
    for (const { program, range } of needed) {
      const known = wanted.get(program) ?? { tools: [], ranges: new Set() };
      if (!known.tools.includes(name)) known.tools.push(name);
      if (range !== undefined) known.ranges.add(range);
      wanted.set(program, known);
    }
  }
  const programs = [...wanted].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    { group: "Programs", name: "none", works: true, fact: `for ${shownNames(inProcess)}` },
    ...programs.map(([program, { tools, ranges }]): Finding => {
      const path = host.processes.find(program, host.environment("PATH") ?? "");
      const users = `for ${shownNames(tools)}`;
      if (path === undefined)
        return {
          group: "Programs",
          name: program,
          works: false,
          ...(tools.every((tool) => isBundled(session.registry.find(tool)?.definition)) ? { isUnneeded: true } : {}),
          fact: users,
          help: installText(program, host.platform),
        };
      if (ranges.size === 0) return { group: "Programs", name: program, works: true, fact: `${path}, ${users}` };
      return {
        group: "Programs",
        name: program,
        works: "unasked",
        fact: `${path}, version not checked (must be ${[...ranges].join(" and ")}), ${users}`,
      };
    }),
  ];
}

export function isBundled(definition: ToolDefinition | undefined): boolean {
  const origin = definition?.origin;
  return origin?.kind === "file" && origin.scope === "builtin";
}

/** Returns the programs that it requires, and those that its commands start here. */
function programsOf(definition: ToolDefinition, platform: Platform): readonly Requirement[] {
  const started = commandsHere(definition, platform).flatMap((command) => {
    const [program] = command.kind === "direct" ? (command.words[0]?.parts ?? []) : [];
    return typeof program === "string" ? [{ program }] : [];
  });
  return [...definition.requires, ...started];
}

export function commandsHere(definition: ToolDefinition, platform: Platform): readonly CommandTemplate[] {
  const alternatives =
    definition.kind === "wrapped"
      ? [definition.commands]
      : definition.kind === "steps"
        ? actionsOf(definition).flatMap((action) => (action.kind === "command" ? [action.commands] : []))
        : [];
  return alternatives.flatMap((commands) => commandFor(commands, platform) ?? []);
}

function shownNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
