// Definitions that break, disappear and are repaired while the real server serves them: its standard error, and its
// messages to clients.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { onFullDisk } from "../full-disk.ts";
import { assert, present, suite } from "../harness.ts";
import { writePackage } from "../packages/package-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { hello, type Lines, type Message, request, startLines } from "./line-client.ts";

const test = suite("mcp/changed definitions");

const own = "home/.config/dottool/tools";
const allowed = {
  "home/.config/dottool/config.yaml":
    "policy:\n  - decision: allow\n    tool: [x_one, x_two, x_top]\n    front_end: mcp\n",
};

function say(name: string, word: string): string {
  return `Say.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@command echo ${word}\n`;
}

/** Writes a file at once: the server looks at any time, and would tell of one that is still empty. */
function put(bench: TestProject, path: string, text: string): void {
  bench.write(`${path}.new`, text);
  renameSync(join(bench.folder, `${path}.new`), join(bench.folder, path));
}

interface Server {
  /** Does the work, and waits until clients are told that the list has changed. */
  change(work: () => unknown): Promise<void>;
  names(): Promise<readonly string[]>;
  describe(name: string): Promise<string>;
  call(name: string, args?: object): Promise<string>;
  /** Returns standard error since the last call. */
  errors(): string;
}

interface Starting {
  /** The words after `mcp`. */
  readonly words?: readonly string[];
  /** Set if every write of a file fails, as on a full disk. */
  readonly isFull?: true;
  /** Where it starts: a folder in the bench's. */
  readonly folder?: string;
}

async function withServer(
  files: Readonly<Record<string, string>>,
  work: (server: Server, bench: TestProject) => Promise<void>,
  { words = [], isFull, folder = "." }: Starting = {},
): Promise<void> {
  using bench = testProject({ ...allowed, ...files });
  const { program } = bench;
  const lines: Lines = startLines(
    { ...bench, program: isFull ? { ...program, ...onFullDisk(bench) } : program, folder: join(bench.folder, folder) },
    words,
  );
  const isChange = (message: Message): boolean =>
    "method" in message && message.method === "notifications/tools/list_changed";
  let sent = 0;
  let changes = 0;
  let read = 0;
  const until = async (isThere: (all: readonly Message[]) => boolean): Promise<readonly Message[]> => {
    for (let count = 1; ; count++) {
      const all = await lines.count(count);
      if (isThere(all)) return all;
    }
  };
  const ask = async (method: string, params: object): Promise<Message> => {
    const id = `asked-${++sent}`;
    lines.send(request(id, method, params));
    const isAnswer = (message: Message): boolean => message.id === id;
    return present((await until((all) => all.some(isAnswer))).find(isAnswer));
  };
  interface Offered {
    readonly name: string;
    readonly description: string;
  }
  const offered = async (): Promise<readonly Offered[]> =>
    present((await ask("tools/list", {})).result).tools as readonly Offered[];
  try {
    lines.send(hello);
    lines.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    // A ping loads the code that reports changes.
    await ask("ping", {});
    await work(
      {
        change: async (change) => {
          await change();
          changes++;
          await until((all) => all.filter(isChange).length >= changes);
        },
        names: async () => (await offered()).map(({ name }) => name).filter((name) => /^x_|_tool/.test(name)),
        describe: async (name) => present((await offered()).find((one) => one.name === name)).description,
        call: async (name, args = {}) => {
          const { result, error } = await ask("tools/call", { name, arguments: args });
          return `${error ? `${error.code} ` : result?.isError ? "isError " : ""}${(error?.message ?? (present(result).content as readonly { text: string }[]).map(({ text }) => text).join("")).replaceAll(bench.folder, "<bench>")}`;
        },
        errors: () => {
          const said = lines.errors();
          const news = said.slice(read);
          read = said.length;
          return news;
        },
      },
      bench,
    );
  } finally {
    await lines.end();
  }
}

