// `dottool audit`: what installed packages may do, and what is wrong with them here and in the registry.
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { shout } from "../packages/package-fixture.ts";
import { type RegistryFixture, startRegistry } from "../packages/registry-fixture.ts";
import { answerJson, type ProxyRules, startProxy } from "../packages/registry-proxy.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-audit");
const runLine = startingOnce();
let starting: Promise<RegistryFixture> | undefined;

async function filledRegistry(): Promise<RegistryFixture> {
  const registry = await startRegistry();
  await registry.publish({ name: "words", version: "1.0.0" });
  return registry;
}

interface Fixture {
  readonly bench: TestProject;
  /** The registry's address is shown as `<registry>/`. */
  run(...words: readonly string[]): Promise<ToolRun>;
}

/** `words` is added. */
async function withWords(work: (bench: Fixture) => Promise<void>, rules?: ProxyRules): Promise<void> {
  const registry = await (starting ??= filledRegistry());
  const { url } = rules ? await startProxy(registry.url, rules) : registry;
  using bench = testProject({ "project/kept": "", "home/.npmrc": `registry=${url}\n` });
  const run: Fixture["run"] = async (...words) => {
    const { exitCode, stdout, stderr } = await runLine(bench, words, { cwd: "project" });
    return { exitCode, stdout: stdout.replaceAll(url, "<registry>/"), stderr: stderr.replaceAll(url, "<registry>/") };
  };
  await run("add", "words");
  await work({ bench, run });
}

const lockOf = (bench: TestProject): string => join(bench.folder, "project/dottool.lock");
const storeOf = (bench: TestProject): string => join(bench.folder, "home/.local/state/dottool/packages/store");
const problemsIn = ({ stdout }: ToolRun): readonly string[] =>
  stdout.split("\n").filter((line) => /^ {2}(?: {2}=|problem)/.test(line));

const sound = `words@1.0.0 from npm:<registry>/words/-/words-1.0.0.tgz (sandboxed)
  effects: run
  runs: printf, sh, tr
`;

test("audit shows what packages may do, and says that the registry knows no vulnerabilities", () =>
  withWords(async ({ run }) => {
    assert.equal(await run("audit"), {
      exitCode: 0,
      stdout: sound,
      stderr:
        "note[package]: `<registry>/` has no audit endpoint, so vulnerabilities are not known\n1 package: no problems\n",
    });
  }));

test("audit finds changed files, and that more is done than the lock says", () =>
  withWords(async ({ run, bench }) => {
    writeFileSync(lockOf(bench), readFileSync(lockOf(bench), "utf8").replace('"tr"', '"true"'));
    const wider = await run("audit");
    appendFileSync(join(storeOf(bench), readdirSync(storeOf(bench))[0] ?? "", "shout.tool"), "\n");
    const altered = await run("audit");
    rmSync(join(bench.folder, "home/.local/state/dottool"), { recursive: true });
    const gone = await run("audit");
    assert.equal(
      [wider, altered, gone].map((one) => [one.exitCode, problemsIn(one)]),
      [
        [
          1,
          [
            "  problem: it may do more than `dottool.lock` says: programs: tr",
            "    = `dottool add` it again: that shows what it may do, and locks it",
          ],
        ],
        [
          1,
          [
            "  problem: its files on this machine were changed, so it does not run",
            "    = `dottool install` installs what the lock says",
          ],
        ],
        [1, ["  problem: is not installed", "    = `dottool install` installs what the lock says"]],
      ],
    );
  }));

test("audit tells the vulnerabilities that the registry knows, of this version alone", () => {
  const advisory = { severity: "high", url: "https://a.example/1", title: "Says too much" };
  const bodies: string[] = [];
  return withWords(
    async ({ run }) => {
      const audit = await run("audit");
      assert.equal(
        [audit.exitCode, problemsIn(audit), audit.stderr, bodies],
        [
          1,
          [
            "  problem: high vulnerability: Says too much (https://a.example/1)",
            "    = versions <1.2.0 have it; `dottool outdated` shows newer ones",
          ],
          "1 package: 1 problem\n",
          ['{"words":["1.0.0"]}'],
        ],
      );
    },
    {
      answer: ({ url }, response, body) => {
        if (url !== "/-/npm/v1/security/advisories/bulk") return false;
        bodies.push(body);
        const of = (range: string): object => ({ ...advisory, vulnerable_versions: range });
        return answerJson(response, { words: [of("<1.2.0"), of(">=2.0.0"), "odd"] });
      },
    },
  );
});

test("audit finds what the registry has deprecated, replaced or withdrawn", () => {
  let change: ProxyRules["change"] = () => undefined;
  return withWords(
    async ({ run }) => {
      const found = [];
      for (const next of changes) {
        change = next;
        const audit = await run("audit", "--json");
        const { packages } = JSON.parse(audit.stdout) as {
          readonly packages: readonly {
            readonly problems: readonly { readonly kind: string; readonly fact: string }[];
          }[];
        };
        found.push([audit.exitCode, packages[0]?.problems.map(({ kind, fact }) => `${kind}: ${fact}`)]);
      }
      assert.equal(found, [
        [1, ["deprecated: this version is deprecated: too loud"]],
        [1, ["other-archive: its registry has another archive for 1.0.0 than the one that is locked"]],
        [1, ["withdrawn: its registry has the version 1.0.0 no longer"]],
      ]);
    },
    { change: (document) => change?.(document) },
  );
});

const changes: readonly NonNullable<ProxyRules["change"]>[] = [
  ({ versions }) => {
    for (const one of Object.values(versions)) one.deprecated = "too loud";
  },
  ({ versions }) => {
    for (const { dist } of Object.values(versions)) dist["integrity"] = `sha512-${"A".repeat(86)}==`;
  },
  ({ versions }) => {
    for (const version of Object.keys(versions)) delete versions[version];
  },
];

test("audit fails where the registry cannot be asked, and says what is known here", () =>
  withWords(async ({ run, bench }) => {
    bench.write("home/.npmrc", "registry=http://127.0.0.1:9/\n");
    const { exitCode, stdout, stderr } = await run("audit");
    assert.equal(
      [exitCode, stdout, stderr.split(": request to", 1)[0]],
      [
        1,
        sound,
        "warning[package]: `http://127.0.0.1:9/` could not be asked for versions: `http://127.0.0.1:9/` cannot be reached for `words`",
      ],
    );
  }));

test("audit without packages says so", async () => {
  using bench = testProject({ "project/.tools/shout.tool": shout });
  assert.equal(await bench.run(["audit"], { cwd: "project" }), {
    exitCode: 0,
    stdout: "",
    stderr:
      "there are no packages; `dottool add` adds one\n  = the log of calls is another thing: `dottool log` prints it\n",
  });
});

test.run();
