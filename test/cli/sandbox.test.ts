// Tools and commands in the sandbox, through the real program: what they reach, what a result says, and what is
// refused.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { withoutLandlock } from "../host/confined-place.ts";
import { testProject } from "../test-project.ts";
import { config, inFixture, resultOf, sandboxed, tool, tries } from "./sandbox-fixture.ts";

const test = suite("cli sandbox");

test("a command that fails for a hidden file with keys says what shows it, and that is accepted", () =>
  inFixture(
    {
      ".tools/denied.tool": tool("denied", "cat .env", "@sandbox strict"),
      ".tools/shown.tool": tool("shown", "cat .env", "@sandbox strict", "@permissions filesystem:read:.env"),
      "here/.env": "TOKEN=x\n",
    },
    async (call) => {
      const { exitCode, stdout, stderr } = await call(["denied"]);
      assert.equal([exitCode, stdout], [1, ""]);
      assert.match(
        stderr,
        "from reading `.env` (may have keys); `@permissions filesystem:read:.env` in its definition allows it",
      );
      assert.is((await call(["shown"])).stdout, "TOKEN=x\n");
    },
  ));

test("git that fails for its settings, in a worktree or in a submodule, says what shows them, and following it is accepted", () =>
  inFixture(
    {
      "here/.git/config": '[remote "o"]\n\turl = https://ana:s3cret@host.example/x\n',
      "here/.git/HEAD": "ref: refs/heads/own\n",
      "here/.git/refs/x": "",
      "here/.git/objects/x": "",
    },
    async (call, bench) => {
      needPrograms("git");
      const shown = async (path: string, says: string): Promise<string> => {
        const branch = (more: string): string => tool("branch", "git branch --show-current", "@sandbox strict", more);
        bench.write(".tools/branch.tool", branch(""));
        const { stderr } = await call(["branch"]);
        const [, permission = ""] = /`(@permissions [^`]*)`/.exec(stderr) ?? [];
        assert.match(stderr, `the sandbox kept \`sh\` from reading \`${path}\`${says}`);
        assert.is(permission, `@permissions filesystem:read:${path}`);
        bench.write(".tools/branch.tool", branch(permission.replace("<bench>", bench.folder)));
        return (await call(["branch"])).stdout;
      };
      assert.is(await shown(".git/config", " (may have keys)"), "own\n");
      rmSync(join(bench.folder, "here"), { recursive: true });
      const git = (...words: readonly string[]): void =>
        void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a", ...words], {
          cwd: bench.folder,
          stdio: "ignore",
        });
      git("init", "main");
      git("-C", "main", "commit", "--allow-empty", "-m", "first");
      git("-C", "main", "worktree", "add", "-b", "tree", "../here");
      assert.is(await shown("<bench>/main/.git", "; "), "tree\n");
      rmSync(join(bench.folder, "here"), { recursive: true });
      git("init", ".");
      git("-c", "protocol.file.allow=always", "submodule", "add", join(bench.folder, "main"), "here");
      git("-C", "here", "checkout", "-b", "own");
      assert.is(await shown("<bench>/.git/modules/here", "; "), "own\n");
    },
  ));

test("git, which reports no error, is told the hidden files and the option that shows one", () =>
  inFixture({ "here/.env": "TOKEN=x\n", "here/a": "x\n" }, async (call) => {
    const note = "note: the sandbox hides files that may have keys: `.env`; `--read .env` shows one\n";
    assert.is((await call(["sandbox", "--read", ".env", "--", "cat", ".env"])).stdout, "TOKEN=x\n");
    assert.is((await call(["sandbox", "--", "cat", "a"])).stderr, "");
    assert.is((await call(["sandbox", "--", "git", "--version"])).stderr, note);
    assert.is((await call(["sandbox", "--read", ".env", "--", "git", "--version"])).stderr, "");
  }));

test("`@sandbox strict` keeps a command from the home folder and from writing, and the result says so", () =>
  inFixture(
    { ".tools/held.tool": tool("held", tries, "@sandbox strict"), ".tools/free.tool": tool("free", tries) },
    async (call) => {
      assert.equal(await sandboxed(call, ["held"]), ["no key\n", "strict", "full"]);
      assert.equal(await sandboxed(call, ["free"]), ["wrote\ncanary-1789\n", "none", "none"]);
    },
  ));

