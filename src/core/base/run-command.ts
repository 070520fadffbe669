// Runs a program, or a line for the shell.
import { anyObject, array, boolean, number, path, string } from "../schema/declare.ts";
import type { JsonObject } from "../schema/json.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { baseTool, failed } from "../tool/base-tool.ts";
import type { Outcome, ProcessReport } from "../tool/call.ts";
import type { Confinement, Unconfined } from "../tool/confinement.ts";
import type { Failure } from "../tool/failure.ts";
import type { Interaction } from "../tool/definition.ts";
import type { ProcessInput, SpawnResult } from "../tool/host.ts";
import type { BaseTool, CallLimits, ToolContext } from "../tool/tool.ts";
import { commandWrap } from "./bind-command.ts";
import { commandFolder } from "./command-folder.ts";
import { GatheredOutput } from "../output/gathered-output.ts";
import { processEnvironment, secretVariables } from "./process-environment.ts";

export const runCommand: BaseTool = baseTool({
  name: "run_command",
  title: "Run Command",
  description: `Run a program and return what it prints.

Give either \`command\`, a line for the shell, or \`argv\`, the program and its arguments, passed unchanged and without a shell.
Background processes that it starts end with it. Returns its standard output, then its standard error if there is any.`,
  parameters: {
    command: string("A line for the shell. Write errors with `>&2`: /dev/stdout and /dev/stderr cannot be opened", {
      example: "git log --oneline | head -5",
    }),
    argv: array(string("A word"), "The program and its arguments; nothing in them is expanded", { minimumItems: 1 }),
    working_dir: path("Where it runs; default: the working directory"),
    timeout_s: number("Stop it after this many seconds; default: 60 for models", { minimum: 0.001, maximum: 86_400 }),
    stdin: string("Its standard input; default: empty", { mayHoldNul: true }),
    env: anyObject("Environment variables to set, in addition to the few that every program gets", {
      example: { LANG: "C" },
    }),
    inherit_env: boolean("Pass on all environment variables, except secrets; default: as the caller may"),
    pass_env: array(string("A name"), "Environment variables to pass on as they are", { hidden: true }),
    program_env: array(string("A name"), "Variables that its programs need, passed on unless they are secrets", {
      hidden: true,
    }),
    read_env: array(string("A name"), "Variables that the script must not read unset", { hidden: true }),
    filled_env: array(string("A name"), "Variables that the script must not read empty", { hidden: true }),
    interactive: anyObject(
      "Let the person at the terminal answer what it asks; without an answer it gets `default` after `timeout_s`",
      { hidden: true },
    ),
    network: boolean("Whether it may use the network", { hidden: true }),
    allow_write: boolean("Whether it may change files", { hidden: true }),
  },
  effects: ["run"],
  examples: [{ command: "git log --oneline | head -5" }, { argv: ["wc", "-l", "my file.txt"] }],
  wrap: commandWrap,
  check: (args) => [...commandIssues(args), ...environmentIssues(args.env ?? {}), ...interactiveIssues(args)],
  askedTimeoutMs: ({ timeout_s }) => (timeout_s === undefined ? undefined : Math.ceil(timeout_s * 1000)),
  execute: async (args, context) => {
    const secret = passedSecret(args.pass_env ?? [], context);
    if (secret) return secret;
    const environment = processEnvironment(context.host, {
      declared: (args.env ?? {}) as Readonly<Record<string, string>>,
      inherits: args.inherit_env ?? context.givesEnvironment !== undefined,
      isPlain: context.givesEnvironment === "plain" && args.inherit_env === undefined,
      passed: args.pass_env ?? [],
      needed: args.program_env ?? [],
    });
    const unset = [
      ...(args.read_env ?? []).filter((name) => environment[name] === undefined),
      ...(args.filled_env ?? []).filter((name) => (environment[name] ?? "") === ""),
    ];
    const plain = args.argv ?? shellWords(args.command ?? "", context);
    const argv = unset.length === 0 ? plain : (await import("./unset-variables.ts")).endingAt(unset, plain, context);
    const request: CommandRequest = {
      argv,
      cwd: commandFolder(args.working_dir ?? ".", context),
      environment,
      ...(args.stdin === undefined ? {} : { stdin: args.stdin }),
      ...(args.interactive === undefined ? {} : { interaction: interactionOf(args.interactive) }),
      confinement:
        args.network === false || args.allow_write === false
          ? (await import("./confined-command.ts")).narrowed(args, context)
          : (context.confinement ?? { unconfined: "trusted" }),
    };
    return withWithheld(await run(request, context), args.program_env ?? [], { environment, host: context.host });
  },
});

