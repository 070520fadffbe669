// Errors of model APIs, as failures that say what to do, and which of them pass with time. Sources:
// platform.claude.com/docs/en/api/errors and platform.openai.com/docs/guides/error-codes.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { arrayAt, textAt } from "../web/web-results.ts";
import { shownLine } from "../web/web-text.ts";
import type { ModelKey } from "./model-key.ts";

/** A model whose API is asked, as messages name it. */
export interface AskedModel {
  /** The provider's name. */
  readonly name: string;
  readonly model: string;
  readonly endpoint: string;
  readonly key: ModelKey;
  /** `config.yaml`. */
  readonly configPath: string;
}

export interface ApiError {
  /** Absent if the error came in the middle of a stream that began well. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** Types such as `overloaded_error` or `insufficient_quota`. */
  readonly types?: readonly string[];
  /** Set if there is no whole answer: the connection was lost, or the answer has no end. */
  readonly lost?: "connection" | "answer";
}

const FIRST_WAIT_MS = 500;
const MESSAGE_CHARACTERS_MAX = 300;
/** The start of a key that is shown, enough to recognize it. APIs quote keys with dots in the middle. */
const KEY_START_CHARACTERS = 4;

const PASSING_TYPES = new Set([
  "overloaded_error",
  "api_error",
  "rate_limit_error",
  "timeout_error",
  "server_error",
  "rate_limit_exceeded",
]);
const QUOTA_TYPES = new Set(["insufficient_quota", "billing_error", "quota_exceeded"]);

function isPassing({ status, types = [], lost }: ApiError): boolean {
  if (lost) return true;
  if (types.some((type) => QUOTA_TYPES.has(type))) return false;
  return status === undefined ? types.some((type) => PASSING_TYPES.has(type)) : status === 429 || status >= 500;
}

interface AttemptOptions {
  /** The number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly attemptsMax: number;
  /** The provider's name. */
  readonly name: string;
  /** ISO 8601. */
  readonly now: string;
  readonly waitMsMax: number;
}

/**
 * Returns when to ask again, and what to tell a person who waits: after what the API asks for, or longer each time.
 * Returns undefined if that is too long or does not help.
 */
export function nextAttempt(
  error: ApiError,
  { attempt, attemptsMax, name, now, waitMsMax }: AttemptOptions,
): { readonly delayMs: number; readonly note: string } | undefined {
  if (attempt >= attemptsMax || !isPassing(error)) return undefined;
  const delayMs = askedWaitMs(error, now) ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
  if (delayMs > waitMsMax) return undefined;
  const fact = error.lost ? lostFact(error.lost, name) : `\`${name}\` is busy`;
  return { delayMs, note: `${fact}: attempt ${attempt + 1} of ${attemptsMax} in ${Math.ceil(delayMs / 100) / 10} s` };
}

function lostFact(lost: "connection" | "answer", name: string): string {
  return lost === "connection" ? `the connection to \`${name}\` was lost` : `the answer of \`${name}\` broke off`;
}

/** `Retry-After` is a number of seconds or a date: RFC 9110, 10.2.3. */
function askedWaitMs({ headers }: ApiError, now = ""): number | undefined {
  const text = headers?.["retry-after"] ?? "";
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text) * 1000;
  const untilMs = Date.parse(text) - Date.parse(now);
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs);
}

/** Reads an error: `{error: {message, type, code}}`, or a plain text under `error`, `message` or `detail`. */
export function errorIn(body: JsonObject): ApiError | undefined {
  const { error } = body;
  const said = isJsonObject(error) ? error : body;
  const message =
    textAt(body, "error") ??
    (arrayAt(body, "choices").length > 0 ? undefined : (textAt(said, "message") ?? textAt(said, "detail")));
  if (said === body && message === undefined) return undefined;
  return {
    ...(message === undefined ? {} : { message }),
    types: [textAt(said, "type"), textAt(said, "code")].filter((type) => type !== undefined),
  };
}

export function apiFailure(error: ApiError, asked: AskedModel): Failure {
  const { status, message, lost } = error;
  const { name, endpoint, key } = asked;
  const said =
    message === undefined || quotesKey(message, key.value) ? undefined : shownLine(message, MESSAGE_CHARACTERS_MAX);
  const what = lost
    ? lostFact(lost, name)
    : status === undefined
      ? `\`${name}\` stopped with an error in the middle of the answer`
      : `\`${name}\` answered with status ${status}`;
  return {
    kind: "network",
    url: endpoint,
    reason: said === undefined || said === "" ? what : `${what}: ${said}`,
    help: helpOf(error, asked),
  };
}

/** What to do where a server is not what the configuration says. */
export function providerHelp({ name, configPath }: AskedModel): string {
  return `check \`url\` and \`kind\` of \`${name}\` in \`${configPath}\``;
}

function quotesKey(message: string, key = ""): boolean {
  return (
    key !== "" &&
    [key.slice(0, KEY_START_CHARACTERS), key.slice(-KEY_START_CHARACTERS)].some((part) => message.includes(part))
  );
}

function helpOf(error: ApiError, asked: AskedModel): readonly string[] {
  const { status = 500, types = [] } = error;
  const { name, model, key, configPath } = asked;
  const place = `of \`${name}\` in \`${configPath}\``;
  if (types.some((type) => QUOTA_TYPES.has(type)) || status === 402)
    return ["the quota of the account is used up: check its billing"];
  switch (status) {
    case 401:
      return [
        key.from === undefined
          ? `it needs a key: write \`key: env:NAME\` for \`${name}\` in \`${configPath}\``
          : `the key is wrong or has expired: check ${key.from}`,
      ];
    case 403:
      return [
        `the key is not allowed to use the model \`${model}\`, or not from this place${key.from === undefined ? "" : `: check ${key.from}`}`,
      ];
    case 404:
      return [`check the model \`${model}\`, and \`url\` ${place}`];
    case 413:
      return ["send a shorter prompt"];
    case 400:
    case 422:
      return [`check the model \`${model}\`, what is passed with the prompt, and \`kind\` ${place}`];
  }
  const waitMs = askedWaitMs(error);
  if (status === 429 || status >= 500)
    return [waitMs === undefined ? "try again later" : `try again in ${Math.ceil(waitMs / 1000)} s`];
  return [providerHelp(asked)];
}
