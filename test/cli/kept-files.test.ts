// What happens to every file that dottool keeps when it is damaged in any way, read by what really reads it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withChecksum } from "../../src/tool/checked-file.ts";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { type KeptFile, keptFilesBench, type KeptFilesBench } from "./kept-files-bench.ts";

const test = suite("kept files", { testMsMax: 180_000 });

const TIDIED_AFTER = 100;

/** Removes what was put aside meanwhile. */
function tidy(path: string): void {
  rmSync(path, { recursive: true, force: true });
  for (const name of readdirSync(dirname(path)))
    if (name.includes(".broken-")) rmSync(join(dirname(path), name), { recursive: true, force: true });
}

interface Damage {
  readonly kind: string;
  /** At the path. */
  make(path: string): void;
}

/** A bit or a byte of a file, a part of it, or something else in its place. */
function* damagesOf(whole: Uint8Array, { format }: KeptFile): Generator<Damage> {
  const as = (kind: string, bytes: Uint8Array | string): Damage => ({
    kind,
    make: (path) => writeFileSync(path, bytes, { mode: 0o600 }),
  });
  const instead = (kind: string, make: (path: string) => void): Damage => ({
    kind,
    make: (path) => (tidy(path), make(path)),
  });
  for (const index of someOf([...whole.keys()], 9)) {
    for (let bit = 0; bit < 8; bit++) yield as("a flipped bit", whole.with(index, (whole[index] ?? 0) ^ (1 << bit)));
    for (const byte of [0x00, 0x7b]) if (whole[index] !== byte) yield as("another byte", whole.with(index, byte));
    yield as("cut", whole.subarray(0, index));
  }
  yield as("longer", new Uint8Array([...whole, 0x0a]));
  yield as("twice", new Uint8Array([...whole, ...whole]));
  yield as("garbage", "\0\x01\xff garbage");
  yield as("other JSON", "null");
  for (const text of ["[]", "{}", "[1]", '{"version":1}', "[[[[", '{"a":']) yield as("other JSON", text);
  const lineEnd = whole.indexOf(10) + 1;
  yield as("without its first line", whole.subarray(lineEnd));
  yield as("of another form", withChecksum({ name: "other", version: 1 }, whole.subarray(lineEnd)));
  yield as("of a later version", withChecksum({ name: format, version: 99 }, whole.subarray(lineEnd)));
  yield instead("a pipe", (path) => void execFileSync("mkfifo", ["-m", "600", path]));
  yield instead("a folder", (path) => mkdirSync(path));
}

for (const { name } of filesOf(keptFilesBench())) {
  test(`no damage of a file opens anything, throws, hangs or passes in silence: ${name}`, async () => {
    const bench = keptFilesBench();
    try {
      const file = bench.files.find((one) => one.name === name);
      assert.ok(file);
      console.log(`  ${await damaged(file)}`);
    } finally {
      bench.remove();
    }
  });
}

function filesOf(bench: KeptFilesBench): readonly KeptFile[] {
  bench.remove();
  return bench.files;
}

/** What was tried, as a row of a table. */
async function damaged(file: KeptFile): Promise<string> {
  const path = await file.make();
  const first = await file.use();
  assert.ok(first === "whole" || first === file.damaged, `whole: ${first}`);
  const whole = new Uint8Array(readFileSync(await file.make()));
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  let count = 0;
  for (const { kind, make } of damagesOf(whole, file)) {
    make(path);
    let use: string;
    try {
      use = await file.use();
    } catch (error) {
      use = `thrown: ${String(error)}`;
    }
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (++count % TIDIED_AFTER === 0) tidy(path);
    const isRight = use === file.damaged || (OTHER_ANSWERS.get(file.name)?.get(kind) ?? []).includes(use);
    if (!isRight) wrong.push(`${kind}: ${use}`);
  }
  assert.equal([...new Set(wrong)], []);
  return `${file.name}: ${whole.length} bytes, ${count} damages (${[...counts].map(([kind, times]) => `${kind} ${times}`).join(", ")}): ${file.damaged}`;
}

/**
 * Rules are made of `config.yaml`: what another version wrote is read from there again. An empty list of a dottool
 * before counts nothing, and an approval of the first kind says nothing of a project.
 */
const OTHER_ANSWERS: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map([
  [
    "rules.json",
    new Map([
      ["other JSON", ["whole"]],
      ["without its first line", ["whole"]],
      ["of a later version", ["whole"]],
    ]),
  ],
  ["approvals", new Map([["other JSON", ["nothing is told of it"]]])],
  ["rates", new Map([["other JSON", ["a call is let through"]]])],
]);

async function remade(file: KeptFile): Promise<string> {
  await file.make();
  return file.use();
}

test("what is damaged is put aside once, and the next use is as it says", async () => {
  const bench = keptFilesBench();
  try {
    for (const file of bench.files.filter(
      ({ name }) => name === "rules.json" || name === "rates" || name === "approvals",
    )) {
      if (file.name === "rules.json") await file.use();
      const path = await file.make();
      writeFileSync(path, "damaged", { mode: 0o600 });
      assert.is(await file.use(), "told");
      const aside = (): readonly string[] => readdirSync(dirname(path)).filter((name) => name.includes(".broken-"));
      assert.equal(
        aside().map((name) => readFileSync(join(dirname(path), name), "utf8")),
        ["damaged"],
      );
      if (file.name === "rates") assert.is(await file.use(), "told");
      if (existsSync(path)) rmSync(path);
      assert.is(file.name === "rules.json" ? await file.use() : await remade(file), "whole");
      assert.is(aside().length, 1);
    }
  } finally {
    bench.remove();
  }
});

test("every file that the program names below its state and its caches is in the table of src/host/README.md", () => {
  const table = readFileSync(new URL("../../src/host/README.md", import.meta.url), "utf8");
  const source = fileURLToPath(new URL("../../src", import.meta.url));
  const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(source, name), "utf8"));
  const below = /(?:folders\.(?:state|cache)|cacheFolder), "([\w.-]+)"/g;
  const byName = /(?:AUDIT_FILE|\bname:|const FOLDER) =? ?["`](audit\.jsonl|rules\.json|rates|approvals)/g;
  const named = texts.flatMap((text) =>
    [...text.matchAll(below), ...text.matchAll(byName)].map(([, name]) => name ?? ""),
  );
  const names = [...new Set(named)].sort();
  assert.ok(
    ["approvals", "audit.jsonl", "definitions", "locks", "rates", "rules.json", "spill", "steps"].every((name) =>
      names.includes(name),
    ),
    names.join(),
  );
  assert.equal(
    names.filter((name) => !table.includes(`\`${name}`)),
    [],
  );
});

test.run();
