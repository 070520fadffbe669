import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { shellTool, withHostile } from "../hostile/hostile-fixture.ts";

const test = suite("trust");
const tool = ".tools/greet.tool";
const greet = (word: string): string =>
  `Greets.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo ${word} {name}\n@param name {string} [default=you] Whom\n`;
const yes = (): string => "y";

test("a first call at a terminal shows what could run, asks once, and goes on", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    const first = await bench.run(["greet"], { answer: yes });
    assert.equal(first, {
      exitCode: 0,
      text: `\`${bench.repository}/.tools\` is not trusted. Once trusted, it could run this with your permissions:\n\n  greet (greet.tool)\n    runs: echo hello {name}\n\ntrust this content? [y/N] hello you\n`,
    });
    assert.equal(await bench.run(["greet"], { answer: () => "n" }), { exitCode: 0, text: "hello you\n" });
    assert.equal(await bench.run(["greet", "--name", "Ana"]), { exitCode: 0, text: "hello Ana\n" });
  }));

test("anything but a yes is a no", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    for (const said of ["", "n", "no", "yess", "Y E S", "\u0000", undefined])
      assert.is((await bench.run(["greet"], { answer: () => said })).exitCode, 77);
    assert.is((await bench.run(["greet"], { answer: () => " YES " })).exitCode, 0);
  }));

test("a file of an untrusted project does not run by its path, whatever its tool is called", () =>
  withHostile(async (bench) => {
    for (const [file, name] of [
      ["greet", "greet"],
      ["glob", "glob"],
      ["again", "greet"],
    ])
      bench.write(`repository/.tools/${file}.tool`, greet("ran").replace("@name greet", `@name ${name}`));
    for (const file of ["greet", "glob", "again"]) {
      const { exitCode, text } = await bench.run([`.tools/${file}.tool`], { answer: () => "n" });
      assert.ok(exitCode !== 0 && !/^ran/m.test(text) && text.includes("trust"), `${file}: ${text}`);
      const allowed = await bench.run(["allow", "--for", "mcp", `.tools/${file}.tool`], { answer: () => "n" });
      assert.ok(allowed.exitCode !== 0, `${file}: ${allowed.text}`);
    }
  }));

test("after a change the difference is shown and asked about", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    bench.write("repository/.tools/gone.sh", "echo\n");
    bench.trust("repository");
    bench.write(`repository/${tool}`, greet("bye"));
    bench.write("repository/.tools/lib/new.bin", "\0");
    rmSync(bench.at("repository/.tools/gone.sh"));
    const { text, exitCode } = await bench.run(["greet"], { answer: yes });
    const [head, ...rest] = text.split("\n");
    assert.match(
      head ?? "",
      /^`\S+\.tools` has something that is not trusted yet\. Once trusted, it could run this with your permissions:$/,
    );
    assert.equal(
      { exitCode, rest },
      {
        exitCode: 0,
        rest: [
          "",
          "  removed: gone.sh",
          "    @@ line 1",
          "    -echo",
          "",
          "  changed: greet.tool",
          "    runs: echo bye {name}",
          "    what has changed:",
          "    @@ line 4",
          "     @name greet",
          "     @wrapped run_command",
          "    -@command echo hello {name}",
          "    +@command echo bye {name}",
          "     @param name {string} [default=you] Whom",
          "",
          "  new: lib/new.bin",
          "    not text, or too different to compare",
          "",
          "trust this content? [y/N] bye you",
          "",
        ],
      },
    );
  }));

test("explain of a tool that is not trusted is refused as its call, and says how to see what it could run", () =>
  withHostile(async (bench) => {
    const marks = `touch ${bench.at("ran")}`;
    bench.write(`repository/${tool}`, `${greet("hello").replace("echo hello", marks)}@requires git >= 1\n`);
    bench.write(
      "repository/.tools/plugins/p.ts",
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(bench.at("ran"))}, "");\n`,
    );
    bench.write(
      "repository/.tools/both.tool",
      "Both.\n\n@title Both\n@name both\n@tags run\n@step one uses login\n    token = hunter2\n    word = {WORKSPACE}\n@step two sh\n    echo \u202e\u001b[2J {one}\n",
    );
    bench.write(
      "repository/.tools/login.tool",
      'Log in.\n\n@title Login\n@name login\n@wrapped run_command\n@command echo {token} {word}\n@param token {string} [required, secret] T\n@param word {string} [transform="value.trim()"] W\n',
    );
    const untrusted = (name: string): readonly string[] => [
      `failed[untrusted]: \`${name}\` does not run: \`${bench.repository}/.tools\` is not trusted yet`,
      `  = \`dottool trust ${bench.repository}\` shows what it could run, and asks you`,
      "  = without a terminal, as in CI, set `DOTTOOL_TRUST` to the hash that `dottool trust --show` ends with",
      "",
    ];
    for (const words of [
      ["explain", "both"],
      ["both", "--dry-run"],
    ])
      assert.equal(await bench.run(words), { exitCode: 77, text: untrusted("both").join("\n") });
    const json = JSON.parse((await bench.run(["explain", "--json", "both"])).text) as { failure: { kind: string } };
    assert.is(json.failure.kind, "untrusted");
    assert.is(existsSync(bench.at("ran")), false);
  }));

