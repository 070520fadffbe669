// Failures between dottool and a server, made from the many errors of the SDK, of transports and of the web.
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { LoginNeeded } from "./login.ts";
import { shortened } from "./said-text.ts";
import { WebTrouble } from "./web-fetch.ts";

export interface ServerTrouble {
  readonly reason: string;
  readonly help: readonly string[];
  /** Whether the connection is lost, so that the outcome of a call on it is unknown. */
  readonly isLost: boolean;
  /** Set if only the answer is lost and the connection still works. */
  readonly isConnected?: true;
  /** Set if the call was surely not executed. */
  readonly isUndone?: true;
  /** Set if a person has to log in first. */
  readonly needsLogin?: true;
  readonly limit?: { readonly limit: number; readonly unit: string };
}

/** What a connection knows of its own end. */
export interface Ended {
  readonly isOpen: boolean;
  /** How the connection ended. */
  readonly end?: string | undefined;
  /** Whether its process was started and has ended. */
  readonly hasExited?: boolean;
  /** The lines of its standard error, safe to show. */
  readonly said: readonly string[];
}

/** A start that failed, with what is known of the reason. */
export class NotConnected extends Error {
  readonly ended: Ended;
  readonly secrets: readonly string[];

  constructor(cause: unknown, ended: Ended, secrets: readonly string[]) {
    super("not connected", { cause });
    this.ended = ended;
    this.secrets = secrets;
  }
}

/** Returns the secrets that were sent before it failed. */
export function secretsIn(error: unknown): readonly string[] {
  return error instanceof NotConnected ? error.secrets : [];
}

const MESSAGE_CHARACTERS_MAX = 1_000;
const LOST = new Set<string>([SdkErrorCode.ConnectionClosed, SdkErrorCode.SendFailed, SdkErrorCode.NotConnected]);

interface TroubleOptions {
  /** The server's name. */
  readonly server: string;
  readonly connection?: (Ended & { readonly secrets: readonly string[] }) | undefined;
}

export function troubleIn(error: unknown, { server, connection }: TroubleOptions): ServerTrouble {
  if (error instanceof NotConnected)
    return troubleOf(error.cause, { server, connection: { ...error.ended, secrets: error.secrets } });
  if (error instanceof SdkHttpError && connection !== undefined && isForgotten(error))
    return { reason: "it no longer knows this connection", help: [], isLost: true, isUndone: true };
  return troubleOf(error, { server, connection });
}

function troubleOf(error: unknown, { server, connection }: TroubleOptions): ServerTrouble {
  if (error instanceof LoginNeeded || error instanceof UnauthorizedError)
    return {
      reason: "a person has to log in",
      help: [`at a terminal: dottool pin ${server}`],
      isLost: false,
      needsLogin: true,
    };
  const trouble = webTroubleIn(error);
  if (trouble)
    return {
      reason: trouble.message,
      help: trouble.help,
      isLost: true,
      ...(trouble.isOfAnswer ? { isConnected: true } : {}),
    };
  const secrets = connection?.secrets ?? [];
  const isGone = connection !== undefined && !connection.isOpen;
  const said = connection && connection.said.length > 0 ? [`it said: ${connection.said.join("\n    ")}`] : [];
  if (isGone || (error instanceof SdkError && LOST.has(error.code)))
    return { reason: connection?.end ?? messageOf(error, secrets), help: said, isLost: true };
  if (error instanceof SdkHttpError)
    return { reason: httpText(error, secrets), help: httpHelp(error, server), isLost: false };
  if (error instanceof ProtocolError)
    return {
      reason: `it answered with the error ${error.code}: ${messageOf(error, secrets)}`,
      help: [],
      isLost: false,
    };
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { reason: "it does not answer", help: said, isLost: false };
  return { reason: messageOf(error, secrets), help: said, isLost: false };
}

function webTroubleIn(error: unknown): WebTrouble | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++)
    if (one instanceof WebTrouble) return one;
  return undefined;
}

/** Whether the server has forgotten the session, as after a restart: 404 by the protocol, and 400 from some servers. */
function isForgotten(error: SdkHttpError): boolean {
  const { status, text } = error.data as { readonly status?: number; readonly text?: string };
  return status === 404 || (status === 400 && /session/i.test(text ?? error.message));
}

function httpText(error: SdkHttpError, secrets: readonly string[]): string {
  const status = (error.data as { readonly status?: number } | undefined)?.status;
  return status === undefined ? messageOf(error, secrets) : `it answered with status ${status}`;
}

function httpHelp(error: SdkHttpError, server: string): readonly string[] {
  const status = (error.data as { readonly status?: number } | undefined)?.status;
  if (status === 401 || status === 403)
    return [
      `to log in, at a terminal: dottool pin ${server}`,
      'or, if it needs a key: write `headers:` with `Authorization: "Bearer secret:NAME"` for it, and the place of the key below `secrets:`',
    ];
  return status === 404 || status === 405 ? ["check the path of its `url`"] : [];
}

function messageOf(error: unknown, secrets: readonly string[]): string {
  const text = error instanceof Error ? error.message : String(error);
  return shortened(text, { secrets, charactersMax: MESSAGE_CHARACTERS_MAX });
}