test("`@limit processes=` ends a fork bomb, and a definition says so", () =>
  inFixture(
    {
      ".tools/bomb.tool": tool(
        "bomb",
        "i=0; while [ $i -lt 3000 ]; do sleep 30 & i=$((i+1)); done 2>&1; echo all",
        "@sandbox strict",
        "@limit processes=40",
      ),
    },
    async (call, bench) => {
      const { status, content, process } = await resultOf(call, ["bomb"]);
      assert.equal([status, process?.sandbox], ["failed", "full"]);
      assert.match(content.map(({ text }) => text).join(""), /^[^]*annot fork\s*$/);
      assert.equal(inside(join(bench.folder, "here")), []);
      assert.match((await call(["show", "bomb"])).stdout, "40 processes");
    },
  ));

test("`@writes` and `@tags write` let a command write there, and nowhere else", () =>
  inFixture(
    {
      ".tools/one.tool": tool(
        "one",
        "echo text > {file}; touch other 2>&- && echo wrote",
        "@param file {path} [required] Where",
        "@writes {file}",
      ),
      ".tools/all.tool": tool("all", "touch a && echo wrote; touch ~/b ../b 2>&-", "@sandbox strict", "@tags write"),
    },
    async (call, bench) => {
      assert.equal(await sandboxed(call, ["one", "new.txt"]), ["", "strict", "full"]);
      assert.is(readFileSync(join(bench.folder, "here/new.txt"), "utf8"), "text\n");
      assert.equal(await sandboxed(call, ["all"]), ["wrote\n", "strict", "full"]);
      assert.equal(readdirSync(join(bench.folder, "here")).sort(), ["a", "kept", "new.txt"]);
      // Around the working folder, it has written to memory of its own.
      assert.not(existsSync(join(bench.folder, "b")));
    },
  ));

test("the user's settings hold tools that only read, or all commands", () =>
  inFixture(
    {
      ".tools/reads.tool": tool("reads", tries, "@sandbox none", "@tags read").replace(
        "@shell sh\n@command touch written 2>&- && echo wrote; cat ~/key 2>&- || echo no key",
        "@command cat -- kept",
      ),
      ".tools/free.tool": tool("free", tries),
      ...config("sandbox:\n  read_tools: strict\n"),
    },
    async (call, bench) => {
      assert.equal(await sandboxed(call, ["reads"]), ["", "strict", "full"]);
      assert.equal((await sandboxed(call, ["free"])).slice(1), ["none", "none"]);
      bench.write("home/.config/dottool/config.yaml", "sandbox: { level: strict }\n");
      assert.equal(await sandboxed(call, ["free"]), ["wrote\nno key\n", "strict", "full"]);
      bench.write("home/.config/dottool/config.yaml", "sandbox: { levl: strict }\n");
      const { failure } = await resultOf(call, ["free"]);
      assert.match(failure?.message ?? "", /config\.yaml:1:12: `sandbox` has no key `levl`; did you mean `level`\?/);
    },
  ));

test("what a sandboxed tool calls has no wider sandbox", () =>
  inFixture(
    {
      ".tools/wide.tool": tool("wide", tries, "@writes ."),
      ".tools/free.tool": tool("free", tries),
      ".tools/outer.tool":
        "Calls.\n\n@title Outer\n@name outer\n@sandbox strict\n@step one uses wide\n@step two uses free\n@step three sh\n    touch written 2>&- && echo wrote; echo three\n@output\n    {one}{two}{three}\n",
    },
    async (call, bench) => {
      const { content, failure, sandbox } = await resultOf(call, ["outer"]);
      assert.is(failure?.message, undefined);
      assert.equal(sandbox, { level: "strict", sandbox: "full" });
      assert.is(
        content
          .map(({ text }) => text)
          .join("")
          .replaceAll(/\s+/g, " ")
          .trim(),
        "no keyno keythree",
      );
      assert.not(existsSync(join(bench.folder, "here/written")));
    },
  ));

