// `--trace`: the file is sent to a server that reads it as a collector does, with the messages of the official
// protocol.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Trace } from "../../src/features/trace/trace.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("trace");
const runLine = startingOnce();

interface Message {
  fromObject(value: object): object;
  toObject(message: object, options: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

/** Newer editions of the package only encode. */
const messages = createRequire(import.meta.url)("@opentelemetry/otlp-transformer/build/src/generated/root.js") as {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: { readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: Message } } };
    };
  };
};
const { ExportTraceServiceRequest } = messages.opentelemetry.proto.collector.trace.v1;

interface ReadSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string | boolean>> }[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface TraceRequest {
  readonly resourceSpans: readonly [{ readonly scopeSpans: readonly [{ readonly spans: readonly ReadSpan[] }] }];
}

const isId = (key: string): boolean => key === "traceId" || key === "spanId" || key === "parentSpanId";

/**
 * Throws for what a collector refuses: ids that are not hexadecimal of their length, enums that are not numbers, 64-bit
 * numbers that are not decimal texts.
 */
function decoded(text: string): object {
  const request = JSON.parse(text, (key, value: unknown) => {
    if (isId(key)) {
      assert.match(String(value), key === "traceId" ? /^(?!0{32})[0-9a-f]{32}$/ : /^(?!0{16})[0-9a-f]{16}$/);
      return Buffer.from(String(value), "hex").toString("base64");
    }
    if (key === "kind" || key === "code") assert.type(value, "number");
    if (key.endsWith("UnixNano") || key === "intValue")
      assert.match(String(typeof value === "string" && value), /^[0-9]+$/);
    return value;
  }) as object;
  const bytes = ExportTraceServiceRequest.encode(ExportTraceServiceRequest.fromObject(request)).finish();
  return ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(bytes), {
    longs: String,
    enums: Number,
    bytes: String,
  });
}

