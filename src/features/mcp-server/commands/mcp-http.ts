// `dottool mcp --http`: the options of the server, and how it starts and ends.
import { resolve } from "node:path";
import type { McpService } from "../service.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { Host } from "../../../core/tool/host.ts";
import { type CommandContext, type CommandInput, reportUsage } from "../../../cli/command.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";

export interface HttpOptions {
  readonly hostname: string;
  readonly port: number;
  readonly tokenFile: string | undefined;
  /** Whether no token is required. */
  readonly isOpen: boolean;
  readonly hostnames: readonly string[];
}

const HOST_DEFAULT = "127.0.0.1";
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;
const TOKEN_VARIABLE = "DOTTOOL_MCP_TOKEN";
/** The minimum length. A shorter token can be guessed. */
const TOKEN_CHARACTERS_MIN = 16;
const TOKEN_FILE_BYTES_MAX = 4096;

/** Returns undefined without `--http`; an exit code if the options are wrong, and the reason has been printed. */
export function readHttpOptions(input: CommandInput, { terminal }: CommandContext): HttpOptions | number | undefined {
  const given = input.value("http");
  const wrong = (problem: string): number => reportUsage(terminal, problem, "mcp");
  if (given === undefined) {
    const lone = ["token-file", "without-token", "allow-host"].find(
      (name) => input.has(name) || input.value(name) !== undefined,
    );
    return lone === undefined ? undefined : wrong(`\`--${lone}\` needs \`--http\``);
  }
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits ?? "x");
  if (!(port <= 65_535))
    return wrong(
      `\`--http ${printableLines(given)}\` is not \`[HOST:]PORT\`: a port is a number up to 65535, as in \`--http 8765\` or \`--http 0.0.0.0:8765\``,
    );
  const hostname = bracketed ?? plain ?? HOST_DEFAULT;
  const isOpen = input.has("without-token");
  const tokenFile = input.value("token-file");
  if (isOpen && tokenFile !== undefined)
    return wrong("`--without-token` and `--token-file` cannot be combined; give one of them");
  if (isOpen && !LOOPBACK.test(hostname))
    return wrong(
      `\`--without-token\` is only for this machine, and other machines can reach \`${printableLines(hostname)}\`; leave it out`,
    );
  return { hostname, port, tokenFile, isOpen, hostnames: input.values("allow-host") };
}

export interface HttpToken {
  readonly token: string;
  /** Whether it was given by the user, so that other servers may have it too. */
  readonly isShared: boolean;
}

/** Returns undefined if none is required; an exit code if the given one is not a token, and the reason is printed. */
export async function findToken(
  { isOpen, tokenFile }: HttpOptions,
  { host, cwd }: OpenedSession,
  { terminal }: CommandContext,
): Promise<HttpToken | number | undefined> {
  if (isOpen) return undefined;
  const refuse = (problem: string, code: number): number => {
    terminal.errors.write(`failed[token]: ${problem}\n`);
    return code;
  };
  let text = host.environment(TOKEN_VARIABLE);
  let from = `\`${TOKEN_VARIABLE}\``;
  if (tokenFile !== undefined) {
    from = `\`${printableLines(tokenFile)}\``;
    try {
      text = new TextDecoder().decode(
        await host.files.readBytes(resolve(cwd, tokenFile), { offset: 0, lengthMax: TOKEN_FILE_BYTES_MAX }),
      );
    } catch (error) {
      return refuse(`${from} cannot be read: ${codeOf(error) ?? String(error)}`, exitCodes.missing);
    }
  }
  if (text === undefined) return { token: host.randomId(), isShared: false };
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < TOKEN_CHARACTERS_MIN)
    return refuse(
      `${from} does not contain a token: one word of ${TOKEN_CHARACTERS_MIN} or more letters, digits and signs`,
      exitCodes.usage,
    );
  return { token, isShared: true };
}

interface Serving {
  readonly http: HttpOptions;
  readonly token: HttpToken | undefined;
  readonly host: Host;
  readonly context: CommandContext;
}

/** Serves until the program is told to end. Returns the exit code. */
export async function serveHttp(
  service: McpService,
  { http, token, host, context: { terminal } }: Serving,
): Promise<number> {
  const [{ BODY_BYTES_MAX, MCP_PATH, openHttpFace }, { serve }] = await Promise.all([
    import("../serve-http.ts"),
    import("../served.ts"),
  ]);
  const { hostname, port } = http;
  const key = token?.isShared ? token.token : host.randomId();
  const face = openHttpFace(serve(service, host, key), {
    token: token?.token,
    key,
    hostnames: [hostname, ...http.hostnames],
  });
  const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
  try {
    const listening = await host.server.listen({
      hostname,
      port,
      bodyBytesMax: BODY_BYTES_MAX,
      refuse: (request) => face.refuse(request),
      tooLong: (request) => face.tooLong(request),
      onRequest: (request, from) => face.answer(request, from),
    });
    terminal.errors.write(
      `serving at http://${shown}:${listening.port}${MCP_PATH}\n${token && !token.isShared ? `token: ${token.token}\n` : ""}`,
    );
    await new Promise<void>((resolve) => {
      if (terminal.signal.aborted) resolve();
      terminal.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await face.close();
    await listening.close();
    return exitCodes.done;
  } catch (error) {
    terminal.errors.write(`failed[listen]: ${listenProblem(codeOf(error), `${shown}:${port}`)}\n`);
    return exitCodes.failed;
  }
}

function listenProblem(code: string | undefined, address: string): string {
  switch (code) {
    case "EADDRINUSE":
      return `another program already listens at \`${printableLines(address)}\`; stop it, or give another port, or port 0 for any free port`;
    case "EACCES":
      return `you do not have permission to listen at \`${printableLines(address)}\`; give a port above 1023`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `\`${printableLines(address)}\` is not an address of this machine`;
    default:
      return `cannot listen at \`${printableLines(address)}\`: ${code ?? "unknown error"}`;
  }
}
