// `dottool dev` at a pseudo-terminal: a change is shown, trusted, checked and tested while it runs, and not afterwards.
import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { commandLine } from "../../src/core/base/quote.ts";
import { typeAtTerminal } from "../at-terminal.ts";
import { assert, present, suite } from "../harness.ts";
import { hello, type Message, request, startLines } from "../mcp/line-client.ts";
import { testProject } from "../test-project.ts";

const test = suite("dev");

const greet = (word: string): string =>
  `Greets.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo ${word}\n@test says it\n    expect output-contains ${word}\n`;

if (spawnSync("script", ["--version"]).status === 0)
  test("a change is shown and trusted while dev is on the screen, and waits once it is gone", async () => {
    using bench = testProject({ ".tools/greet.tool": greet("one") }, { isTrusted: false });
    const { command, words, environment } = bench.program;
    const { text } = await typeAtTerminal(commandLine([command, ...words, "dev"]), {
      folder: bench.folder,
      environment: { ...environment, TERM: "dumb", NO_COLOR: "1" },
      typed: [
        ["trust this content? [y/N] ", "y\n"],
        ["Ctrl-C ends this", () => bench.write(".tools/greet.tool", greet("two"))],
        [
          "\ntrusted",
          () => bench.write(".tools/bad.tool", "Bad.\n\n@name bad\n@wrapped run_command\n@command echo {x}\n"),
        ],
        ["\ntrusted", "\u0003"],
      ],
    });
    const shown = text.replaceAll("\r\n", "\n").split("Ctrl-C ends this\n")[1] ?? "";
    assert.match(
      shown,
      "  changed: greet.tool\n    runs: echo two\n    what has changed:\n    @@ line 4\n     @name greet\n     @wrapped run_command\n    -@command echo one\n    +@command echo two\n",
    );
    assert.match(shown, "\n1 definition checked: no problems\n");
    assert.match(shown, "passed   greet: says it\n\n1 passed, 0 failed\ntrusted\n");
    assert.match(shown, "  new: bad.tool\n");
    assert.match(shown, "error[unknown-placeholder]");
    assert.equal(await bench.run(["greet"]), { exitCode: 0, stdout: "two\n", stderr: "" });
    bench.write(".tools/greet.tool", greet("three"));
    assert.is((await bench.run(["greet"])).exitCode, 77);
  });

if (spawnSync("script", ["--version"]).status === 0)
  test("dev loads plugins again when they or their modules change, and runs their tests", async () => {
    const plugin =
      'import { definePlugin, defineTool } from "dottool";\nimport { word } from "./lib/word.ts";\nexport default definePlugin({ name: "x", tools: [defineTool({ name: "x_one", description: "Says it.", effects: ["read"], run: () => word })] });\n';
    const tests =
      'import { test } from "dottool";\ntest("says two", async ({ callTool, assert }) => assert.deepEqual((await callTool("x_one")).content, [{ type: "text", text: "two" }]));\n';
    using bench = testProject({
      ".tools/plugins/x.ts": plugin,
      ".tools/plugins/x.test.ts": tests,
      ".tools/plugins/lib/word.ts": 'export const word = "one";\n',
    });
    const { command, words, environment } = bench.program;
    const { text } = await typeAtTerminal(commandLine([command, ...words, "dev"]), {
      folder: bench.folder,
      environment: { ...environment, TERM: "dumb", NO_COLOR: "1" },
      typed: [
        ["Ctrl-C ends this", () => bench.write(".tools/plugins/x.ts", `${plugin}const a: = 1;\n`)],
        ["\ntrusted", () => bench.write(".tools/plugins/x.ts", `${plugin}// fixed\n`)],
        ["\ntrusted", () => bench.write(".tools/plugins/lib/word.ts", 'export const word = "two";\n')],
        ["\ntrusted", "\u0003"],
      ],
    });
    const [, broken = "", fixed = "", changed = ""] =
      text
        .replaceAll("\r\n", "\n")
        .split("Ctrl-C ends this\n")[1]
        ?.split("\ntrusted")
        .map((part, index, all) => all[index - 1] ?? part) ?? [];
    assert.match(broken, ".tools/plugins/x.ts:4:10");
    assert.match(fixed, "1 plugin checked: no problems");
    assert.match(fixed, "failed   .tools/plugins/x.test.ts: says two");
    assert.match(changed, "passed   .tools/plugins/x.test.ts: says two");
  });

