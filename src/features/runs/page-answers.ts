// What the page of runs asks for, and its answers: the runs, their output, their ends, and the tools that can be started.
import { join, resolve } from "node:path";
import { callLine } from "../../core/run/call-line.ts";
import { readRun, type Run, runIds } from "./run-record.ts";
import { outputOfStep, pageOutput } from "./step-output.ts";
import { stepsOfRun } from "./run-steps.ts";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { askToEnd } from "./end-runs.ts";
import type { PageAnswer } from "./tool-form.ts";
import type { PageTools } from "./page-tools.ts";
import { startResume } from "./resume-detached.ts";
import { outputPiece, runJson, type RunsPlace } from "./run-facts.ts";

/** More than a person looks through; the page says how many there are. */
const RUNS_SHOWN_MAX = 200;
const FILES_SHOWN_MAX = 100;
/** The length of a call in the list, where it has one line. */
const CALL_SHOWN_CHARACTERS = 120;

export interface PageOptions {
  /** What the request brings. */
  readonly sentBody: Uint8Array;
  readonly place: RunsPlace;
  readonly tools: PageTools;
}

/** The runs that a page reads and cancels: all, or those of one folder, absolute. */
export interface SeenRuns {
  readonly host: Host;
  readonly folder?: string;
}

export async function answerPage(request: Request, { sentBody, place, tools }: PageOptions): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, root, named, action] = pathname.split("/");
  const isPost = request.method === "POST";
  const isGet = request.method === "GET";
  const name = named === undefined ? undefined : decoded(named);
  if (root === "tools" && action === undefined) {
    if (name === undefined) return isGet ? sent(await tools.list()) : nothing();
    if (isGet) return sent(await tools.form(name));
    if (isPost) return sent(await tools.start(name, jsonIn(sentBody)));
  }
  if (root === "files" && name === undefined && isGet) return filesIn(searchParams.get("folder") ?? "", place);
  if (root === "runs" && name !== undefined && action === "resume" && isPost) {
    const run = runAt(name, place);
    return run ? goOn(run, jsonIn(sentBody), place) : noRun();
  }
  return answerRuns(request, { host: place.host });
}

/** Answers what is about runs, and does not start any. */
export async function answerRuns(request: Request, seen: SeenRuns): Promise<Response> {
  const { host } = seen;
  const { pathname, searchParams } = new URL(request.url);
  const [, root, named, action] = pathname.split("/");
  const isPost = request.method === "POST";
  const isGet = request.method === "GET";
  if (root !== "runs") return nothing();
  if (named === undefined) return isGet ? listed(seen) : nothing();
  const run = runAt(decoded(named), seen);
  if (!run) return noRun();
  if (action === undefined && isGet) return shown(run, host);
  if (action === "output" && isGet) return output(run, searchParams, host);
  if (action === "cancel" && isPost)
    return run.state === "running" && (await askToEnd(run.record, host))
      ? json({})
      : problem(409, "the run cannot be ended from here: it has ended already, or runs elsewhere");
  return nothing();
}

function listed(seen: SeenRuns): Response {
  const ids = runIds(seen.host);
  const runs = ids.slice(0, RUNS_SHOWN_MAX).flatMap((id) => {
    const run = readable(id, seen);
    if (!run) return [];
    const { record, state, end } = run;
    const call = callLine(record.tool, record.arguments).slice(0, CALL_SHOWN_CHARACTERS);
    return [{ id, state, tool: record.tool, call, startedAt: record.startedAt, durationMs: end?.durationMs }];
  });
  return json({ runs, more: Math.max(0, ids.length - RUNS_SHOWN_MAX) });
}

function shown(run: Run, host: Host): Response {
  const { record } = run;
  return json({ ...runJson(run, host), call: callLine(record.tool, record.arguments), steps: stepsOfRun(run, host) });
}

function runAt(id: string, seen: SeenRuns): Run | undefined {
  return runIds(seen.host).includes(id) ? readable(id, seen) : undefined;
}

function readable(id: string, { host, folder }: SeenRuns): Run | undefined {
  const read = readRun(id, host);
  const run = read && "run" in read ? read.run : undefined;
  return folder === undefined || run?.record.cwd === folder ? run : undefined;
}

function noRun(): Response {
  return problem(404, "there is no such run");
}

/** Goes on as `runs resume --detach` does: what has changed is named first, and accepted only when asked for. */
async function goOn({ record }: Run, asked: Json | undefined, place: RunsPlace): Promise<Response> {
  const { from, accepts, secrets } = isJsonObject(asked) ? asked : {};
  const given = isJsonObject(secrets) ? Object.entries(secrets) : [];
  const trouble = await startResume(record.id, {
    ...place,
    from: typeof from === "string" ? from : undefined,
    acceptsChanges: accepts === true,
    secrets: given.map(([name, value]) => `${name}=${String(value)}`),
  });
  if (trouble === undefined) return json({});
  return json({ message: trouble.text.trim(), isChanged: trouble.isChanged === true }, 409);
}

async function output({ record }: Run, asked: URLSearchParams, host: Host): Promise<Response> {
  const step = asked.get("step");
  if (step !== null) {
    const isThere = record.steps?.some(({ name }) => name === step) === true;
    const stored = isThere ? outputOfStep(record.id, step, host) : undefined;
    return json(stored ? pageOutput(stored) : {});
  }
  const stream = asked.get("stream") === "stderr" ? "stderr" : "stdout";
  const from = Number(asked.get("from") ?? "0");
  if (!Number.isSafeInteger(from) || from < 0) return problem(400, "`from` must be a number of bytes");
  const bytes = await outputPiece(record.id, { stream, offset: from }, host);
  return new Response(bytes.slice(), { headers: { ...commonHeaders, "content-type": "application/octet-stream" } });
}

/** The names in a folder, to complete a path; folders end with `/`. */
function filesIn(folder: string, { host, context }: RunsPlace): Response {
  const cwd = resolve(context.terminal.workingFolder(), context.options.cwd ?? "");
  const path = resolve(cwd, folder);
  try {
    const names = host.instant.names(path).toSorted().slice(0, FILES_SHOWN_MAX);
    const isFolder = (name: string): boolean => host.instant.stat(join(path, name))?.kind === "folder";
    return json({ names: names.map((name) => (isFolder(name) ? `${name}/` : name)) });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return json({ names: [] });
  }
}

function jsonIn(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function sent({ status, body }: PageAnswer): Response {
  return json(body, status);
}

function json(value: object, status = 200): Response {
  return Response.json(value, { status, headers: commonHeaders });
}

function problem(status: number, message: string): Response {
  return json({ message }, status);
}

function nothing(): Response {
  return problem(404, "there is nothing at this address");
}
