// `dottool hook CLIENT`: judges one call of another agent's tool, as its hook before each tool. Whatever goes wrong is
// a question to the person, since most clients go on when their hook fails.
import { isAbsolute, resolve } from "node:path";
import {
  type ClientName,
  clientNames,
  type HookCall,
  type HookDecision,
  hookFormats,
  isClientName,
  readHookInput,
  unasked,
} from "../formats.ts";
import { judgeHook } from "../judge-hook.ts";
import { ownProgram } from "../../../core/host/processes/first-process.ts";
import { printable } from "../../../core/text/display.ts";
import { DOTTOOL, ownProgramName } from "../../../core/text/program-name.ts";
import { type CommandContext, type RawCommand, reportUsage } from "../../../cli/command.ts";
import { hookSession } from "../hook-session.ts";

const INPUT_BYTES_MAX = 64 * 1024 * 1024;

export const hookCommand: RawCommand = {
  // A decision is made before each tool of another agent: the reader of words takes 1 ms to load.
  kind: "raw",
  usage: [
    `hook ${clientNames.join("|")} [--contained] < CALL`,
    "hook install CLIENT [--contained] [--project] [--yes]",
    "hook uninstall CLIENT [--project] [--yes]",
    "hook doctor CLIENT",
  ],
  about:
    "Judges a call of another agent's tool by the policy in config.yaml, and logs it. `install` makes the client ask dottool before each tool call: " +
    "it shows how the client's settings would change, and writes them if you agree. " +
    "`doctor` says whether the installed client asks, what it would be answered, and whether it obeys. " +
    "Shell commands count as calls of `run_command`, and file tools as `read_file`, `write_file` and so on, by the caller `hook`. " +
    "Where no rule matches, the client decides as it does without dottool, except that you are asked about calls that delete, publish, leave the working folder or hide what they run. " +
    "You are also asked about input that cannot be read. The exit code is 0; the answer says what was decided.",
  options: [
    {
      name: "contained",
      does: "let a line pass only if it is known to only read, and run every other one in the sandbox; rules that ask and deny come first",
    },
    { name: "project", does: "use the settings of the current project instead of your own" },
    { name: "yes", does: "write without asking" },
  ],
  examples: [
    ["dottool hook install claude --contained", "run what is not known to only read in the sandbox"],
    ["dottool hook install claude", "guard every session of Claude Code"],
    ["dottool hook install gemini --project", "guard Gemini CLI in this project"],
    ["dottool hook uninstall claude", "remove the guard"],
    ["dottool hook doctor codex", "see whether the guard of Codex holds"],
  ],
  run: async (words, context) => {
    const [first = "", ...more] = words;
    // The clients' settings name `dottool`, whose rules the person knows.
    if (ownProgramName() !== DOTTOOL)
      return reportUsage(context.terminal, "a bundle cannot judge other agents; install dottool, which can", "hook");
    const isContained = more.includes("--contained");
    if (isClientName(first) && more.every((word) => word === "--contained"))
      return judgeOne(first, isContained, context);
    if (first === "doctor") {
      const [client, surplus] = more;
      if (client === undefined || !isClientName(client) || surplus !== undefined)
        return unknownClient(surplus ?? client, context);
      return (await import("./hook-doctor.ts")).doctorHook(client, context);
    }
    if (first !== "install" && first !== "uninstall")
      return unknownClient(isClientName(first) ? more[0] : first, context);
    const flags = more.filter((word) => word.startsWith("-"));
    const [client, surplus] = more.filter((word) => !word.startsWith("-"));
    const odd = flags.find((flag) => !["--contained", "--project", "--yes"].includes(flag)) ?? surplus;
    if (odd !== undefined)
      return reportUsage(
        context.terminal,
        `\`${odd}\` is not expected; there are \`--contained\`, \`--project\` and \`--yes\``,
        "hook",
      );
    if (client === undefined || !isClientName(client)) return unknownClient(client, context);
    const { changeHook } = await import("./hook-install.ts");
    const [isProject, isYes] = [flags.includes("--project"), flags.includes("--yes")];
    return changeHook(client, { action: first, isContained, isProject, isYes }, context);
  },
};

function unknownClient(name: string | undefined, { terminal }: CommandContext): number {
  const known = `one of ${clientNames.map((one) => `\`${one}\``).join(", ")}`;
  return reportUsage(
    terminal,
    name === undefined || name === ""
      ? `the client is missing: ${known}`
      : `the client must be ${known}; got \`${name}\``,
    "hook",
  );
}

async function judgeOne(client: ClientName, isContained: boolean, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const format = hookFormats[client];
  let made: HookDecision;
  try {
    made = await decided(client, isContained, context);
  } catch (error) {
    made = {
      decision: "ask",
      reason: `dottool could not judge this call: ${error instanceof Error ? error.message : String(error)}`,
    };
    terminal.errors.write(`failed[hook]: ${printable(made.reason)}\n`);
  }
  const { output, exitCode } = format.answer({ ...made, reason: made.reason === "" ? "" : `dottool: ${made.reason}` });
  await terminal.output.write(output);
  return exitCode;
}

async function decided(client: ClientName, isContained: boolean, { terminal }: CommandContext): Promise<HookDecision> {
  const unread = (problem: string): HookDecision => {
    terminal.errors.write(`failed[hook]: ${printable(problem)}\n`);
    return { decision: "ask", reason: `${problem}, so this call cannot be judged` };
  };
  const bytes = await terminal.input.readBytes(INPUT_BYTES_MAX);
  if (!bytes) return unread(`the input has more than ${INPUT_BYTES_MAX.toLocaleString("en")} bytes`);
  const call = readHookInput(hookFormats[client], new TextDecoder().decode(bytes));
  if ("problem" in call) return unread(call.problem);
  const cwd = folderOf(call, terminal);
  if (cwd === undefined) return unread("the working folder of the call is not known");
  const session = hookSession(cwd, (text) => void terminal.errors.write(text));
  const made = await judgeHook(call, { session, client, program: ownProgram(), isContained });
  return call.asksNobody && made.decision === "ask" ? { decision: "deny", reason: unasked(made) } : made;
}

function folderOf({ cwd }: HookCall, terminal: CommandContext["terminal"]): string | undefined {
  if (cwd !== undefined) return isAbsolute(cwd) ? resolve(cwd) : undefined;
  try {
    return terminal.workingFolder();
  } catch {
    return undefined;
  }
}
