// Whatever lies in a tool folder, the other tools keep working and one message says what is wrong with it.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { amount } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { withoutRights } from "../without-rights.ts";
import { DEFINITION_BYTES_MAX } from "../../src/core/catalog/load.ts";
import { type CatalogueFixture, toolText, withFixture } from "./catalogue-fixture.ts";

const test = suite("hostile tool folders");

const MANY = amount(3_000, 10_000);
const laterMs = 10_000;

/** Returns the messages about what `make` puts beside a sound definition. They are the same from the cache. */
async function saidOf(make: (bench: CatalogueFixture) => void): Promise<readonly string[]> {
  let said: readonly string[] = [];
  await withFixture({ "work/.tools/good.tool": toolText("good") }, async (bench) => {
    make(bench);
    for (let round = 0; round < 2; round++) {
      const catalogue = await bench.open({ laterMs });
      assert.is(catalogue.definition("good")?.description, "Print good.");
      said = bench.lines(await catalogue.diagnostics());
    }
  });
  return said;
}

function saidOfBytes(bytes: Uint8Array | string): Promise<readonly string[]> {
  return saidOf((bench) => bench.write("work/.tools/x.tool", bytes));
}

test("a folder that is called like a definition", async () => {
  assert.equal(await saidOf((bench) => mkdirSync(bench.at("work/.tools/x.tool"))), [
    "error[unreadable-file] `.tools/x.tool` cannot be read: it is a directory",
  ]);
});

test("a link to nothing, to a folder, to itself, to a device, to memory", async () => {
  const links: Readonly<Record<string, string>> = {
    nothing: "missing",
    folder: ".",
    itself: "x.tool",
    device: "/dev/zero",
    memory: "/proc/self/mem",
  };
  const said: Record<string, readonly string[]> = {};
  for (const [name, target] of Object.entries(links))
    said[name] = await saidOf((bench) => symlinkSync(target, bench.at("work/.tools/x.tool")));
  const cannot = "error[unreadable-file] `.tools/x.tool` cannot be read: ";
  assert.equal(said, {
    nothing: [`${cannot}it does not exist, or is a dangling link`],
    folder: [`${cannot}it is a directory`],
    itself: [`${cannot}its links form a loop`],
    device: [`${cannot}it is not a regular file`],
    memory: [`${cannot}the system reports EIO`],
  });
});

test("a FIFO", async () => {
  assert.equal(await saidOf((bench) => void execFileSync("mkfifo", [bench.at("work/.tools/x.tool")])), [
    "error[unreadable-file] `.tools/x.tool` cannot be read: it is not a regular file",
  ]);
});

test("a file and an owner that may not be read", async () => {
  let said: readonly string[] = [];
  await withFixture(
    {
      "work/.tools/good.tool": toolText("good"),
      "work/.tools/x.tool": toolText("x"),
      "work/.tools/owner/y.tool": toolText("y"),
    },
    (bench) =>
      withoutRights(bench.root, [bench.at("work/.tools/x.tool"), bench.at("work/.tools/owner")], async () => {
        const catalogue = await bench.open({ laterMs });
        assert.is(catalogue.definition("good")?.description, "Print good.");
        said = bench.lines(await catalogue.diagnostics());
      }),
  );
  assert.equal(said, [
    "error[unreadable-file] `.tools/owner` cannot be read: permission denied",
    "error[unreadable-file] `.tools/x.tool` cannot be read: permission denied",
  ]);
});

test("a link to a folder is an owner, once", async () => {
  await withFixture({ "work/.tools/a.tool": toolText("a"), "shared/b.tool": toolText("b") }, async (bench) => {
    symlinkSync(".", bench.at("work/.tools/loop"));
    symlinkSync(bench.at("shared"), bench.at("work/.tools/team"));
    const catalogue = await bench.open();
    assert.equal(catalogue.names(), ["a", "loop/a", "team/b"]);
  });
});

test("folders below an owner's sort its tools, and links below it are not followed", async () => {
  await withFixture({ "work/.tools/team/git/log.tool": toolText("log") }, async (bench) => {
    bench.write("work/.tools/team/git/remote/all/add.tool", toolText("add"));
    symlinkSync(".", bench.at("work/.tools/team/git/loop"));
    assert.equal((await bench.open()).names(), ["team/add", "team/log"]);
  });
});

test("definitions too deep below their owner, and an owner with an odd name", async () => {
  const said = await saidOf((bench) => {
    bench.write("work/.tools/owner/a/b/c/d/x.tool", toolText("x"));
    bench.write("work/.tools/owner/data/x.yaml", "name: x\n");
    bench.write("work/.tools/not an owner/x.tool", toolText("x"));
    bench.write("work/.tools/.git/x.tool", toolText("x"));
    bench.write("work/.tools/empty one/readme.md", "");
  });
  assert.equal(said, [
    "error[invalid-name] the folder name `not an owner` cannot be the owner of tools: an owner is letters, digits, `_` and `-`, at most 64",
    "warning[unreadable-file] definitions in `.tools/owner/a/b/c/d` are not used: below the folder of an owner, only `.tool` files are read, up to 3 folders deep",
    "warning[unreadable-file] definitions in `.tools/owner/data` are not used: below the folder of an owner, only `.tool` files are read, up to 3 folders deep",
  ]);
});