/** A secret is hidden in all output only if it is declared as one. */
function passedSecret(passed: readonly string[], { host }: ToolContext): Outcome | undefined {
  if (passed.length === 0) return undefined;
  const name = secretVariables(host).find((one) => passed.includes(one));
  return name === undefined
    ? undefined
    : failed({
        kind: "rejected",
        reason: `the variable \`${name}\` holds a secret, so it is not passed on as it is`,
        help: [`in the definition: \`@env ${name}=secret:${name}\`, which hides it in the output`],
      });
}

/** A program that lacks its secret says that nobody is logged in, and not that the secret was not passed on. */
function withWithheld(
  outcome: Outcome,
  needed: readonly string[],
  { environment, host }: Pick<CommandRequest, "environment"> & Pick<ToolContext, "host">,
): Outcome {
  if (needed.length === 0 || outcome.status === "ok" || outcome.failure.kind !== "exit") return outcome;
  const withheld = secretVariables(host).filter((name) => needed.includes(name) && environment[name] === undefined);
  if (withheld.length === 0) return outcome;
  const lines = withheld.map((name) => `\`@env ${name}=secret:${name}\``).join(", ");
  const help = `${withheld.join(" and ")} ${withheld.length === 1 ? "is" : "are"} set here, but a secret is passed on only if the definition says so: ${lines}`;
  return { ...outcome, failure: { ...outcome.failure, help: [...(outcome.failure.help ?? []), help] } };
}

interface CommandRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly interaction?: Interaction;
  readonly confinement: Confinement | Unconfined;
}

function interactionOf({ timeout_s: timeout, default: response }: JsonObject): Interaction {
  return {
    ...(typeof timeout === "number" ? { timeoutMs: Math.ceil(timeout * 1000) } : {}),
    ...(typeof response === "string" ? { defaultResponse: response } : {}),
  };
}

function interactiveIssues({
  interactive,
  stdin,
}: {
  readonly interactive: JsonObject | undefined;
  readonly stdin: string | undefined;
}): readonly ArgumentIssue[] {
  return interactive === undefined || stdin === undefined
    ? []
    : [{ path: "interactive", message: "cannot be combined with `stdin`: the person types the input" }];
}

function commandIssues(args: {
  readonly command: string | undefined;
  readonly argv: readonly string[] | undefined;
}): readonly ArgumentIssue[] {
  const given = [args.command, args.argv].filter((value) => value !== undefined).length;
  if (given === 0) return [{ path: "command", message: "is missing, and so is `argv`; pass one of them" }];
  return given === 2 ? [{ path: "argv", message: "cannot be combined with `command`; pass one of them" }] : [];
}

function environmentIssues(env: JsonObject): readonly ArgumentIssue[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!/^[^=\0]+$/.test(name)) return [{ path: "env", message: `\`${name}\` cannot be a variable name` }];
    if (typeof value !== "string") return [{ path: `env.${name}`, message: "expected a string" }];
    return value.includes("\0") ? [{ path: `env.${name}`, message: "expected a string without NUL" }] : [];
  });
}

function shellWords(command: string, context: ToolContext): readonly string[] {
  return context.host.platform === "windows" ? ["cmd.exe", "/d", "/s", "/c", command] : ["sh", "-c", command];
}