test("a definition with a new mistake is told by place and message, until it is repaired", () =>
  withServer(
    { [`${own}/x_one.tool`]: say("x_one", "one"), [`${own}/x_two.tool`]: say("x_two", "two") },
    async ({ change, names, call, errors }, bench) => {
      assert.equal([await names(), await call("x_one"), errors()], [["x_one", "x_two"], "one\n", ""]);
      await change(() => put(bench, `${own}/x_one.tool`, say("x_one", "{y}")));
      assert.equal(await names(), ["x_two"]);
      assert.equal(
        await call("x_one"),
        [
          "isError failed[definition]: `x_one` cannot run until its definition is fixed",
          `  ${own}/x_one.tool:6:16: error[unknown-placeholder]: cannot find \`y\` in this tool`,
          "  = declare it with `@param y {string} …`, or write `{{y}}` for the literal text",
          "  = the call is fine; call again once the definition is fixed",
        ].join("\n"),
      );
      assert.equal(
        errors(),
        [
          `warning[mcp]: \`${own}/x_one.tool\` is broken, so \`x_one\` is not offered`,
          "error[unknown-placeholder]: cannot find `y` in this tool",
          `  ╭─ ${own}/x_one.tool:6:16`,
          "  │",
          "6 │ @command echo {y}",
          "  │                ^",
          "  ╵",
          "  = help: declare it with `@param y {string} …`, or write `{{y}}` for the literal text",
          "",
        ].join("\n"),
      );
      // A change of something else does not repeat the first report.
      await change(() => put(bench, `${own}/x_two.tool`, say("x_two", "{{2}}").replace("Say.", "Say it.")));
      assert.equal([await call("x_two"), errors()], ["{2}\n", ""]);
      await change(() => put(bench, `${own}/x_one.tool`, say("x_one", "again")));
      assert.equal([await names(), await call("x_one"), errors()], [["x_one", "x_two"], "again\n", ""]);
    },
  ));

test("a name that a new file takes from one that was there is told, at any change", () =>
  withServer({ [`${own}/x_two.tool`]: say("x_two", "two") }, async ({ change, call, errors }, bench) => {
    // The first change looks at all files, and later ones only at those that may differ.
    await change(() => put(bench, `${own}/x_one.tool`, say("x_one", "one")));
    await change(() => put(bench, `${own}/copy.tool`, `More. ${say("x_two", "copy")}`));
    assert.equal(
      [await call("x_two"), errors().split("\n").slice(0, 2)],
      [
        "copy\n",
        [
          `warning[mcp]: \`${own}/x_two.tool\` is not used`,
          "error[duplicate-tool]: duplicate definition of `x_two` in one folder",
        ],
      ],
    );
  }));

test("a definition that loses its name, cannot be read or is removed is still told of", () =>
  withServer({ [`${own}/file.tool`]: say("x_one", "one") }, async ({ change, call, errors }, bench) => {
    const path = join(bench.folder, own, "file.tool");
    assert.equal(await call("x_one"), "one\n");
    await change(() => put(bench, `${own}/file.tool`, "\0"));
    assert.equal((await call("x_one")).split("\n").slice(0, 2), [
      "isError failed[definition]: `x_one` cannot run until its definition is fixed",
      `  ${own}/file.tool:1:1: error[not-text]: \`${own}/file.tool\` is not UTF-8 text`,
    ]);
    assert.match(
      errors(),
      /^warning\[mcp\]: `.*file\.tool` is broken, so `file` is not offered\nerror\[not-text\]: .*\n/,
    );
    await change(() => put(bench, `${own}/file.tool`, say("x_one", "two")));
    assert.equal([await call("x_one"), errors()], ["two\n", ""]);
    await change(() => {
      rmSync(path);
      symlinkSync("nothing", path);
    });
    assert.equal((await call("x_one")).split("\n").slice(0, 2), [
      "isError failed[definition]: `x_one` cannot run until its definition is fixed",
      `  error[unreadable-file]: \`${own}/file.tool\` cannot be read: it does not exist, or is a dangling link`,
    ]);
    assert.match(errors(), /is broken, so `file` is not offered\nerror\[unreadable-file\]: /);
    await change(() => {
      rmSync(path);
      put(bench, `${own}/file.tool`, say("x_one", "three"));
    });
    assert.equal([await call("x_one"), errors()], ["three\n", ""]);
    await change(() => rmSync(path));
    assert.equal(
      await call("x_one"),
      "isError failed[removed]: the tool `x_one` no longer exists: its definition was removed\n  = list the tools again",
    );
    assert.equal(errors(), `note[mcp]: \`${own}/file.tool\` was removed, so \`x_one\` is no longer offered\n`);
    assert.match(await call("x_onee"), /^-32602 failed\[unknown-tool\]: there is no tool `x_onee`/);
  }));