const isListChange = (message: Message): boolean =>
  "method" in message && message.method === "notifications/tools/list_changed";

/** The longest wait for one message of a server, so that the test fails in place of hanging. */
const MESSAGE_MS_MAX = 90_000;

if (spawnSync("script", ["--version"]).status === 0)
  test("a plugin that changes while dev runs is offered anew by a running session of mcp", async () => {
    const plugin = (about: string): string =>
      `import { definePlugin, defineTool } from "dottool";\nimport { word } from "./lib/word.ts";\nexport default definePlugin({ name: "x", tools: [defineTool({ name: "x_one", description: "${about}", effects: ["read"], run: () => word })] });\n`;
    using bench = testProject({
      "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: x_one\n    front_end: mcp\n",
      ".tools/plugins/x.ts": plugin("Says it."),
      ".tools/plugins/lib/word.ts": 'export const word = "one";\n',
    });
    const server = startLines(bench);
    const messageWhere = async (isWanted: (message: Message) => boolean): Promise<Message> => {
      const ended = new AbortController();
      const late = setTimeout(MESSAGE_MS_MAX, undefined, { signal: ended.signal }).then(() => {
        throw new Error(`the server did not say it in time; its errors: ${server.errors()}`);
      });
      const found = (async () => {
        for (let count = 1; ; count++) {
          const message = (await server.count(count))[count - 1];
          if (message && isWanted(message)) return message;
        }
      })();
      try {
        return await Promise.race([found, late]);
      } finally {
        ended.abort();
      }
    };
    const ask = (id: string, method: string, params: object): Promise<Message> => {
      server.send(request(id, method, params));
      return messageWhere((message) => message.id === id);
    };
    const offered = async (id: string): Promise<readonly unknown[]> => {
      const { tools } = present((await ask(`${id}-list`, "tools/list", {})).result);
      const { result } = await ask(`${id}-call`, "tools/call", { name: "x_one" });
      const own = (tools as readonly { name: string; description: string }[]).find(({ name }) => name === "x_one");
      return [own?.description, result?.content];
    };
    try {
      server.send(hello);
      assert.equal(await offered("before"), ["Says it.", [{ type: "text", text: "one" }]]);
      const { command, words, environment } = bench.program;
      await typeAtTerminal(commandLine([command, ...words, "dev"]), {
        folder: bench.folder,
        environment: { ...environment, TERM: "dumb", NO_COLOR: "1" },
        typed: [
          [
            "Ctrl-C ends this",
            () => {
              bench.write(".tools/plugins/lib/word.ts", 'export const word = "two";\n');
              bench.write(".tools/plugins/x.ts", plugin("Says it again."));
            },
          ],
          ["\ntrusted", "\u0003"],
        ],
      });
      // It is told of twice if the server also looks between the change and the trust.
      for (let told = 1, found: readonly unknown[] = []; found[0] !== "Says it again."; told++) {
        let changes = 0;
        await messageWhere((message) => isListChange(message) && ++changes === told);
        found = await offered(`after-${told}`);
        if (found[0] === "Says it again.") assert.equal(found[1], [{ type: "text", text: "two" }]);
      }
    } finally {
      await server.end();
    }
  });

test("dev runs only with a person in front of it", async () => {
  using bench = testProject({ ".tools/greet.tool": greet("one") });
  const { exitCode, stderr } = await bench.run(["dev"]);
  assert.equal(
    [exitCode, stderr.split("\n")[0]],
    [
      77,
      "failed[denied]: `dottool dev` trusts what changes, so it runs only at a terminal, with a person in front of it",
    ],
  );
  bench.write("empty/x", "");
  assert.is((await bench.run(["--cwd", "/", "dev"])).exitCode, 66);
});

test.run();
