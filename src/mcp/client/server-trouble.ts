// What went wrong between us and a server, from the many errors of the SDK, of transports and of the web.
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { printable } from "../../text/display.ts";
import { LoginNeeded } from "./login.ts";
import { WebTrouble } from "./web-fetch.ts";

export interface ServerTrouble {
  readonly reason: string;
  readonly help: readonly string[];
  /** The connection is lost, and the outcome of a call on it is unknown. */
  readonly isLost: boolean;
  /** Only the answer is gone; the connection is as it was. */
  readonly isConnected?: true;
  /** What was sent on it was surely not done. */
  readonly isUndone?: true;
  readonly limit?: { readonly limit: number; readonly unit: string };
}

/** What a connection knows of its own end. */
export interface Ended {
  readonly isOpen: boolean;
  /** How it ended. */
  readonly end?: string | undefined;
  /** Its process was started, and is over. */
  readonly hasExited?: boolean;
  /** What it said on its standard error, ready to be shown. */
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

export interface TroubleOptions {
  /** Its name. */
  readonly server: string;
  readonly connection?: Ended | undefined;
}

export function troubleIn(error: unknown, { server, connection }: TroubleOptions): ServerTrouble {
  if (error instanceof NotConnected) return troubleOf(error.cause, { server, connection: error.ended });
  if (error instanceof SdkHttpError && connection !== undefined && isForgotten(error))
    return { reason: "it no longer knows this connection", help: [], isLost: true, isUndone: true };
  return troubleOf(error, { server, connection });
}

function troubleOf(error: unknown, { server, connection }: TroubleOptions): ServerTrouble {
  if (error instanceof LoginNeeded || error instanceof UnauthorizedError)
    return { reason: "a person has to log in", help: [`at a terminal: dottool pin ${server}`], isLost: false };
  const trouble = webTroubleIn(error);
  if (trouble)
    return {
      reason: trouble.message,
      help: trouble.help,
      isLost: true,
      ...(trouble.isOfAnswer ? { isConnected: true } : {}),
    };
  const isGone = connection !== undefined && !connection.isOpen;
  const said = connection && connection.said.length > 0 ? [`it said: ${connection.said.join("\n    ")}`] : [];
  if (isGone || (error instanceof SdkError && LOST.has(error.code)))
    return { reason: connection?.end ?? messageOf(error), help: said, isLost: true };
  if (error instanceof SdkHttpError) return { reason: httpText(error), help: httpHelp(error, server), isLost: false };
  if (error instanceof ProtocolError)
    return { reason: `it answered with the error ${error.code}: ${messageOf(error)}`, help: [], isLost: false };
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { reason: "it does not answer", help: said, isLost: false };
  return { reason: messageOf(error), help: said, isLost: false };
}

function webTroubleIn(error: unknown): WebTrouble | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++)
    if (one instanceof WebTrouble) return one;
  return undefined;
}

/** A server that was started anew answers so to sessions of before: 404 by the protocol, and some with 400. */
function isForgotten(error: SdkHttpError): boolean {
  const { status, text } = error.data as { readonly status?: number; readonly text?: string };
  return status === 404 || (status === 400 && /session/i.test(text ?? error.message));
}

function httpText(error: SdkHttpError): string {
  const status = (error.data as { readonly status?: number } | undefined)?.status;
  return status === undefined ? messageOf(error) : `it answered with status ${status}`;
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

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return printable(text.length > MESSAGE_CHARACTERS_MAX ? `${text.slice(0, MESSAGE_CHARACTERS_MAX)}…` : text);
}