test("`execution-privilege: reduced` is `strict`, and a container is the user's own words", () =>
  inFixture(
    {
      ".tools/reduced.yaml":
        "name: reduced\ndescription: D\nbash: cat ~/key 2>&- || echo no key\nsecurity: { execution-privilege: reduced }\n",
      ".tools/boxed.yaml": "name: boxed\ndescription: D\nbash: echo $BOX\nsecurity: { isolation: container }\n",
    },
    async (call, bench) => {
      assert.equal(await sandboxed(call, ["reduced"]), ["no key\n", "strict", "full"]);
      assert.match((await resultOf(call, ["boxed"])).failure?.message ?? "", /none is configured/);
      bench.write("home/.config/dottool/config.yaml", "sandbox: { custom: [env, 'BOX={folder}'] }\n");
      const { process, content } = await resultOf(call, ["boxed"]);
      assert.is(content[0]?.text, "<bench>/here\n");
      assert.equal(
        [process?.level, process?.sandbox, process?.missing],
        ["custom", "partial", ["what `env` keeps the command from is not known to dottool"]],
      );
    },
  ));

test("explain, show and doctor tell the sandbox", () =>
  inFixture(
    {
      ".tools/held.tool": tool(
        "held",
        "cat -- {file}",
        "@param file {path} [required] What",
        "@writes {file} out/",
        "@network example.org *",
      ),
    },
    async (call) => {
      const { stdout } = await call(["explain", "held", "a"]);
      assert.match(
        stdout.replaceAll(/\s+/g, " "),
        /sandbox strict, by \S+ [\d.]+ reads: the system's programs, <bench>\/here writes: <bench>\/here\/a, <bench>\/here\/out\/ network: example.org, every public host not held: /,
      );
      assert.match(
        (await call(["show", "held"])).stdout.replaceAll(/\s+/g, " "),
        "asks for sandbox strict, network example.org, network *, writes {file}, writes out/",
      );
      assert.match((await call(["doctor"])).stdout, "@sandbox strict");
    },
  ));

test("`dottool sandbox` runs a command in the sandbox, and its exit code is that of the command", () =>
  inFixture({}, async (call) => {
    const run = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      const { exitCode, stdout, stderr } = await call(["sandbox", ...words]);
      return [exitCode, stdout, stderr];
    };
    assert.equal(await run("--", "sh", "-c", "cat ~/key 2>/dev/null || echo no key; exit 9"), [9, "no key\n", ""]);
    const said =
      "sandbox: full by bubblewrap and Landlock\nreads: the system's programs, <bench>/here\nwrites: <bench>/here\nnetwork: none\nnot held: what is in these folders, but for keys; faults of the kernel\n";
    assert.equal(await run("--write", ".", "--say", "--", "touch", "new"), [0, "", said]);
    assert.equal(await run("--level", "none", "--say", "--", "sh", "-c", "cat ~/key"), [
      0,
      "canary-1789\n",
      "sandbox: none\n",
    ]);
    assert.equal(await run("--", "no-such"), [
      66,
      "",
      "failed[not-started]: there is no program `no-such` on PATH\n  = install it, or give its path\n",
    ]);
  }));

test("what `dottool sandbox` and `dottool try` refuse, they say with what would be accepted", () =>
  inFixture({ "sent/folder/file": "" }, async (call) => {
    const refused = async (...words: readonly string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await call(words);
      assert.ok(exitCode !== 0 && stdout === "");
      return stderr.split("\n  = ")[0] ?? "";
    };
    assert.equal(
      [
        await refused("sandbox", "prettier", "--write", "x"),
        await refused("sandbox", "ls", "-la"),
        await refused("sandbox", "--network", "http://a.example", "--", "true"),
        await refused("sandbox", "--read", "no-such", "--", "true"),
        await refused("sandbox", "--write", "no/such", "--", "true"),
        await refused("try", "no-such"),
        await refused("try", "../sent/folder"),
      ],
      [
        "failed[usage]: `--write` comes after `prettier`: put `--` before the command, as in `dottool sandbox -- prettier --write`",
        "failed[usage]: `-la` comes after `ls`: put `--` before the command, as in `dottool sandbox -- ls -la`",
        "failed[usage]: `--network` takes a host such as `api.github.com`, `*.github.com`, `github.com:22` or `*`; got `http://a.example`",
        "failed[usage]: `--read` takes a file or folder; there is no `no-such`",
        "failed[not-started]: `true` cannot run in the sandbox: `<bench>/here/no/such` is in `<bench>/here/no`, which does not exist, so it cannot be written\n",
        "failed[file]: `no-such` does not exist",
        "failed[file]: `../sent/folder` is a folder",
      ],
    );
  }));

test("`dottool sandbox` refuses a working folder that shows the home folder", async () => {
  needPrograms("bwrap");
  using bench = testProject();
  const { exitCode, stderr } = await bench.run(["sandbox", "--", "true"]);
  assert.is(exitCode, 1);
  assert.match(stderr, "contains your home folder, which a sandbox hides");
});

