// Turns a failed request, or an answer with an error status, into a `Failure`.
import type { Failure } from "../../core/tool/failure.ts";
import type { WebResult } from "../../core/tool/host.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";

export type WebResponse = Extract<WebResult, { kind: "response" }>;

/** `url` is shown, so it must hold no secret. */
export function webFailure(result: Exclude<WebResult, WebResponse>, url: string): Failure {
  switch (result.kind) {
    case "refused":
    case "unreachable":
      return { kind: "network", url, reason: result.reason, help: result.help };
    case "timeout":
      return { kind: "timeout", limitMs: result.limitMs };
    case "cancelled":
      return { kind: "cancelled" };
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function statusFailure(response: WebResponse, url: string): Failure {
  return { kind: "network", url, reason: `the answer has status ${response.status}`, help: statusHelp(response) };
}

/** Returns the seconds that the server asks to wait. Absent if it gives none. */
export function retryAfterSeconds(response: WebResponse): number | undefined {
  const text = response.headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function statusHelp(response: WebResponse): readonly string[] {
  const { status } = response;
  if (status === 401 || status === 403 || status === 407) return ["the page needs a login, or blocks programs"];
  if (status === 404 || status === 410) return ["check the spelling of the address"];
  if (status === 429 || status >= 500) {
    const seconds = retryAfterSeconds(response);
    return [seconds === undefined ? "try again later" : `try again in ${seconds} s`];
  }
  return [];
}

/** Returns an address as it may be shown: without user name, password and fragment, and with dots for secrets. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = "";
  url.password = "";
  url.hash = "";
  return withoutCredentials(url.href);
}