test("trust, untrust and --list say what they do", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    const folder = `${bench.repository}/.tools`;
    const hash = (await bench.run(["trust", "--show"])).text.trim().split("\n").at(-1) ?? "";
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.equal(await bench.run(["trust"]), {
      exitCode: 77,
      text: `failed[untrusted]: cannot ask without a terminal whether to trust \`${folder}\`\n  = run \`dottool trust\` at a terminal\n  = or review it with \`dottool trust --show\`, and set DOTTOOL_TRUST to the hash that it ends with\n`,
    });
    assert.equal(await bench.run(["untrust"]), {
      exitCode: 0,
      text: "no folder was trusted, so nothing was revoked\n",
    });
    assert.equal((await bench.run(["trust"], { answer: () => "n" })).text.split("\n").slice(-2), [
      "trust this content? [y/N] not trusted",
      "",
    ]);
    assert.is((await bench.run(["trust"], { answer: yes })).exitCode, 0);
    assert.equal(await bench.run(["trust"]), { exitCode: 0, text: `\`${folder}\` is already trusted\n` });
    assert.match(
      (await bench.run(["trust", "--list"])).text,
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d  trusted  ${folder}\\n$`),
    );
    const json = JSON.parse((await bench.run(["trust", "--json"])).text) as unknown;
    assert.equal(json, {
      folder,
      sha256: hash,
      state: "trusted",
      files: [{ path: "greet.tool", kind: "definition", name: "greet", runs: ["runs: echo hello {name}"] }],
    });
    assert.equal(await bench.run(["untrust", "."]), { exitCode: 0, text: `\`${folder}\` is no longer trusted\n` });
    assert.is((await bench.run(["greet"])).exitCode, 77);
  }));

test("trust takes the project, its tool folder, or nothing, and says where there is none", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    mkdirSync(bench.at("repository/sub/empty"), { recursive: true });
    for (const [words, cwd] of [
      [[], "repository/sub"],
      [["../.."], "repository/sub/empty"],
      [["../.tools"], "repository/sub"],
      [[bench.repository], "home"],
    ] as const) {
      assert.is((await bench.run(["trust", ...words], { cwd: bench.at(cwd), answer: yes })).exitCode, 0);
      assert.is(
        (await bench.run(["untrust", ...words], { cwd: bench.at(cwd) })).text,
        `\`${bench.repository}/.tools\` is no longer trusted\n`,
      );
    }
    assert.equal(await bench.run(["trust", "sub/empty"]), {
      exitCode: 66,
      text: "failed[missing]: there is no tool folder `.tools` in `sub/empty`\n",
    });
    assert.equal(await bench.run(["trust"], { cwd: bench.at("home") }), {
      exitCode: 66,
      text: "failed[missing]: there is no `.tools` here or above\n",
    });
    assert.equal((await bench.run(["trust", "--list", "x"])).exitCode, 64);
  }));

test("a damaged record trusts nothing and is told, and untrust says what it cannot remove", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    bench.trust(".");
    const folder = bench.at("home/.local/state/dottool/trust");
    const path = join(folder, readdirSync(folder).find((name) => name.endsWith(".trust.json")) ?? "");
    const whole = readFileSync(path);
    writeFileSync(path, whole.with(whole.length - 3, 0x20));
    const { exitCode, text } = await bench.run(["greet"]);
    assert.equal([exitCode, text.includes(`the earlier trust is ignored: \`${path}\` is damaged`)], [77, true]);
    const { text: listed } = await bench.run(["trust", "--list"]);
    assert.match(
      listed,
      /^warning\[file\]: `.*` is not a readable record of trust, so it is ignored\nno folder is trusted\n$/,
    );
    assert.is((await bench.run(["trust"], { answer: yes })).exitCode, 0);
    assert.equal(
      [(await bench.run(["greet"])).exitCode, readdirSync(folder).filter((name) => name.includes(".broken-")).length],
      [0, 1],
    );
    rmSync(path);
    mkdirSync(path);
    for (const words of [["untrust"], ["untrust", "--all"]]) {
      const failed = await bench.run(words);
      assert.equal(
        [failed.exitCode, failed.text.startsWith(`failed[file]: \`${path}\` cannot be read or removed (E`)],
        [1, true],
      );
    }
    rmSync(path, { recursive: true });
    writeFileSync(path, "damaged", { mode: 0o600 });
    assert.equal(await bench.run(["untrust", "--all"]), {
      exitCode: 0,
      text: `\`${path}\` could not be read, and was removed\n`,
    });
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    assert.is((await bench.run(["untrust", "--all"])).exitCode, 1);
  }));

