// What the sandbox kept from a command is said, with what allows it, and following that is accepted: through the real
// program, with real programs.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { sampleOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { turnOfCommit } from "../in-turn.ts";
import { needPrograms } from "../programs-needed.ts";
import { typeAtTerminal } from "../at-terminal.ts";
import { type Call, config, inFixture, tool } from "./sandbox-fixture.ts";

const test = suite("cli sandbox blocked");

async function withServer(work: (port: number) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => response.end("answer\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const noteIn = (stderr: string): string => stderr.split("\n").find((line) => line.startsWith("note: ")) ?? "";
/** What is written between backquotes and is no path. */
const linesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:[@-]|security:)[^`]*)`/g)].map(([, line = ""]) => line);

const rows: readonly (readonly [what: string, command: string, line: string, model: string])[] = [
  ["a file outside", "cat ../out/file", "@permissions filesystem:read:<bench>/out/file", "reading `<bench>/out/file`"],
  ["a folder outside", "ls ../out", "@permissions filesystem:read:<bench>/out", "reading `<bench>/out`"],
  ["a link to it", "cat link", "@permissions filesystem:read:<bench>/out/file", "reading `<bench>/out/file`"],
  [
    "a program of PATH",
    "only-here",
    "@permissions filesystem:read:<bench>/bin/only-here",
    "reading `<bench>/bin/only-here`",
  ],
  ["a new file", "echo x > new", "@writes .", "writing `.`"],
  ["a new folder below", "mktemp -d sub/XXXXXX", "@writes sub", "writing `sub`"],
  ["a file that is there", "echo x >> kept", "@writes kept", "writing `kept`"],
  ["a new file outside", "echo x > ../out/new", "@writes <bench>/out", "writing `<bench>/out`"],
  [
    "another repository",
    "git ls-remote ../bare",
    "@permissions filesystem:read:<bench>/bare",
    "reading `<bench>/bare`",
  ],
  ["a refused host", "curl -sS -f http://127.0.0.1:PORT/", "@network 127.0.0.1:PORT", "reaching `127.0.0.1:PORT`"],
];

/** Each push tries some, which its commit decides. */
const turn = turnOfCommit();

const files = {
  "out/file": "outside\n",
  "bare/HEAD": "ref: refs/heads/main\n",
  "bare/objects/x": "",
  "bare/refs/x": "",
  "bin/only-here": "#!/bin/sh\necho found\n",
  "here/kept": "kept\n",
  "here/sub/file": "",
};

test("a definition and `dottool sandbox` say what was kept from a command, and following the line is accepted", () =>
  withServer((port) =>
    inFixture(files, async (_call, bench) => {
      needPrograms("curl");
      chmodSync(join(bench.folder, "bin/only-here"), 0o755);
      symlinkSync("../out/file", join(bench.folder, "here/link"));
      const environment = { PATH: `${bench.program.environment["PATH"]}:${bench.folder}/bin` };
      const call: Call = (words) => bench.run(words, { cwd: "here", environment });
      const said: unknown[] = [];
      const expected: unknown[] = [];
      for (const [what, written, ...rest] of sampleOf(rows, 3, turn)) {
        const [command = "", line = "", model = ""] = [written, ...rest].map((text) =>
          text.replace("PORT", String(port)),
        );
        // With another host there is a proxy, whose refusals are known.
        const own = what === "a refused host" ? ["@network a.example"] : ["@sandbox strict"];
        bench.write(".tools/kept.tool", tool("kept", command, ...own));
        const person = await call(["kept"]);
        const [annotation = ""] = linesIn(noteIn(person.stderr));
        const asked = await call(["--result", "model", "kept"]);
        bench.write(".tools/kept.tool", tool("kept", command, ...own, annotation.replace("<bench>", bench.folder)));
        const followed = await call(["kept"]);
        const options = what === "a refused host" ? ["--network", "a.example"] : [];
        const free = await call(["sandbox", ...options, "--", "sh", "-c", command]);
        const [option = ""] = linesIn(noteIn(free.stderr));
        const words = option.replaceAll("<bench>", bench.folder).split(" ");
        const freed = await call(["sandbox", ...options, ...words, "--", "sh", "-c", command]);
        said.push([
          what,
          annotation,
          asked.stdout.split("\n").find((one) => one.startsWith("(the sandbox")),
          followed.exitCode,
          freed.exitCode,
          freed.stderr,
        ]);
        expected.push([what, line, `(the sandbox kept \`sh\` from ${model}; \`${line}\` would allow it)`, 0, 0, ""]);
      }
      assert.equal(said, expected);
    }),
  ));