test("`dottool try` runs a definition that nobody has reviewed, and lets it reach nothing", () =>
  inFixture(
    {
      "sent/hostile.tool": tool("hostile", tries, "@sandbox none", "@tags write"),
      "sent/fetching.tool": "F.\n\n@title F\n@name fetching\n@wrapped web_fetch\n",
      "sent/secret.tool": tool("secret", "echo", "@env TOKEN=secret:mine"),
      "sent/broken.tool": "@nam x\n",
    },
    async (call, bench) => {
      const run = async (file: string): Promise<readonly unknown[]> => {
        const { exitCode, stdout, stderr } = await call(["try", `../sent/${file}`]);
        return [exitCode, stdout, stderr.split("\n").find((line) => line.startsWith("failed"))];
      };
      assert.equal(await run("hostile.tool"), [0, "no key\n", undefined]);
      assert.equal(await run("fetching.tool"), [
        77,
        "",
        "failed[untrusted]: `fetching` calls `web_fetch`, which `try` does not allow",
      ]);
      assert.equal(await run("secret.tool"), [
        77,
        "",
        "failed[untrusted]: `secret` asks for the secret `mine`, which `try` does not allow",
      ]);
      assert.equal(await run("broken.tool"), [
        65,
        "",
        "failed[definition]: `../sent/broken.tool` has no tool that works",
      ]);
      assert.equal(readdirSync(join(bench.folder, "here")), ["kept"]);
    },
  ));

test("where the sandbox does not work a call is refused, unless the user wants best effort, and then it says so", () =>
  inFixture({}, async (call, bench) => {
    // In a sandbox there can be no other but Landlock. What is read there is what the program itself needs.
    const { command, words } = bench.program;
    const root = join(import.meta.dirname, "../..");
    const reads = [command, root, realpathSync(join(root, "node_modules"))];
    const inside = async (...own: readonly string[]): Promise<readonly unknown[]> => {
      const { exitCode, stdout, stderr } = await call([
        "sandbox",
        ...reads.flatMap((path) => ["--read", path]),
        ...["--read", join(bench.folder, "tools"), "--", ...withoutLandlock, command, ...words, ...own],
      ]);
      return [
        exitCode,
        stdout,
        stderr
          .split("\n")
          .find((line) => /^(failed|warning|sandbox)/.test(line))
          ?.slice(0, 70),
      ];
    };
    bench.write("tools/held.tool", tool("held", "echo ran", "@sandbox strict"));
    const tools = ["--tools", join(bench.folder, "tools")];
    assert.equal(await inside(...tools, "held"), [
      1,
      "",
      "failed[not-started]: `sh` does not run without the sandbox that is ask",
    ]);
    bench.write("home/.config/dottool/config.yaml", "sandbox: { best_effort: true }\n");
    assert.equal((await inside("sandbox", "--say", "--", "echo", "ran")).slice(0, 2), [1, ""]);
  }));

test("values of a call do not get a command out of a sandbox that works, where it is best effort", () =>
  inFixture(
    {
      ".tools/many.tool": tool(
        "many",
        "echo ran > ~/canary; echo ran",
        "@param f {array<path>} [required] Where",
        "@sandbox strict",
        "@writes {f}",
      ),
      ...config("sandbox: { best_effort: true }\n"),
    },
    async (call, bench) => {
      const f = Array.from({ length: 3_300 }, (_, index) => `f${index}`);
      const { stdout, stderr } = await call(["many", ...f]);
      const why = "it would see 3300 places, and a sandbox shows at most 256; name a folder that contains them";
      assert.equal([stdout, stderr], ["", `failed[not-started]: \`sh\` cannot run in the sandbox: ${why}\n`]);
      assert.equal(readdirSync(join(bench.folder, "here")), ["kept"]);
      assert.not(existsSync(join(bench.folder, "home/canary")));
    },
  ));

