// What `publish` refuses to send out: files that are for secrets by their names, and texts that are certainly secrets.
import { generateKeyPairSync } from "node:crypto";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { secretsInside } from "../../src/features/packages/secrets-inside.ts";
import { assert, suite } from "../harness.ts";

const test = suite("packages/secrets-inside");
const node = createNodeHost();
const host = { ...node, environment: () => undefined, environmentNames: () => [] };

function found(path: string, text: string): boolean {
  return secretsInside([{ path, bytes: Buffer.from(text) }], host).length > 0;
}

test("files for secrets are known by their names, wherever they are", () => {
  const secret = [
    ...[".env", ".env.local", "a/.ENV.production", ".npmrc", ".netrc", ".pypirc", ".git-credentials", ".pgpass"],
    ...["keys/id_rsa", "id_ed25519", "id_ecdsa_sk", "server.pem", "server.key", "a.p12", "a.pfx", "a.jks", "a.kdbx"],
    ...[".ssh/config", ".aws/credentials", ".kube/config", ".docker/config.json", ".config/gcloud/a.json"],
    ...[".vault-token", ".bash_history", ".claude/.credentials.json", ".cargo/credentials.toml", ".my.cnf"],
  ];
  const sound = [
    ...["shout.tool", "plugins/words.ts", "package.json", "README.md", "environment.tool", "keys.tool", "pem.tool"],
    ...[
      "docs/ssh.md",
      "aws/credentials.tool",
      "kube.tool",
      "docker/config.json",
      "my.cnf.tool",
      ".claude/settings.json",
    ],
  ];
  assert.equal([secret.filter((path) => !found(path, "x")), sound.filter((path) => found(path, "x"))], [[], []]);
});

test("certain secrets are known by their form, and their places are named", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  // In parts, so that no scanner takes this file for one with secrets.
  const secrets = [
    privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    ["-----BEGIN OPENSSH PRIVATE", "KEY-----"].join(" "),
    ["-----BEGIN PGP PRIVATE", "KEY BLOCK-----"].join(" "),
    ["gh", "p_", "a1".repeat(18)].join(""),
    ["glp", "at-", "a1".repeat(10)].join(""),
    ["np", "m_", "a1".repeat(18)].join(""),
    "//registry.example/:_authToken=hunter2",
    ["xo", "xb-", "123456789012"].join(""),
    ["sk-", "ant-", "a1".repeat(20)].join(""),
    ["AK", "IA", "A1".repeat(8)].join(""),
    ["AI", "za", "a1".repeat(18)].join("").slice(0, 39),
    "postgres://user:hunter2@db.example/shop",
  ];
  assert.equal(
    secrets.filter((text) => !found("notes.txt", `first\n${text}\n`)),
    [],
  );
  const sound = ["//registry.example/:_authToken=${NPM_TOKEN}", "https://example.org/a@b", "ghp_short", "sk-", "AKIA"];
  assert.equal(
    sound.filter((text) => found("notes.txt", text)),
    [],
  );
  assert.equal(secretsInside([{ path: "notes.txt", bytes: Buffer.from(`a\nb\n${secrets[3]}`) }], host), [
    "notes.txt:3: a GitHub token",
  ]);
});

test.run();
