// What a confined process may not do in the folders that it sees: read keys, change repositories, leave new ones, or be
// led out of them while it starts. A canary shows that each attack works without the sandbox.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Buffer } from "node:buffer";
import { join, relative } from "node:path";
import { HeldErrors, verdict } from "../../src/features/confinement/host/confined-verdict.ts";
import { amount } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { alone, attack, both, CANARY, full, inPlace, isThere, needWalls, python, sh } from "./confined-place.ts";
import { processFixture } from "./process-fixture.ts";

const test = suite("confined folders");
const ownCheck = suite("the check of bubblewrap itself");

/** While bubblewrap mounts, the files of the machine are at `/oldroot`. */
const asMounted = (path: string): string => `/oldroot${path}`;

const raced: readonly (readonly [name: string, writes: readonly string[]])[] = [
  ["a folder that may be written", ["pkg"]],
  ["a folder in it that may be written", ["pkg/inner"]],
  ["a file in it that may be written", ["pkg/inner/file"]],
  ["a folder with what is guarded", ["."]],
];

for (const [name, writes] of raced)
  test(`nothing is written where another process links to while bubblewrap starts: ${name}`, async () => {
    needPrograms("bwrap", "python3");
    await inPlace(async (place) => {
      const at = (path: string): string => join(place.folder, path);
      mkdirSync(at("pkg/inner/.git"), { recursive: true });
      for (const path of ["pkg/inner/file", "pkg/inner/.env", "pkg/.env"]) writeFileSync(at(path), CANARY);
      const stop = new AbortController();
      const swapping = processFixture().run(
        python(
          `import os\nwhile True:\n  os.rename("pkg", "kept"); os.symlink("${asMounted(place.outside)}", "pkg"); os.unlink("pkg"); os.rename("kept", "pkg")`,
        ),
        { cwd: place.folder, signal: stop.signal },
      );
      try {
        for (let time = 0; time < RACES; time++) {
          await attack(sh("echo gone > pkg/canary; :"), place, {
            confinement: { writes: writes.map(at) },
          });
          assert.is(readFileSync(join(place.outside, "canary"), "utf8"), CANARY);
          assert.equal(readdirSync(place.outside), ["canary"]);
        }
      } finally {
        stop.abort();
        await swapping;
      }
    });
  });

const RACES = amount(20, 100);

ownCheck(
  "only the check of bubblewrap itself says that it has no fault, not what another process makes fail",
  async () => {
    const said = async (text: string): Promise<string> => {
      const held = new HeldErrors({
        argv: ["true"],
        cwd: "/",
        environment: {},
        signal: new AbortController().signal,
        outputBytesMax: 1_000,
        onOutput: () => undefined,
      });
      await held.take("stderr", Buffer.from(text));
      const report = { sandbox: "full", missing: [] } as const;
      const ended = { held, report, hasRun: false, program: "/bin/true", lock: "/.ab" };
      const answer = await verdict({ kind: "exited", exitCode: 1, cutBytes: 0 }, ended);
      return "why" in answer ? "asked again" : answer.kind;
    };
    assert.equal(
      [
        await said("bwrap: Can't chmod 755 /.ab/machine/newroot: No such file or directory\n"),
        await said(
          "bwrap: Can't mount tmpfs on /newroot/.ab/machine/oldroot/proc/sys/kernel: No such file or directory\n",
        ),
        await said("bwrap: Can't bind mount /oldroot/proc/self/fd/9 on /newroot/.ab/0: No such file or directory\n"),
      ],
      ["asked again", "not-started", "not-started"],
    );
  },
);