test("a step, a tool in YAML, Python and a tool that the settings put there say it, and following it is accepted", () =>
  inFixture(
    { ...files, ...config("sandbox: { level: strict }\n"), "here/run.sh": "echo x > made && cat ../out/file\n" },
    async (call, bench) => {
      const steps = (...lines: readonly string[]): string =>
        [
          "Steps.",
          "",
          "@title Steps",
          "@name asked",
          ...lines,
          "@step one sh",
          "    sh run.sh",
          "@output",
          "    {one}",
          "",
        ].join("\n");
      const follow = async (
        written: (...lines: readonly string[]) => string,
        path = ".tools/asked.tool",
      ): Promise<readonly unknown[]> => {
        const lines: string[] = [];
        let last = "";
        // One line for each thing that is kept from it.
        for (let round = 0; round < 3; round++) {
          bench.write(path, written(...lines));
          const { exitCode, stderr } = await call(["asked"]);
          last = `${exitCode}`;
          if (exitCode === 0) break;
          lines.push(...linesIn(noteIn(stderr)).map((line) => line.replaceAll("<bench>", bench.folder)));
        }
        rmSync(join(bench.folder, path));
        return [last, lines.map((line) => line.replaceAll(bench.folder, "<bench>"))];
      };
      const read = "@permissions filesystem:read:<bench>/out/file";
      assert.equal(await follow((...lines) => steps("@sandbox strict", ...lines)), ["0", ["@writes .", read]]);
      assert.equal(await follow((...lines) => tool("asked", "sh run.sh", ...lines)), ["0", [read]]);
      assert.equal(await follow((...lines) => tool("asked", "cp -- kept ../out/copy", ...lines)), [
        "0",
        ["@writes . <bench>/out"],
      ]);
      const yaml = (...lines: readonly string[]): string =>
        `name: asked\ndescription: D\nbash: cat ../out/file\n${lines.join("\n")}\n`;
      const said = await follow(yaml, ".tools/asked.yaml");
      assert.equal(said, ["0", ['security: { required-permissions: ["filesystem:read:<bench>/out/file"] }']]);
    },
  ));

test("a command that succeeds says nothing of paths, and the hosts that were refused", () =>
  inFixture(files, async (call) => {
    needPrograms("curl");
    const run = (command: string): ReturnType<Call> =>
      call(["sandbox", "--network", "a.example", "--", "sh", "-c", `${command} 2>&-; exit 0`]);
    assert.is((await run("cat ../out/file")).stderr, "");
    assert.is(
      (await run("curl -s http://b.example/ http://b.example:8080/ -o /dev/null")).stderr,
      "note: the sandbox kept `sh` from reaching `b.example` and `b.example:8080`; `--network b.example --network b.example:8080` allows it\n",
    );
  }));