/** Returns the file after the protocol, which removes unknown fields and types. */
async function atCollector(body: string): Promise<{ readonly status: number; readonly request: TraceRequest }> {
  let request: object = {};
  const server = createServer((incoming, response) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (part: string) => (text += part));
    incoming.on("end", () => {
      const answer = (status: number, value: object): void =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      try {
        assert.equal([incoming.url, incoming.headers["content-type"]], ["/v1/traces", "application/json"]);
        request = decoded(text);
        answer(200, {});
      } catch (error) {
        answer(400, { message: String(error) });
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const answer = await response.text();
    assert.is(answer, "{}");
    const hex = JSON.parse(JSON.stringify(request), (key, value: unknown) =>
      isId(key) ? Buffer.from(String(value), "base64").toString("hex") : value,
    ) as TraceRequest;
    return { status: response.status, request: hex };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Returns one line for each span: its depth, name, attributes and end. */
function outline({
  resourceSpans: [
    {
      scopeSpans: [{ spans }],
    },
  ],
}: TraceRequest): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const depth = (span: ReadSpan): number => {
    const parent = byId.get(span.parentSpanId ?? "");
    return parent ? depth(parent) + 1 : 0;
  };
  return spans.map((span) => {
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
    const facts = span.attributes
      .filter(({ key }) => key !== "dottool.kind")
      .map(({ key, value }) => `${key.replace("dottool.", "")}=${Object.values(value).join()}`);
    const words = [
      span.name,
      ...facts,
      ...(span.status.code === 0 ? [] : [`${span.status.code}: ${span.status.message}`]),
    ];
    return "  ".repeat(depth(span)) + words.join(" ");
  });
}

const stepsTool = (name: string, text: string): string => `Do steps.\n\n@title ${name}\n@name ${name}\n${text}\n`;
const SECRET = "hunter2-of-ana";
const files = {
  ".tools/inner.tool": stepsTool("inner", "@param word {string} [required] Word\n@step say runs\n    echo {word}"),
  ".tools/outer.tool": stepsTool(
    "outer",
    `@param word {string} [required] Word
@param token {string} [secret, required] Token
@step again sh [retry=2 delay=1ms fallback]
    exit 3
    fallback:
        echo {token}
@step never runs [when={word} == "other"]
    echo {word}
@param list {array<string>} [default=["a", "b"]] List
@step each runs [for-each={list}]
    echo {item}
@step inside uses inner
    word = {word}
@cleanup sh
    echo {word}`,
  ),
  ".tools/broken.tool": stepsTool(
    "broken",
    "@step first runs\n    echo one\n@step second sh\n    echo private words >&2; exit 4",
  ),
  ".tools/slow.tool": stepsTool("slow", "@step wait sh [output=stream]\n    echo started; sleep 30"),
};

test("--trace writes a span for the call, each step, attempt, item and inner call, as a collector reads it", async () => {
  using bench = testProject(files);
  const { exitCode } = await runLine(bench, ["--trace", "trace.json", "outer", "--word", "private", "--token", SECRET]);
  const text = readFileSync(join(bench.folder, "trace.json"), "utf8");
  const { status, request } = await atCollector(text);
  assert.equal([exitCode, status], [0, 200]);
  assert.equal(request, JSON.parse(text) as TraceRequest);
  assert.equal(outline(request), [
    "outer tool=outer",
    "  step again step=again tool=sh process.exit.code=0",
    "    attempt 1 attempt=1 process.exit.code=3 error.type=exit 2: exit code 3",
    "    attempt 2 attempt=2 process.exit.code=3 error.type=exit 2: exit code 3",
    "    fallback process.exit.code=0",
    "  step never step=never tool=echo skipped=true",
    "  step each step=each tool=echo",
    "    item 0 item=0 process.exit.code=0",
    "    item 1 item=1 process.exit.code=0",
    "  step inside step=inside tool=inner",
    "    inner tool=inner",
    "      step say step=say tool=echo process.exit.code=0",
    "  cleanup cleanup step=cleanup tool=sh process.exit.code=0",
  ]);
  assert.equal(
    ["private", SECRET].filter((value) => text.includes(value)),
    [],
  );
});

test("--trace tells what failed, and nothing of what was said", async () => {
  using bench = testProject(files);
  const runs = await Promise.all([
    runLine(bench, ["--trace", "failed.json", "broken"]),
    runLine(bench, ["--trace=refused.json", "inner", "--wrod", SECRET]),
    runLine(bench, ["--trace=missing.json", "innner"]),
  ]);
  const texts = ["failed.json", "refused.json", "missing.json"].map((name) =>
    readFileSync(join(bench.folder, name), "utf8"),
  );
  assert.equal(
    runs.map(({ exitCode }) => exitCode),
    [4, 64, 66],
  );
  assert.equal(await Promise.all(texts.map(async (text) => outline((await atCollector(text)).request))), [
    [
      "broken tool=broken process.exit.code=4 error.type=exit 2: step second: exit code 4",
      "  step first step=first tool=echo process.exit.code=0",
      "  step second step=second tool=sh process.exit.code=4 error.type=exit 2: exit code 4",
    ],
    ["inner tool=inner error.type=invalid-arguments 2: invalid-arguments"],
    ["innner tool=innner error.type=unknown-tool 2: unknown-tool"],
  ]);
  assert.not.match(texts.join(""), /private|hunter2/);
});

test("Trace has no login of an address, wherever one is", () => {
  const trace = new Trace({ ...memoryHost(), randomId: createNodeHost().randomId });
  trace.span.begin({ kind: "call", name: `https://ana:${SECRET}@host.example/` }).end("skipped");
  assert.match(trace.text(), '"https://host.example/"');
  assert.not.match(trace.text(), SECRET);
});

test("Trace goes on with the trace of TRACEPARENT, and ignores what is none", () => {
  const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const headers = [
    `00-${traceId}-${spanId}-01`,
    `01-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    "words",
  ];
  const parents = headers.map((header) => {
    const trace = new Trace({ ...createNodeHost(), environment: () => header });
    trace.span.begin({ kind: "call", name: "one" }).end("skipped");
    const [call] = (JSON.parse(trace.text()) as TraceRequest).resourceSpans[0].scopeSpans[0].spans;
    return [call?.traceId === traceId, call?.parentSpanId];
  });
  assert.equal(parents, [[true, spanId], [true, spanId], ...headers.slice(2).map(() => [false, undefined])]);
});

test("Trace says what had not ended when it was written", () => {
  const host = { ...memoryHost(), randomId: createNodeHost().randomId };
  const trace = new Trace(host);
  const call = trace.span.begin({ kind: "call", name: "one" });
  host.advance(250);
  const left = call.begin({ kind: "step", name: "slow", tool: "sh" });
  call.end({ status: "failed", content: [], failure: { kind: "timeout", limitMs: 250 } });
  host.advance(50);
  const request = JSON.parse(trace.text()) as TraceRequest;
  left.end("skipped");
  assert.equal(outline(request), [
    "one tool=one error.type=timeout 2: timeout",
    "  step slow step=slow tool=sh unfinished=true",
  ]);
  const nanos = request.resourceSpans[0].scopeSpans[0].spans.map(({ startTimeUnixNano, endTimeUnixNano }) => [
    startTimeUnixNano,
    endTimeUnixNano,
  ]);
  assert.equal(nanos, [
    ["1767225600000000000", "1767225600250000000"],
    ["1767225600250000000", "1767225600300000000"],
  ]);
});

test("Trace keeps as many spans as a collector takes at once, and counts the others", () => {
  const trace = new Trace(createNodeHost());
  const call = trace.span.begin({ kind: "call", name: "one" });
  for (let index = 0; index < 40_002; index++) call.begin({ kind: "item", index }).end("skipped");
  const { spans } = (JSON.parse(trace.text()) as TraceRequest).resourceSpans[0].scopeSpans[0];
  assert.equal([spans.length, trace.dropped], [40_000, 3]);
});

test("--trace is written when the call is interrupted", async () => {
  using bench = testProject(files);
  const { command, words, environment } = bench.program;
  const child = spawn(command, [...words, "--trace", "trace.json", "slow"], {
    cwd: bench.folder,
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  // After `child.kill` Deno reports the signal instead of the exit code.
  child.stdout.once("data", () => void (child.pid && process.kill(child.pid, "SIGINT")));
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  const { request } = await atCollector(readFileSync(join(bench.folder, "trace.json"), "utf8"));
  assert.is(exitCode, 130);
  assert.equal(outline(request), [
    "slow tool=slow error.type=cancelled 2: cancelled",
    "  step wait step=wait tool=sh error.type=cancelled 2: cancelled",
  ]);
});

test("--trace runs nothing where the file cannot be written, and is for calls alone", async () => {
  using bench = testProject(files);
  mkdirSync(join(bench.folder, "folder"));
  writeFileSync(
    join(bench.folder, ".tools/touch.tool"),
    "Touch.\n\n@title Touch\n@name touch\n@wrapped run_command\n@command touch ran\n",
  );
  const [none, folder, list] = await Promise.all([
    runLine(bench, ["--trace", "no/t.json", "touch"]),
    runLine(bench, ["--trace", "folder", "touch"]),
    runLine(bench, ["--trace", "t.json", "list"]),
  ]);
  const device = await runLine(bench, ["--trace", "/dev/null", "touch"]);
  assert.equal(device, {
    stdout: "",
    stderr:
      "failed[trace]: `/dev/null` is a device or a pipe, not a file\n  = nothing has run; name a file in a folder that exists\n",
    exitCode: 66,
  });
  writeFileSync(
    join(bench.folder, ".tools/steps.tool"),
    "Touch.\n\n@title Steps\n@name steps\n@step one runs\n    touch ran\n",
  );
  const same = await runLine(bench, ["--trace", "t.json", "steps", "-o", "folder/../t.json"]);
  assert.equal(same, {
    stdout: "",
    stderr:
      "failed[usage]: `--trace` and `--output-file` name the same file, `t.json`\n  = nothing has run; give each its own file\n",
    exitCode: 64,
  });
  assert.equal(
    [none, folder, list],
    [
      {
        stdout: "",
        stderr:
          "failed[trace]: there is no folder for the trace `no/t.json`\n  = nothing has run; name a file in a folder that exists\n",
        exitCode: 66,
      },
      {
        stdout: "",
        stderr: "failed[trace]: `folder` is a folder\n  = nothing has run; name a file in a folder that exists\n",
        exitCode: 66,
      },
      {
        stdout: "",
        stderr:
          "failed[usage]: `--trace` works with `run`, `call`, `agent`, `exec` and `batch`, not with `list`\n  = `dottool --help` shows the usage\n",
        exitCode: 64,
      },
    ],
  );
  assert.equal([existsSync(join(bench.folder, "ran")), existsSync(join(bench.folder, "t.json"))], [false, false]);
});

test.run();