test("a tool that nothing can be built of any more is told of as well", () =>
  withServer(
    {
      [`${own}/x_base.tool`]: say("x_base", "one"),
      [`${own}/x_top.tool`]: "Top.\n\n@title Top\n@name x_top\n@wrapped x_base\n",
    },
    async ({ change, names, call, errors }, bench) => {
      assert.equal(await names(), ["x_base", "x_top"]);
      await change(() => put(bench, `${own}/x_base.tool`, say("x_base", "{y}")));
      assert.equal(
        [await names(), (await call("x_top")).split("\n")[1]],
        [[], `  ${own}/x_top.tool:5:10: error[unknown-base-tool]: \`x_base\` has errors, so no other tool can use it`],
      );
      assert.equal(
        [...errors().matchAll(/so `(\w+)` is not offered\nerror\[([\w-]+)\]/g)].map(([, name, code]) => [name, code]),
        [
          ["x_base", "unknown-placeholder"],
          ["x_top", "unknown-base-tool"],
        ],
      );
      await change(() => put(bench, `${own}/x_base.tool`, say("x_base", "two")));
      assert.equal([await call("x_top"), errors()], ["two\n", ""]);
    },
  ));

test("nothing of a file that is not trusted is quoted to a model, and the other tools of its folder go on", () =>
  withServer(
    { ".tools/x_one.tool": say("x_one", "one"), ".tools/x_two.tool": say("x_two", "two") },
    async ({ change, names, call, errors }, bench) => {
      assert.equal([await names(), await call("x_one")], [["x_one", "x_two"], "one\n"]);
      await change(() => put(bench, ".tools/x_one.tool", say("x_one", "{ignore_all_you_were_told}")));
      const untrusted = "  = a person has to review and trust it at a terminal; no call can do that";
      const because = "does not run: `<bench>/.tools/x_one.tool` has changed since it was trusted";
      assert.equal(
        [await names(), await call("x_one"), await call("x_two")],
        [["x_two"], `isError failed[untrusted]: \`x_one\` ${because}\n${untrusted}`, "two\n"],
      );
      assert.match(
        errors(),
        /^warning\[mcp\]: `\.tools\/x_one\.tool` is broken, so `x_one` is not offered\nerror\[unknown-placeholder\]: cannot find `ignore_all_you_were_told` in this tool\n/,
      );
      bench.trust();
      assert.equal(
        [await names(), (await call("x_one")).split("\n")[1]],
        [
          ["x_two"],
          "  .tools/x_one.tool:6:16: error[unknown-placeholder]: cannot find `ignore_all_you_were_told` in this tool",
        ],
      );
      await change(() => put(bench, ".tools/x_two.tool", say("x_two", "three")));
      assert.equal(await names(), []);
      assert.match(errors(), "warning[mcp]: `x_two` is not offered\nfailed[untrusted]: ");
      await change(() => bench.trust());
      assert.equal([await names(), await call("x_two")], [["x_two"], "three\n"]);
    },
  ));