test("what is not known is not said: what exists nowhere, is shown, or could not be written without the sandbox", () =>
  inFixture(files, async (call) => {
    const said = async (...lines: readonly string[]): Promise<string> => {
      const { stderr } = await call(["sandbox", "--", "sh", "-c", 'printf "%s\\n" "$@" >&2; exit 1', "sh", ...lines]);
      return noteIn(stderr);
    };
    const missing = "No such file or directory";
    assert.is(await said(`cat: /no/such: ${missing}`, `cat: kept: ${missing}`, `/usr/bin/env: ${missing}`), "");
    assert.is(await said("touch: cannot touch '/proc/x': Read-only file system"), "");
    assert.is(await said("only words: Permission denied", "../out/file is fine", "npm error code EROFS"), "");
    assert.is(await said(`cat: ../out/file: ${missing}`, ...Array.from({ length: 700 }, () => "x".repeat(100))), "");
    const many = await said(...Array.from({ length: 30 }, (_, index) => `cat: /etc/${index}/../../tmp: ${missing}`));
    assert.is(many, "");
  }));

test("hosts that programs do not reach without a network are named from their errors", () =>
  inFixture(files, async (call) => {
    const rows: readonly (readonly [program: string, ...words: readonly string[]])[] = [
      ["curl", "-sS", "http://a.example/"],
      ["wget", "-nv", "-t1", "http://a.example/"],
      ["git", "ls-remote", "https://a.example/x"],
      ["node", "-e", "fetch('http://a.example/')"],
      ["/usr/bin/python3", "-c", "import urllib.request; urllib.request.urlopen('http://a.example/')"],
    ];
    const said: unknown[] = [];
    for (const [program, ...words] of rows) {
      needPrograms(basename(program));
      const { stderr } = await call(["sandbox", "--", program, ...words]);
      said.push([basename(program), linesIn(noteIn(stderr)).join(" ")]);
    }
    const named = "--network a.example";
    assert.equal(said, [
      ["curl", named],
      ["wget", named],
      ["git", named],
      ["node", named],
      ["python3", "--network HOST"],
    ]);
  }));

test("files with keys are said in the folder, with what shows them, and elsewhere not that they are there", () =>
  inFixture({ ...files, "here/.env": "TOKEN=x\n", "out/id_rsa": "canary-1789\n" }, async (call) => {
    const said = async (path: string): Promise<string> => noteIn((await call(["sandbox", "--", "cat", path])).stderr);
    assert.is(
      await said(".env"),
      "note: the sandbox kept `cat` from reading `.env` (may have keys); `--read .env` allows it",
    );
    assert.is(await said("../out/id_rsa"), "");
  }));

test("what a command writes to be told opens nothing that does harm, and takes no time", () =>
  inFixture({ ...files, "here/evil.sh": 'cat "$1" >&2; exit 1\n' }, async (call, bench) => {
    const said = async (text: string): Promise<string> => {
      bench.write("here/text", text);
      return noteIn((await call(["sandbox", "--", "sh", "evil.sh", "text"])).stderr);
    };
    for (const path of ["/etc/made", "/opt/made"])
      assert.not((await said(`sh: cannot create ${path}: Read-only file system\n`)).includes("--write"), path);
    assert.is(await said("curl: (6) Could not resolve host: 169.254.169.254\n"), "");
    // Its reader took minutes.
    assert.is(await said(`${"(".repeat(1_940)}::no such file or directory\n`.repeat(33)), "");
  }));

test("at a terminal, a command that fails says what would tell the reason", () =>
  inFixture(files, async (_call, bench) => {
    needPrograms("script");
    const { command, words, environment } = bench.program;
    const { text } = await typeAtTerminal(
      [command, ...words, "sandbox", "--", "cat", "../out/file"].map((word) => `'${word}'`).join(" "),
      { folder: join(bench.folder, "here"), environment },
    );
    assert.match(
      text,
      "note: if the sandbox is the reason, `dottool sandbox --learn -- cat ../out/file` says what it needs",
    );
  }));

