// Removes the secrets of a call from everything that leaves the gate: texts, failures, the start of a process, and
// streamed output.
import { MASK } from "../schema/describe.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { maskedArguments, secretValues } from "../schema/secrets.ts";
import type { Content, InnerSandbox, Outcome, OutputStream, ProcessReport, ToolCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolEvent } from "../tool/tool.ts";
import { maskedTranscript, maskStream } from "./masks/output-masks.ts";
import { SEARCHED_CHARACTERS_MIN, type SecretForms, secretForms } from "./masks/secret-forms.ts";
import { maskedTexts } from "./masks/text-masks.ts";

export interface Masks {
  text(text: string): string;
  failure(failure: Failure): Failure;
  call(call: ToolCall): ToolCall;
  outcome(outcome: Outcome): Outcome;
  /**
   * Masks secrets in what `emit` gets, also where they are split across events. `flush` passes on what was held back
   * for that.
   */
  events(emit: (event: ToolEvent) => void | Promise<void>): {
    readonly emit: (event: ToolEvent) => void | Promise<void>;
    flush(): Promise<void>;
  };
  /** Masks secrets in output before it is stored: nothing that may not be shown is written to the disk. */
  stored<Given extends unknown[], Ended>(output: StoredOutput<Given, Ended>): StoredOutput<Given, Ended>;
}

/** An `OutputKeeper` or a `HeldOutput`. */
interface StoredOutput<Given extends unknown[], Ended> {
  write(stream: OutputStream, bytes: Uint8Array): void | Promise<void>;
  end(...given: Given): Promise<Ended>;
}

interface MaskedCall {
  readonly used: readonly unknown[];
  /** Secrets that are not arguments. */
  readonly hidden?: readonly string[];
  environment(name: string): string | undefined;
}

export function createMasks(parameters: readonly Parameter[], { used, hidden = [], environment }: MaskedCall): Masks {
  const fromEnvironment = parameters.flatMap((parameter) =>
    parameter.secret && parameter.environment !== undefined ? [environment(parameter.environment) ?? ""] : [],
  );
  const values = [...used.flatMap((args) => secretValues(args, parameters)), ...fromEnvironment, ...hidden].filter(
    (value) => value !== "",
  );
  const searched = formsOf(values);
  const forms = secretForms(values);
  const whole = (masked: string): string => maskCutValues(masked, searched);
  const text = (plain: string): string => whole(maskedTexts([plain], forms)[0] ?? plain);
  const json = (value: Json): Json => {
    if (typeof value === "string") return text(value);
    // Numbers are masked by their digits.
    if (typeof value === "number")
      return values.includes(String(value)) && String(value).length >= SEARCHED_CHARACTERS_MIN ? MASK : value;
    if (Array.isArray(value)) return value.map(json);
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), json(item)]))
      : value;
  };
  const content = (items: readonly Content[]): readonly Content[] => maskedContent(items, { forms, text, whole, json });
  const word = (plain: string): string => (values.includes(plain) ? MASK : text(plain));
  const kept = ({ blocked, allowedBy }: Partial<InnerSandbox>): Partial<InnerSandbox> => ({
    ...(blocked
      ? { blocked: blocked === "unseen" ? blocked : blocked.map((one) => ({ ...one, name: text(one.name) })) }
      : {}),
    ...(allowedBy ? { allowedBy: allowedBy.map(text) } : {}),
  });
  const process = (report: ProcessReport): ProcessReport => ({
    ...report,
    ...kept(report),
    argv: report.argv.map(word),
    cwd: text(report.cwd),
    transcript: maskedTranscript(report.transcript, forms),
  });
  const others = [...fromEnvironment, ...hidden];
  const failure = (plain: Failure): Failure => maskFailure(plain, { text, others, parameters });
  return {
    text,
    failure,
    call: (call) => ({
      ...call,
      arguments: isJsonObject(call.arguments) ? maskedArguments(call.arguments, parameters) : MASK,
    }),
    outcome: (outcome) => {
      const shared = {
        content: content(outcome.content),
        ...(outcome.process ? { process: process(outcome.process) } : {}),
        ...(outcome.sandbox ? { sandbox: { ...outcome.sandbox, ...kept(outcome.sandbox) } } : {}),
      };
      return outcome.status === "ok"
        ? { ...outcome, ...shared }
        : { ...outcome, ...shared, failure: failure(outcome.failure) };
    },
    events: (emit) => maskStream(emit, { forms, text }),
    stored: (output) => {
      const write = (event: ToolEvent): void | Promise<void> =>
        event.kind === "output" ? output.write(event.stream, event.bytes) : undefined;
      const masked = maskStream(write, { forms, text });
      return {
        write: (stream, bytes) => masked.emit({ kind: "output", stream, bytes }),
        end: async (...given) => {
          await masked.flush();
          return output.end(...given);
        },
      };
    },
  };
}

/**
 * Returns the forms of values: as they are, without white space around them, in JSON, and in an address. The longest
 * come first, so that none hides a longer one.
 */
function formsOf(values: readonly string[]): readonly string[] {
  const forms = values.flatMap((value) => [
    value,
    value.trim(),
    JSON.stringify(value).slice(1, -1),
    ...(value.isWellFormed() ? [encodeURIComponent(value)] : []),
  ]);
  return [...new Set(forms)]
    .filter((form) => form.length >= SEARCHED_CHARACTERS_MIN)
    .sort((a, b) => b.length - a.length);
}

/** Masks the start of a secret in messages that shorten long values and end them with `…"`. */
function maskCutValues(text: string, forms: readonly string[]): string {
  if (!text.includes('…"')) return text;
  const [first = "", ...rest] = text.split('…"').reverse();
  return [first, ...rest.map((before) => withoutStartOfSecret(before, forms))].reverse().join('…"');
}

