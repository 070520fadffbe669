// Errors of model APIs, as failures that say what to do, and which of them pass with time. Sources:
// platform.claude.com/docs/en/api/errors and platform.openai.com/docs/guides/error-codes.
import type { Failure } from "../../core/tool/failure.ts";
import type { ModelKey } from "./model-key.ts";
import { shownLine } from "../web/web-text.ts";
import type { ModelQuestion } from "./model-answer.ts";
import type { ApiProvider } from "./model-settings.ts";

export interface AskedApi {
  readonly question: ModelQuestion;
  readonly provider: ApiProvider;
  readonly model: string;
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

/** The longest wait. A longer one is the caller's decision. */
const WAIT_MS_MAX = 10_000;
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
  readonly waitMsMax?: number;
}

/**
 * Returns when to ask again, and what to tell a person who waits: after what the API asks for, or longer each time.
 * Returns undefined if that is too long or does not help.
 */
export function nextAttempt(
  error: ApiError,
  { attempt, attemptsMax, name, now, waitMsMax = WAIT_MS_MAX }: AttemptOptions,
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

export function apiFailure(
  error: ApiError,
  asked: AskedApi,
  { endpoint, key }: { readonly endpoint: string; readonly key: ModelKey },
): Failure {
  const { status, message, lost } = error;
  const name = asked.question.provider;
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
    help: helpOf(error, asked, key),
  };
}

function quotesKey(message: string, key = ""): boolean {
  return (
    key !== "" &&
    [key.slice(0, KEY_START_CHARACTERS), key.slice(-KEY_START_CHARACTERS)].some((part) => message.includes(part))
  );
}

function helpOf(error: ApiError, { question, model }: AskedApi, key: ModelKey): readonly string[] {
  const { status = 500, types = [] } = error;
  const { provider, configPath } = question;
  const place = `of \`${provider}\` in \`${configPath}\``;
  if (types.some((type) => QUOTA_TYPES.has(type)) || status === 402)
    return ["the quota of the account is used up: check its billing"];
  switch (status) {
    case 401:
      return [
        key.from === undefined
          ? `it needs a key: write \`key: env:NAME\` for \`${provider}\` in \`${configPath}\``
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
  const asked = askedWaitMs(error);
  if (status === 429 || status >= 500)
    return [asked === undefined ? "try again later" : `try again in ${Math.ceil(asked / 1000)} s`];
  return [`check \`url\` and \`kind\` ${place}`];
}
