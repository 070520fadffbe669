import { createNodeHost } from "../../src/core/host/node-host.ts";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseSecretSource, readSecret, type Secret, type SecretSource } from "../../src/core/base/secret-source.ts";
import { assert, suite } from "../harness.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { type AskOptions, type ModelFixture, withModels } from "./model-context.ts";

const test = suite("base/secret-source");

interface Reading {
  /** Text and mode by name, in the home folder. */
  readonly files?: Readonly<Record<string, readonly [text: string, mode: number]>>;
  readonly options?: AskOptions;
  readonly prepare?: (folder: string) => void;
}

/** Reads a secret. `<home>` stands for the folder in results and questions. */
async function read(source: SecretSource, { files = {}, options, prepare }: Reading = {}): Promise<Secret> {
  let secret: Secret | undefined;
  await withModels("", async (bench) => {
    for (const [name, [text, mode]] of Object.entries(files)) bench.write(name, text, mode);
    prepare?.(bench.folder);
    const placed = JSON.parse(JSON.stringify(source).replaceAll("<home>", bench.folder)) as SecretSource;
    secret = JSON.parse(
      JSON.stringify(await readSecret(placed, bench.context(options))).replaceAll(bench.folder, "<home>"),
    ) as Secret;
  });
  if (!secret) throw new Error("nothing was read");
  return secret;
}

const key = (value: string): Secret => ({ kind: "secret", value });
const missing = (reason: string, help: string): Secret => ({ kind: "missing", reason, help });

test("readSecret takes a variable of the environment, without the blanks around it", async () => {
  const variable: SecretSource = { kind: "environment", name: "API" };
  const notSet = missing("the variable API is not set", "set API in the environment of dottool");
  assert.equal(
    await Promise.all(
      [" sk-1 \n", "", "  ", undefined, "two words", "kéy"].map((value) =>
        read(variable, { options: { environment: value === undefined ? {} : { API: value } } }),
      ),
    ),
    [
      key("sk-1"),
      notSet,
      notSet,
      notSet,
      missing("the variable API has characters that cannot be in a key", "it must print the key and nothing else"),
      missing("the variable API has characters that cannot be in a key", "it must print the key and nothing else"),
    ],
  );
});

test("readSecret takes a file that nobody else may read", async () => {
  const file: SecretSource = { kind: "file", path: "<home>/key" };
  const exposed = missing("other users can read or change `<home>/key`", "chmod 600 '<home>/key'");
  assert.equal(
    await Promise.all(
      [0o600, 0o400, 0o640, 0o604, 0o620, 0o610].map((mode) => read(file, { files: { key: ["sk-2\nnotes\n", mode] } })),
    ),
    [key("sk-2"), key("sk-2"), exposed, exposed, exposed, exposed],
  );
  assert.equal(
    [
      await read(file),
      await read(file, { files: { key: ["\n", 0o600] } }),
      await read(file, { files: { key: ["x".repeat(70_000), 0o600] } }),
      await read(file, { prepare: (folder) => mkdirSync(join(folder, "key"), { mode: 0o700 }) }),
      await read(file, {
        files: { real: ["sk-3", 0o600] },
        prepare: (folder) => symlinkSync("real", join(folder, "key")),
      }),
      await read(file, {
        files: { real: ["sk-3", 0o644] },
        prepare: (folder) => symlinkSync("real", join(folder, "key")),
      }),
    ],
    [
      missing(
        "there is no file `<home>/key`",
        "write the key, and nothing else, to `<home>/key`, then: chmod 600 '<home>/key'",
      ),
      missing("`<home>/key` is empty", "write the key to it, and nothing else"),
      missing("`<home>/key` cannot be read (EFBIG)", "name a file that holds the key and nothing else"),
      missing("`<home>/key` is not a file", "name a file that holds the key and nothing else"),
      key("sk-3"),
      exposed,
    ],
  );
});

test("readSecret takes no file of another user", async () => {
  await withModels("", async (bench) => {
    bench.write("key", "sk-4");
    const context = bench.context();
    const { instant } = context.host;
    const host = {
      ...context.host,
      instant: {
        ...instant,
        stat: (path: string) => {
          const stat = instant.stat(path);
          return stat && { ...stat, isOwn: false };
        },
      },
    };
    const path = join(bench.folder, "key");
    assert.equal(
      await readSecret({ kind: "file", path }, { ...context, host }),
      missing(`\`${path}\` belongs to another user`, "use a file that you own"),
    );
  });
});

const store = `#!/bin/sh
case "$1" in
  show) printf 'sk-%s\\nuser: ana\\n' "$STORE"; echo loud >&2;;
  fail) echo sk-5; exit 2;;
  silent) ;;
  flood) yes sk-6 | head -c 100000;;
  wait) sleep 60;;
esac
`;

