// A trace as an OpenTelemetry collector reads it: the JSON encoding of OTLP, which is protobuf's but for ids in
// hexadecimal and enums as numbers.
// https://github.com/open-telemetry/opentelemetry-proto/blob/main/docs/specification.md#json-protobuf-encoding, with
// the messages of opentelemetry/proto/trace/v1/trace.proto there; 64-bit numbers are texts. Names of attributes that
// are not ours: `process.exit.code` and `error.type` of the semantic conventions.
import { ownProgramName, ownProgramVersion } from "../../core/text/program-name.ts";
import { version } from "../../generated/version.ts";
import { replacingCredentials } from "../../core/text/without-credentials.ts";
import type { Outcome, ProcessReport } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { TraceSpan, TracedWork } from "../../core/tool/span.ts";
import { resolve } from "node:path";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { Traced } from "../../cli/parts.ts";
import { targetProblem } from "../../cli/words/target-file.ts";

/** About 20 MiB, the default limit of a collector. */
const SPANS_MAX = 40_000;

type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly boolValue: boolean };

interface Attribute {
  readonly key: string;
  readonly value: AttributeValue;
}

/** `SpanKind` and `StatusCode` of trace.proto. */
const SPAN_KIND_INTERNAL = 1;
const statusCodes = { unset: 0, error: 2 } as const;

interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: typeof SPAN_KIND_INTERNAL;
  readonly startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: readonly Attribute[];
  status: { readonly code: number; readonly message?: string };
}

export class Trace {
  /** The parent of the calls. */
  readonly span: TraceSpan;
  readonly #host: Host;
  readonly #traceId: string;
  readonly #startedMs: number;
  readonly #startedNs: bigint;
  readonly #records: SpanRecord[] = [];
  /** The open spans; work that a deadline left behind may never end. */
  readonly #open = new Set<SpanRecord>();
  #dropped = 0;

