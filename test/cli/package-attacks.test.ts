// A tour of attackers: archives, folders, registries and locks that try to change, read or run what is not theirs. Beside
// each refusal, no file outside the store of packages has changed, and nothing that a terminal acts on is printed.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assert, suite } from "../harness.ts";
import { archiveOf, packageArchive, packageFiles, shout, type TarEntry, tarOf } from "../packages/package-fixture.ts";
import { writePackage } from "../packages/package-fixture.ts";
import { startProxy } from "../packages/registry-proxy.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-attacks");
const CANARY = "canary-1789";

type Run = (...words: readonly string[]) => Promise<ToolRun>;

async function inProject(work: (run: Run, bench: TestProject) => Promise<void>): Promise<void> {
  using bench = testProject({
    "project/.tools/own.tool": "Own.\n\n@title Own\n@command echo own\n",
    "home/.npmrc": "registry=http://127.0.0.1:9/\n",
    "home/.bashrc": CANARY,
    canary: CANARY,
  });
  await work((...words) => bench.here(words, { cwd: "project" }), bench);
}

const stateOf = ({ folder }: TestProject): string => join(folder, "home/.local/state/dottool");
const lockOf = ({ folder }: TestProject): string => join(folder, "project/dottool.lock");

function storedIn(bench: TestProject): readonly string[] {
  const store = join(stateOf(bench), "packages/store");
  return existsSync(store) ? readdirSync(store) : [];
}

