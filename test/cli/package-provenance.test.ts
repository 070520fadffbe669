// Provenances: signed by an instance of sigstore on this machine, verified before anything is installed, shown, locked,
// and missed when they are gone.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { shout } from "../packages/package-fixture.ts";
import { type RegistryFixture, startRegistry } from "../packages/registry-fixture.ts";
import { answerJson, startProxy } from "../packages/registry-proxy.ts";
import {
  type BuildClaims,
  type SigstoreFixture,
  type SigstoreBundle,
  startSigstore,
} from "../packages/sigstore-fixture.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-provenance");
const runLine = startingOnce();

interface Servers {
  readonly registry: RegistryFixture;
  readonly sigstore: SigstoreFixture;
  /** Another one, which nobody trusts. */
  readonly stranger: SigstoreFixture;
}

let starting: Promise<Servers> | undefined;

async function start(): Promise<Servers> {
  const registry = await startRegistry();
  await registry.publish({ name: "words", version: "1.0.0" });
  await registry.publish({ name: "words", version: "1.1.0", files: { "shout.tool": `${shout}@tags loud\n` } });
  return { registry, sigstore: await startSigstore(), stranger: await startSigstore() };
}

const FILE = "team/words/.github/workflows/release.yml@refs/tags/v1";
const claims: BuildClaims = {
  sub: `https://github.com/${FILE}`,
  repository: "team/words",
  sha: "0123abcd",
  workflow_ref: FILE,
};
const REPOSITORY = "https://github.com/team/words";

/** A statement in the form of SLSA 1. */
function statementOf(version: string, sha512: string, { repository = REPOSITORY, commit = "0123abcd" } = {}): object {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: `pkg:npm/words@${version}`, digest: { sha512 } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        externalParameters: { workflow: { repository, path: ".github/workflows/release.yml" } },
        resolvedDependencies: [{ digest: { gitCommit: commit } }],
      },
    },
  };
}

type Attest = (version: string, sha512: string, servers: Servers) => Promise<SigstoreBundle> | undefined;

const honest: Attest = (version, sha512, { sigstore }) => sigstore.attest(statementOf(version, sha512), claims);

interface Fixture {
  readonly bench: TestProject;
  /** The registry's address is shown as `<registry>/`. */
  run(...words: readonly string[]): Promise<ToolRun>;
}

interface Rules {
  attest: Attest;
  /** Of the user. */
  readonly config?: string;
}

const CONFIG = "sigstore: {trusted_root: ~/trusted_root.json}\n";

async function withRegistry(rules: Rules, work: (bench: Fixture) => Promise<void>): Promise<void> {
  const servers = await (starting ??= start());
  const hashes = new Map<string, string>();
  const { url } = await startProxy(servers.registry.url, {
    answer: ({ url: path = "" }, response) => {
      const [, version] = /^\/-\/npm\/v1\/attestations\/words@(.*)$/.exec(path) ?? [];
      if (version === undefined) return false;
      void (async () => {
        const bundle = await rules.attest(version, hashes.get(version) ?? "", servers);
        const one = { predicateType: "https://slsa.dev/provenance/v1", bundle };
        answerJson(response, bundle ? { attestations: [{ predicateType: "https://npm.example/publish" }, one] } : {});
      })();
      return true;
    },
    change: ({ versions }) => {
      for (const { version, dist } of Object.values(versions)) {
        const integrity = String(dist["integrity"]).slice("sha512-".length);
        hashes.set(version, Buffer.from(integrity, "base64").toString("hex"));
        dist["attestations"] = { url: `https://elsewhere.example/-/npm/v1/attestations/words@${version}` };
      }
    },
  });
  using bench = testProject({
    "project/kept": "",
    "home/.npmrc": `registry=${url}\n`,
    "home/trusted_root.json": JSON.stringify(servers.sigstore.trustedRoot),
    "home/.config/dottool/config.yaml": rules.config ?? CONFIG,
  });
  const shown = (text: string): string => text.replaceAll(url, "<registry>/");
  const run: Fixture["run"] = async (...words) => {
    const { exitCode, stdout, stderr } = await runLine(bench, words, { cwd: "project" });
    return { exitCode, stdout: shown(stdout), stderr: shown(stderr) };
  };
  await work({ bench, run });
}

