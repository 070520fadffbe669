// The commands as data, for main (is this word a command?), help and completion, which load nothing for it: those of
// the command line itself, and those of features.
import { type FeatureRow, featureRows } from "../core/tool/feature.ts";
import type { Command } from "./command.ts";

export interface CommandRow {
  readonly name: string;
  /** Absent: not shown, because only dottool itself starts it. */
  readonly summary?: string;
  /** Set if a model, or a queue, makes its calls: their processes could read this process in /proc. */
  readonly callsForModels?: true;
  /** Set if `--trace` works with it. */
  readonly traces?: true;
  /** Set if `--detach` works with it. */
  readonly detaches?: true;
  /** Set if it serves for hours, so that its memory counts more than its speed. */
  readonly lasts?: true;
}

type CommandLoads = Readonly<Record<string, () => Promise<Command>>>;

declare module "../core/tool/feature.ts" {
  interface FeatureRow {
    readonly commands?: readonly CommandRow[];
  }
  interface Feature {
    readonly commands?: CommandLoads;
  }
}

const ownRows: readonly CommandRow[] = [
  { name: "run", summary: "run a tool, as `dottool NAME` does", traces: true, detaches: true },
  { name: "call", summary: "run a tool with its arguments as options or JSON", traces: true, detaches: true },
  { name: "trust", summary: "let a project's tools run, after you review them" },
  { name: "untrust", summary: "revoke trust in a project" },
  { name: "allow", summary: "let models call a tool without asking, until it changes" },
  { name: "help", summary: "show help on a command or a tool", traces: true, detaches: true },
];

const ownLoads: CommandLoads = {
  run: async () => (await import("./commands/run.ts")).runCommand,
  call: async () => (await import("./commands/call-command.ts")).callCommand,
  trust: async () => (await import("./commands/trust.ts")).trustCommand,
  untrust: async () => (await import("./commands/untrust.ts")).untrustCommand,
  allow: async () => (await import("./commands/allow.ts")).allowCommand,
  help: async () => (await import("./commands/help.ts")).helpCommand,
};

/** Returns the commands that are shown, in the order of help. */
export function commands(): readonly Required<Pick<CommandRow, "name" | "summary">>[] {
  return commandRows().flatMap(({ name, summary }) => (summary === undefined ? [] : [{ name, summary }]));
}

export function isCommandName(word: string): boolean {
  return commandRow(word) !== undefined;
}

export function commandRow(name: string): CommandRow | undefined {
  return commandRows().find((row) => row.name === name);
}

/** Returns undefined if there is no such command. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const own = ownLoads[name];
  if (own) return own();
  const { feature } = (await rowWith(name)?.load()) ?? {};
  return feature?.commands?.[name]?.();
}

function rowWith(name: string): FeatureRow | undefined {
  return featureRows().find((row) => row.commands?.some((command) => command.name === name));
}

/** Returns all commands, those that are not shown too. */
export function commandRows(): readonly CommandRow[] {
  return [...ownRows, ...featureRows().flatMap((row) => row.commands ?? [])];
}
