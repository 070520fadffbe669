// The commands as data, for main (is this word a command?), help and completion, which load nothing for it: those of
// the command line itself, and those of features.
import { type FeatureRow, featureRows } from "../core/tool/feature.ts";
import type { Command } from "./command.ts";

/** The groups of `help --all`, in its order. */
export const commandGroups = {
  use: "Use tools",
  write: "Write tools",
  share: "Share tools",
  agents: "Agents and models",
  administer: "Administer",
} as const;

interface ShownAs {
  readonly summary: string;
  readonly group: keyof typeof commandGroups;
  /** Its place in `--help`, which shows only these. */
  readonly place?: number;
}

/** Without a summary and a group it is not shown, because only dottool itself starts it. */
export type CommandRow = CommandTraits & (ShownAs | { readonly summary?: undefined });

interface CommandTraits {
  readonly name: string;
  /** Set if a model, or a queue, makes its calls: their processes could read this process in /proc. */
  readonly callsForModels?: true;
  /** Set if `--trace` works with it. */
  readonly traces?: true;
  /** Set if `--detach` works with it. */
  readonly detaches?: true;
  /** Set if it serves for hours, so that its memory counts more than its speed. */
  readonly lasts?: true;
  /** Set if a person looks around with it: a bundle says behind it that a newer one is there. */
  readonly isForLooking?: true;
  /** Set if `--yes` does not answer its question: how else to answer it. */
  readonly withoutYes?: string;
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
  { name: "run", group: "use", summary: "run a tool, as `dottool NAME` does", traces: true, detaches: true },
  {
    name: "call",
    group: "use",
    summary: "run a tool with its arguments as options or JSON",
    traces: true,
    detaches: true,
  },
  {
    name: "trust",
    group: "administer",
    summary: "let a project's tools run, after you review them",
    withoutYes:
      "run `dottool trust` at a terminal, or set DOTTOOL_TRUST to the hash that `dottool trust --show` ends with",
  },
  { name: "untrust", group: "administer", summary: "revoke trust in a project" },
  { name: "allow", group: "agents", summary: "let models call a tool without asking, until it changes" },
  {
    name: "help",
    group: "use",
    summary: "show help on a command or a tool, or `exit-codes`",
    traces: true,
    detaches: true,
    isForLooking: true,
  },
];

const ownLoads: CommandLoads = {
  run: async () => (await import("./commands/run.ts")).runCommand,
  call: async () => (await import("./commands/call-command.ts")).callCommand,
  trust: async () => (await import("./commands/trust.ts")).trustCommand,
  untrust: async () => (await import("./commands/untrust.ts")).untrustCommand,
  allow: async () => (await import("./commands/allow.ts")).allowCommand,
  help: async () => (await import("./commands/help.ts")).helpCommand,
};

export type ShownCommand = CommandTraits & ShownAs;

/** Returns the commands that are shown, in the order of `help --all`. */
export function commands(): readonly ShownCommand[] {
  const shown = commandRows().filter((row): row is ShownCommand => row.summary !== undefined);
  const order = Object.keys(commandGroups);
  return shown.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
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
