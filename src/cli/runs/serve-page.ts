// `dottool runs --ui`: one page for this machine alone. Whoever has the link can read, cancel and resume the runs.
import { runsPage, scriptHash, styleHash } from "../../generated/runs-page.ts";
import { guard } from "../../mcp/server/http-guard.ts";
import { callLine } from "../../run/call-line.ts";
import { exitCodes } from "../../run/exit-code.ts";
import { stepsOfRun } from "../../runs/run-steps.ts";
import { readRun, type Run, runIds } from "../../runs/run-record.ts";
import { codeOf } from "../../tool/error-code.ts";
import type { Host } from "../../tool/host.ts";
import { askToEnd } from "./end-runs.ts";
import { startResume } from "./resume-detached.ts";
import { outputPiece, runJson, type RunsPlace } from "./run-facts.ts";

const HOSTNAME = "127.0.0.1";
const BODY_BYTES_MAX = 1024;

/** Serves the page until Ctrl-C, and returns the exit code. */
export async function servePage(place: RunsPlace): Promise<number> {
  const { host } = place;
  const { terminal } = place.context;
  const token = host.randomId();
  try {
    const listening = await host.server.listen({
      hostname: HOSTNAME,
      port: 0,
      bodyBytesMax: BODY_BYTES_MAX,
      refuse: (request) => guard(request, { host, token: isPage(request) ? undefined : token, hostnames: [] }),
      onRequest: (request) => answer(request, place),
    });
    terminal.output.write(`http://${HOSTNAME}:${listening.port}/#token=${token}\n`);
    terminal.expectSignal?.();
    await new Promise<void>((resolve) => {
      if (terminal.signal.aborted) resolve();
      terminal.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await listening.close();
    return exitCodes.done;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    terminal.errors.write(`failed[listen]: the page cannot be served on ${HOSTNAME}: the system reports ${code}\n`);
    return exitCodes.failed;
  }
}

/** The page itself holds nothing that a stranger must not see. */
function isPage(request: Request): boolean {
  return request.method === "GET" && new URL(request.url).pathname === "/";
}

async function answer(request: Request, place: RunsPlace): Promise<Response> {
  const { host } = place;
  if (isPage(request)) return new Response(runsPage, { headers: pageHeaders });
  const { pathname, searchParams } = new URL(request.url);
  const [, root, id, action] = pathname.split("/");
  if (root !== "runs") return problem(404, "there is nothing at this address");
  if (id === undefined)
    return json({
      runs: runIds(host)
        .flatMap((one) => runAt(one, host) ?? [])
        .map((run) => runJson(run, host)),
    });
  const run = runAt(id, host);
  if (!run) return problem(404, "there is no such run");
  if (action === undefined && request.method === "GET")
    return json({
      ...runJson(run, host),
      call: callLine(run.record.tool, run.record.arguments),
      steps: stepsOfRun(run, host),
    });
  if (action === "output" && request.method === "GET") return output(run, searchParams, host);
  if (action === "cancel" && request.method === "POST")
    return run.state === "running" && (await askToEnd(run.record, host))
      ? json({})
      : problem(409, "the run cannot be ended from here: it has ended already, or runs elsewhere");
  if (action === "resume" && request.method === "POST") return resume(run, place);
  return problem(404, "there is nothing at this address");
}

/** A person at the page has not seen what changed, so changes are not accepted here. */
async function resume({ record }: Run, place: RunsPlace): Promise<Response> {
  const trouble = await startResume(record.id, { ...place, from: undefined, acceptsChanges: false, secrets: [] });
  return trouble === undefined ? json({}) : problem(409, trouble.trim());
}

function runAt(id: string, host: Host): Run | undefined {
  const read = runIds(host).includes(id) ? readRun(id, host) : undefined;
  return read && "run" in read ? read.run : undefined;
}

async function output({ record }: Run, asked: URLSearchParams, host: Host): Promise<Response> {
  const stream = asked.get("stream") === "stderr" ? "stderr" : "stdout";
  const from = Number(asked.get("from") ?? "0");
  if (!Number.isSafeInteger(from) || from < 0) return problem(400, "`from` must be a number of bytes");
  const bytes = await outputPiece(record.id, { stream, offset: from }, host);
  return new Response(bytes.slice(), { headers: { ...commonHeaders, "content-type": "application/octet-stream" } });
}

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const pageHeaders = {
  ...commonHeaders,
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src ${styleHash}; script-src ${scriptHash}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

function json(value: object): Response {
  return Response.json(value, { headers: commonHeaders });
}

function problem(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: commonHeaders });
}
