// A disk that fills while tools are forged, and many processes that change them at once.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";
import { testProject, type ToolRun } from "../test-project.ts";
import { codeRequest, recordsIn } from "./forge-fixture.ts";

const test = suite("forge small disk");

const plus = (number: number) => codeRequest(`plus_${number}`, `return input.a + ${number};`, [{ a: 1 }, number + 1]);
const FORGED_MAX = 12;

/** Gets the program's words behind these. The state folder is a file system of its own, which is nearly full. */
const SCRIPT = `state="$1"; shift
mount -t tmpfs -o size=36k,mode=700 tmpfs "$state" || exit 99
for number in $(seq 1 ${FORGED_MAX}); do
  "$@" --allow-forge call forge_tool --json - < "$number.json" > said 2>&1 && continue
  echo "refused $number"; cat said; break
done
echo =====
"$@" forge list --json 2>&1 || echo "list failed"
echo =====
"$@" forge revoke plus_1 2>&1
"$@" --allow-forge call forge_tool --json - < again.json > said 2>&1 && echo forged || cat said
echo =====
"$@" forge list --json 2>&1
find "$state" -type f -printf '%f %s\\n'`;

if (process.platform === "linux" && !("Deno" in globalThis))
  test("a disk that fills at a later tool refuses that one, keeps the others, and has room again when one is revoked", () => {
    needPrograms("unshare", "mount");
    using bench = testProject();
    for (let number = 1; number <= FORGED_MAX; number++) bench.write(`${number}.json`, JSON.stringify(plus(number)));
    bench.write("again.json", JSON.stringify(plus(99)));
    bench.trust();
    const { command, words, environment } = bench.program;
    const state = join(bench.folder, "home/.local/state/dottool");
    mkdirSync(state, { recursive: true });
    let parts: readonly string[];
    try {
      parts = execFileSync("unshare", ["-rm", "sh", "-c", SCRIPT, "sh", state, command, ...words], {
        cwd: bench.folder,
        encoding: "utf8",
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      }).split("=====\n");
    } catch (error) {
      const { status, stderr } = error as { readonly status?: unknown; readonly stderr?: unknown };
      if (status === 99 || String(stderr).includes("unshare")) return leaveOut("no file system can be mounted here");
      throw error;
    }
    const [forged = "", before = "", again = "", after = ""] = parts;
    const [, refused = "0"] = /^refused (\d+)/.exec(forged) ?? [];
    assert.ok(Number(refused) > 1, forged);
    assert.match(forged, '"class": "storage"');
    assert.match(forged, "the tool cannot be stored: ENOSPC");
    assert.equal(
      namesIn(before),
      Array.from({ length: Number(refused) - 1 }, (_, index) => `plus_${index + 1}`),
    );
    assert.match(again, /^revoked plus_1@[0-9a-f]{16}\n(?:warning.*\n)?forged\n$/);
    const end = after.lastIndexOf("}\n") + 2;
    assert.equal(namesIn(after.slice(0, end)), [
      ...Array.from({ length: Number(refused) - 2 }, (_, index) => `plus_${index + 2}`),
      "plus_99",
    ]);
    const files = after.slice(end).trimEnd().split("\n");
    assert.ok(files.length > 2);
    assert.equal(
      files.filter((line) => / 0$/.test(line)),
      [],
    );
  });

function namesIn(list: string): readonly string[] {
  const { tools } = JSON.parse(list) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).sort((one, other) => Number(one.slice(5)) - Number(other.slice(5)));
}

test("processes that forge, keep, test and revoke at once change nothing of each other's", async () => {
  using bench = testProject();
  const call = (number: number): Promise<ToolRun> =>
    bench.run(["--allow-forge", "call", "forge_tool", "--json", JSON.stringify(plus(number))]);
  for (const number of [1, 2, 3, 4, 5]) assert.is((await call(number)).exitCode, 0);
  const ran = await Promise.all([
    bench.run(["forge", "keep", "plus_1", "--yes"]),
    bench.run(["forge", "revoke", "plus_2"]),
    bench.run(["forge", "test", "plus_3"]),
    call(6),
    bench.run(["forge", "list"]),
  ]);
  assert.equal(
    ran.map(({ exitCode, stderr }, index) => `${index} ${exitCode}${exitCode === 0 ? "" : stderr}`),
    ran.map((_, index) => `${index} 0`),
  );
  assert.equal(
    recordsIn(bench)
      .map(({ name, tier, state }) => `${name} ${tier} ${state}`)
      .sort(),
    ["plus_3 session active", "plus_4 session active", "plus_5 session active", "plus_6 session active"],
  );
  assert.match(readFileSync(join(bench.folder, ".tools/plus_1.tool"), "utf8"), "return input.a + 1;");
  // The same verb on the same tool, twice at once: one does it, and the other says what it found.
  const twice = await Promise.all([1, 2].map(() => bench.run(["forge", "keep", "plus_3", "--yes"])));
  assert.ok(twice.some(({ exitCode }) => exitCode === 0));
  for (const { exitCode, stderr } of twice) if (exitCode !== 0) assert.match(stderr, /there is a tool|there is no/);
  const revoked = await Promise.all([1, 2].map(() => bench.run(["forge", "revoke", "plus_4"])));
  assert.ok(revoked.some(({ exitCode }) => exitCode === 0));
  for (const { exitCode, stderr } of revoked) if (exitCode !== 0) assert.match(stderr, "there is no forged tool");
  assert.is((await bench.run(["forge", "list"])).stderr, "");
});

test("whatever stands in place of a stored tool or of the folder, the list names it, and other tools are there", async () => {
  using bench = testProject();
  const call = (number: number): Promise<ToolRun> =>
    bench.run(["--allow-forge", "call", "forge_tool", "--json", JSON.stringify(plus(number))]);
  await call(1);
  await call(2);
  const folder = join(bench.folder, "home/.local/state/dottool/forge");
  const [first = ""] = readdirSync(folder).filter((name) => name.startsWith("plus_1@"));
  const id = (digit: string): string => `plus_1@${digit.repeat(16)}.json`;
  mkdirSync(join(folder, id("a")));
  writeFileSync(join(folder, id("b")), "\0".repeat(100), { mode: 0o600 });
  writeFileSync(join(folder, id("c")), readFileSync(join(folder, first)), { mode: 0o600 });
  writeFileSync(join(folder, id("d")), readFileSync(join(folder, first)), { mode: 0o666 });
  chmodSync(join(folder, id("d")), 0o666);
  writeFileSync(join(folder, id("e")), `dottool forged-tool 99 0\n{}\n`, { mode: 0o600 });
  const { stdout, stderr, exitCode } = await bench.run(["forge", "list", "--json"]);
  assert.equal([exitCode, namesIn(stdout)], [0, ["plus_1", "plus_2"]]);
  for (const digit of ["a", "b", "c", "d", "e"]) assert.match(stderr, id(digit));
  assert.is(stderr.split("warning[forge]").length - 1, 5);
  assert.is((await call(3)).exitCode, 0);
  assert.is((await bench.run(["forge", "revoke", "plus_1"])).exitCode, 0);
  assert.equal(namesIn((await bench.run(["forge", "list", "--json"])).stdout), ["plus_2", "plus_3"]);
});

test.run();