for (const walls of [both, alone])
  test(`a confined process reads no file with keys, at any depth, but those that it names: ${walls.name}`, async () => {
    needWalls(walls);
    const keys = [".env", ".npmrc", "a/.env.local", "a/b/server.key", "a/b/c/id_rsa"];
    const others = [".env.example", "a/.env/file", "node_modules/x/test.key", "a/keys.txt"];
    for (const writes of [[], ["."], ["a/b"]])
      await inPlace(async (place) => {
        const at = (path: string): string => join(place.folder, path);
        for (const path of [...keys, ...others]) {
          mkdirSync(join(at(path), ".."), { recursive: true });
          writeFileSync(at(path), `${path}\n`);
        }
        symlinkSync("a/b", at("linked"));
        symlinkSync(".npmrc", at("renamed"));
        const read = async (reads: readonly string[], isFree?: true): Promise<readonly string[]> => {
          const { stdout } = await walls.attack(
            sh(`cat ${[...keys, ...others].join(" ")} linked/c/id_rsa renamed`),
            place,
            {
              ...(isFree ? { isFree } : {}),
              confinement: { writes: writes.map(at), reads: reads.map(at) },
            },
          );
          return stdout.split("\n").slice(0, -1);
        };
        assert.equal(await read([], true), [...keys, ...others, "a/b/c/id_rsa", ".npmrc"]);
        assert.equal(await read([]), others);
        assert.equal(await read(["."]), others);
        assert.equal(await read([".env", "a/b/c"]), [".env", "a/b/c/id_rsa", ...others, "a/b/c/id_rsa"]);
        const { result } = await walls.attack(
          sh("mv .npmrc x; rm .npmrc; ln .npmrc x; mv a x; cat x/.env.local x; :"),
          place,
          {
            confinement: { writes: writes.map(at) },
          },
        );
        assert.equal(
          result.kind === "exited" && result.report?.hidden?.map((path) => relative(place.folder, path)),
          keys,
        );
      });
  });

for (const walls of [both, alone])
  test(`a confined process reads no place of keys below its folder, and no login of git: ${walls.name}`, async () => {
    needWalls(walls, "git");
    const pem = "-----BEGIN PRIVATE KEY-----\n";
    const login = '[remote "origin"]\n\turl = https://ana:S$CRET@host.example/x\n';
    const keys: Readonly<Record<string, string>> = {
      ".aws/credentials": "k",
      "a/.ssh/deploy": "k",
      ".docker/config.json": "k",
      ".config/gh/hosts.yml": "k",
      "prod.env": "k",
      ".envrc": "k",
      ".bash_history": "k",
      ".yarnrc.yml": "k",
      ".htpasswd": "k",
      "terraform.tfstate": "k",
      ".dockerconfigjson": "k",
      kubeconfig: "k",
      "service-account.json": "k",
      "server.pem": pem,
      ".git/config": `[core]\n\tbare = false\n${login}`,
      ".git/modules/m/config": "[http]\n\textraheader = AUTHORIZATION: basic eA==\n",
      ".git/modules/a/b/config": login,
      ".git/modules/a/b/modules/c/config": login,
    };
    const others: Readonly<Record<string, string>> = {
      "ca.pem": "-----BEGIN CERTIFICATE-----",
      "example.env": "e",
      "src/history.ts": "h",
      "docs/config/gh.md": "g",
      ".git/modules/m/HEAD": "h",
      ".git/modules/a/b/HEAD": "h",
      ".git/modules/a/b/modules/c/HEAD": "h",
    };
    for (const writes of [[], ["."]])
      await inPlace(async (place) => {
        await walls.attack(sh("git init -q . && git init -q other"), place, { isFree: true });
        for (const [path, text] of Object.entries({ ...keys, ...others })) {
          mkdirSync(join(place.folder, path, ".."), { recursive: true });
          writeFileSync(join(place.folder, path), text);
        }
        const read = async (paths: readonly string[], isFree?: true): Promise<string> => {
          const confinement = { writes: writes.map((path) => join(place.folder, path)) };
          return (await walls.attack(sh(`cat ${paths.join(" ")}`), place, isFree ? { isFree } : { confinement }))
            .stdout;
        };
        assert.is(await read(Object.keys(keys), true), Object.values(keys).join(""));
        assert.is(await read(Object.keys(keys)), "");
        assert.is(await read(Object.keys(others)), Object.values(others).join(""));
        assert.match(await read(["other/.git/config"]), "repositoryformatversion");
        const status = await walls.attack(sh("git -C other status --short --branch"), place, {
          confinement: { writes: writes.map((path) => join(place.folder, path)) },
        });
        assert.equal([status.stdout.startsWith("## "), status.stderr], [true, ""]);
      });
  });