  constructor(host: Host) {
    this.#host = host;
    this.#startedMs = host.nowMs();
    this.#startedNs = BigInt(Date.parse(host.timestamp())) * 1_000_000n;
    const parent = parentIn(host.environment("TRACEPARENT"));
    this.#traceId = parent?.traceId ?? host.randomId();
    this.span = { begin: (work) => this.#begin(work, parent?.spanId), end: () => undefined };
  }

  /** The number of spans beyond the limit, which are dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns an `ExportTraceServiceRequest` on one line, as the collector's file receiver wants it. */
  text(): string {
    for (const record of this.#open) {
      record.endTimeUnixNano = this.#now();
      record.attributes = [...record.attributes, flag("dottool.unfinished")];
    }
    this.#open.clear();
    const resource = {
      attributes: [text("service.name", ownProgramName()), text("service.version", ownProgramVersion())],
    };
    const scopeSpans = [{ scope: { name: "dottool", version }, spans: this.#records }];
    return `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }, replacingCredentials)}\n`;
  }

  #begin(work: TracedWork, parentSpanId: string | undefined): TraceSpan {
    if (this.#records.length >= SPANS_MAX) {
      this.#dropped++;
      return { begin: (inner) => this.#begin(inner, parentSpanId), end: () => undefined };
    }
    const now = this.#now();
    const record: SpanRecord = {
      traceId: this.#traceId,
      spanId: this.#host.randomId().slice(0, 16),
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name: nameOf(work),
      kind: SPAN_KIND_INTERNAL,
      startTimeUnixNano: now,
      endTimeUnixNano: now,
      attributes: [text("dottool.kind", work.kind), ...attributesOf(work)],
      status: { code: statusCodes.unset },
    };
    this.#records.push(record);
    this.#open.add(record);
    return {
      begin: (inner) => this.#begin(inner, record.spanId),
      end: (how) => {
        // After its end the trace has been written.
        if (!this.#open.delete(record)) return;
        record.endTimeUnixNano = this.#now();
        record.attributes = [...record.attributes, ...endAttributes(how)];
        if (how !== "skipped" && how.status === "failed")
          record.status = { code: statusCodes.error, message: failureWords(how.failure) };
      },
    };
  }

  /** Returns the start plus the elapsed time: the wall clock may be changed during a run. */
  #now(): string {
    return String(this.#startedNs + BigInt(Math.round((this.#host.nowMs() - this.#startedMs) * 1_000_000)));
  }
}

/**
 * https://www.w3.org/TR/trace-context/#traceparent-header. Any other text starts a new trace, as the
 * specification says.
 */
function parentIn(text = ""): { readonly traceId: string; readonly spanId: string } | undefined {
  const [, edition, traceId = "", spanId = "", more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(text) ?? [];
  if (edition === undefined || edition === "ff" || (edition === "00" && more !== undefined)) return undefined;
  return /[^0]/.test(traceId) && /[^0]/.test(spanId) ? { traceId, spanId } : undefined;
}

function nameOf(work: TracedWork): string {
  switch (work.kind) {
    case "call":
      return work.name;
    case "step":
    case "cleanup":
      return `${work.kind} ${work.name}`;
    case "item":
      return `item ${work.index}`;
    case "attempt":
      return `attempt ${work.number}`;
    case "fallback":
      return "fallback";
  }
}

function attributesOf(work: TracedWork): readonly Attribute[] {
  switch (work.kind) {
    case "call":
      return [text("dottool.tool", work.name)];
    case "step":
    case "cleanup":
      return [text("dottool.step", work.name), text("dottool.tool", work.tool)];
    case "item":
      return [integer("dottool.item", work.index)];
    case "attempt":
      return [integer("dottool.attempt", work.number)];
    case "fallback":
      return [];
  }
}

function endAttributes(how: Outcome | "skipped"): readonly Attribute[] {
  if (how === "skipped") return [flag("dottool.skipped")];
  const cause = how.status === "failed" ? causeOf(how.failure) : undefined;
  const exitCode = how.process?.exitCode ?? (cause?.kind === "exit" ? cause.exitCode : undefined);
  return [
    ...(exitCode === undefined ? [] : [integer("process.exit.code", exitCode)]),
    ...sandboxAttributes(how.process),
    ...(cause ? [text("error.type", cause.kind)] : []),
  ];
}

/** Absent: the process had no sandbox, and none was asked for. */
function sandboxAttributes(report: ProcessReport | undefined): readonly Attribute[] {
  if (!report || (report.sandbox === "none" && !report.missing)) return [];
  return [
    text("dottool.sandbox.level", report.level),
    text("dottool.sandbox", report.sandbox),
    ...(report.missing ?? []).map((one) => text("dottool.sandbox.missing", one)),
  ];
}

function causeOf(failure: Failure): Failure {
  return failure.kind === "step-failed" ? causeOf(failure.cause) : failure;
}

/** Returns a message without arguments; the failure's own message may repeat them. */
function failureWords(failure: Failure): string {
  if (failure.kind === "step-failed") return `step ${failure.step}: ${failureWords(failure.cause)}`;
  if (failure.kind !== "exit") return failure.kind;
  return failure.exitCode === undefined
    ? `ended by ${failure.signalName ?? "a signal"}`
    : `exit code ${failure.exitCode}`;
}

function text(key: string, stringValue: string): Attribute {
  return { key, value: { stringValue } };
}

function flag(key: string): Attribute {
  return { key, value: { boolValue: true } };
}

function integer(key: string, value: number): Attribute {
  return { key, value: { intValue: String(value) } };
}

/** Returns an exit code if nothing can be written there; the reason has been printed. */
export async function openTraceFile(path: string, opened: OpenedSession, terminal: Terminal): Promise<Traced | number> {
  const { host } = opened;
  const absolute = resolve(terminal.workingFolder(), path);
  const problem = await targetProblem(path, "trace", { host, terminal });
  if (problem !== undefined) {
    terminal.errors.write(`failed[trace]: ${problem}\n  = nothing has run; name a file in a folder that exists\n`);
    return exitCodes.missing;
  }
  const trace = new Trace(host);
  const end = async (exitCode: number): Promise<number> => {
    if (trace.dropped > 0)
      terminal.errors.write(
        `warning[trace]: ${trace.dropped} spans are left out: a collector reads a trace in one piece, so its size is limited\n`,
      );
    try {
      await host.files.write(absolute, trace.text(), { mode: 0o600 });
      return exitCode;
    } catch (error) {
      terminal.errors.write((await import("../../cli/view/write-or-tell.ts")).unwrittenText("trace", path, error));
      return exitCode === exitCodes.done ? exitCodes.failed : exitCode;
    }
  };
  return { opened: { ...opened, session: { ...opened.session, span: trace.span } }, end };
}
