import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { readSecret, type Secret, type SecretSource } from "../../src/core/base/secret-source.ts";
import { assert, suite } from "../harness.ts";
import { type AskOptions, withModels } from "./model-context.ts";

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

test.run();