async function run(request: CommandRequest, context: ToolContext): Promise<Outcome> {
  const limits = inMemory(context);
  const gathered = new GatheredOutput(context);
  const { interaction } = request;
  const ended = interaction && new AbortController();
  const take = (stream: "stdout" | "stderr", bytes: Uint8Array): void | Promise<void> => {
    const shown = context.emit({ kind: "output", stream, bytes });
    const taken = gathered.take(stream, bytes);
    return shown && taken ? Promise.all([shown, taken]).then(() => undefined) : (shown ?? taken);
  };
  const note = (sentence: string): void => void take("stderr", new TextEncoder().encode(`${sentence}\n`));
  const giveBack = interaction || request.stdin !== undefined ? undefined : await context.lendTerminal?.();
  const result = await context.host.processes.run({
    ...(giveBack ? { hasTerminal: true as const } : {}),
    argv: request.argv,
    cwd: request.cwd,
    environment: request.environment,
    signal: context.signal,
    outputBytesMax: limits.outputBytesMax,
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    ...(ended
      ? { onStart: (input) => answer(input, interaction, { context, signal: ended.signal, onDefault: note }) }
      : {}),
    ...(limits.memoryBytesMax === undefined ? {} : { memoryBytesMax: limits.memoryBytesMax }),
    ...(limits.cpuMsMax === undefined ? {} : { cpuMsMax: limits.cpuMsMax }),
    ...(limits.processesMax === undefined ? {} : { processesMax: limits.processesMax }),
    confinement: request.confinement,
    onOutput: take,
  });
  ended?.abort();
  giveBack?.(result.kind === "exited" && result.stopped !== undefined);
  const program = request.argv[0] ?? "";
  if (result.kind === "busy") return { status: "failed", content: [], failure: result };
  if (result.kind === "not-started") return { status: "failed", content: [], failure: { ...result, program } };
  const { content, transcript } = await gathered.end();
  const process: ProcessReport = {
    argv: request.argv,
    cwd: request.cwd,
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
    ...(result.signalName === undefined ? {} : { signalName: result.signalName }),
    transcript,
    cutBytes: result.cutBytes,
    level: [limits.memoryBytesMax, limits.cpuMsMax, limits.processesMax].every((one) => one === undefined)
      ? "none"
      : "limits",
    sandbox: "none",
  };
  const failure = await failureOf(result, program, limits);
  const outcome: Outcome =
    failure === undefined ? { status: "ok", content, process } : { status: "failed", content, failure, process };
  const told = result.report
    ? (await import("./confined-command.ts")).reported(outcome, result.report, { request, context })
    : outcome;
  context.ranIn?.(told);
  return told;
}

/** The limit of output for a caller that needs all of it at once, such as the next step. */
const WHOLE_BYTES_MAX = 200 * 1024 * 1024;

function inMemory({ limits, keepOutput }: ToolContext): CallLimits {
  return keepOutput ? limits : { ...limits, outputBytesMax: Math.min(limits.outputBytesMax, WHOLE_BYTES_MAX) };
}

/** Most commands end by themselves, and do not load what else there is to say. */
async function failureOf(
  result: SpawnResult & { kind: "exited" },
  program: string,
  limits: CallLimits,
): Promise<Failure | undefined> {
  const stopped =
    result.stopped === undefined && result.signalName === undefined
      ? undefined
      : (await import("./stopped-command.ts")).stoppedFailure(result, limits, WHOLE_BYTES_MAX);
  const { exitCode, signalName } = result;
  return stopped ?? exitFailure(program, { exitCode, signalName });
}

interface ProcessEnd {
  readonly exitCode: number | undefined;
  readonly signalName: string | undefined;
}

/** Returns undefined for the exit code 0. */
export function exitFailure(program: string, { exitCode, signalName }: ProcessEnd): Failure | undefined {
  if (exitCode === 0) return undefined;
  return {
    kind: "exit",
    program,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signalName === undefined ? {} : { signalName }),
  };
}

interface AnswerOptions {
  readonly context: Pick<ToolContext, "host" | "person">;
  readonly signal: AbortSignal;
  /** Is told of the default when it answers, since it looks like a person's answer in the output. */
  readonly onDefault: (sentence: string) => void;
}

/** Feeds `input` until `signal` aborts because the program has ended. */
function answer(
  input: ProcessInput,
  { timeoutMs, defaultResponse }: Interaction,
  { context: { host, person }, signal, onDefault }: AnswerOptions,
): void {
  const giveUp = (): void => {
    if (defaultResponse !== undefined) {
      const given = defaultResponse === "" ? "the Enter key" : `\`${defaultResponse}\``;
      // At a terminal, the question is on the line before.
      onDefault(
        person?.type
          ? `\ndottool answered with ${given}, because you did not`
          : `dottool answered with ${given}, because it cannot ask without a terminal`,
      );
      input.write(`${defaultResponse}\n`);
    }
    input.end();
  };
  if (!person?.type) return giveUp();
  // Every key restarts the time and so ends the wait before it.
  let waiting = new AbortController();
  const typing = new AbortController();
  signal.addEventListener("abort", () => stop(), { once: true });
  const stop = (): void => {
    waiting.abort();
    typing.abort();
  };
  const wait = (): void => {
    if (timeoutMs === undefined) return;
    const own = (waiting = new AbortController());
    void host.sleep(timeoutMs, own.signal).then(() => {
      if (own.signal.aborted) return;
      stop();
      giveUp();
    });
  };
  wait();
  person.type(typing.signal, (text) => {
    waiting.abort();
    if (text === undefined) return input.end();
    input.write(text);
    wait();
  });
}
