// Packages of attackers: paths that lead out, links, names that pass for others, and manifests that lie. Nothing of
// them reaches the disk.
import { gzipSync } from "node:zlib";
import { unpack } from "../../src/features/packages/host/archives.ts";
import { checkPaths } from "../../src/features/packages/package-files.ts";
import { ownerOf, readManifest } from "../../src/features/packages/manifest.ts";
import { parseLock } from "../../src/features/packages/lock.ts";
import { Refusal } from "../../src/features/packages/refusal.ts";
import { assert, suite } from "../harness.ts";
import { archiveOf, packageFiles, type TarEntry, tarOf } from "./package-fixture.ts";

const test = suite("packages/attacks");

async function refusalOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

async function unpackedPaths(entries: readonly TarEntry[]): Promise<readonly string[] | string> {
  const unpacked = await unpack(archiveOf(entries), { stripsTop: true });
  return "problem" in unpacked ? unpacked.problem : unpacked.files.map(({ path }) => path);
}

test("unpack strips one folder and keeps the rest of a path as it is written", async () => {
  const paths = ["package/a.tool", "package/../../b.tool", "package//c.tool"];
  assert.equal(await unpackedPaths(paths.map((path) => ({ path }))), ["a.tool", "../../b.tool", "/c.tool"]);
});

test("unpack reads an archive without compression", async () => {
  const unpacked = await unpack(tarOf([{ path: "a.tool", text: "x" }]), { stripsTop: false });
  assert.equal("files" in unpacked && unpacked.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]), [
    ["a.tool", "x"],
  ]);
});

test("unpack refuses links and devices", async () => {
  const found = [];
  for (const type of ["1", "2", "3", "6"])
    found.push(
      await unpackedPaths([
        { path: "package/x", type, ...(type < "3" ? { target: "/etc/passwd" } : {}) },
        { path: "package/y" },
      ]),
    );
  assert.equal(found, [
    "has `package/x`, which is not a file but a link",
    "has `package/x`, which is not a file but a link",
    "has `package/x`, which is not a file but a device or another special file",
    "has `package/x`, which is not a file but a device or another special file",
  ]);
});

test("unpack refuses what is not an archive", async () => {
  for (const bytes of [Buffer.from("no archive"), archiveOf([{ path: "package/a", text: "x" }]).subarray(0, 40)]) {
    const unpacked = await unpack(bytes, { stripsTop: true });
    assert.match("problem" in unpacked ? unpacked.problem : "", /^is not a tar archive that can be read/);
  }
});

test("unpack stops at a limit, however small the archive is", async () => {
  const text = "0".repeat(33 * 1024 * 1024);
  assert.is(
    await unpackedPaths([
      { path: "package/a", text },
      { path: "package/b", text },
    ]),
    "has more than 64 MiB",
  );
});

test("unpack stops at a limit of what is not a file", async () => {
  const folder = tarOf([{ path: "package/a", type: "5" }]).subarray(0, 512);
  const folders = gzipSync(Buffer.concat(new Array<Buffer>(164_000).fill(folder)), { level: 1 });
  const found = [];
  for (const bytes of [folders, gzipSync(gzipSync("x"))]) {
    const unpacked = await unpack(bytes, { stripsTop: true });
    found.push("problem" in unpacked && unpacked.problem);
  }
  assert.equal(found, ["has more than 64 MiB", "is zipped twice"]);
});

test("checkPaths refuses every path that is not plainly in the package", async () => {
  const paths = [
    "../out.tool",
    "a/../../out.tool",
    "/etc/passwd",
    "a//b",
    "./a",
    "a\\b",
    "C:/a",
    "a\u001b[2J.tool",
    "a\u202etool.exe",
    "a\nb",
    "nul",
    "aux.tool",
    "com\u00b9.tool",
    "CONIN$",
    "a. /b",
    "end.",
    ".git/hooks/post-checkout",
    "a/.GIT/config",
    "x".repeat(300),
  ];
  const accepted = [];
  for (const path of paths)
    if ((await refusalOf(() => checkPaths([{ path, bytes: new Uint8Array() }], "p"))) === undefined)
      accepted.push(path);
  assert.equal(accepted, []);
});

