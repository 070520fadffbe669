// Definitions and a `package.json` whose texts try to leave their place in what `dottool export` writes.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "amaro";
import { parse } from "yaml";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("export attacks");

const hostile = `Ends */ here: \${HOME} \`id\` "quoted" | --> # \u202eno and 'more'.

Second */ line
---
name: other

@command echo {name} {size}
@param name [required] Who */ \${x} \`id\` | "y"
@param size {"a'b"|"*/"|"\\""} [default="*/"] How
@tags read
`;
const manifest = {
  name: "@evil/ops",
  version: "1.0.0\nprocess.exit(3)",
  description: 'First\n# Heading\n---\nname: "other"',
  license: "MIT\nRUN id",
  author: { name: "A\nB" },
  mcpName: "com.example/ops",
};
const files = {
  ".tools/acme/x.tool": hostile,
  ".tools/acme__x.tool": "Other.\n@command echo other\n@tags read\n",
  ".tools/package.json": JSON.stringify(manifest),
};
const forms = {
  "agent-plugin": "",
  "claude-plugin": "",
  "gemini-extension": "",
  skill: "",
  openapi: ".json",
  typescript: ".ts",
};

async function withExports(use: (bench: TestProject, folder: string) => Promise<void>): Promise<void> {
  using bench = testProject(files);
  for (const [form, ending] of Object.entries(forms)) {
    const { exitCode, stderr } = await bench.here(["export", form, "-o", `out/${form}${ending}`]);
    assert.is(exitCode, 0, stderr);
  }
  await use(bench, join(bench.folder, "out"));
}

test("texts stay in their place in every form", () =>
  withExports(async (_bench, folder) => {
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const text = (): string => readFileSync(join(folder, path), "utf8");
      if (path.endsWith(".json")) JSON.parse(text());
      if (path.endsWith("SKILL.md")) {
        const [, head = ""] = text().split(/^---$/m);
        assert.equal(Object.keys(parse(head) as object), ["name", "description"], path);
      }
      if (/scripts\/\w+$/.test(path)) execFileSync("sh", ["-n", join(folder, path)]);
    }
    const types = readFileSync(join(folder, "typescript.ts"), "utf8");
    assert.is(
      transformSync(types, { mode: "strip-only" })
        .code.replaceAll(/\/\*\*?[^]*?\*\/|\/\/.*/g, "")
        .trim(),
      "",
    );
    assert.is(types.includes("\u202e"), false);
  }));

test("tools whose names are the same as files have a reference each", () =>
  withExports((_bench, folder) => {
    const names = readdirSync(join(folder, "skill/references"));
    assert.is(new Set(names.map((name) => readFileSync(join(folder, "skill/references", name), "utf8"))).size, 2);
    return Promise.resolve();
  }));

test("a version that npm refuses is not written into a package", () =>
  withExports(async (bench) => {
    const { exitCode, stderr } = await bench.here(["export", "npx", "-o", "out/npx"]);
    assert.equal(
      [exitCode, stderr.split(";")[0]],
      [64, "failed[usage]: npm does not accept the version `1.0.0 process.exit(3)`"],
    );
  }));

test("a definition with the value of a secret is not given away", () =>
  withExports(async (bench) => {
    bench.write(".tools/ask.tool", 'Asks.\n@command env asking\n@env T={t}\n@param t [secret, default="hunter2"] T\n');
    assert.equal(await bench.here(["export", "skill", "-o", "new"]), {
      exitCode: 65,
      stdout: "",
      stderr:
        "failed[export]: `ask` has the value of a secret: the default of `t`\n  = everyone who gets the output could read it: remove the default, and let `env=NAME` read it from the environment\n",
    });
  }));

test("what an earlier export left is named, and a link out of the folder is refused", () =>
  withExports(async (bench, folder) => {
    bench.write("out/skill/tools/acme/old.tool", "Old.\n@command echo old\n");
    const again = await bench.here(["export", "skill", "-o", "out/skill", "--force"]);
    assert.is(
      again.stderr,
      "note: `out/skill/tools/acme/old.tool` was there before and still is; remove what is not yours\n",
    );
    mkdirSync(join(folder, "secrets"));
    symlinkSync(join(folder, "secrets"), join(bench.folder, ".tools/linked"));
    const refused = await bench.here(["export", "openapi", "-o", "new.json"]);
    assert.equal([refused.exitCode, refused.stderr.includes("outside the folder")], [65, true], refused.stderr);
  }));

test.run();
