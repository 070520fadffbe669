// `dottool runs resume --detach`: a process of its own goes on with the call, with the files of the run for its output.
import { isInsideRun } from "../../core/catalog/trust.ts";
import { answerStart, startDetached } from "../../core/host/processes/detached-start.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { runFile } from "./run-record.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { CommandContext } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";
import { resumeRun, type ResumeOptions } from "./resume-run.ts";
import { namedRun, type RunsPlace, sizeOf } from "./run-facts.ts";
import { type ResumeRequest, RUNNING } from "./run-request.ts";
import { INSIDE_TEXT } from "./start-run.ts";

/** Prints the id once the run goes on, and returns the exit code. */
export async function resumeDetached(word: string, asked: ResumeOptions, place: RunsPlace): Promise<number> {
  const { host, context } = place;
  const run = namedRun(word, place);
  if (typeof run === "number") return run;
  const { id } = run.record;
  const trouble = await startResume(id, { ...asked, host, context });
  if (trouble === undefined) context.terminal.output.write(`${id}\n`);
  else context.terminal.errors.write(trouble.text);
  return trouble === undefined ? exitCodes.done : exitCodes.failed;
}

export interface ResumeTrouble {
  /** Lines for a person. */
  readonly text: string;
  /** Set if only changed definitions stand in the way. */
  readonly isChanged?: true;
}

/** Returns why it does not go on. */
export async function startResume(
  id: string,
  { host, context, from, acceptsChanges, secrets }: ResumeOptions & Pick<RunsPlace, "host" | "context">,
): Promise<ResumeTrouble | undefined> {
  if (isInsideRun(host)) return { text: INSIDE_TEXT };
  const { detaches: _own, ...options } = context.options;
  const resumes = { id, acceptsChanges, secrets, ...(from === undefined ? {} : { from }) };
  const request: ResumeRequest = { options, resumes };
  const files = (["stdout", "stderr"] as const).map((name) => runFile(id, name, host));
  const isNew = files.every((path) => host.instant.stat(path) === undefined);
  let answer: string;
  try {
    const [stdout = "", stderr = ""] = files;
    answer = await startDetached({
      words: ["__detached", "resume", id],
      input: JSON.stringify(request),
      stdout,
      stderr,
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    answer = troubleAnswer({
      text: `failed[runs]: the run cannot go on in the background: the system reports ${code}\n`,
    });
  }
  if (answer === RUNNING) return undefined;
  // A record without files for output is of a call that was not detached.
  if (isNew && sizeOf(id, "stdout", host) + sizeOf(id, "stderr", host) === 0)
    for (const path of files) await host.files.remove(path);
  return answer === ""
    ? {
        text: `failed[runs]: the process ended before it could go on\n  = \`dottool runs resume ${id}\` goes on here\n`,
      }
    : (JSON.parse(answer) as ResumeTrouble);
}

/** Less than the pipe of a start takes. */
const TROUBLE_CHARACTERS_MAX = 10_000;

function troubleAnswer({ text, ...rest }: ResumeTrouble): string {
  return JSON.stringify({ text: text.slice(0, TROUBLE_CHARACTERS_MAX).toWellFormed(), ...rest });
}

/** The process that goes on. Until then, what it writes is its answer. */
export async function goOnDetached({ resumes }: ResumeRequest, context: CommandContext): Promise<number> {
  const { terminal } = context;
  let said: string | undefined = "";
  const errors: typeof terminal.errors = {
    ...terminal.errors,
    write: (content) => {
      if (said === undefined) return terminal.errors.write(content);
      said += typeof content === "string" ? content : new TextDecoder().decode(content);
    },
  };
  const { id, from, acceptsChanges, secrets } = resumes;
  const onReady = (): void => {
    said = undefined;
    answerStart(RUNNING);
  };
  // Its other properties change while it runs.
  const own = { ...context, terminal: Object.create(terminal, { errors: { value: errors } }) as typeof terminal };
  const opened = await openSession(own, { isQuiet: true, withoutPlugins: true });
  const exitCode =
    typeof opened === "number"
      ? opened
      : await resumeRun(
          id,
          { from, acceptsChanges, secrets, onReady },
          { host: opened.host, context: own, isJson: false },
        );
  if (said === undefined) return exitCode;
  answerStart(troubleAnswer({ text: said, ...(exitCode === exitCodes.denied ? { isChanged: true } : {}) }));
  return exitCode;
}