test("ten megabytes, and one byte too many", async () => {
  const tooLarge = [
    `error[too-large] \`.tools/x.tool\` has more than ${DEFINITION_BYTES_MAX} bytes, the limit of a definition`,
  ];
  assert.equal(await saidOfBytes("x".repeat(10 * 1024 * 1024)), tooLarge);
  assert.equal(await saidOfBytes("x".repeat(DEFINITION_BYTES_MAX + 1)), tooLarge);
  assert.equal(
    (await saidOfBytes(toolText("x", "words ".repeat(DEFINITION_BYTES_MAX / 6 - 100)))).filter((line) =>
      line.startsWith("error"),
    ),
    [],
  );
});

test("bytes that are not text, each at its place", async () => {
  const header = Buffer.from("Words.\n@name x\n");
  const at = (bytes: readonly number[]): Promise<readonly string[]> =>
    saidOfBytes(Buffer.concat([header, Buffer.from(bytes)]));
  const not = "error[not-text] `.tools/x.tool` is not UTF-8 text | .tools/x.tool:3:";
  assert.equal(await at([0x61, 0xff, 0x62]), [`${not}2 \uFFFD: the byte ff is not valid UTF-8 here`]);
  assert.equal(await at([0xe2, 0x82, 0xac, 0xe2, 0x82]), [`${not}2 \uFFFD: the byte e2 is not valid UTF-8 here`]);
  assert.equal(await at([0x61, 0x62, 0xc3, 0x28]), [`${not}3 \uFFFD: the byte c3 is not valid UTF-8 here`]);
  assert.equal(await at([0x61, 0x00, 0xff]), [`${not}2 \0: this is a NUL character`]);
});

test("a text of UTF-16 says so", async () => {
  await withFixture({ "work/.tools/x.tool": "" }, async (bench) => {
    bench.write("work/.tools/x.tool", Buffer.from("\uFEFF@name x\n", "utf16le"));
    const [said] = await (await bench.open()).diagnostics();
    assert.equal([said?.code, said?.help], ["not-text", ["it looks like UTF-16: save it as UTF-8"]]);
  });
});

test("a real U+FFFD is text", async () => {
  assert.equal(await saidOfBytes(toolText("x", "A \uFFFD here.")), []);
});

test("a given folder that is not there, and one that is a file", async () => {
  await withFixture({ "one.tool": toolText("one"), "other.txt": "" }, async (bench) => {
    const catalogue = await bench.open({ givenFolders: ["../missing", "../one.tool", "../other.txt"] });
    assert.equal(
      catalogue.entries.map(({ name, resolution }) => `${name} ${resolution.kind}`),
      ["one used", "other.txt broken"],
    );
    assert.equal(bench.lines(catalogue.folderDiagnostics), [
      "error[unreadable-file] `../missing` cannot be read: it does not exist, or is a dangling link",
    ]);
  });
});

test("a tool folder where anyone can put one is used only when it is the user's own", async () => {
  const open = mkdtempSync(join(tmpdir(), "dottool-open-"));
  try {
    chmodSync(open, 0o1777);
    mkdirSync(join(open, ".tools"));
    mkdirSync(join(open, "sub"));
    writeFileSync(join(open, ".tools/a.tool"), toolText("a"));
    await withFixture({}, async (bench) => {
      const cwd = join("..", basename(open), "sub");
      const elsewhere = {
        ...bench.host.instant,
        stat: (path: string) => {
          const facts = bench.host.instant.stat(path);
          return facts && { ...facts, isOwn: false };
        },
      };
      assert.equal((await bench.open({ cwd })).names(), ["a"]);
      const foreign = await bench.open({ cwd, host: { ...bench.host, instant: elsewhere } });
      assert.equal([foreign.names(), foreign.folderDiagnostics.map((one) => one.severity)], [[], ["warning"]]);
    });
  } finally {
    rmSync(open, { recursive: true, force: true });
  }
});

test("any bytes at all", async () => {
  await withFixture({ "work/.tools/good.tool": toolText("good") }, async (bench) => {
    const check = async (bytes: Uint8Array): Promise<void> => {
      bench.write("work/.tools/x.tool", bytes);
      const catalogue = await bench.open({ laterMs });
      assert.is(catalogue.definition("good")?.name.value, "good");
      await catalogue.diagnostics();
    };
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), check), { numRuns: 150 });
    const pieces = fc.constantFrom(
      "@name x\n",
      "@param",
      " {",
      "}",
      "[",
      "\n",
      "\0",
      "\uFEFF",
      "\uFFFD",
      "\r\n",
      "@test a\n  with {",
      "@command echo ",
      "{x}",
      "\ud800",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), (texts) => check(Buffer.from(texts.join("")))),
      { numRuns: 150 },
    );
  });
});

test(`${MANY} definitions`, async () => {
  await withFixture({ "work/.tools/good.tool": toolText("good") }, async (bench) => {
    for (let index = 0; index < MANY; index++)
      writeFileSync(bench.at(`work/.tools/t${index}.tool`), `@name t${index}\n@wrapped read_file\n`);
    assert.is((await bench.open({ laterMs })).names().length, MANY + 1);
    assert.is((await bench.open({ laterMs })).definition(`t${MANY - 1}`)?.kind, "alias");
    assert.equal(bench.parsed, []);
  });
});

test.run();