test("a report says where there are more folders, files with keys or repositories than are looked at", async () => {
  needPrograms("bwrap");
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    for (let number = 0; number < 201; number++) {
      mkdirSync(at(`g${number}/.git`), { recursive: true });
      writeFileSync(at(`g${number}/.env`), "k");
    }
    const missing = async (): Promise<readonly string[] | undefined> => {
      const { result } = await attack(["true"], place, { confinement: { writes: [place.folder] } });
      return result.kind === "exited" ? result.report?.missing : undefined;
    };
    assert.equal(await missing(), [
      "files with keys can be read: there are 201",
      "repositories can be changed: there are 201",
    ]);
    rmSync(place.folder, { recursive: true });
    for (let number = 0; number < 100; number++)
      for (let inner = 0; inner < 100; inner++) mkdirSync(at(`f${number}/${inner}`), { recursive: true });
    assert.equal(await missing(), [
      "of its folders only 10,000 were searched for keys and repositories",
      "of its folders only 10,000 were searched for repositories that appeared",
    ]);
  });
});

test("repositories that are there stay as they are, wherever they are moved", async () => {
  needPrograms("bwrap", "git");
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    const made = await attack(
      sh(
        "git init -q a/b; git init -q --bare c; git init -q d; mv d/.git e; echo gitdir: ../e > d/.git; ln -s ../e e/.git",
      ),
      place,
      { isFree: true },
    );
    assert.is(made.stderr, "");
    const files = ["a/b/.git/config", "c/config", "c/HEAD", "e/config", "d/.git"];
    const before = files.map((path) => readFileSync(at(path), "utf8"));
    const { result } = await attack(
      sh(
        `for f in ${files.join(" ")}; do echo x >> $f; rm -f $f; mv $f x; done; mv a/b a/x; cd a/x; git status -s; : > f`,
      ),
      place,
      { confinement: { writes: [place.folder] } },
    );
    assert.equal(result.kind === "exited" && [result.exitCode, result.report], [0, full]);
    assert.equal(
      ["a/x/.git/config", ...files.slice(1)].map((path) => readFileSync(at(path), "utf8")),
      before,
    );
  });
});

test("git clones into a folder whose repository is named", async () => {
  needPrograms("bwrap", "git");
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    await attack(
      sh("git init -q from; git -C from -c user.name=a -c user.email=b commit -q --allow-empty -m x"),
      place,
      {
        isFree: true,
      },
    );
    const { result, stderr } = await attack(
      sh("git clone -q from to && git -C to log --oneline && git init -q other"),
      place,
      {
        confinement: { writes: [place.folder, `${at("to/.git")}/`] },
      },
    );
    assert.equal(
      result.kind === "exited" && [result.exitCode, result.report?.missing],
      [0, [named("other/.git")]],
      stderr,
    );
    assert.ok(existsSync(at("to/.git/HEAD")));
  });
});

const monitored = (folder: string): string =>
  `git init -q ${folder} && git -C ${folder} config core.fsmonitor 'echo ${CANARY} > ${"$ROOT"}/outside/ran; false'`;

const named = (path: string): string =>
  `\`${path}\` appeared while it ran, and other programs obey it, so it is called \`${path}.from-sandbox\` now; to keep its name, name \`${path.replace(/\/?HEAD$/, "")}/\` in \`@writes\`, too`;

interface Planted {
  readonly name: string;
  readonly script: string;
  /** Where git runs afterwards, below the working folder. */
  readonly cwd?: string;
  /** What is set aside. */
  readonly said: readonly string[];
}

