// Registries that lie, a real Verdaccio with a liar in front of it: other bytes for what is locked, other names than
// those that were asked for, the same names elsewhere, words for the terminal; and plugins before they are approved.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { packageArchive, type PackageText, shout, writePackage } from "../packages/package-fixture.ts";
import { type RegistryFixture, startRegistry } from "../packages/registry-fixture.ts";
import {
  answerJson,
  type PackageDocument,
  type ProxyFixture,
  type ProxyRules,
  startProxy,
} from "../packages/registry-proxy.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-lies");
let starting: Promise<RegistryFixture> | undefined;

type Run = (...words: readonly string[]) => Promise<ToolRun>;

async function filledRegistry(): Promise<RegistryFixture> {
  const registry = await startRegistry();
  await registry.publish({ name: "words" });
  await registry.publish({ name: "letters", dottool: { needs: { "@team/words": "^1.0.0" } } });
  return registry;
}

/** `npmrc` gets the address of the liar. */
async function inProject(
  rules: ProxyRules,
  work: (run: Run, bench: TestProject, liar: ProxyFixture) => Promise<void>,
  npmrc = (url: string): string => `registry=${url}\n`,
): Promise<void> {
  const { url } = await (starting ??= filledRegistry());
  const liar = await startProxy(url, rules);
  using bench = testProject({ "project/kept": "", "home/.npmrc": npmrc(liar.url) });
  await work((...words) => bench.here(words, { cwd: "project" }), bench, liar);
}

const stateOf = ({ folder }: TestProject): string => join(folder, "home/.local/state/dottool");
const storeOf = (bench: TestProject): string => join(stateOf(bench), "packages/store");
const lockOf = ({ folder }: TestProject): string => join(folder, "project/dottool.lock");
const integrityOf = (archive: Buffer): string => `sha512-${createHash("sha512").update(archive).digest("base64")}`;
const firstLine = ({ stderr }: ToolRun, { url }: ProxyFixture): string =>
  (stderr.split("\n", 1)[0] ?? "").replaceAll(url, "<registry>/");

/** Gives that archive, with its true hash, in place of each one. */
function giving(archive: Buffer): ProxyRules {
  return {
    change: ({ versions }) => {
      for (const { dist } of Object.values(versions)) dist["integrity"] = integrityOf(archive);
    },
    answer: ({ url = "" }, response) => {
      if (!url.endsWith(".tgz")) return false;
      response.end(archive);
      return true;
    },
  };
}

test("a registry that gives other bytes for what is locked is refused, though it gives their hash as well", () => {
  let rules: ProxyRules = {};
  return inProject(
    {
      change: (document: PackageDocument) => rules.change?.(document),
      answer: (request, response, body) => rules.answer?.(request, response, body) ?? false,
    },
    async (run, bench, liar) => {
      await run("add", "words");
      const lock = readFileSync(lockOf(bench), "utf8");
      rmSync(stateOf(bench), { recursive: true });
      rules = giving(packageArchive({ files: { "shout.tool": `${shout}@network evil.example\n` } }));
      const refused = await run("install");
      assert.equal(
        [refused.exitCode, firstLine(refused, liar), existsSync(storeOf(bench)), readFileSync(lockOf(bench), "utf8")],
        [
          77,
          "failed[package]: the archive of `words` from `<registry>/words/-/words-1.0.0.tgz` does not have the hash that it should have",
          false,
          lock,
        ],
      );
    },
  );
});

test("a registry that gives another package, or another version, than it names is refused", async () => {
  const lies: readonly PackageText[] = [{ name: "other" }, { version: "9.0.0" }, { name: "@words/words" }];
  const said: string[] = [];
  for (const lie of lies)
    await inProject(giving(packageArchive(lie)), async (run, bench, liar) => {
      const refused = await run("add", "words");
      assert.equal([refused.exitCode === 0, existsSync(lockOf(bench))], [false, false]);
      said.push(firstLine(refused, liar));
    });
  assert.equal(
    said,
    ["other@1.0.0", "words@9.0.0", "@words/words@1.0.0"].map(
      (inside) => `failed[package]: \`words@1.0.0\` is \`${inside}\` by its \`package.json\``,
    ),
  );
});