test("untrust forgets folders that are gone, and --all forgets everything", () =>
  withHostile(async (bench) => {
    for (const name of ["one", "two"]) bench.write(`${name}/${tool}`, greet(name));
    bench.trust(".");
    rmSync(bench.at("one"), { recursive: true });
    assert.match(
      (await bench.run(["trust", "--list"])).text,
      /gone {5}\S+\/one\/\.tools\n.*trusted {2}\S+\/two\/\.tools\n$/,
    );
    assert.equal(await bench.run(["untrust", "../one"]), {
      exitCode: 0,
      text: `\`${bench.at("one/.tools")}\` is no longer trusted\n`,
    });
    assert.equal(await bench.run(["untrust", "--all"]), {
      exitCode: 0,
      text: `\`${bench.at("two/.tools")}\` is no longer trusted\n`,
    });
    assert.equal(
      [(await bench.run(["trust", "--list"])).text, readdirSync(bench.at("home/.local/state/dottool/trust"))],
      ["no folder is trusted\n", []],
    );
  }));

test("DOTTOOL_TRUST trusts exactly one content, and keeps nothing unless `trust` is called", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    assert.match((await bench.run(["greet"])).text, "hash that `dottool trust --show` ends with");
    const hash = (await bench.run(["trust", "--show"])).text.trim().split("\n").at(-1) ?? "";
    process.env["DOTTOOL_TRUST"] = `${"0".repeat(64)},${hash}`;
    assert.equal(await bench.run(["greet"]), { exitCode: 0, text: "hello you\n" });
    delete process.env["DOTTOOL_TRUST"];
    assert.is((await bench.run(["greet"])).exitCode, 77);
    process.env["DOTTOOL_TRUST"] = hash;
    assert.equal(await bench.run(["trust"]), {
      exitCode: 0,
      text: `\`${bench.repository}/.tools\` is trusted, as DOTTOOL_TRUST says\n`,
    });
    delete process.env["DOTTOOL_TRUST"];
    assert.is((await bench.run(["greet"])).exitCode, 0);
    bench.write(`repository/${tool}`, greet("other"));
    process.env["DOTTOOL_TRUST"] = hash;
    assert.match((await bench.run(["greet"])).text, /`\S+\.tools\/greet\.tool` has changed since it was trusted\n/);
    // The content is the same wherever the project lies.
    cpSync(bench.repository, bench.at("elsewhere"), { recursive: true });
    bench.write(`elsewhere/${tool}`, greet("hello"));
    assert.equal(await bench.run(["greet"], { cwd: bench.at("elsewhere") }), { exitCode: 0, text: "hello you\n" });
  }));

test("nothing decides about trust inside a run: no command, no question, no variable", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    const hash = (await bench.run(["trust", "--show"])).text.trim().split("\n").at(-1) ?? "";
    process.env["DOTTOOL_RUN_ID"] = "0".repeat(32);
    process.env["DOTTOOL_TRUST"] = hash;
    const refused = (command: string): string =>
      `failed[denied]: \`dottool ${command}\` cannot be run by a tool; only a person may decide what may run\n  = run it yourself at a terminal\n`;
    for (const command of ["trust", "untrust"])
      assert.equal(await bench.run([command], { answer: yes }), { exitCode: 77, text: refused(command) });
    const { text, exitCode } = await bench.run(["greet"], { answer: yes });
    assert.equal({ exitCode, isAsked: text.includes("[y/N]") }, { exitCode: 77, isAsked: false });
    // What was trusted before counts there as everywhere.
    bench.trust("repository");
    assert.equal(await bench.run(["greet"]), { exitCode: 0, text: "hello you\n" });
  }));

test("a tool cannot trust: the processes that it starts carry the run's id", () =>
  withHostile(async (bench) => {
    bench.write(
      "home/.config/dottool/tools/inner.tool",
      shellTool("inner", 'echo "${DOTTOOL_RUN_ID:-none}${DOTTOOL_TRUST:-}"'),
    );
    process.env["DOTTOOL_TRUST"] = "x";
    assert.match((await bench.run(["inner"])).text, /^[0-9a-f]{32}\n$/);
  }));

test("a model is told that a person has to look, and gets neither hash nor command", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    const { text } = await bench.run(["exec", "--dialect", "text"], {
      stdin: '<tool>{"server_name": "local", "tool_name": "greet", "arguments": {}}</tool>',
    });
    assert.match(text, "`greet` does not run: `");
    assert.match(text, "a person has to review and trust it at a terminal; no call can do that");
    assert.equal(/DOTTOOL_TRUST|[0-9a-f]{64}/.test(text), false);
  }));