test("a command that ran without its sandbox says so once: to a person, to a model, and for a step", () =>
  inFixture(
    {
      ".tools/held.tool": tool("held", "echo ran", "@sandbox strict"),
      ".tools/outer.tool": "Calls.\n\n@title Outer\n@name outer\n@step one uses held\n@output\n    {one}\n",
      ...config("sandbox: { best_effort: true }\n"),
    },
    async (_call, bench) => {
      needPrograms("unshare", "python3");
      const { command, words, environment } = bench.program;
      const runWith = (input: string, ...own: readonly string[]): readonly [stdout: string, stderr: string] => {
        const hide = 'mount --bind /dev/null "$(readlink -f "$(command -v bwrap)")" && exec "$@"';
        const { stdout, stderr } = spawnSync(
          "unshare",
          ["--map-root-user", "--mount", "sh", "-c", hide, "sh", ...withoutLandlock, command, ...words, ...own],
          { cwd: join(bench.folder, "here"), env: { ...environment }, encoding: "utf8", input },
        );
        return [stdout, stderr];
      };
      const run = (...own: readonly string[]): readonly [stdout: string, stderr: string] => runWith("", ...own);
      const why = "it ran without the sandbox: bubblewrap is not installed";
      for (const name of ["held", "outer"]) {
        assert.equal(run(name), [
          "ran\n",
          `warning[sandbox]: ${why}; install the package \`bubblewrap\`, which has the program \`bwrap\`; nor does what would take its place work: the kernel has no Landlock\n`,
        ]);
        assert.equal(run("--result", "model", name), [`ran\n(${why})\n`, ""]);
      }
      const { sandbox } = JSON.parse(run("--result", "json", "outer")[0]);
      assert.equal([sandbox.level, sandbox.sandbox, sandbox.missing.length], ["none", "none", 1]);
      const clientInfo = { name: "test", version: "1" };
      const asked = [
        { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
        { method: "notifications/initialized" },
        { id: 2, method: "tools/call", params: { name: "held", arguments: {} } },
      ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const answers = runWith(asked.join(""), "mcp")[0].trim().split("\n");
      assert.equal(JSON.parse(answers.at(-1) ?? "").result.content, [
        { type: "text", text: "ran\n" },
        { type: "text", text: `(${why})` },
      ]);
    },
  ));

test("the result of a tool with several commands says the least that one of them ran in", () =>
  inFixture(
    {
      ".tools/held.tool": tool("held", "echo held", "@sandbox strict"),
      ".tools/free.tool": tool("free", "echo free"),
      ".tools/limited.tool": tool("limited", "echo limited", "@sandbox limits"),
      ".tools/none.tool":
        "Runs nothing.\n\n@title None\n@name none\n@step one javascript\n    return 1\n@output\n    {one}\n",
      ...Object.fromEntries(
        [
          ["both", "uses held", "uses held"],
          ["first", "uses free", "uses held"],
          ["last", "uses held", "uses free"],
          ["nested", "uses held", "uses both"],
          ["limits", "uses held", "uses limited"],
          ["own", "uses held", "sh\n    echo own"],
        ].map(([name, one, two]) => [
          `.tools/${name}.tool`,
          `Calls.\n\n@title ${name}\n@name ${name}\n@step one ${one}\n@step two ${two}\n@output\n    {one}{two}\n`,
        ]),
      ),
    },
    async (call) => {
      const said: unknown[] = [];
      for (const name of ["both", "first", "last", "nested", "limits", "own", "none"])
        said.push([name, (await resultOf(call, [name])).sandbox]);
      const full = { level: "strict", sandbox: "full" };
      const none = { level: "none", sandbox: "none" };
      assert.equal(said, [
        ["both", full],
        ["first", none],
        ["last", none],
        ["nested", full],
        ["limits", { level: "limits", sandbox: "none" }],
        ["own", none],
        ["none", undefined],
      ]);
    },
  ));

test("nothing of a sandboxed command is left after SIGKILL of dottool", () =>
  inFixture({}, async (_call, bench) => {
    const folder = join(bench.folder, "here");
    for (const words of [[], ["--network", "127.0.0.1:1"]]) {
      const { command, words: before, environment } = bench.program;
      const child = spawn(
        command,
        [
          ...before,
          "sandbox",
          ...words,
          "--write",
          ".",
          "--",
          "sh",
          "-c",
          "(env -i setsid sleep 1789 >/dev/null 2>&1 &); echo ready; exec sleep 1789",
        ],
        { cwd: folder, env: { ...environment }, stdio: ["ignore", "pipe", "inherit"] },
      );
      await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
      assert.ok(inside(folder).length > 1);
      child.kill("SIGKILL");
      while (inside(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }));

/** Returns the processes whose working folder it is. */
function inside(folder: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

test.run();