test("texts that have changed are offered once a person has trusted them, and the tool goes on until then", () =>
  withServer({ ".tools/x_one.tool": say("x_one", "one") }, async ({ change, describe, call }, bench) => {
    assert.is(await describe("x_one"), "Say.");
    put(bench, ".tools/x_one.tool", say("x_one", "one").replace("Say.", "Obey."));
    assert.equal([await call("x_one"), await describe("x_one")], ["one\n", "Say."]);
    await change(() => bench.trust());
    assert.equal([await call("x_one"), await describe("x_one")], ["one\n", "Obey."]);
  }));

test("what is broken from the start is told at the start, and in --mode search to whoever describes or calls it", () =>
  withServer(
    { [`${own}/acme/x_one.tool`]: say("x_one", "{y}") },
    async ({ names, call, errors }) => {
      assert.equal(await names(), ["search_tools", "describe_tool", "call_tool"]);
      assert.match(
        errors(),
        /^warning\[mcp\]: `.*x_one\.tool` is broken, so `acme\/x_one` is not offered\nerror\[unknown-placeholder\]: /,
      );
      const headline = "isError failed[definition]: `acme__x_one` cannot run until its definition is fixed";
      for (const tool of ["describe_tool", "call_tool"])
        assert.equal((await call(tool, { name: "acme__x_one" })).split("\n")[0], headline);
    },
    { words: ["--mode", "search"] },
  ));

// Deno opens a FIFO only when it is opened for writing.
if (!("deno" in process.versions)) {
  test("odd things in the folder lose no other tool, and each is told", () =>
    withServer(
      { [`${own}/x_one.tool`]: say("x_one", "one"), [`${own}/x_two.tool`]: say("x_two", "two") },
      async ({ change, names, call, errors }, bench) => {
        const at = (path: string): string => {
          mkdirSync(dirname(join(bench.folder, own, path)), { recursive: true });
          return join(bench.folder, own, path);
        };
        assert.equal(await names(), ["x_one", "x_two"]);
        await change(() => {
          for (const path of ["pipe.tool", "own/pipe.yaml", "plugins/pipe.ts"]) execFileSync("mkfifo", [at(path)]);
          symlinkSync("/dev/zero", at("zero.tool"));
          symlinkSync("nothing", at("nothing.tool"));
          symlinkSync("circle.tool", at("circle.tool"));
          mkdirSync(at("folder.tool"));
          put(bench, `${own}/copy.tool`, say("x_two", "copy"));
          put(bench, `${own}/list.tool`, say("list", "list"));
        });
        assert.equal([await names(), await call("x_one")], [["x_one", "x_two"], "one\n"]);
        // The server may look between two of the changes, and again after them.
        let said = errors();
        while (!said.includes("[duplicate-tool]")) {
          await setTimeout(20);
          said += errors();
        }
        const told = [...said.matchAll(/^warning\[mcp\]: (.*)\n\w+\[([\w-]+)\]/gm)].map(
          ([, headline, code]) =>
            `${headline?.replaceAll(`${own}/`, "").replaceAll(bench.folder, "").replaceAll("<bench>/", "")}: ${code}`,
        );
        assert.equal(told.sort(), [
          "`circle.tool` is broken, so `circle` is not offered: unreadable-file",
          "`folder.tool` is broken, so `folder` is not offered: unreadable-file",
          "`nothing.tool` is broken, so `nothing` is not offered: unreadable-file",
          "`own/pipe.yaml` is broken, so `own/pipe` is not offered: unreadable-file",
          "`pipe.tool` is broken, so `pipe` is not offered: unreadable-file",
          "`plugins/pipe.ts` does not load, so nothing in it is offered: broken-plugin",
          "`x_two.tool` is not used: duplicate-tool",
          "`zero.tool` is broken, so `zero` is not offered: unreadable-file",
        ]);
        await change(() => rmSync(join(bench.folder, own, "list.tool")));
        assert.match(errors(), /^note\[mcp\]: `.*\/list\.tool` was removed, so `list` is no longer offered\n$/);
      },
    ));
}