test("an untrusted project lists, marked; shows; checks; formats; converts; exports; and its tests wait", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, `${greet("hello")}@test greets\n  expect output-contains hello\n`);
    const list = await bench.run(["list", "greet"]);
    assert.match(
      list.text,
      /^greet +project +\S+ +not trusted\. Greets\nwarning\[untrusted\]: `\.tools` is not trusted yet, so its tools do not run and its plugins do not load; `dottool trust \S+` shows what they could run, and asks you\n$/m,
    );
    const { tools } = JSON.parse((await bench.run(["list", "--json"])).text) as {
      readonly tools: readonly { readonly name: string; readonly isTrusted?: false }[];
    };
    assert.equal(
      tools.filter(({ isTrusted }) => isTrusted === false).map(({ name }) => name),
      ["greet"],
    );
    assert.match((await bench.run(["show", "greet"])).text, "`greet` does not run: `");
    assert.equal(await bench.run(["check"]), { exitCode: 0, text: "1 definition checked: no problems\n" });
    assert.equal([(await bench.run(["fmt"])).exitCode, (await bench.run(["fmt", "--check"])).exitCode], [0, 0]);
    assert.match((await bench.run(["convert", "greet"])).text, "name: greet\n");
    assert.match((await bench.run(["schema", "greet"])).text, "Whom");
    assert.match((await bench.run(["doctor"])).text, "is not trusted yet");
    for (const words of [["test"], ["test", "greet"]])
      assert.match((await bench.run(words)).text, /^failed\[untrusted\]: `greet` does not run/);
    assert.equal(
      await bench.run(["test"], { answer: yes }).then(({ exitCode, text }) => [exitCode, text.split("\n").at(-2)]),
      [0, "1 passed, 0 failed"],
    );
  }));

test("`--tools` and DOTTOOL_PATH are the caller's own word, for a folder and for a file", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    assert.is((await bench.run(["--tools", ".tools", "greet"])).text, "hello you\n");
    assert.is((await bench.run(["--tools", tool, "greet"])).text, "hello you\n");
    process.env["DOTTOOL_PATH"] = bench.at("repository/.tools");
    assert.is((await bench.run(["greet"])).text, "hello you\n");
  }));

test("the user's own folder is trusted by its place, file by file", () =>
  withHostile(async (bench) => {
    const own = "home/.config/dottool/tools/mine.tool";
    bench.write(own, shellTool("mine", "echo mine"));
    assert.is((await bench.run(["mine"])).text, "mine\n");
    chmodSync(bench.at(own), 0o666);
    assert.equal(await bench.run(["mine"]), {
      exitCode: 77,
      text: `failed[untrusted]: \`mine\` does not run: \`${bench.at("home/.config/dottool/tools")}\` cannot be trusted: other users can write to \`${bench.at(own)}\`\n  = review it, then \`chmod go-w ${bench.at(own)}\`\n`,
    });
    chmodSync(bench.at(own), 0o644);
    assert.is((await bench.run(["mine"])).exitCode, 0);
  }));

test("a trusted project may take a name, but none that ends an agent's turn", () =>
  withHostile(async (bench) => {
    bench.write("repository/.tools/ls.tool", shellTool("ls", "echo own"));
    bench.write("repository/.tools/done.tool", shellTool("task_completion", "echo own"));
    const other = await bench.run(["ls"]);
    bench.trust("repository");
    assert.equal([other.text.includes("own"), (await bench.run(["ls"])).text], [false, "own\n"]);
    assert.equal((await bench.run(["task_completion", "--result", "x"])).text.includes("own"), false);
    assert.match(
      (await bench.run(["list", "task_completion"])).text,
      "the name is reserved for a tool that ends an agent's turn",
    );
  }));

test("a project that is called by another path is the same project, and a link in the place of `.tools` is another folder", () =>
  withHostile(async (bench) => {
    bench.write(`repository/${tool}`, greet("hello"));
    symlinkSync(bench.repository, bench.at("alias"));
    await bench.run(["trust"], { cwd: bench.at("alias"), answer: yes });
    assert.is((await bench.run(["greet"])).exitCode, 0);
    renameSync(bench.at("repository/.tools"), bench.at("tools-elsewhere"));
    symlinkSync("../tools-elsewhere", bench.at("repository/.tools"));
    // The same content at the same place.
    assert.is((await bench.run(["greet"])).exitCode, 0);
    bench.write("tools-elsewhere/greet.tool", greet("other"));
    assert.is((await bench.run(["greet"])).exitCode, 77);
  }));

test.run();
