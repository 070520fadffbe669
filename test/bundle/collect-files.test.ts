import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { collectFiles } from "../../src/features/bundle/collect-files.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { assert, suite } from "../harness.ts";

const test = suite("collect-files");

function collected(build: (folder: string) => void): ReturnType<typeof collectFiles> {
  const root = mkdtempSync(join(tmpdir(), "dottool-collect-"));
  const folder = join(root, "tools");
  mkdirSync(folder);
  try {
    build(folder);
    return collectFiles(folder, createNodeHost());
  } finally {
    rmSync(root, { recursive: true });
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Returns what has to be moved or removed before the folder can be bundled. */
function problemOf(build: (folder: string) => void): string {
  const result = collected(build);
  return "problem" in result ? result.problem : "";
}

test("collectFiles takes all files with their rights, and names what is hidden", () => {
  const result = collected((folder) => {
    write(join(folder, "a.tool"), "a");
    write(join(folder, "lib/run.sh"), "b");
    chmodSync(join(folder, "lib/run.sh"), 0o755);
    write(join(folder, ".env"), "SECRET=1");
    write(join(folder, "lib/.git/HEAD"), "ref");
    symlinkSync("a.tool", join(folder, "link.tool"));
  });
  assert.ok("files" in result);
  assert.equal(
    result.files.map(({ path, bytes, isExecutable }) => [path, new TextDecoder().decode(bytes), isExecutable]),
    [
      ["a.tool", "a", false],
      ["lib/run.sh", "b", true],
      ["link.tool", "a", false],
    ],
  );
  assert.equal(result.leftOut, ["`.env`: hidden", "`lib/.git`: hidden"]);
});

test("collectFiles refuses links that lead out of the folder, to nothing, and to folders", () => {
  assert.match(
    problemOf((folder) => {
      write(join(folder, "../secret"), "x");
      symlinkSync("../secret", join(folder, "out.tool"));
    }),
    /^`out\.tool` is a link to `.*\/secret`, outside the folder$/,
  );
  assert.is(
    problemOf((folder) => symlinkSync("nowhere", join(folder, "x"))),
    "`x` is a link to nothing",
  );
  assert.is(
    problemOf((folder) => {
      mkdirSync(join(folder, "lib"));
      symlinkSync("lib", join(folder, "again"));
    }),
    "`again` is a link to a folder",
  );
});

test("collectFiles refuses a FIFO without waiting for it", () => {
  if (process.platform === "win32") return;
  assert.is(
    problemOf((folder) => execFileSync("mkfifo", [join(folder, "pipe")])),
    "`pipe` is a device, a pipe or a socket",
  );
});

test("collectFiles refuses names that a terminal acts on, or that Windows does not take", () => {
  for (const name of ["a\u001b[2Jb.tool", "a\u202eb", "a\\b", "con:x", "end."])
    assert.is(
      problemOf((folder) => write(join(folder, name), "")),
      `the name \`${name}\` cannot be used on every system`,
    );
});

test("collectFiles refuses files that are keys, and texts that are surely secrets", () => {
  assert.is(
    problemOf((folder) => write(join(folder, "id_ed25519"), "x")),
    "`id_ed25519` may be a private key",
  );
  const secrets = {
    "a private key": "-----BEGIN OPENSSH PRIVATE KEY-----",
    "a GitHub token": `ghp_${"a1B2".repeat(9)}`,
    "an AWS access key": `AKIA${"ABCD1234".repeat(2)}`,
    "an address with a password": "postgres://ana:hunter2@db.example/x",
  };
  for (const [is, text] of Object.entries(secrets))
    assert.is(
      problemOf((folder) => write(join(folder, "lib/notes.txt"), `one\n${text}\n`)),
      `\`lib/notes.txt:2\` has ${is}`,
    );
});

test("collectFiles leaves the secrets of `config.yaml` out, and names them", () => {
  const result = collected((folder) =>
    write(
      join(folder, "config.yaml"),
      "# sk-comment\ngoogle_search:\n  key: abc\n  engine: e\nsecrets:\n  api: env:API_KEY\nmcp_servers:\n  s:\n    url: https://x\n    headers: {Authorization: Bearer x}\nproviders:\n  p: {max_tokens: 10}\n",
    ),
  );
  assert.ok("files" in result);
  assert.equal(result.leftOut, [
    "`config.yaml:3` `google_search.key`: a secret; each user sets it",
    "`config.yaml:10` `mcp_servers.s.headers.Authorization`: a secret; each user sets it",
  ]);
  assert.is(
    new TextDecoder().decode(result.files[0]?.bytes),
    "google_search:\n  engine: e\nsecrets:\n  api: env:API_KEY\nmcp_servers:\n  s:\n    url: https://x\n    headers: {}\nproviders:\n  p:\n    max_tokens: 10\n",
  );
});

test("collectFiles leaves addresses with a password or a key out of `config.yaml`", () => {
  const result = collected((folder) =>
    write(
      join(folder, "config.yaml"),
      "queue: redis://:canary@host:6379\nmcp_servers:\n  a: {url: 'https://x/?api_key=canary&v=2'}\n  b: {url: 'https://canary@x/'}\n  c: {url: 'https://x/?v=2'}\n",
    ),
  );
  assert.ok("files" in result);
  assert.equal(
    [result.leftOut, new TextDecoder().decode(result.files[0]?.bytes)],
    [
      [
        "`config.yaml:1` `queue`: a secret; each user sets it",
        "`config.yaml:3` `mcp_servers.a.url`: a secret; each user sets it",
        "`config.yaml:4` `mcp_servers.b.url`: a secret; each user sets it",
      ],
      "mcp_servers:\n  a: {}\n  b: {}\n  c:\n    url: https://x/?v=2\n",
    ],
  );
});

test("collectFiles refuses a file with a password without a user in an address", () => {
  assert.is(
    problemOf((folder) => write(join(folder, "lib/queue.txt"), "redis://:canary@host:6379\n")),
    "`lib/queue.txt:1` has an address with a password",
  );
});

test.run();
