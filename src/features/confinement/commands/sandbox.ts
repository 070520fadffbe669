// `dottool sandbox -- CMD`: runs any command as a tool with `@sandbox strict` would run.
import { relative, resolve } from "node:path";
import { allowedBy } from "../../../core/base/allowed-by.ts";
import { commandLine } from "../../../core/base/quote.ts";
import { processEnvironment } from "../../../core/base/process-environment.ts";
import { pathBelow, readSandboxSettings, type SandboxSettings } from "../../../core/base/sandbox-settings.ts";
import { exitCodes, failureExitCode } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type Blocked, type Confinement, hostPattern, type SandboxReport } from "../../../core/tool/confinement.ts";
import type { Host, SpawnResult } from "../../../core/tool/host.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import type { WorkPlaces } from "../work-places.ts";
import { isInsideRun } from "../../../core/catalog/trust.ts";
import { projectOf } from "../../../core/policy/project.ts";
import { unwrittenText } from "../../../cli/view/write-or-tell.ts";
import type { OptionRow } from "../../../cli/words/option-words.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { mayTakeErrors } from "../host/blocked.ts";
import { wallLines } from "../wall.ts";
import { exitCodeOfRun, learn, reportNotRun } from "./learn.ts";

const LEVELS = ["strict", "custom", "none"] as const;

function levelOf(input: CommandInput): (typeof LEVELS)[number] {
  return LEVELS.find((one) => one === input.value("level")) ?? "strict";
}

export const placeOptions: readonly OptionRow[] = [
  {
    name: "write",
    value: "PATH",
    does: "a file or folder that it may write; `.` is the working folder, and `NEW/` is created",
  },
  { name: "read", value: "PATH", does: "another file or folder that it may read" },
  {
    name: "network",
    value: "HOST",
    does: "a host that it may reach, such as `api.github.com`; `*` is every public host",
  },
];