test("`--learn` prints the fewest options with which a command passes, and a second run under them passes", () =>
  withServer((port) =>
    inFixture(
      {
        ...files,
        "here/Makefile": `all:\n\tcat ../unneeded ../out/file || true\n\tmkdir -p build\n\tcat ../out/file > build/out\n\tcurl -sSf http://127.0.0.1:${port}/ >> build/out\n`,
        unneeded: "",
      },
      async (call, bench) => {
        needPrograms("make", "curl");
        // No host is reached without a person who names it.
        const first = await call(["sandbox", "--learn", "--network", "a.example", "--", "make"]);
        const [, named = ""] = /which is open only if you name it: `([^`]*)`/.exec(first.stderr) ?? [];
        assert.is(first.exitCode, 2);
        rmSync(join(bench.folder, "here/build"), { recursive: true });
        const learned = await call(named.replaceAll("<bench>", bench.folder).split(" ").slice(1));
        const [line = "", ...rest] = learned.stdout.split("\n");
        assert.is(
          line,
          `dottool sandbox --network a.example --network 127.0.0.1:${port} --write . --read <bench>/out/file -- make`,
        );
        assert.match(learned.stderr, /note: it ran \d+ times; opened meanwhile: /);
        const again = async (run: () => ReturnType<Call>): Promise<readonly unknown[]> => {
          rmSync(join(bench.folder, "here/build"), { recursive: true });
          const { exitCode, stderr } = await run();
          return [exitCode, noteIn(stderr), readFileSync(join(bench.folder, "here/build/out"), "utf8")];
        };
        const passed = [0, "", "outside\nanswer\n"];
        const words = line.replaceAll("<bench>", bench.folder).split(" ").slice(1);
        assert.equal(await again(() => call(words)), passed);
        const annotations = rest
          .filter((one) => one.startsWith("@"))
          .map((one) => one.replaceAll("<bench>", bench.folder));
        bench.write(".tools/made.tool", tool("made", "make", ...annotations));
        assert.equal(await again(() => call(["made"])), passed);
      },
    ),
  ));

test("`--learn` opens no keys, no host, nothing that other programs obey and nothing to write elsewhere by itself", () =>
  withServer((port) =>
    inFixture(
      {
        ...files,
        "here/.env": "canary-1789\n",
        "here/.git/HEAD": "ref: refs/heads/own\n",
        "here/.git/objects/x": "",
        "here/.git/refs/x": "",
        "out/.env": "canary-1789\n",
        "out/srv.pem": "-----BEGIN PRIVATE KEY-----\ncanary-1789\n",
        "home/.bashrc": "",
        "home/.ssh/id_ed25519": "canary-1789\n",
      },
      async (call, bench) => {
        needPrograms("curl");
        const script = [
          "(cat .env ../out/.env ../out/* ~/.ssh/id_ed25519 /etc/shadow; ls ../out ..; echo bad >> ../out/file; echo bad > ../out/new;",
          `echo bad >> "$R/home/.bashrc"; echo bad > .git/hooks; curl -s http://127.0.0.1:${port}/) > said`,
          "echo \"cat: $R/home: No such file or directory\ntouch: cannot touch '$R/home/.bashrc': Read-only file system\ncat: ../out/srv.pem: No such file or directory\" >&2",
          "exit 3",
        ].join("\n");
        const { exitCode, stdout, stderr } = await call([
          "sandbox",
          "--learn",
          "--",
          "env",
          `R=${bench.folder}`,
          "sh",
          "-c",
          script,
        ]);
        assert.equal([exitCode, stdout], [3, ""]);
        // The line to paste opens nothing of it either.
        assert.not.match(stderr, /--(?:read|write) \S*(?:env|ssh|shadow|bashrc|git|srv)/);
        assert.match(stderr, "failed[learn]: `env` does not succeed in the sandbox, even with");
        assert.not.match(readFileSync(join(bench.folder, "here/said"), "utf8"), /canary|answer/);
        assert.is(readFileSync(join(bench.folder, "out/file"), "utf8"), "outside\n");
        assert.is(readFileSync(join(bench.folder, "home/.bashrc"), "utf8"), "");
        assert.not(existsSync(join(bench.folder, "out/new")));
        assert.not(existsSync(join(bench.folder, "here/.git/hooks")));
      },
    ),
  ));

test.run();
