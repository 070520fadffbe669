// `dottool resident`: a process that is kept ready to make calls, and the launcher through which calls reach it.
import { resolve } from "node:path";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import { versionText } from "../../../core/tool/bundle-marker.ts";
import { version } from "../../../generated/version.ts";
import { createNodeHost } from "../../../core/host/node-host.ts";
import { isLauncher, writeLauncher } from "../host/launcher-file.ts";
import { askResident, type ResidentStatus, startResident, stopResident } from "../host/resident-client.ts";
import { readyFolder, type ResidentPlace, residentPlace, unusableFolder } from "../host/resident-place.ts";
import { readUserConfig } from "../../../core/base/user-config.ts";
import type { Host } from "../../../core/tool/host.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";

const IDLE_S_DEFAULT = 600;
const IDLE_S_MAX = 86_400;

export const residentCommand: WordsCommand = {
  kind: "words",
  usage: [
    "resident start [--idle SECONDS] [--on-demand] [--json]",
    "resident status [--json]",
    "resident stop [--json]",
    "resident launcher FILE",
  ],
  about:
    "Keeps a process ready that makes calls without the start of the program, which is most of the time of a short call. " +
    "`launcher` writes a small program to FILE; call that in place of the executable, under the same name. It hands calls to the resident process if there is one, and starts dottool itself for everything else. " +
    "With `resident: true` in your `config.yaml` the first call through the launcher starts the process. It ends after 10 minutes without a call, or when dottool is replaced.",
  options: [
    { name: "idle", value: "SECONDS", does: "end after this time without a call; default: 600" },
    { name: "on-demand", does: "start only if `config.yaml` says `resident: true`, as the launcher does" },
    { name: "json", does: "print as JSON" },
  ],
  words: [1, 2],
  examples: [
    [
      "~/.local/lib/dottool/dottool resident launcher ~/.local/bin/dottool",
      "let `dottool` be a launcher for the executable there",
    ],
    ["dottool resident start", "start the process now"],
    ["dottool resident status", "show whether it runs, and what it has done"],
  ],
  run: async (input, context) => {
    const [action = "", file, more] = input.words;
    const wrong = usageProblem(action, file ?? more, input);
    if (wrong !== undefined) return reportUsage(context.terminal, wrong, "resident");
    const host = createNodeHost();
    const { executable } = host;
    const refused = refusal(host);
    if (refused !== undefined || executable === undefined) return fail(context, refused ?? "");
    if (action === "launcher")
      return launcher(resolve(context.terminal.workingFolder(), file ?? ""), executable, context);
    const place = residentPlace(executable, host.environment("XDG_RUNTIME_DIR"));
    const trouble = action === "start" ? readyFolder(place) : unusableFolder(place);
    if (trouble !== undefined) return fail(context, trouble);
    if (action === "start") return start(place, host, { input, context });
    const status = await (action === "stop" ? stopResident(place) : askResident(place, "status"));
    return report(action === "stop" ? "stopped" : "running", status, { input, context });
  },
};

function usageProblem(action: string, file: string | undefined, input: CommandInput): string | undefined {
  if (!["start", "stop", "status", "launcher"].includes(action))
    return `expected \`start\`, \`stop\`, \`status\` or \`launcher\`, got \`${action}\``;
  if (action === "launcher" && file === undefined) return "`launcher` needs the FILE to write";
  if (action !== "launcher" && file !== undefined) return `unexpected argument \`${file}\``;
  if (action !== "start" && (input.has("idle") || input.has("on-demand")))
    return "`--idle` and `--on-demand` go with `start`";
  const idle = input.value("idle");
  return idle === undefined || idleSeconds(idle) !== undefined
    ? undefined
    : `\`--idle\` must be a whole number of seconds from 1 to ${IDLE_S_MAX}, got \`${idle}\``;
}

function idleSeconds(text: string): number | undefined {
  const seconds = Number(text);
  return /^\d+$/.test(text) && seconds >= 1 && seconds <= IDLE_S_MAX ? seconds : undefined;
}

function refusal({ platform, executable, bundle }: Host): string | undefined {
  if (platform !== "linux") return "a resident process works on Linux alone";
  if (bundle) return "a bundled program has no resident process; install dottool itself for that";
  return executable === undefined
    ? "a resident process works with the executable alone, not with its sources"
    : undefined;
}

function fail({ terminal }: CommandContext, why: string): number {
  terminal.errors.write(`failed[resident]: ${printable(why)}\n`);
  return exitCodes.failed;
}

async function start(place: ResidentPlace, host: Host, shown: Shown): Promise<number> {
  const { input, context } = shown;
  if (input.has("on-demand") && !(await isWanted(host))) return exitCodes.done;
  const before = await askResident(place, "status");
  if (before) return report("running", before, shown);
  const idle = idleSeconds(input.value("idle") ?? "") ?? IDLE_S_DEFAULT;
  const status = await startResident(place, ["__resident", String(idle)]);
  return status ? report("started", status, shown) : fail(context, "the process did not start");
}

async function isWanted(host: Host): Promise<boolean> {
  const { openYaml } = await import("../../../core/base/yaml-fields.ts");
  return openYaml(readUserConfig(host).text).root?.flag("resident") === true;
}

interface Shown {
  readonly input: CommandInput;
  readonly context: CommandContext;
}

function report(
  state: "started" | "running" | "stopped",
  status: ResidentStatus | undefined,
  { input, context }: Shown,
): number {
  const { terminal } = context;
  if (input.has("json")) writeJson(terminal, status ? { state, ...status } : { state: "none" });
  else if (!status) terminal.output.write("no resident process is running; `dottool resident start` starts one\n");
  else terminal.output.write(`${state}: process ${status.pid}${state === "started" ? "" : factsText(status)}\n`);
  return exitCodes.done;
}

function factsText({ calls, ordinaryWay, needs, running, memoryBytes, idleMs }: ResidentStatus): string {
  const left = ordinaryWay === 0 ? "" : `, ${ordinaryWay} of them left to the executable`;
  const why = Object.entries(needs).map(([need, count]) => `\n    ${count} for ${printable(need)}`);
  return `\n  calls: ${calls}${left}; ${running} running${why.join("")}\n  last call: ${Math.round(idleMs / 1000)} s ago\n  memory: ${Math.round(memoryBytes / 1e6)} MB`;
}

/** Writes the launcher, but over nothing else than a launcher. */
function launcher(file: string, executable: string, context: CommandContext): number {
  const { terminal } = context;
  try {
    if (isLauncher(file) === false)
      return fail(
        context,
        `\`${file}\` exists and is not a launcher; choose another FILE, or move that one away${file === executable ? " and run it from there" : ""}`,
      );
    switch (writeLauncher(file, executable, `${versionText(version, undefined)}\n`)) {
      case "not-built":
        return fail(context, "this executable was built without a launcher");
      case "too-long":
        return fail(context, `the path \`${executable}\` is too long for a launcher`);
      case "written":
        terminal.output.write(`wrote ${printable(file)}, a launcher for ${printable(executable)}\n`);
        return exitCodes.done;
    }
  } catch (error) {
    return fail(context, `\`${file}\` cannot be written (${codeOf(error) ?? "error"})`);
  }
}
