// Code in the sandbox: a fresh machine for every run, beside a bare round trip to a thread; the first run, which starts
// the thread; many small expressions at once; computing, beside V8; and TypeScript whose types are erased in a thread,
// beside the compiler in this one.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { amaroPlace } from "../../src/features/javascript/host/amaro-place.ts";
import { loadAmaro } from "../../src/features/javascript/host/amaro.ts";
import { runSandboxed } from "../../src/features/javascript/run-sandboxed.ts";
import { runTransforms } from "../../src/features/javascript/transform-arguments.ts";
import { takeTurns } from "./take-turns.mjs";

const ROUNDS = 200;
const COLD_ROUNDS = 15;
const COMPUTING_ROUNDS = 7;
const RUN_MS_MAX = 5;
const TRANSFORMS = Array.from({ length: 1_000 }, (_, index) => ({
  expression: "value.trim().toLowerCase()",
  value: ` Value ${index}`,
}));
const ERASING_ROUNDS = 30;
/** A text of 10 kB. */
const TYPED =
  "const count = (items: readonly string[], least: number): number => items.length as number + least;\n".repeat(100);
const COMPUTING = "let sum = 0; for (let n = 0; n < 1_000_000; n++) sum = (sum * 31 + n) % 1_000_003; return sum;";

export async function benchSandbox() {
  const echo = new Worker(
    'const { parentPort } = require("node:worker_threads"); parentPort.on("message", (m) => parentPort.postMessage(m));',
    { eval: true },
  );
  const warm = context();
  const run = (code, place = warm) => good(runSandboxed({ code, input: { n: 1 } }, place));
  const roundTrip = () => {
    echo.postMessage("{}");
    return once(echo, "message");
  };
  const compute = new Function(COMPUTING);
  const compiler = loadAmaro(amaroPlace());
  let texts = 0;
  // Each text is new, because the cache would contain a repeated one.
  const typed = () => `{\n${TYPED}}\n// ${process.hrtime.bigint()} ${texts++}`;
  const ms = {
    ...(await takeTurns(ROUNDS, { run: () => run("return input.n + 1"), roundTrip })),
    ...(await takeTurns(COLD_ROUNDS, { first: () => run("return input.n + 1", context()), thread: startThread })),
    ...(await takeTurns(COMPUTING_ROUNDS, {
      transforms: () => good(runTransforms(TRANSFORMS, warm)),
      computing: () => run(COMPUTING),
      computingBare: async () => compute(),
    })),
    ...(await takeTurns(ERASING_ROUNDS, {
      erasing: () => warm.host.sandbox.eraseTypes(typed(), warm.signal),
      erasingBare: async () => compiler.transformSync(typed(), { mode: "strip-only" }),
    })),
  };
  await echo.terminate();
  return [
    {
      name: "run of code in a fresh machine",
      value: ms.run,
      unit: "ms",
      reference: ms.roundTrip,
      of: "bare thread",
      target: RUN_MS_MAX,
    },
    {
      name: "the first run, with its thread",
      value: ms.first,
      unit: "ms",
      reference: ms.thread,
      of: "start of a thread",
    },
    { name: "a thousand transforms", value: ms.transforms, unit: "ms" },
    { name: "a million steps of a loop", value: ms.computing, unit: "ms", reference: ms.computingBare, of: "V8" },
    {
      name: "erasing the types of 10 kB",
      value: ms.erasing,
      unit: "ms",
      reference: ms.erasingBare,
      of: "amaro in this thread",
    },
  ];
}

function context() {
  return { host: createNodeHost(), signal: new AbortController().signal, path: [] };
}

async function good(outcome) {
  const { status, failure } = await outcome;
  if (status !== "ok") throw new Error(JSON.stringify(failure));
}

async function startThread() {
  const thread = new Worker('require("node:worker_threads").parentPort.postMessage("{}")', { eval: true });
  await once(thread, "message");
  await thread.terminate();
}
