// Signatures of a registry: verified before anything is installed, shown, locked, and missed when they are gone.
import { generateKeyPairSync, sign } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { shout } from "../packages/package-fixture.ts";
import { type RegistryFixture, startRegistry } from "../packages/registry-fixture.ts";
import { answerJson, type PackageDocument, startProxy } from "../packages/registry-proxy.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-signatures");
const runLine = startingOnce();
let starting: Promise<RegistryFixture> | undefined;

async function filledRegistry(): Promise<RegistryFixture> {
  const registry = await startRegistry();
  await registry.publish({ name: "words", version: "1.0.0" });
  await registry.publish({ name: "words", version: "1.1.0", files: { "shout.tool": `${shout}@tags loud\n` } });
  return registry;
}

const pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const key = pair.publicKey.export({ format: "der", type: "spki" }).toString("base64");
const KEYID = "SHA256:first";

/** What the registry says; a test changes it. */
interface Rules {
  /** Undefined: it has no keys at all. */
  keys: readonly { readonly keyid: string; readonly expires?: string }[] | undefined;
  /** Returns the signature of a version, if it is signed. */
  signature(signed: string, version: string): { readonly keyid: string; readonly sig: string } | undefined;
}

const signatureOf = (text: string): string => sign("sha256", Buffer.from(text), pair.privateKey).toString("base64");
const signing: Rules = {
  keys: [{ keyid: KEYID }],
  signature: (signed) => ({ keyid: KEYID, sig: signatureOf(signed) }),
};

interface Fixture {
  readonly bench: TestProject;
  readonly rules: Rules;
  /** The registry's address is shown as `<registry>/`. */
  run(...words: readonly string[]): Promise<ToolRun>;
}

async function withRegistry(rules: Rules, work: (bench: Fixture) => Promise<void>): Promise<void> {
  const registry = await (starting ??= filledRegistry());
  const { url } = await startProxy(registry.url, {
    answer: (request, response) => {
      if (request.url !== "/-/npm/v1/keys" || rules.keys === undefined) return false;
      const all = rules.keys.map((one) => ({ expires: null, scheme: "ecdsa-sha2-nistp256", key, ...one }));
      return answerJson(response, { keys: all });
    },
    change: (document) => signAll(document, rules),
  });
  using bench = testProject({ "project/kept": "", "home/.npmrc": `registry=${url}\n` });
  const run: Fixture["run"] = async (...words) => {
    const { exitCode, stdout, stderr } = await runLine(bench, words, { cwd: "project" });
    return { exitCode, stdout: stdout.replaceAll(url, "<registry>/"), stderr: stderr.replaceAll(url, "<registry>/") };
  };
  await work({ bench, rules, run });
}

function signAll({ name, versions }: PackageDocument, { signature }: Rules): void {
  for (const { version, dist } of Object.values(versions)) {
    const one = signature(`${name}@${version}:${String(dist["integrity"])}`, version);
    if (one) dist["signatures"] = [one];
  }
}

const lockOf = (bench: TestProject): string => join(bench.folder, "project/dottool.lock");
const signedLine = ({ stdout }: ToolRun): string | undefined => stdout.split("\n").find((line) => /sign/.test(line));
const refusal = ({ exitCode, stderr }: ToolRun): readonly unknown[] => [exitCode, stderr.split("\n", 1)[0]];

test("add verifies the registry's signature, shows its key and locks it", () =>
  withRegistry(signing, async ({ bench, run }) => {
    const added = await run("add", "words");
    const { packages } = JSON.parse(readFileSync(lockOf(bench), "utf8")) as {
      readonly packages: { readonly words: { readonly signedBy: { readonly keyid: string; readonly sha256: string } } };
    };
    const { keyid, sha256 } = packages.words.signedBy;
    assert.equal(
      [signedLine(added), keyid, sha256.length, signedLine(await run("audit")), (await run("install")).exitCode],
      ["  signed by the registry's key SHA256:first", KEYID, 64, "  signed by the registry's key SHA256:first", 0],
    );
  }));

test("add refuses a signature of another archive, of an unknown key, and of one that had expired", async () => {
  const refused: unknown[] = [];
  for (const rules of [
    { ...signing, signature: () => ({ keyid: KEYID, sig: signatureOf("words@1.1.0:sha512-other") }) },
    { ...signing, signature: () => ({ keyid: KEYID, sig: "AAAA" }) },
    { ...signing, keys: [{ keyid: "SHA256:second" }] },
    { ...signing, keys: [{ keyid: KEYID, expires: "2001-01-01T00:00:00.000Z" }] },
  ])
    await withRegistry(rules, async ({ bench, run }) => {
      refused.push(refusal(await run("add", "words")), existsSync(lockOf(bench)));
    });
  const start = "failed[package]: `<registry>/` gives a signature of `words@1.1.0` that";
  const wrong = `${start} is wrong: the key \`SHA256:first\` has not signed this archive`;
  assert.equal(refused, [
    [77, wrong],
    false,
    [77, wrong],
    false,
    [77, `${start} is by the key \`SHA256:first\`, which is not one of its keys`],
    false,
    [77, `${start} is by the key \`SHA256:first\`, which had expired before (2001-01-01T00:00:00.000Z)`],
    false,
  ]);
});

test("a key that has expired still holds for what was published before", () => {
  const expires = new Date(Date.now() - 1).toISOString();
  return withRegistry({ ...signing, keys: [{ keyid: KEYID, expires }] }, async ({ run }) => {
    assert.is(signedLine(await run("add", "words")), "  signed by the registry's key SHA256:first");
  });
});

test("a signature that cannot be verified is not shown as one", () =>
  withRegistry({ ...signing, keys: undefined }, async ({ bench, run }) => {
    assert.is(
      signedLine(await run("add", "words")),
      "  has a signature that was not verified, because `<registry>/` gives no keys",
    );
    assert.is(readFileSync(lockOf(bench), "utf8").includes("signedBy"), false);
  }));

test("update and audit say that what was signed is not signed any more", () =>
  withRegistry({ ...signing }, async ({ rules, run }) => {
    await run("add", "words@1.0.0");
    rules.signature = () => undefined;
    const audit = await run("audit");
    assert.equal(
      [audit.exitCode, signedLine(audit), signedLine(await run("add", "words@1.1.0"))],
      [
        1,
        "  problem: it was signed by the key SHA256:first, and is not signed now",
        "  not signed; 1.0.0 was signed by the key SHA256:first",
      ],
    );
  }));

test("audit finds a signature that is wrong now", () =>
  withRegistry({ ...signing }, async ({ rules, run }) => {
    await run("add", "words");
    rules.signature = () => ({ keyid: KEYID, sig: signatureOf("other") });
    assert.is(
      signedLine(await run("audit")),
      "  problem: `<registry>/` gives a signature of `words@1.1.0` that is wrong: the key `SHA256:first` has not signed this archive",
    );
  }));

test.run();