/** All files with their content, apart from archives and from what dottool stores for itself. */
function treeOf(folder: string): Readonly<Record<string, string>> {
  const paths = (readdirSync(folder, { recursive: true }) as string[]).sort();
  return Object.fromEntries(
    paths
      .filter((path) => !/^home\/\.(?:local|cache)|\.tgz$/.test(path) && statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
}

/** What a terminal acts on, and what turns the direction of text. */
function hasCodes({ stdout, stderr }: ToolRun): boolean {
  return [...(stdout + stderr)].some((character) => /[\p{Cc}\p{Bidi_Control}]/u.test(character) && character !== "\n");
}

const sound: readonly TarEntry[] = Object.entries(packageFiles()).map(([path, text]) => ({
  path: `package/${path}`,
  text,
}));

/** A record of a PAX header, with its own length before it. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const digits = `${rest.length + 2}`.length;
  return `${rest.length + digits}${rest}`;
}

/** An archive whose first file has that field for its size. */
function withSize(field: string): Buffer {
  const tar = tarOf([{ path: "package/big", text: "x" }, ...sound]);
  tar.write(field.padEnd(12, "\0"), 124, "latin1");
  tar.write("        ", 148);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return gzipSync(tar);
}

function withManifest(text: string): Buffer {
  return archiveOf([
    { path: "package/package.json", text },
    { path: "package/shout.tool", text: shout },
  ]);
}

const file = (path: string): Buffer => archiveOf([...sound, { path, text: "owned" }]);
const hostileArchives: Readonly<Record<string, Buffer>> = {
  "a path that leads out": file("package/../../canary"),
  "an absolute path": file("package//etc/canary"),
  "a path with a drive": file("package/C:/canary"),
  "a path with backslashes": file("package/..\\..\\canary"),
  "a file through a link": archiveOf([
    { path: "package/out", type: "2", target: "../../../../.." },
    { path: "package/out/canary", text: "owned" },
    ...sound,
  ]),
  "a hard link": archiveOf([...sound, { path: "package/keys", type: "1", target: "../canary" }]),
  "a device": archiveOf([...sound, { path: "package/disk", type: "4" }]),
  "a FIFO": archiveOf([...sound, { path: "package/pipe", type: "6" }]),
  "a path in a header of PAX": archiveOf([
    ...sound,
    { path: "PaxHeader", type: "x", text: paxRecord("path", "package/../../canary") },
    { path: "package/harmless", text: "owned" },
  ]),
  "a long name of GNU": archiveOf([
    ...sound,
    { path: "././@LongLink", type: "L", text: "package/../../canary\0" },
    { path: "package/harmless", text: "owned" },
  ]),
  "a size of 8 GiB": withSize("77777777777"),
  "a size of 2^62 bytes": withSize("\x80\0\0\0\x40"),
  "a size below zero": withSize("\xff".repeat(12)),
  "a size of PAX": archiveOf([
    { path: "PaxHeader", type: "x", text: paxRecord("size", "99999999999") },
    { path: "package/harmless", text: "owned" },
    ...sound,
  ]),
  "an archive that is cut off": packageArchive().subarray(0, -40),
  "a file twice": archiveOf([...sound, { path: "package/package.json", text: '{"name":"other"}' }]),
  "a file twice for some systems": archiveOf([...sound, { path: "package/SHOUT.tool", text: "owned" }]),
  "a name with a line end": file("package/a\nb.tool"),
  "a name with terminal codes": file("package/\u001b]0;owned\u0007.tool"),
  "a name that is read backwards": file("package/\u202elooT.tool"),
  "a hook of git": file("package/.git/hooks/post-checkout"),
  "a name of a package that is a path": withManifest('{"name":"../words","version":"1.0.0","dottool":{}}'),
  "a version with terminal codes": withManifest('{"name":"words","version":"1.0.0\\u001b[2J","dottool":{}}'),
  "a key with terminal codes": withManifest('{"name":"words","version":"1.0.0","dottool":{"\\u001b[2J":1}}'),
  "keys that every object has": withManifest('{"name":"words","version":"1.0.0","__proto__":{"dottool":{}}}'),
};

test("an archive of an attacker is refused, and changes no file", () =>
  inProject(async (run, bench) => {
    const before = treeOf(bench.folder);
    const taken: string[] = [];
    for (const [what, archive] of Object.entries(hostileArchives)) {
      writeFileSync(join(bench.folder, "evil.tgz"), archive);
      const ran = await run("add", "../evil.tgz");
      if (![65, 77].includes(ran.exitCode ?? 0) || hasCodes(ran)) taken.push(`${what}: ${JSON.stringify(ran)}`);
    }
    assert.equal([taken, storedIn(bench), treeOf(bench.folder)], [[], [], before]);
  }));

test("a folder of an attacker gives away no file outside it, and does not stop the program", () =>
  inProject(async (run, bench) => {
    const odd = join(bench.folder, "words/odd");
    const manifest = join(bench.folder, "words/package.json");
    writePackage(join(bench.folder, "words"));
    const named = { ...(JSON.parse(packageFiles()["package.json"] ?? "") as object) };
    const places: readonly (readonly string[])[] = [
      [],
      ["shout.tool", "odd", "odd/.bashrc", "../canary", "/etc/hosts"],
    ];
    for (const files of places) {
      writeFileSync(manifest, JSON.stringify(files.length === 0 ? named : { ...named, files }));
      for (const target of ["../canary", "../home", "/dev/zero", "pipe"]) {
        if (target === "pipe") execFileSync("mkfifo", [odd]);
        else symlinkSync(target, odd);
        await run("add", "../words");
        rmSync(odd);
      }
    }
    const stored = readdirSync(join(stateOf(bench), "packages/store"), { recursive: true }) as string[];
    assert.equal([...new Set(stored.map((path) => path.slice(65)))].sort(), ["", "package.json", "shout.tool"]);
  }));

test("an address cannot be a file, a device or another program's options", () =>
  inProject(async (run, bench) => {
    const before = treeOf(bench.folder);
    const mark = join(bench.folder, "ran");
    for (const word of [
      "file:../../../../../../etc",
      "file:/dev/zero",
      "/",
      "../canary",
      "--upload-pack=touch",
      "git+file://--upload-pack=touch.git",
      `git+ssh://-oProxyCommand=touch%20${mark}/x.git`,
      `git+ssh://a;touch ${mark}/x.git`,
      `git+ext::touch% ${mark}.git`,
      "git+fd::17.git",
      "javascript:alert(1).tgz",
      "data:application/gzip,x.tgz",
      "words@git+ssh://a.example/b.git",
      "words@file:../canary",
      "__proto__",
      "\u001b]0;owned\u0007",
    ]) {
      const ran = await run("add", word);
      assert.equal([word, ran.exitCode === 0, hasCodes(ran), existsSync(mark)], [word, false, false, false]);
    }
    assert.equal([treeOf(bench.folder), storedIn(bench)], [before, []]);
  }));

interface LockEntry {
  version: string;
  source: string;
  content: string;
  integrity?: string;
  added?: boolean;
}

test("install refuses a lock that was changed, and runs and stores nothing that it names", () =>
  inProject(async (run, bench) => {
    writeFileSync(join(bench.folder, "words.tgz"), packageArchive());
    await run("add", "../words.tgz");
    const evil = packageArchive({ files: { "shout.tool": shout.replace("tr a-z A-Z", "tr a-z b-z") } });
    writeFileSync(join(bench.folder, "evil.tgz"), evil);
    const asked: string[] = [];
    const elsewhere = await startProxy("http://127.0.0.1:9/", {
      answer: ({ url = "" }, response) => {
        asked.push(url);
        response.end(evil);
        return true;
      },
    });
    const mark = join(bench.folder, "ran");
    const lock = readFileSync(lockOf(bench), "utf8");
    const changes: Readonly<Record<string, (entry: LockEntry) => void>> = {
      "another archive": (entry) => (entry.source = "file:../evil.tgz"),
      "another archive, without a hash of it": (entry) => {
        entry.source = "file:../evil.tgz";
        delete entry.integrity;
      },
      "an archive from elsewhere": (entry) => (entry.source = `${elsewhere.url}evil.tgz`),
      "a registry elsewhere": (entry) => (entry.source = `npm:${elsewhere.url}evil.tgz`),
      "a folder of the system": (entry) => (entry.source = "file:../../../../../../etc"),
      "a command of ssh": (entry) =>
        (entry.source = `git+ssh://-oProxyCommand=touch%20${mark}/x.git#${"0".repeat(40)}`),
      "options of git": (entry) => (entry.source = `git+file://--upload-pack=touch%20${mark}#${"0".repeat(40)}`),
      "a ref in place of a commit": (entry) => (entry.source = `git+file://${bench.folder}#main`),
      "a program of git": (entry) => (entry.source = `git+ext::touch ${mark}#${"0".repeat(40)}`),
      "other content": (entry) => (entry.content = "0".repeat(64)),
      "content that is a path": (entry) => (entry.content = "../../../../canary"),
      "another version": (entry) => (entry.version = "1.0.1"),
    };
    for (const [what, change] of Object.entries(changes)) {
      rmSync(stateOf(bench), { recursive: true, force: true });
      const json = JSON.parse(lock) as { packages: { words: LockEntry } };
      change(json.packages.words);
      writeFileSync(lockOf(bench), JSON.stringify(json));
      const ran = await run("install");
      const left = (await run("words/shout", "--words", "a")).exitCode;
      assert.equal([what, ran.exitCode === 0, existsSync(mark), left], [what, false, false, 66], JSON.stringify(ran));
    }
    // A source without a registry is asked; what it gives is not what is locked.
    assert.equal([...new Set(asked)], ["/evil.tgz"]);
    writeFileSync(lockOf(bench), lock.replace('"packages": {', '"packages": { "__proto__": {"version": "1.0.0"},'));
    assert.is((await run("install")).exitCode === 0, false);
  }));

test.run();
