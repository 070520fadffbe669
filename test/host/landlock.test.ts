// Landlock alone, where user namespaces are refused: what a command can still do with its own files, and what it is told
// that it cannot.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileRules } from "../../src/features/confinement/host/landlock-rules.ts";
import { OpenDescriptors } from "../../src/features/confinement/host/confined-descriptors.ts";
import { assert, suite } from "../harness.ts";
import { alone, inPlace, needWalls, python, reportOf, sh } from "./confined-place.ts";

const test = suite("Landlock alone");
const ownRules = suite("fileRules");

test("a command writes in its folder, and changes modes and times there by every path", async () => {
  needWalls(alone, "python3");
  await inPlace(async (place) => {
    const { stderr } = await alone.attack(
      sh(
        "mkdir a && echo text > a/file && mv a/file a/moved && cp -p a/moved b && ln a/moved c && chmod 711 a && touch -d 2001-01-01 b && ln -s b d && chmod 640 d && touch -h -d 2002-01-01 d && chown $(id -u) c && rm a/moved",
      ),
      place,
      { confinement: { writes: [place.folder] } },
    );
    const at = (path: string): string => join(place.folder, path);
    assert.equal([stderr, readdirSync(place.folder).sort()], ["", ["a", "b", "c", "d"]]);
    assert.equal([statSync(at("a")).mode & 0o777, statSync(at("b")).mode & 0o777], [0o711, 0o640]);
    assert.is(statSync(at("b")).mtime.getFullYear(), 2001);
    const other = await alone.attack(
      python(
        `import os\nos.chmod("c", 0o600, dir_fd=os.open(".", os.O_RDONLY))\nos.fchmod(os.open("b", os.O_RDONLY), 0o604)\nos.utime(os.open("b", os.O_RDONLY), (0, 1))`,
      ),
      place,
      { confinement: { writes: [place.folder] } },
    );
    assert.is(other.stderr, "");
    assert.equal([statSync(at("c")).mode & 0o777, statSync(at("b")).mode & 0o777], [0o600, 0o604]);
    assert.is(statSync(at("b")).mtimeMs, 1_000);
  });
});

test("where something is guarded, what is there can be changed, nothing new is made beside it, and it is said", async () => {
  needWalls(alone);
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    for (const path of ["src", "lib/x", ".git/hooks"]) mkdirSync(at(path), { recursive: true });
    for (const path of ["file", "src/file", "lib/x/.env", ".git/config"]) writeFileSync(at(path), "before\n");
    const ran = await alone.attack(
      sh(
        "for f in file src/file src/new lib/new new .git/hooks/new .git/config lib/x/.env; do echo after 2>/dev/null > $f; done; chmod 600 .git/config; mv .git git; rm file; mv lib/x src/x; :",
      ),
      place,
      { confinement: { writes: [place.folder] } },
    );
    const after = ["file", "src/file", "src/new", "lib/new", "new", ".git/hooks/new", ".git/config", "lib/x/.env"];
    assert.equal(
      after.map((path) => (existsSync(at(path)) ? readFileSync(at(path), "utf8").trim() : "")),
      ["after", "after", "after", "", "", "", "before", "before"],
      ran.stderr,
    );
    assert.is(statSync(at(".git/config")).mode & 0o777, 0o644);
    assert.equal(reportOf(ran)?.missing, [
      ...alone.report.missing,
      "nothing can be made, renamed or removed directly in `.`, `lib`, `lib/x`, because of what is guarded there",
    ]);
  });
});

test("what was kept from a command is known from its errors", async () => {
  needWalls(alone);
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    mkdirSync(at(".git"));
    for (const path of ["file", ".env", ".git/config"]) writeFileSync(at(path), "x\n");
    const kept = async (script: string, writes: readonly string[] = []): Promise<unknown> => {
      const { result } = await alone.attack(sh(script), place, { confinement: { writes } });
      return result.kind === "exited" && result.report?.blocked;
    };
    const outside = join(place.outside, "canary");
    assert.equal(await kept(`cat ${outside}`), [{ kind: "read", name: outside }]);
    assert.equal(await kept("cat .env"), [{ kind: "read", name: at(".env"), guard: "keys" }]);
    assert.equal(await kept("echo a > new"), [{ kind: "write", name: place.folder }]);
    assert.equal(await kept("touch .git/hooks", [place.folder]), [
      { kind: "write", name: at(".git"), guard: "obeyed" },
    ]);
    assert.equal(await kept(`cat ${outside}; cat file`), undefined);
  });
});