const lockOf = (bench: TestProject): string => join(bench.folder, "project/dottool.lock");
const provenanceLine = ({ stdout }: ToolRun): string | undefined =>
  stdout.split("\n").find((line) => /built|provenance/.test(line));
const BUILT = `  built from ${REPOSITORY}@0123abcd by .github/workflows/release.yml, verified with sigstore`;

test("add verifies a provenance, shows repository, commit and workflow, and locks the repository", () =>
  withRegistry({ attest: honest }, async ({ bench, run }) => {
    const added = await run("add", "words");
    const { packages } = JSON.parse(readFileSync(lockOf(bench), "utf8")) as {
      readonly packages: { readonly words: { readonly builtFrom: string } };
    };
    const audit = await run("audit");
    assert.equal(
      [provenanceLine(added), packages.words.builtFrom, audit.exitCode, provenanceLine(audit)],
      [BUILT, REPOSITORY, 0, BUILT],
    );
    assert.is((await run("install", "--frozen")).exitCode, 0);
  }));

test("add refuses a provenance that is false, says why, and installs nothing", async () => {
  const changed =
    (change: (bundle: SigstoreBundle) => void): Attest =>
    async (...given) => {
      const bundle = (await honest(...given)) as SigstoreBundle;
      change(bundle);
      return bundle;
    };
  const other =
    (statement: (version: string, sha512: string) => object): Attest =>
    (version, sha512, { sigstore }) =>
      sigstore.attest(statement(version, sha512), claims);
  const falsehoods: Readonly<Record<string, Attest>> = {
    "another statement below the signature": changed(({ dsseEnvelope }) => {
      const text = Buffer.from(dsseEnvelope.payload, "base64").toString().replace("0123abcd", "4567abcd");
      dsseEnvelope.payload = Buffer.from(text).toString("base64");
    }),
    "another signature": changed(({ dsseEnvelope: { signatures } }) => {
      const [first] = signatures;
      if (first) first.sig = Buffer.from("none").toString("base64");
    }),
    "another entry of the log": changed(({ verificationMaterial: { tlogEntries } }) => {
      const [first] = tlogEntries;
      if (first) first.logIndex = "7";
    }),
    "no entry of the log": changed(({ verificationMaterial: { tlogEntries } }) => {
      tlogEntries.length = 0;
    }),
    "of another archive": other((version) => statementOf(version, "00")),
    "of another version": other((_version, sha512) => statementOf("9.9.9", sha512)),
    "by the key of another certificate": async (version, sha512, { sigstore }) => {
      const [mine, yours] = [
        await sigstore.attest(statementOf(version, sha512), claims),
        await sigstore.attest(statementOf(version, sha512), claims),
      ];
      return { ...mine, verificationMaterial: yours.verificationMaterial };
    },
  };
  const refused: Record<string, unknown> = {};
  for (const [name, attest] of Object.entries(falsehoods))
    await withRegistry({ attest }, async ({ bench, run }) => {
      const { exitCode, stderr } = await run("add", "words");
      const [line = ""] = stderr.split("\n", 1);
      refused[name] = [exitCode, line.replace(/^.* in its registry /, ""), existsSync(lockOf(bench))];
    });
  assert.equal(refused, {
    "another statement below the signature": [77, "is wrong: DSSE payload hash mismatch", false],
    "another signature": [77, "is wrong: tlog entry signature mismatch", false],
    "another entry of the log": [77, "is wrong: inclusion promise could not be verified", false],
    "no entry of the log": [77, "is wrong: expected 1 timestamps, got 0", false],
    "of another archive": [77, "is of another archive", false],
    "of another version": [77, "is of another archive", false],
    "by the key of another certificate": [77, "is wrong: tlog entry signature mismatch", false],
  });
});

