// What a worker answered, as the outcome of a call. Anybody who reaches the server may have written it, so only the
// known forms of content count, and no path or handle, which would name something on another machine.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Content, Outcome, ProcessReport } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { JobAnswer } from "./queue-job.ts";

const MESSAGE_HEAD = /^failed\[[a-z-]+\]: /;
const HELP_HEAD = "  = ";

export function outcomeOfAnswer({ status, worker, exitCode, shown }: JobAnswer): Outcome {
  const pieces = Array.isArray(shown["content"]) ? shown["content"] : [];
  const content = pieces.flatMap((piece) => contentOf(piece) ?? []);
  const rest = {
    content,
    ...processOf(shown["streams"], exitCode),
    ...(shown["isUntrusted"] === true ? { isUntrusted: true as const } : {}),
  };
  if (content.length < pieces.length)
    return {
      status: "failed",
      ...rest,
      failure: {
        kind: "rejected",
        reason: `the worker \`${worker}\` answered with something that this version of dottool does not know`,
        help: ["use the same version of dottool on every machine of the queue"],
      },
    };
  return status === "ok"
    ? { status, ...rest }
    : { status, ...rest, failure: failureOf(isJsonObject(shown["failure"]) ? shown["failure"] : {}, worker) };
}

function contentOf(piece: Json): Content | undefined {
  if (!isJsonObject(piece)) return undefined;
  const { type, text, value, mediaType, base64, uri, sizeBytes } = piece;
  if (type === "text") return typeof text === "string" ? { type, text } : undefined;
  if (type === "json") return value === undefined ? undefined : { type, value };
  if (typeof mediaType !== "string") return undefined;
  if (type === "image" || type === "audio") return typeof base64 === "string" ? { type, mediaType, base64 } : undefined;
  if (type === "resource")
    return typeof uri === "string" && typeof text === "string" ? { type, uri, mediaType, text } : undefined;
  return type === "file" && typeof sizeBytes === "number" ? { type, mediaType, sizeBytes } : undefined;
}

/** The process at the worker, as far as other steps read it. */
function processOf(streams: Json | undefined, exitCode: number): { readonly process?: ProcessReport } {
  if (!isJsonObject(streams)) return {};
  const transcript = (["stdout", "stderr"] as const).flatMap((stream) => {
    const text = streams[stream];
    return typeof text === "string" && text !== "" ? [{ stream, text }] : [];
  });
  return { process: { argv: [], cwd: "", exitCode, transcript, cutBytes: 0, level: "none", sandbox: "none" } };
}

function failureOf(failure: JsonObject, worker: string): Failure {
  const { kind, program, exitCode, signalName, message } = failure;
  if (kind === "exit" && typeof program === "string")
    return {
      kind,
      program,
      ...(typeof exitCode === "number" ? { exitCode } : {}),
      ...(typeof signalName === "string" ? { signalName } : {}),
    };
  const lines = typeof message === "string" ? message.split("\n") : [];
  const help = lines.filter((line) => line.startsWith(HELP_HEAD)).map((line) => line.slice(HELP_HEAD.length));
  const reason = lines.filter((line) => !line.startsWith(HELP_HEAD)).map((line) => line.trim());
  const said = reason.join("; ").replace(MESSAGE_HEAD, "");
  return {
    kind: "rejected",
    reason: said === "" ? `the worker \`${worker}\` did not say why` : said,
    help: [...help, ...(worker === "" ? [] : [`the worker \`${worker}\` says so`])],
  };
}
