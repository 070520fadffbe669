// Every file that dottool stores for itself, damaged in any way and read by the real code.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Buffer } from "node:buffer";
import { Login } from "../../src/features/mcp-client/login.ts";
import { withChecksum } from "../../src/core/store/checked-file.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { type KeptFile, keptFilesFixture, type KeptFilesFixture } from "./kept-files-fixture.ts";

const test = suite("kept files");

const TIDIED_AFTER = 100;

/** Removes files that were put aside. */
function tidy(path: string): void {
  rmSync(path, { recursive: true, force: true });
  for (const name of readdirSync(dirname(path)))
    if (name.includes(".broken-")) rmSync(join(dirname(path), name), { recursive: true, force: true });
}

interface Damage {
  readonly kind: string;
  make(path: string): void;
}

/** Yields damages: a bit or a byte of a file, a part of it, or something else in its place. */
function* damagesOf(whole: Uint8Array, { format }: KeptFile): Generator<Damage> {
  const as = (kind: string, bytes: Uint8Array | string): Damage => ({
    kind,
    make: (path) => writeFileSync(path, bytes, { mode: 0o600 }),
  });
  const instead = (kind: string, make: (path: string) => void): Damage => ({
    kind,
    make: (path) => (tidy(path), make(path)),
  });
  for (const index of someOf([...whole.keys()], 19)) {
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

for (const { name } of filesOf(keptFilesFixture())) {
  test(`no damage of a file opens anything, throws, hangs or passes in silence: ${name}`, async () => {
    const bench = keptFilesFixture();
    try {
      const file = bench.files.find((one) => one.name === name);
      assert.ok(file);
      console.log(`  ${await damaged(file)}`);
    } finally {
      bench.remove();
    }
  });
}

function filesOf(bench: KeptFilesFixture): readonly KeptFile[] {
  bench.remove();
  return bench.files;
}

/** Returns the results, as a row of a table. */
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
 * Files with other outcomes. Rules come from `config.yaml` and are read from it again; an empty list of an older
 * dottool has no effect.
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
  ["rates", new Map([["other JSON", ["a call is let through"]]])],
]);

for (const isChanged of [false, true]) {
  test(`after any damage of any file, a rule that denies still denies: of the user, of a project that ${isChanged ? "has changed since somebody trusted it" : "is trusted"}`, async () => {
    const bench = keptFilesFixture();
    try {
      const { files, folder, host } = bench;
      const paths = new Map<KeptFile, string>();
      for (const file of files) paths.set(file, await file.make());
      if (isChanged) writeFileSync(join(folder, "config.yaml"), "policy: []\n");
      // Stores the current rules.
      assert.equal(await bench.allowed(), []);
      let count = 0;
      const wrong: string[] = [];
      for (const [file, path] of paths) {
        const whole = new Uint8Array(readFileSync(path));
        const damages = [...damagesOf(whole, file)];
        const isOfByte = ({ kind }: Damage): boolean =>
          kind === "a flipped bit" || kind === "another byte" || kind === "cut";
        for (const { kind, make } of [
          ...someOf(damages.filter(isOfByte), 37),
          ...damages.filter((damage) => !isOfByte(damage)),
        ]) {
          make(path);
          // The first look may put it aside.
          const looks = [await bench.allowed(), await bench.allowed()];
          if (looks.flat().length > 0) wrong.push(`${file.name}, ${kind}: ${looks.join(" then ")} may be called`);
          count++;
          tidy(path);
          writeFileSync(path, whole, { mode: 0o600 });
        }
      }
      assert.equal([...new Set(wrong)], []);
      console.log(`  ${count} damages`);
      // Without its record and its settings, a project has no rule, so the look can fail.
      for (const name of readdirSync(join(host.folders.state, "trust")))
        rmSync(join(host.folders.state, "trust", name));
      writeFileSync(join(folder, "config.yaml"), "policy: []\n");
      assert.equal(await bench.allowed(), ["read_file"]);
    } finally {
      bench.remove();
    }
  });
}

test("what a later dottool wrote stays as it is: it is refused to write there, or nothing is written", async () => {
  const bench = keptFilesFixture();
  try {
    // These files are made by code of the bench that removes what is there.
    const write = (file: KeptFile): unknown => {
      if (file.name === "rates") return file.use();
      if (file.name === "logins")
        return new Login({ server: "s", host: bench.host, client: {}, secrets: [] }).saveTokens({
          access_token: "t",
          token_type: "bearer",
        });
      return file.make();
    };
    const wordFor = async (file: KeptFile): Promise<unknown> => {
      try {
        return file.name === "rates" ? await write(file) : (await write(file), "done");
      } catch (error) {
        return codeOf(error) ?? String(error);
      }
    };
    const found: (readonly [name: string, word: unknown, isSame: boolean])[] = [];
    for (const file of bench.files.filter(({ name }) => LATER.has(name))) {
      const path = await file.make();
      const later = withChecksum({ name: file.format, version: 99 }, "later");
      writeFileSync(path, later, { mode: 0o600 });
      const word = await wordFor(file);
      found.push([file.name, word, existsSync(path) && Buffer.from(later).equals(readFileSync(path))]);
      rmSync(path);
    }
    assert.equal(
      found,
      [...LATER].map(([name, word]) => [name, word, true]),
    );
  } finally {
    bench.remove();
  }
});

/** Files that hold a person's decision. Rules are read from `config.yaml` instead. */
const LATER: ReadonlyMap<string, string> = new Map([
  ["rules.json", "done"],
  ["approvals", "ENEWER"],
  ["rates", "told"],
  ["trust", "ENEWER"],
  ["trusted texts", "ENEWER"],
  ["pins", "ENEWER"],
  ["logins", "ENEWER"],
]);

async function remade(file: KeptFile): Promise<string> {
  await file.make();
  return file.use();
}

test("a damaged approval is put aside once, a damaged count stays, and the next use is as it says", async () => {
  const bench = keptFilesFixture();
  try {
    for (const file of bench.files.filter(({ name }) => name === "rates" || name === "approvals")) {
      const path = await file.make();
      writeFileSync(path, "damaged", { mode: 0o600 });
      assert.is(await file.use(), "told");
      const aside = (): readonly string[] => readdirSync(dirname(path)).filter((name) => name.includes(".broken-"));
      assert.equal(
        aside().map((name) => readFileSync(join(dirname(path), name), "utf8")),
        file.name === "rates" ? [] : ["damaged"],
      );
      if (file.name === "rates") assert.is(await file.use(), "told");
      if (existsSync(path)) rmSync(path);
      assert.is(await remade(file), "whole");
      assert.is(aside().length, file.name === "rates" ? 0 : 1);
    }
  } finally {
    bench.remove();
  }
});

test("every file that the program names below its state and its caches is in the table of src/core/host/README.md", () => {
  const table = readFileSync(new URL("../../src/core/host/README.md", import.meta.url), "utf8");
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