test("what a statement claims of its build does not count: the certificate's repository and commit are shown", async () => {
  const other = { repository: "https://github.com/team/other", commit: "4567abcd" };
  const attest: Attest = (version, sha512, { sigstore }) =>
    sigstore.attest(statementOf(version, sha512, other), claims);
  await withRegistry({ attest }, async ({ run }) => assert.is(provenanceLine(await run("add", "words")), BUILT));
});

test("a provenance that cannot be verified is not shown as one", async () => {
  const shown: (string | undefined)[] = [];
  for (const attest of [
    (version, sha512, { stranger }) => stranger.attest(statementOf(version, sha512), claims),
    (version, sha512, { sigstore }) =>
      sigstore.attest(statementOf(version, sha512), { sub: "https://people.example/ana" }),
    () => Promise.resolve({} as SigstoreBundle),
    () => undefined,
  ] satisfies readonly Attest[])
    await withRegistry({ attest }, async ({ bench, run }) => {
      shown.push(provenanceLine(await run("add", "words")));
      assert.is(readFileSync(lockOf(bench), "utf8").includes("builtFrom"), false);
    });
  const start = "  has a provenance that was not verified, because";
  assert.equal(shown, [
    `${start} none of the trusted roots has the authority of its certificate`,
    `${start} it is signed by https://people.example/ana, which is not a build`,
    `${start} it has a form that this dottool does not know`,
    `${start} its registry does not give it`,
  ]);
});

test("add and audit say that what was built from one repository is built from another, or from none", async () => {
  const moved = { ...claims, repository: "stranger/words" };
  const rules: Rules = { attest: honest };
  await withRegistry(rules, async ({ run }) => {
    await run("add", "words@1.0.0");
    rules.attest = (version, sha512, { sigstore }) =>
      sigstore.attest(statementOf(version, sha512, { repository: "https://github.com/stranger/words" }), moved);
    const audit = await run("audit");
    const added = await run("add", "words@1.1.0");
    rules.attest = () => undefined;
    assert.equal(
      [audit.exitCode, provenanceLine(audit), provenanceLine(added), provenanceLine(await run("audit"))],
      [
        1,
        `  problem: it was built from ${REPOSITORY}, and is built from https://github.com/stranger/words now`,
        `  built from https://github.com/stranger/words@0123abcd, verified with sigstore; 1.0.0 was built from ${REPOSITORY}`,
        "  problem: it was built from https://github.com/stranger/words, and its provenance cannot be verified now, because its registry does not give it",
      ],
    );
  });
});

test("a trusted root that cannot be used is named, and nothing is installed", async () => {
  const refused: unknown[] = [];
  for (const config of ["/nowhere.json", "~/.npmrc", "roots.json", "[1]"])
    await withRegistry({ attest: honest, config: `sigstore: {trusted_root: ${config}}\n` }, async ({ bench, run }) => {
      const { exitCode, stderr } = await run("add", "words");
      refused.push(exitCode, stderr.split("\n", 1)[0], existsSync(lockOf(bench)));
    });
  const start = "failed[package]:";
  const named = "the `trusted_root` of your `config.yaml`,";
  assert.equal(refused, [
    1,
    `${start} \`/nowhere.json\`, ${named} cannot be read (ENOENT)`,
    false,
    1,
    `${start} \`<bench>/home/.npmrc\`, ${named} is not a trusted root of sigstore`,
    false,
    1,
    `${start} \`trusted_root\` in \`<bench>/home/.config/dottool/config.yaml\` must begin with \`/\` or \`~/\``,
    false,
    1,
    `${start} <bench>/home/.config/dottool/config.yaml:1:26: \`trusted_root\` must be text`,
    false,
  ]);
});

test.run();