/** `x` becomes a repository without `.git`, whose working tree is `t` within it. */
const bare = `${monitored("x/y")}; mv x/y/.git/* x; rm -r x/y; git -C x config core.bare false; git -C x config core.worktree t; mkdir x/t`;

const planted: readonly Planted[] = [
  { name: "made there", script: monitored("."), said: [".git"] },
  { name: "moved there", script: `${monitored("other")}; mv other/.git .`, said: [".git"] },
  { name: "linked there", script: `${monitored("other")}; ln -s other/.git .`, said: [".git", "other/.git"] },
  {
    name: "named there",
    script: `${monitored("other")}; echo gitdir: other/.git > .git`,
    said: [".git", "other/.git"],
  },
  { name: "deep below", script: `mkdir -p a/b/c; ${monitored("a/b/c")}`, cwd: "a/b/c", said: ["a/b/c/.git"] },
  {
    name: "below what packages are in",
    script: monitored("node_modules/a"),
    cwd: "node_modules/a",
    said: ["node_modules/a/.git"],
  },
  { name: "a repository without `.git`", script: bare, cwd: "x/t", said: ["x/HEAD"] },
  {
    name: "one whose objects are elsewhere",
    script: `${bare}; mkdir z; mv x/objects x/refs z; mv x/config z; echo ../z > x/commondir; git config -f z/config --unset core.worktree; git config -f z/config --unset core.bare; git config -f z/config extensions.worktreeConfig true; git config -f x/config.worktree core.worktree t`,
    cwd: "x/t",
    said: ["x/HEAD"],
  },
  {
    name: "in the one that it may make",
    script: `git init -q mine; mkdir mine/x; ${bare.replaceAll(/\bx\b/g, "mine/x")}`,
    cwd: "mine/x/t",
    said: ["mine/x/HEAD"],
  },
];

for (const { name, script, cwd = ".", said } of planted)
  test(`git outside obeys no repository of a confined process: ${name}`, async () => {
    needPrograms("bwrap", "git");
    const attempt = async (isFree: boolean): Promise<readonly unknown[]> => {
      let all: readonly unknown[] = [];
      await inPlace(async (place) => {
        const { result } = await attack(sh(script), place, {
          ...(isFree ? { isFree: true } : {}),
          confinement: { writes: [place.folder, join(place.folder, "mine/.git/")] },
        });
        await attack(["git", "status"], place, { isFree: true, changes: { cwd: join(place.folder, cwd) } });
        const missing = result.kind === "exited" ? result.report?.missing : [];
        all = [isThere(join(place.outside, "ran")), missing];
      });
      return all;
    };
    assert.equal(await attempt(true), [true, undefined]);
    assert.equal(await attempt(false), [false, said.map(named)]);
  });

test("names that other programs obey are renamed whatever they are, and where a link leads nothing changes", async () => {
  needPrograms("bwrap");
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    symlinkSync("target", at(".tools"));
    mkdirSync(at(".vscode.from-sandbox"));
    const { result } = await attack(
      sh(
        `mkdir target sub .git; : >.envrc; ln -s ${place.outside} .vscode; mkdir sub/.git; ln -s nothing .dottool; exit 3`,
      ),
      place,
      { confinement: { writes: [place.folder, `${at("sub")}/`, `${at(".git")}/`] } },
    );
    assert.equal(readdirSync(place.folder).sort(), [
      ...[".dottool.from-sandbox", ".envrc.from-sandbox", ".git", ".tools.from-sandbox", ".vscode.from-sandbox"],
      ...[".vscode.from-sandbox-2", "sub", "target"],
    ]);
    assert.equal(readdirSync(at("sub")), [".git.from-sandbox"]);
    assert.equal(readdirSync(place.outside), ["canary"]);
    assert.equal(result.kind === "exited" && [result.exitCode, result.report?.missing.length], [3, 5]);
  });
});

ownCheck.run();
if (!("Deno" in globalThis)) test.run();
