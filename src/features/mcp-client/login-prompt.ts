// A person who logs in to an MCP server: the address to open is shown, and the browser returns to an address of this
// machine, which listens for as long as that takes. No browser is started, because the server chooses the address.
import type { LoginPrompt, OpenLoginPrompt } from "../../core/tool/login-prompt.ts";
import { printable } from "../../core/text/display.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal } from "../../core/tool/terminal.ts";

const PATH = "/callback";
const VISIT_MS_MAX = 5 * 60_000;
const PAGE = "You can close this page and go back to the terminal.\n";

export function loginPromptAt(terminal: Terminal): OpenLoginPrompt {
  return async (server, port, host) => {
    let back: ((query: URLSearchParams) => void) | undefined;
    const onRequest = async (request: Request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method !== "GET" || pathname !== PATH || !back) return new Response("not found\n", { status: 404 });
      back(searchParams);
      return new Response(PAGE, { headers: { "content-type": "text/plain; charset=utf-8" } });
    };
    const listen = (wanted: number): ReturnType<Host["server"]["listen"]> =>
      host.server.listen({ hostname: "127.0.0.1", port: wanted, bodyBytesMax: 1_024, onRequest });
    const listening = await listen(port ?? 0).catch(() => listen(0));
    const visit: LoginPrompt["visit"] = async ({ host: where, address }) => {
      terminal.errors.write(
        `the MCP server ${printable(server)} wants you to log in at ${printable(where)}; if you trust that site, open this address:\n  ${printable(address)}\n`,
      );
      const late = new AbortController();
      const signal = AbortSignal.any([late.signal, terminal.signal]);
      const came = new Promise<URLSearchParams>((resolve) => void (back = resolve));
      try {
        const query = await Promise.race([came, host.sleep(VISIT_MS_MAX, signal)]);
        if (query === undefined)
          throw new Error(terminal.signal.aborted ? "cancelled" : `no login within ${VISIT_MS_MAX / 60_000} minutes`);
        return query;
      } finally {
        back = undefined;
        late.abort();
      }
    };
    return { redirectUrl: `http://127.0.0.1:${listening.port}${PATH}`, visit, close: () => listening.close() };
  };
}
