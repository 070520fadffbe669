// `dottool runs --ui`: one page for this machine alone. Whoever has the link can start tools, and read, cancel and
// resume the runs.
import { runsPage, scriptHash, styleHash } from "../../generated/runs-page.ts";
import { guard } from "../web/http-guard.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import { answerPage, commonHeaders } from "./page-answers.ts";
import { PageTools } from "./page-tools.ts";
import type { RunsPlace } from "./run-facts.ts";

const HOSTNAME = "127.0.0.1";
const BODY_BYTES_MAX = 1024 * 1024;

/** Serves the page until Ctrl-C, and returns the exit code. */
export async function servePage(place: RunsPlace): Promise<number> {
  const { host } = place;
  const { terminal } = place.context;
  const token = host.randomId();
  const tools = new PageTools(place);
  try {
    const listening = await host.server.listen({
      hostname: HOSTNAME,
      port: 0,
      bodyBytesMax: BODY_BYTES_MAX,
      refuse: (request) => guard(request, { token: isPage(request) ? undefined : token, hostnames: [] }),
      onRequest: async (request, { body: sentBody }) =>
        isPage(request) ? pageOnly() : answerPage(request, { sentBody, place, tools }),
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

const pageOnly = (): Response => new Response(runsPage, { headers: pageHeaders });

const pageHeaders = {
  ...commonHeaders,
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src ${styleHash}; script-src ${scriptHash}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};
