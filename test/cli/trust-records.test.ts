// The records of what was trusted, in the state folder: whose they are, and which of them count.
import { chmodSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { shellTool, withHostile } from "../hostile/hostile-fixture.ts";

const test = suite("trust records");
const tool = ".tools/greet.tool";
const greet = shellTool("greet", "echo hello");

test("the record is the user's alone, and whole", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet);
    await bench.run(["trust"], { answer: () => "y" });
    const folder = bench.at("home/.local/state/dottool/trust");
    assert.equal(
      readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8)),
      ["600", "600"],
    );
    const record = readdirSync(folder).find((name) => name.endsWith(".trust.json")) ?? "";
    chmodSync(join(folder, record), 0o644);
    assert.is((await bench.run(["greet"])).exitCode, 77);
    chmodSync(join(folder, record), 0o600);
    assert.is((await bench.run(["greet"])).exitCode, 0);
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"version":2}',
      readFileSync(join(folder, record), "utf8").replace("repository", "repositorx"),
    ]) {
      bench.write(`home/.local/state/dottool/trust/${record}`, text, 0o600);
      assert.is((await bench.run(["greet"])).exitCode, 77);
    }
  }));

test("the record of one project is none of another, also where the content is the same", () =>
  withHostile(async (bench) => {
    for (const name of ["one", "two"]) {
      bench.write(`${name}/${tool}`, greet);
      bench.trust(name);
    }
    const call = async (): Promise<number> => (await bench.run(["greet"], { cwd: bench.at("two") })).exitCode;
    assert.is(await call(), 0);
    const folder = bench.at("home/.local/state/dottool/trust");
    const records = readdirSync(folder).filter((name) => name.endsWith(".trust.json"));
    const [own = "", other = ""] = records.toSorted(
      (a, b) =>
        Number(readFileSync(join(folder, b)).includes("/two/")) -
        Number(readFileSync(join(folder, a)).includes("/two/")),
    );
    renameSync(join(folder, other), join(folder, own));
    assert.is(await call(), 77);
  }));

test.run();
