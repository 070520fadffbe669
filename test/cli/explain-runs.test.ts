// What `explain` prints is what a process gets: the same call is explained and made, by a host that takes down each
// process instead of starting it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assemble } from "../../src/core/session/assemble.ts";
import { explainCall } from "../../src/features/explain/explain-call.ts";
import type { ProcessPlan } from "../../src/features/explain/explain-process.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { prepareCall } from "../../src/core/run/prepare.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../src/core/schema/parameter.ts";
import type { SpawnRequest } from "../../src/core/tool/host.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";

const test = suite("explain and run");

const composed: Readonly<Record<string, string>> = {
  st: "Steps.\n\n@title St\n@name st\n@param word {string} [default=base] W\n@param more {string} M\n@tags run\n@step one runs\n    echo {word} {more}\n@step two sh\n    echo second {word}\n@cleanup sh\n    echo end\n",
  al: "Alias.\n\n@title Al\n@name al\n@wrapped st\n@default word = aliased\n",
  wr: "Wrap.\n\n@title Wr\n@name wr\n@wrapped st\n@with word = preset-{x}\n@param x {string} [default=ex] X\n",
  over: "Over.\n\n@title Over\n@name over\n@wrapped wr\n@default x = above\n",
  command:
    'C.\n\n@title C\n@name command\n@wrapped run_command\n@command echo {a} {b} -- {c}\n@param a {boolean} [flag="-n"] A\n@param b {integer} [default=4, flag="--depth={value}"] B\n@param c {array<string>} [default=["x", "y z"]] C\n@cwd sub\n@env WORD={c}\n@stdin in {b}\n',
  lesser: "L.\n\n@title L\n@name lesser\n@wrapped command\n@with a = true\n@default b = 9\n",
};

test("every process that is started is the one that was explained", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-explain-")));
  try {
    const tools = join(root, "tools");
    for (const folder of ["sub", "tools"]) mkdirSync(join(root, folder));
    for (const [name, text] of Object.entries(composed)) writeFileSync(join(tools, `${name}.tool`), text);
    const corpus = readFileSync(new URL("../language/first-definitions.txt", import.meta.url), "utf8");
    for (const part of corpus.split(/^=== /m).slice(1)) {
      const [name = "", ...lines] = part.split("\n");
      writeFileSync(join(tools, `${name.trim()}.tool`), lines.join("\n"));
    }
    const real = createNodeHost();
    const started: SpawnRequest[] = [];
    const host = {
      ...real,
      processes: {
        ...real.processes,
        find: (program: string) => `/usr/bin/${program}`,
        run: (request: SpawnRequest) => {
          started.push(request);
          return Promise.resolve({ kind: "exited", exitCode: 0, cutBytes: 0 } as const);
        },
      },
    };
    const opened = await assemble({ host, cwd: root, toolFolders: [tools], globalFolder: join(root, "etc") });
    const { session } = opened;
    const compared: string[] = [];
    for (const name of opened.catalogue().names()) {
      const tool = await session.registry.resolve(name);
      if (
        !tool ||
        (tool.definition.kind !== "wrapped" && tool.definition.kind !== "alias" && tool.definition.kind !== "steps")
      )
        continue;
      for (const args of callsOf(tool)) {
        const call = { id: "explained", tool: name, arguments: args };
        const step = await prepareCall(call, session);
        if ("failure" in step) continue;
        const explained = await explainCall(step.prepared, session);
        const plans = explained.process
          ? [explained.process]
          : (explained.steps ?? []).flatMap(({ process }) => process ?? []);
        started.length = 0;
        const result = await callTool(call, session, new AbortController().signal);
        // This host's programs have no versions.
        if (result.status === "failed" && result.failure.kind === "unavailable") continue;
        // A step whose condition or input comes from another one may not run, or not as it was written.
        const made = started.filter(({ argv }) => !argv.includes("--version")).map(planOf);
        const isPlain = explained.process !== undefined || Object.hasOwn(composed, name);
        if (!isPlain) continue;
        assert.equal(made, plans.map(comparable), `${name} ${JSON.stringify(args)}`);
        if (made.length > 0) compared.push(name);
      }
    }
    for (const name of Object.keys(composed)) assert.ok(compared.includes(name), name);
    assert.ok(new Set(compared).size >= 100, `only ${new Set(compared).size} tools were compared`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

type Comparable = Pick<ProcessPlan, "argv" | "cwd" | "stdin"> & { readonly set: Readonly<Record<string, string>> };

function comparable({ argv, cwd, stdin, environment: { set } }: ProcessPlan): Comparable {
  return { argv, cwd, set, ...(stdin === undefined ? {} : { stdin }) };
}

/**
 * The variables that this process does not have were set for the new one; those of dottool itself are not explained.
 */
function planOf({ argv, cwd, stdin, environment }: SpawnRequest): Comparable {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => process.env[name] !== value && !name.startsWith("DOTTOOL_")),
  );
  return { argv, cwd, set, ...(stdin === undefined ? {} : { stdin }) };
}

/** Returns the examples, a call with what is required, and one with everything. */
function callsOf({ definition, parameters }: Tool): readonly JsonObject[] {
  const shown = parameters.filter(({ hidden, secret }) => !hidden && !secret);
  const made = (wanted: readonly Parameter[]): JsonObject =>
    Object.fromEntries(wanted.map((one) => [one.name, one.example ?? sample(one.schema)]));
  return [...definition.examples, made(shown.filter(({ required }) => required)), made(shown)];
}

function sample(schema: ParameterSchema): Json {
  switch (schema.type) {
    case "string":
      return schema.choices?.[0] ?? "a b'c";
    case "integer":
    case "number":
      return schema.minimum ?? 3;
    case "boolean":
      return true;
    case "array":
      return [sample(schema.items), sample(schema.items)];
    case "object":
      return Object.fromEntries(schema.properties.map((one) => [one.name, sample(one.schema)]));
  }
}

test.run();