function withoutStartOfSecret(before: string, forms: readonly string[]): string {
  const cuts = forms.map((form) => {
    for (let length = Math.min(form.length, before.length); length >= SEARCHED_CHARACTERS_MIN; length--)
      if (before.endsWith(form.slice(0, length))) return length;
    return 0;
  });
  const longest = Math.max(0, ...cuts);
  return longest === 0 ? before : `${before.slice(0, -longest)}${MASK}`;
}

interface ContentMasks {
  readonly forms: SecretForms;
  readonly text: (text: string) => string;
  /** Cleans up a masked text: removes what is left of a secret that was cut. */
  readonly whole: (masked: string) => string;
  readonly json: (value: Json) => Json;
}

/** Masks content as one text, because its texts are shown below each other. */
function maskedContent(items: readonly Content[], { forms, text, whole, json }: ContentMasks): readonly Content[] {
  const masked = maskedTexts(
    items.map((item) => (item.type === "text" || item.type === "resource" ? item.text : "")),
    forms,
  );
  const maskedItem = (item: Content, index: number): Content => {
    switch (item.type) {
      case "text":
        return {
          ...item,
          text: whole(masked[index] ?? ""),
          ...(item.link ? { link: json(item.link) as JsonObject } : {}),
        };
      case "resource":
        return { ...item, uri: text(item.uri), mediaType: text(item.mediaType), text: whole(masked[index] ?? "") };
      case "json":
        return { ...item, value: json(item.value), ...(item.sent === undefined ? {} : { sent: text(item.sent) }) };
      case "image":
      case "audio":
        // An image without some of its bytes is not an image.
        return text(item.base64) === item.base64
          ? { ...item, mediaType: text(item.mediaType) }
          : { type: "text", text: `(${item.type === "image" ? "an image" : "audio"} that holds a secret is left out)` };
      // Output in the cache was masked before it was written.
      case "file":
        return { ...item, mediaType: text(item.mediaType) };
    }
  };
  return items.map(maskedItem);
}

interface FailureMasks {
  readonly text: (text: string) => string;
  /** Secrets that are not arguments. */
  readonly others: readonly string[];
  readonly parameters: readonly Parameter[];
}

/** Masks field by field: a secret `exit` must not change the kind of a failure. */
function maskFailure(failure: Failure, masks: FailureMasks): Failure {
  const { text } = masks;
  switch (failure.kind) {
    case "invalid-arguments":
      return {
        ...failure,
        issues: failure.issues.map((issue) => ({ path: text(issue.path), message: text(issue.message) })),
        ...maskedExample(failure, masks),
        ...(failure.losses
          ? { losses: { ...failure.losses, leftOut: failure.losses.leftOut.map((name) => text(name)) } }
          : {}),
      };
    case "wrong-result":
      return {
        ...failure,
        issues: failure.issues.map((issue) => ({ path: text(issue.path), message: text(issue.message) })),
      };
    case "unavailable":
      return {
        ...failure,
        reasons: failure.reasons.map(text),
        ...(failure.untold ? { untold: failure.untold.map(text) } : {}),
        ...(failure.help ? { help: failure.help.map(text) } : {}),
      };
    case "exit":
      return { ...failure, program: text(failure.program) };
    case "not-started":
      return { ...failure, program: text(failure.program), detail: text(failure.detail) };
    case "limit":
      return { ...failure, help: failure.help.map(text) };
    case "file":
      return { ...failure, path: text(failure.path), ...(failure.help ? { help: failure.help.map(text) } : {}) };
    case "network":
      return { ...failure, url: text(failure.url), reason: text(failure.reason), help: failure.help.map(text) };
    case "rejected":
      return { ...failure, reason: text(failure.reason), help: failure.help.map(text) };
    case "code-failed":
      return { ...failure, message: text(failure.message), help: failure.help.map(text) };
    case "step-failed":
      return { ...failure, cause: maskFailure(failure.cause, masks) };
    case "crashed":
      return { ...failure, error: maskError(failure.error, text) };
    case "denied":
      return failure.said === undefined ? failure : { ...failure, said: text(failure.said) };
    case "unknown-tool":
    case "definition":
    case "removed":
    case "untrusted":
    case "timeout":
    case "cancelled":
    case "busy":
    case "too-often":
    case "too-deep":
      return failure;
  }
}

/** Masks an example. If the secret is in the place of another one, that value has to be filled in. */
function maskedExample(
  { example, placeholders = [] }: Failure & { kind: "invalid-arguments" },
  { others, parameters }: FailureMasks,
): Pick<Failure & { kind: "invalid-arguments" }, "example" | "placeholders"> {
  if (!example) return {};
  const secrets = formsOf(
    [...secretValues(example, parameters), ...others].filter((value) => value !== "" && value !== MASK),
  );
  const isSecret = (value: Json): boolean => secrets.some((form) => JSON.stringify(value).includes(form));
  const masked = Object.entries(maskedArguments(example, parameters)).map(([name, value]): [string, Json] => [
    name,
    // Dots would be sent as they are.
    isSecret(value) || JSON.stringify(value).includes(MASK) ? `<${name}>` : value,
  ]);
  const hidden = masked.flatMap(([name, value]) =>
    value === `<${name}>` && !placeholders.includes(name) ? [name] : [],
  );
  const all = [...placeholders, ...hidden];
  return { example: Object.fromEntries(masked), ...(all.length === 0 ? {} : { placeholders: all }) };
}

function maskError(error: Error, text: (text: string) => string): Error {
  const masked = new Error(text(error.message));
  masked.name = error.name;
  masked.stack = text(error.stack ?? "");
  return masked;
}