test("a repository that appears is renamed", async () => {
  needWalls(alone);
  await inPlace(async (place) => {
    await alone.attack(sh("mkdir .git"), place, { confinement: { writes: [place.folder] } });
    assert.equal(readdirSync(place.folder), [".git.from-sandbox"]);
  });
});

test("home and temporary files are its own, and gone afterwards", async () => {
  needWalls(alone);
  await inPlace(async (place) => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("dottool-private-"));
    const { stdout } = await alone.attack(
      sh("echo text > $TMPDIR/file && cat $TMPDIR/file && echo text > ~/file && ls ~ && cat /proc/self/status"),
      place,
      { changes: { environment: { PATH: "/usr/bin:/bin", HOME: place.home } } },
    );
    assert.is(stdout, "text\nfile\n");
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith("dottool-private-"));
    assert.equal(
      left.filter((name) => !before.includes(name) && existsSync(join(tmpdir(), name, "home/file"))),
      [],
    );
  });
});

test("exit codes, signals and failures to start are those of the command", async () => {
  needWalls(alone);
  await inPlace(async (place) => {
    writeFileSync(join(place.folder, "odd"), "#!/no/such/interpreter\n");
    writeFileSync(join(place.folder, "plain"), "exit 9\n");
    for (const name of ["odd", "plain"]) chmodSync(join(place.folder, name), 0o755);
    const endOf = async (argv: readonly string[]): Promise<unknown> => {
      const { result } = await alone.attack(argv, place);
      if (result.kind === "not-started") return result.detail;
      return result.kind === "exited" ? (result.exitCode ?? result.signalName) : result.kind;
    };
    assert.equal(
      [await endOf(sh("exit 125")), await endOf(["./plain"]), await endOf(sh("kill -SEGV $$")), await endOf(["./odd"])],
      [125, 9, "SIGSEGV", `the interpreter that ${place.folder}/odd names in its first line is missing`],
    );
  });
});

test("hosts are refused with the reason", async () => {
  needWalls(alone);
  await inPlace(async (place) => {
    const { result } = await alone.attack(["true"], place, { confinement: { hosts: ["example.org"] } });
    assert.is(result.kind === "not-started" && result.reason, "sandbox");
    assert.match(result.kind === "not-started" ? result.detail : "", /Landlock alone cannot hold `@network`/);
  });
});

test("what nobody has approved runs, and has no file with keys", async () => {
  needWalls(alone);
  await inPlace(async (place) => {
    writeFileSync(join(place.folder, ".env"), "key");
    const { stdout } = await alone.attack(sh("cat .env; echo ran"), place, { confinement: { isPublicOnly: true } });
    assert.is(stdout, "ran\n");
  });
});

ownRules("a key below a folder of the system takes it apart", () => {
  const open = new OpenDescriptors();
  const { rules = [], closed } = fileRules([], { keys: ["/usr/share/doc"], fixed: [] }, open) ?? {};
  open.close();
  const wanted = ["l-:/usr", "r-:/usr/bin", "l-:/usr/share"];
  assert.equal([wanted.filter((rule) => !rules.includes(rule)), closed], [[], []]);
  assert.not(rules.some((rule) => rule.endsWith("/usr/share/doc") || rule === "r-:/usr"));
});

ownRules("more entries beside what is guarded than there may be rules give none", () =>
  inPlace(async ({ folder }) => {
    for (let number = 0; number < 4_200; number++) writeFileSync(join(folder, String(number)), "");
    const place = { descriptor: 0, path: folder, inside: folder, isWritable: true };
    assert.is(fileRules([place], { keys: [join(folder, ".env")], fixed: [] }, new OpenDescriptors()), undefined);
  }),
);

ownRules.run();
if (!("Deno" in globalThis)) test.run();