test("checkPaths refuses paths that some systems do not tell apart", async () => {
  for (const paths of [
    ["a.tool", "A.tool"],
    ["a.tool", "a.tool"],
    ["a/b", "a"],
    ["lib/a.ts", "Lib/b.ts"],
    ["\u00e9.tool", "e\u0301.tool"],
  ])
    assert.match(
      (await refusalOf(() =>
        checkPaths(
          paths.map((path) => ({ path, bytes: new Uint8Array() })),
          "p",
        ),
      )) ?? "",
      /which some systems do not tell apart$/,
    );
});

test("readManifest refuses names, versions and keys that are not what they should be", async () => {
  const read = (text: Parameters<typeof packageFiles>[0]): Promise<string | undefined> =>
    refusalOf(() =>
      readManifest(
        Object.entries(packageFiles(text)).map(([path, content]) => ({ path, bytes: Buffer.from(content) })),
        "p",
      ),
    );
  const found = [
    await read({ name: "Words" }),
    await read({ name: "../words" }),
    await read({ name: "@a/b/c" }),
    await read({ name: "words\u001b[2J" }),
    await read({ name: "wo.rds" }),
    await read({ version: "1" }),
    await read({ version: "1.0.0\n" }),
    await read({ dottool: null }),
    await read({ dottool: { scripts: [] } }),
    await read({ dottool: { tools: "../.." } }),
    await read({ dottool: { plugins: ["../x.ts"] } }),
    await read({ dottool: { plugins: ["plugins/gone.ts"] } }),
    await read({ dottool: { needs: { other: "not a range" } } }),
    await read({ dottool: { needs: { other: "git+ssh://a.example/b.git" } } }),
    await read({ dottool: { needs: { other: "file:../other" } } }),
    await read({ dottool: { needs: { other: "npm:evil@1" } } }),
    await read({ dottool: { needs: { "../other": "1" } } }),
    await read({ name: "__proto__" }),
    // A key that JSON.parse makes, and an object literal does not.
    await read({ dottool: JSON.parse('{"__proto__": {"tools": "../.."}}') }),
    await read({ dottool: { needs: JSON.parse('{"__proto__": "1"}') } }),
    await refusalOf(() =>
      readManifest(
        [{ path: "package.json", bytes: Buffer.from('{"name":"a","version":"1.0.0","__proto__":{"dottool":{}}}') }],
        "p",
      ),
    ),
  ];
  assert.equal(
    found.map((message) => message?.replace("`p`: ", "")),
    [
      ...new Array<string>(4).fill("`name` in its `package.json` is not the name of a package"),
      "`wo.rds` in its name cannot be the owner of tools",
      ...new Array<string>(2).fill("`version` in its `package.json` is not a version"),
      "its `package.json` has no `dottool`",
      "`dottool` has the key `scripts`",
      "`dottool.tools` is not a folder within the package",
      ...new Array<string>(2).fill("`dottool.plugins` is not a list of its `.ts` files"),
      ...new Array<string>(5).fill("`dottool.needs` is not packages with ranges"),
      "`name` in its `package.json` is not the name of a package",
      "`dottool` has the key `__proto__`",
      "`dottool.needs` is not packages with ranges",
      "its `package.json` has no `dottool`",
    ],
  );
});

test("ownerOf is the scope, or the name", () => {
  assert.equal(["@team/words", "words"].map(ownerOf), ["team", "words"]);
});

test("parseLock refuses a lock that is not one of dottool", async () => {
  const content = "0".repeat(64);
  const lock = (entry: unknown, name = "words"): string => JSON.stringify({ version: 1, packages: { [name]: entry } });
  const entry = { version: "1.0.0", source: "file:words", content };
  assert.is(await refusalOf(() => parseLock(lock(entry), "l")), undefined);
  const odd = [
    "",
    "[]",
    '{"version":2,"packages":{}}',
    lock(entry, "../words"),
    lock({ ...entry, content: "../../etc" }),
    lock({ ...entry, integrity: "md5-x" }),
    lock({ ...entry, may: { everything: [] } }),
    lock({ ...entry, may: { effects: "read" } }),
    lock({ ...entry, needs: { other: 1 } }),
    lock({ ...entry, added: "yes" }),
  ];
  const accepted = [];
  for (const text of odd) if ((await refusalOf(() => parseLock(text, "l"))) === undefined) accepted.push(text);
  assert.equal(accepted, []);
});

test.run();