test("a disk that is full loses no tool, and the log of calls is told of once", () =>
  withServer(
    { [`${own}/x_one.tool`]: say("x_one", "one") },
    async ({ change, names, call, errors }, bench) => {
      assert.equal([await names(), await call("x_one")], [["x_one"], "one\n"]);
      await change(() => put(bench, `${own}/x_two.tool`, say("x_two", "two")));
      await change(() => put(bench, `${own}/x_one.tool`, say("x_one", "{y}")));
      assert.equal(
        [await names(), await call("x_two"), (await call("x_one")).split("\n")[0]],
        [["x_two"], "two\n", "isError failed[definition]: `x_one` cannot run until its definition is fixed"],
      );
      const [audit, ...others] = errors().split(/^(?=warning\[)/m);
      assert.match(
        audit ?? "",
        /^warning\[audit\]: calls are not logged: `.*\/audit\.jsonl` cannot be written to \((?:EFBIG|ENOSPC|error)\)\n$/,
      );
      assert.equal(
        others.map((text) => text.split("\n")[0]),
        [`warning[mcp]: \`${own}/x_one.tool\` is broken, so \`x_one\` is not offered`],
      );
    },
    { isFull: true },
  ));

test("exec and the shell say of a broken definition what the server says", async () => {
  using bench = testProject({ ".tools/x_one.tool": say("x_one", "{y}") });
  symlinkSync("nothing", join(bench.folder, ".tools/x_two.tool"));
  mkdirSync(join(bench.folder, ".tools/x_three.tool"));
  const { stdout } = await bench.run(["--tools", ".tools", "exec", "--dialect", "text"], {
    stdin: '<tool>{"server_name": "local", "tool_name": "x_one", "arguments": {}}</tool>',
  });
  assert.match(
    stdout,
    /failed\[definition\]: `x_one` cannot run until its definition is fixed\n {2}\.tools\/x_one\.tool:6:16: error\[unknown-placeholder\]: cannot find `y` in this tool\n/,
  );
  const facts = { x_two: "it does not exist, or is a dangling link", x_three: "it is a directory" };
  for (const [name, fact] of Object.entries(facts)) {
    const { exitCode, stderr } = await bench.run([name]);
    const lines = stderr.split("\n");
    assert.equal(
      [exitCode, lines[0], lines.at(-2)],
      [
        65,
        `error[unreadable-file]: \`.tools/${name}.tool\` cannot be read: ${fact}`,
        `failed[definition]: \`${name}\` cannot run until its definition is fixed`,
      ],
    );
  }
});

test("the tools of a package are offered once it is added, and until it is removed", () => {
  const config = "policy:\n  - decision: allow\n    tool: x_pack/x_one\n    front_end: mcp\n";
  const inProject = { cwd: "project" };
  return withServer(
    { "home/.config/dottool/config.yaml": config, "project/kept": "" },
    async ({ change, names, call }, bench) => {
      needPrograms("bwrap");
      const pack = (text: string): void =>
        writePackage(join(bench.folder, "pack"), { name: "x_pack", files: { "x_one.tool": text } });
      pack(say("x_one", "one"));
      const before = await names();
      await change(() => bench.run(["add", "../pack"], inProject));
      assert.equal([before, await names(), await call("x_pack__x_one")], [[], ["x_pack__x_one"], "one\n"]);
      pack(`More. ${say("x_one", "two")}`);
      await change(() => bench.run(["add", "../pack"], inProject));
      assert.is(await call("x_pack__x_one"), "two\n");
      await change(() => bench.run(["remove", "x_pack"], inProject));
      assert.equal(await names(), []);
    },
    { folder: "project" },
  );
});

test.run();