test("a package whose scope has a registry comes from there alone, whatever others have under its name", async () => {
  const { url } = await (starting ??= filledRegistry());
  const own = await startProxy(url, {
    answer: (request, response) =>
      request.url?.startsWith("/@team") === true && answerJson(response, { error: "no such package" }, 404),
  });
  const npmrc = (liar: string): string => `registry=${liar}\n@team:registry=${own.url}\n`;
  const everything: ProxyRules = {
    answer: ({ url: path = "" }, response) => {
      if (!path.startsWith("/@team")) return false;
      const archive = packageArchive({ name: "@team/words", version: "99.0.0" });
      if (path.endsWith(".tgz")) return response.end(archive) !== undefined;
      const dist = { integrity: integrityOf(archive), tarball: "http://127.0.0.1/@team/words/-/words-99.0.0.tgz" };
      const versions = { "99.0.0": { name: "@team/words", version: "99.0.0", dist } };
      return answerJson(response, { name: "@team/words", versions, "dist-tags": { latest: "99.0.0" } });
    },
  };
  await inProject(
    everything,
    async (run, bench, liar) => {
      for (const words of [
        ["add", "@team/words"],
        ["add", "letters"],
        ["install", "--deps", "team/words", "--yes"],
      ]) {
        const refused = await run(...words);
        assert.equal([words, refused.exitCode === 0, existsSync(lockOf(bench))], [words, false, false]);
      }
      assert.equal(
        liar.asked.filter((line) => line.includes("team")),
        [],
      );
    },
    npmrc,
  );
});

test("what a registry says reaches no terminal as it is", async () => {
  const code = "\u001b]0;owned\u0007\u202e";
  const rules: readonly ProxyRules[] = [
    { answer: (_request, response) => answerJson(response, { error: code }, 500) },
    { answer: (_request, response) => answerJson(response, { error: code }, 403) },
    {
      change: ({ versions }) => {
        for (const one of Object.values(versions)) one.deprecated = `old ${code}`;
      },
    },
  ];
  for (const each of rules)
    await inProject(each, async (run) => {
      for (const words of [["add", "words"], ["outdated"], ["audit"], ["list", "--packages"], ["search", "words"]]) {
        const { stdout, stderr } = await run(...words);
        assert.is(/[\p{Cc}\p{Bidi_Control}]/u.test((stdout + stderr).replaceAll("\n", "")), false, stdout + stderr);
      }
    });
});

test("no command loads a plugin of a package before it is approved", () =>
  inProject({}, async (run, bench) => {
    const mark = join(bench.folder, "loaded");
    writePackage(join(bench.folder, "plugged"), {
      name: "plugged",
      dottool: { plugins: ["mark.ts"] },
      files: {
        "shout.tool": shout,
        "mark.ts": `import fs from "node:fs";\nfs.writeFileSync(${JSON.stringify(mark)}, "");\n`,
      },
    });
    const commands: readonly (readonly string[])[] = [
      ["add", "../plugged"],
      ["install"],
      ["list"],
      ["list", "--packages"],
      ["check"],
      ["doctor"],
      ["schema", "plugged/shout", "--for", "mcp"],
      ["plugged/shout", "--help"],
      ["plugged/shout", "--words", "a"],
      ["call", "plugged/shout", "--json", '{"words":"a"}'],
      ["explain", "plugged/shout", "--words", "a"],
      ["trust", "--package", "plugged", "--show"],
      ["audit"],
      ["mcp"],
      ["export", "openapi", "-o", "../api.json"],
      ["bundle", "-o", "../ours"],
      ["completions", "bash"],
    ];
    for (const words of commands) {
      // A server that runs in this process would wait for its standard input.
      await (words[0] === "mcp" ? bench.run(words, { cwd: "project" }) : run(...words));
      assert.equal([words, existsSync(mark)], [words, false]);
    }
    const [hash = ""] =
      /[0-9a-f]{64}$/m.exec((await run("trust", "--package", "plugged", "--show")).stdout.trim()) ?? [];
    await bench.here(["trust", "--package", "plugged"], { cwd: "project", environment: { DOTTOOL_TRUST: hash } });
    await run("list");
    assert.is(existsSync(mark), true);
  }));

test("an approval does not hold for another version", () =>
  inProject({}, async (run, bench) => {
    bench.write("home/key", "canary-1789");
    const keep = "Keeps.\n\n@title Keep\n@wrapped write_file\n";
    writePackage(join(bench.folder, "keeper"), { name: "keeper", files: { "keep.tool": keep } });
    const kept = async (): Promise<readonly unknown[]> => {
      const { exitCode, stderr } = await run("keeper/keep", "a", "b");
      return [exitCode, stderr.split("\n", 1)[0]];
    };
    await run("add", "../keeper");
    const [hash = ""] =
      /[0-9a-f]{64}$/m.exec((await run("trust", "--package", "keeper", "--show")).stdout.trim()) ?? [];
    await bench.here(["trust", "--package", "keeper"], { cwd: "project", environment: { DOTTOOL_TRUST: hash } });
    writePackage(join(bench.folder, "keeper"), {
      name: "keeper",
      version: "1.0.1",
      files: { "keep.tool": keep },
    });
    const before = await kept();
    await run("add", "../keeper");
    assert.equal(
      [before[0] === 77 && `${before[1]}`.includes("not approved"), (await kept())[1]],
      [
        false,
        "failed[untrusted]: `keeper/keep` does not run: `keeper@1.0.1` is not approved yet, and `keeper/keep` calls `write_file`, which works outside the sandbox",
      ],
    );
  }));

test.run();