test("readSecret asks a key store, in the environment that it needs, for the first line of what it prints", async () => {
  const ask = (word: string, options?: AskOptions): Promise<Secret> =>
    read(
      { kind: "command", argv: ["<home>/store", word] },
      {
        files: { store: [store, 0o700] },
        ...(options ? { options } : {}),
        prepare: (folder) => chmodSync(join(folder, "store"), 0o700),
      },
    );
  const help = "run it yourself to see why";
  assert.equal(
    [
      await ask("show", { environment: { STORE: "7" } }),
      await ask("fail"),
      await ask("silent"),
      await ask("flood"),
      await read({ kind: "command", argv: ["nosuchstore"] }),
      await read({ kind: "command", argv: ["<home>/config/config.yaml"] }),
      await ask("wait", { signal: AbortSignal.abort() }),
    ],
    [
      key("sk-7"),
      missing("the command `<home>/store fail` ended with exit code 2", help),
      missing("the command `<home>/store silent` printed nothing", help),
      missing("the command `<home>/store flood` printed more than 65536 bytes", help),
      missing("there is no program `nosuchstore`", "install it, or give its path"),
      missing("the command `<home>/config/config.yaml` cannot be started", "install it, or give its path"),
      { kind: "cancelled" },
    ],
  );
});

/** A source, the words of its command, and what the program prints for these words alone. */
const stores: readonly (readonly [source: string, program: string, words: string, output: string])[] = [
  ["op://team/the api/token", "op", "read op://team/the api/token", "sk-op\n"],
  ["bw://the api", "bw", "get password the api --nointeraction", "sk-bw"],
  ["vault:secret/team/api#token", "vault", "kv get -field=token secret/team/api", "sk-vault"],
  ["pass:team/api", "pass", "show team/api", "sk-pass\nuser: ana\n"],
  ["keychain:api", "secret-tool", "lookup service api", "sk-keys"],
  ["keychain:api/ana", "secret-tool", "lookup service api account ana", "sk-ana"],
  ["gh", "gh", "auth token", "gho_1\n"],
  ["gh:git.example.org", "gh", "auth token --hostname git.example.org", "gho_2\n"],
];

/** Programs that print for the words of the table, write down each call, and fail as the real ones do for any other. */
function placeStores(bench: ModelFixture): string {
  for (const program of new Set(stores.map((row) => row[1]))) {
    const cases = stores.flatMap(([, name, words, output]) =>
      name === program ? [`  '${words}') printf '${output.replace("\n", "\\n")}' ;;`] : [],
    );
    const lines = ["#!/bin/sh", `echo ${program} >> '${bench.folder}/calls'`, 'case "$*" in', ...cases];
    bench.write(`bin/${program}`, [...lines, "  *) echo unknown >&2; exit 1 ;;", "esac", ""].join("\n"), 0o700);
  }
  return `${join(bench.folder, "bin")}:/usr/bin:/bin`;
}

test("readSecret asks the program of each key store, once in a process", async () => {
  await withModels("", async (bench) => {
    const PATH = placeStores(bench);
    const context = bench.context({ environment: { PATH } });
    const ask = async (text: string): Promise<unknown> => {
      const source = parseSecretSource(text, { ...bench.host, platform: "linux" });
      return "problem" in source ? source : readSecret(source, context);
    };
    for (const [source, , , output] of stores) {
      const printed = key(output.split("\n")[0] ?? "");
      assert.equal([source, ...(await Promise.all([ask(source), ask(source)]))], [source, printed, printed]);
      assert.equal(await ask(source), printed);
    }
    const calls = readFileSync(join(bench.folder, "calls"), "utf8");
    assert.is(calls, stores.map(([, program]) => `${program}\n`).join(""));
    // What failed is asked for again.
    const locked = missing("the command `pass show other` ended with exit code 1", "run it yourself to see why");
    assert.equal([await ask("pass:other"), await ask("pass:other")], [locked, locked]);
    assert.is(readFileSync(join(bench.folder, "calls"), "utf8"), `${calls}pass\npass\n`);
  });
});

test("readSecret says which program of a key store is missing, and goes on where another call was cancelled", async () => {
  await withModels("", async (bench) => {
    const empty = bench.context({ environment: { PATH: bench.folder } });
    const source = parseSecretSource("op://team/api/token", bench.host) as SecretSource;
    assert.equal(await readSecret(source, empty), missing("there is no program `op`", "install it"));
    bench.write("op", "#!/bin/sh\ncd; mkdir first 2>/dev/null && sleep 60\necho sk-8\n", 0o700);
    const stopping = new AbortController();
    const PATH = `${bench.folder}:/usr/bin:/bin`;
    const [first, second] = [
      bench.context({ environment: { PATH }, signal: stopping.signal }),
      bench.context({ environment: { PATH } }),
    ];
    const both = [readSecret(source, first), readSecret(source, second)];
    while (!existsSync(join(bench.folder, "first"))) await bench.host.sleep(5, second.signal);
    stopping.abort();
    assert.equal(await Promise.all(both), [{ kind: "cancelled" }, key("sk-8")]);
  });
});

test("parseSecretSource asks the keychain of macOS, and Windows has none", () => {
  const on = (platform: Host["platform"], text: string): unknown =>
    parseSecretSource(text, { ...createNodeHost(), platform });
  assert.equal(
    [on("macos", "keychain:api"), on("macos", "keychain:api/ana"), on("windows", "keychain:api")],
    [
      { kind: "command", argv: ["security", "find-generic-password", "-s", "api", "-w"], isStore: true },
      { kind: "command", argv: ["security", "find-generic-password", "-s", "api", "-a", "ana", "-w"], isStore: true },
      { problem: "names a keychain, and Windows has none" },
    ],
  );
});

test.run();