export const sandboxCommand: WordsCommand = {
  kind: "words",
  usage: [
    "sandbox [--level LEVEL] [--write PATH]… [--read PATH]… [--network HOST]… [--work] [--git] [--say] -- COMMAND [ARGUMENT…]",
    "sandbox --learn [--write PATH]… [--read PATH]… [--network HOST]… -- COMMAND [ARGUMENT…]",
    "sandbox --allow HOST [--days N]",
  ],
  about:
    "Runs a command that sees the system's programs and the working folder, read-only, and nothing else: no home folder, no network, no other processes. Everything that it starts ends with it. " +
    "Its input, output and exit code are those of the command. If the sandbox does not work here, the command does not run.",
  options: [
    {
      name: "level",
      value: "LEVEL",
      choices: LEVELS,
      does: "`strict` (default), `custom` for the command in your `config.yaml`, or `none`",
    },
    ...placeOptions,
    {
      name: "work",
      does: "let it write in the project, see what is installed in folders of PATH, and keep a home folder and temporary files of its own for the next command with `--work` in this project",
    },
    { name: "git", does: "with `--work`: let git write its data in `.git`, but not settings and hooks" },
    {
      name: "allow",
      value: "HOST",
      does: "let commands with `--work` in this project reach a host from now on, for a day; no command runs",
    },
    { name: "days", value: "N", does: "with `--allow`: for N days; 0 ends it" },
    {
      name: "learn",
      does: "run it until it succeeds, opening what it names, and print the fewest options with which it does",
    },
    { name: "say", does: "afterwards, print to standard error which sandbox it ran in" },
  ],
  words: [0, 100_000],
  examples: [
    ["dottool sandbox -- make test", "find out whether the tests need more than the folder"],
    ["dottool sandbox --write . -- npm test", "let it write in the working folder"],
    ["dottool sandbox --learn -- make test", "print the options with which the tests pass"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    const { host, cwd } = opened;
    if (input.has("allow")) return allow(input, context, { host, cwd });
    if (input.has("days")) return reportUsage(context.terminal, "`--days` needs `--allow`", "sandbox");
    if (input.words.length === 0)
      return reportUsage(context.terminal, "the command is missing: write it behind `--`", "sandbox");
    const settings = await settingsFor(host, context);
    if (typeof settings === "number") return settings;
    const level = levelOf(input);
    if (level === "custom" && !settings?.prefix)
      return reportUsage(
        context.terminal,
        "`--level custom` needs `custom` below `sandbox` in your `config.yaml`",
        "sandbox",
      );
    if (input.has("git") && !input.has("work"))
      return reportUsage(context.terminal, "`--git` needs `--work`", "sandbox");
    const places = namedPlaces(input, host, cwd);
    if ("problem" in places) return reportUsage(context.terminal, places.problem, "sandbox");
    const work = input.has("work") ? (await import("../work-places.ts")).workPlaces(host, cwd) : undefined;
    const confinement = level === "none" ? undefined : confinementOf(level, { input, places, cwd, settings, work });
    if (input.has("learn")) {
      if (confinement?.level !== "strict" || work)
        return reportUsage(context.terminal, "`--learn` is for the level `strict`, without `--work`", "sandbox");
      return learn(input.words, confinement, { opened, context });
    }
    const takesErrors = level === "strict" && mayTakeErrors();
    const result = await host.processes.run({
      argv: input.words,
      cwd,
      environment: processEnvironment(host, { declared: work?.environment ?? {}, inherits: true }),
      hasTerminal: true,
      takesErrors,
      signal: context.terminal.signal,
      outputBytesMax: takesErrors ? Number.POSITIVE_INFINITY : 0,
      onOutput: (_stream, bytes) => context.terminal.errors.write(bytes),
      confinement: confinement ?? { unconfined: "typed" },
    });
    return end(result, { input, context, cwd, confinement });
  },
};

async function allow(
  input: CommandInput,
  { terminal }: CommandContext,
  { host, cwd }: { readonly host: Host; readonly cwd: string },
): Promise<number> {
  const name = input.value("allow") ?? "";
  const days = input.value("days") ?? "1";
  const { allowHost, DAYS_MAX } = await import("../allowed-hosts.ts");
  if (input.words.length > 0 || !hostPattern.test(name) || name === "*")
    return reportUsage(
      terminal,
      input.words.length > 0
        ? "`--allow` runs no command; to let one command reach a host, use `--network`"
        : `\`--allow\` takes a host such as \`api.github.com\`, \`*.github.com\` or \`github.com:22\`; got \`${printable(name)}\``,
      "sandbox",
    );
  if (!/^\d{1,3}$/.test(days) || Number(days) > DAYS_MAX)
    return reportUsage(
      terminal,
      `\`--days\` takes a number from 0 to ${DAYS_MAX}; got \`${printable(days)}\``,
      "sandbox",
    );
  if (isInsideRun(host)) {
    terminal.errors.write(
      "failed[denied]: a tool started this command, and only a person may allow a host\n  = run it in your own terminal\n",
    );
    return exitCodes.denied;
  }
  const project = projectOf(cwd, host);
  try {
    await allowHost(name, { project, days: Number(days), host });
  } catch (error) {
    terminal.errors.write(unwrittenText("file", "the list of hosts", error));
    return exitCodes.failed;
  }
  const term = Number(days) === 0 ? "no longer reach" : "reach";
  const until = Number(days) === 0 ? "" : ` for ${days === "1" ? "a day" : `${days} days`}`;
  terminal.output.write(`commands with \`--work\` in \`${printable(project)}\` ${term} ${name}${until}\n`);
  return exitCodes.done;
}

type Places = Pick<Confinement, "writes" | "reads" | "hosts">;

/** Returns what `placeOptions` name. A problem would silently reach less than was meant. */
export function namedPlaces(input: CommandInput, host: Host, cwd: string): Places | { readonly problem: string } {
  const hosts = input.values("network");
  const wrong = hosts.find((one) => !hostPattern.test(one));
  if (wrong !== undefined)
    return {
      problem: `\`--network\` takes a host such as \`api.github.com\`, \`*.github.com\`, \`github.com:22\` or \`*\`; got \`${printable(wrong)}\``,
    };
  const pathOf = (text: string): string => resolve(cwd, pathBelow(host.folders.home, text));
  const path = input.values("read").find((one) => host.instant.stat(pathOf(one)) === undefined);
  if (path !== undefined) return { problem: `\`--read\` takes a file or folder; there is no \`${printable(path)}\`` };
  const writes = input.values("write").map((text) => (text.endsWith("/") ? `${pathOf(text)}/` : pathOf(text)));
  return { writes, reads: input.values("read").map(pathOf), hosts };
}

async function settingsFor(host: Host, { terminal }: CommandContext): Promise<SandboxSettings | undefined | number> {
  try {
    return await readSandboxSettings(host);
  } catch (error) {
    terminal.errors.write(`failed[config]: ${printable(error instanceof Error ? error.message : String(error))}\n`);
    return exitCodes.failed;
  }
}

interface Asked {
  readonly input: CommandInput;
  readonly places: Places;
  readonly cwd: string;
  readonly settings: SandboxSettings | undefined;
  readonly work: WorkPlaces | undefined;
}

function confinementOf(level: string, { input, places, cwd, settings, work }: Asked): Confinement {
  return {
    level: level === "custom" ? "custom" : "strict",
    folder: cwd,
    writes: [...(work ? [work.project] : []), ...places.writes],
    reads: [...(settings?.reads ?? []), ...(work?.reads ?? []), ...places.reads],
    hosts: [...places.hosts, ...(work?.hosts ?? [])],
    ...(work ? { privateFolder: work.privateFolder } : {}),
    ...(input.has("git") ? { writesGit: true as const } : {}),
    widenedBy: "options",
    ...(settings?.prefix ? { prefix: settings.prefix } : {}),
  };
}

interface Ended {
  readonly input: CommandInput;
  readonly context: CommandContext;
  readonly cwd: string;
  readonly confinement: Confinement | undefined;
}

async function end(result: SpawnResult, { input, context, cwd, confinement }: Ended): Promise<number> {
  const program = input.words[0] ?? "";
  const { errors } = context.terminal;
  if (result.kind !== "exited") return reportNotRun(result, program, context);
  const { report } = result;
  if (input.has("say"))
    errors.write(
      saidOf(report, confinement)
        .map((line) => `${line}\n`)
        .join(""),
    );
  else if (report && report.missing.length > 0) {
    const { sandboxNote } = await import("../../../core/run/sandbox-note.ts");
    errors.write(sandboxNote({ sandbox: { level: levelOf(input), ...report } }, "person"));
  }
  const { blocked = [] } = report ?? {};
  if (blocked === "unseen")
    errors.write(
      `note: if the sandbox is the reason, \`dottool sandbox --learn -- ${printable(commandLine(input.words))}\` says what it needs\n`,
    );
  else if (blocked.length > 0 && confinement) {
    const isOfGit = ({ kind, name }: Blocked): boolean =>
      kind === "write" && GIT_FOLDER.test(name) && input.has("work");
    const allowing = allowedBy(
      blocked.filter((one) => !isOfGit(one)),
      confinement,
    ).join(" ");
    const { keptText } = await import("../../../core/run/sandbox-note.ts");
    errors.write(
      `note: ${keptText(blocked, { program, folder: cwd })}${allowing === "" ? "" : `; \`${allowing}\` allows it`}${
        blocked.some(isOfGit) ? "; git's commands in a line of their own may write it" : ""
      }\n`,
    );
  }
  const isSaid = blocked !== "unseen" && blocked.some(({ guard }) => guard === "keys");
  if (!isSaid && (blocked === "unseen" || READS_ALL.test(input.words.join(" "))))
    errors.write(hiddenNote((report?.hidden ?? []).map((path) => relative(cwd, path))));
  if (result.stopped === "aborted") return failureExitCode({ kind: "cancelled" });
  return exitCodeOfRun(result, program);
}

function saidOf(
  { sandbox, engines = [], missing }: SandboxReport = { sandbox: "none", missing: [] },
  confinement: Confinement | undefined,
): readonly string[] {
  const head = `sandbox: ${sandbox}${engines.length === 0 ? "" : ` by ${engines.join(" and ")}`}`;
  if (confinement && sandbox !== "none") return wallLines(head, confinement, missing);
  return [missing.length === 0 ? head : `${head}: ${missing.map(printable).join("; ")}`];
}

const GIT_FOLDER = /\/\.git$/;
/** git takes a hidden file for a changed one, and reports no error. */
const READS_ALL = /\bgit\b/;
const SHOWN_MAX = 5;

function hiddenNote(hidden: readonly string[]): string {
  const [first] = hidden;
  if (first === undefined) return "";
  const shown = hidden.slice(0, SHOWN_MAX).map((path) => `\`${printable(path)}\``);
  const more = hidden.length > SHOWN_MAX ? ` and ${hidden.length - SHOWN_MAX} more` : "";
  return `note: the sandbox hides files that may have keys: ${shown.join(", ")}${more}; \`--read ${printable(first)}\` shows one\n`;
}
