import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { personAt } from "../../src/cli/session/person.ts";
import { clientApprover } from "../../src/features/mcp-server/approver.ts";
import { assert, present, suite } from "../harness.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Approval } from "../../src/core/tool/policy.ts";
import type { Terminal } from "../../src/core/tool/terminal.ts";
import { type PolicyFixture, withPolicy } from "./policy-fixture.ts";

const test = suite("files that decide what may run");

const tools = {
  note: "@wrapped write_file\n@with file_path = {to}\n@with content = text\n@param to {path} [required] Where to",
  copy: "@wrapped run_command\n@command cp a {to}\n@param to {string} [required] Where to",
};

async function withHome(body: (bench: PolicyFixture, root: string) => Promise<void>): Promise<void> {
  const before = process.env["HOME"];
  try {
    await withPolicy(tools, async (bench) => {
      const root = dirname(bench.folder);
      process.env["HOME"] = join(root, "home");
      bench.write("../home/.config/x", "");
      bench.write("a", "");
      await body(bench, root);
    });
  } finally {
    if (before === undefined) delete process.env["HOME"];
    else process.env["HOME"] = before;
  }
}

test("who has agreed to a tool for always is asked about each of them all the same", async () => {
  await withHome(async (bench, root) => {
    mkdirSync(join(root, "config/dottool"), { recursive: true });
    mkdirSync(join(root, "state/dottool"), { recursive: true });
    symlinkSync(join(root, "config"), join(bench.folder, "linked"));
    const session = await bench.open("agent");
    const asks = async (tool: string, args: JsonObject): Promise<string> => {
      bench.asked.length = 0;
      bench.answers.splice(0, 9, "always");
      const said = await session.headline(tool, args);
      const [question] = bench.asked;
      return question === undefined
        ? `not asked, ${said}`
        : `${question.verdict.question?.scope}: ${question.verdict.matched.flatMap(({ name, decision }) => (decision === "ask" ? [name] : [])).join()}, ${said}`;
    };
    const write = (path: string): Promise<string> => asks("write_file", { file_path: path, content: "{}" });
    assert.equal([await write("notes.txt"), await write("other.txt")], ["tool: , ok", "not asked, ok"]);
    const own = "call: settings, ok";
    for (const path of [
      join(root, "config/dottool/config.yaml"),
      "../state/dottool/x.json",
      "linked/dottool/config.yaml",
      "tools/new.tool",
      join(root, "home/.bashrc"),
      "../home/.config/x",
    ])
      assert.equal([path, await write(path), await write(path)], [path, own, own]);
    assert.match(
      await asks("edit_file", { file_path: "tools/note.tool", edits: [{ search: "{}", replace: "[]" }] }),
      /^call: settings, /,
    );
    assert.equal(
      [
        await asks("note", { to: "x.txt" }),
        await asks("note", { to: "y.txt" }),
        await asks("note", { to: "tools/x.tool" }),
      ],
      ["tool: , ok", "not asked, ok", own],
    );
    assert.equal(
      [await asks("copy", { to: "b" }), await asks("copy", { to: "c" }), await asks("copy", { to: "tools/y.tool" })],
      ["tool: , ok", "not asked, ok", own],
    );
    assert.equal(
      [
        await asks("read_file", { file_path: "tools/x.tool" }),
        await asks("read_file", { file_path: "../state/dottool/x.json" }),
      ],
      ["not asked, ok", own],
    );
  });
});

const steps = {
  late: "@param name {string} [required] Whose\n@step one runs\n    printf ../home/.%s {name}\n@step two runs\n    cat {one.stdout}",
  twice:
    "@param to {path} [required] Where to\n@param name {string} [required] Whose\n@step one uses write_file\n    file_path = {to}\n    content = x\n@step two runs\n    printf ../home/.%s {name}\n@step three uses read_file\n    file_path = {two.stdout}",
};

test("what a step is given by another is asked about when it is known, and an answer for one file is none for another", async () => {
  const before = process.env["HOME"];
  try {
    await withPolicy(steps, async (bench) => {
      process.env["HOME"] = join(dirname(bench.folder), "home");
      bench.write("../home/.netrc", "canary");
      bench.write("../home/plain", "fine");
      const session = await bench.open("agent");
      const asks = async (tool: string, args: JsonObject, ...answers: Approval[]): Promise<unknown> => {
        bench.asked.length = 0;
        bench.answers.splice(0, 9, ...answers);
        const said = await session.headline(tool, args);
        return [
          said.split(":")[0],
          ...bench.asked.map(({ verdict }) =>
            verdict.matched
              .flatMap(({ decision, reason }) => (decision === "ask" ? [/`([^`]*)`/.exec(reason)?.[1]] : []))
              .join(),
          ),
        ];
      };
      assert.equal(await asks("late", { name: "netrc" }, "always"), ["failed[step-failed]", "", "~/.netrc"]);
      assert.equal(await asks("late", { name: "netrc" }, "once"), ["ok", "~/.netrc"]);
      assert.equal(await asks("twice", { to: "Makefile", name: "netrc" }, "once"), [
        "failed[step-failed]",
        "Makefile",
        "~/.netrc",
      ]);
      assert.equal(await asks("twice", { to: "Makefile", name: "/plain" }, "once"), ["ok", "Makefile"]);
    });
  } finally {
    if (before === undefined) delete process.env["HOME"];
    else process.env["HOME"] = before;
  }
});

test("a person who types it has agreed", () =>
  withHome(async (bench) =>
    assert.is(
      await (await bench.open("person")).said("write_file", { file_path: "tools/new.tool", content: "{}" }),
      "ok",
    ),
  ));

test("a person at a terminal, and one behind a client of MCP, can only say yes to this one call", () =>
  withHome(async (bench) => {
    await (await bench.open("agent")).said("write_file", { file_path: "tools/new.tool", content: "{}" });
    const { call, verdict } = present(bench.asked[0]);
    const questions: string[] = [];
    const port = {
      isTerminal: true,
      hasColor: false,
      movesCursor: false,
      columns: 200,
      rows: 24,
      write: (text: unknown) => void questions.push(String(text).trim()),
    };
    const at = (answer: string): Terminal =>
      ({
        runtime: "a test",
        workingFolder: () => bench.folder,
        output: port,
        errors: port,
        input: {
          isTerminal: true,
          readBytes: async () => new Uint8Array(),
          ask: async (question: string) => (questions.push(question), answer),
          listen: () => undefined,
        },
        signal: new AbortController().signal,
        ending: undefined,
      }) as unknown as Terminal;
    assert.equal(
      await Promise.all(["y", "always", "s", ""].map((answer) => personAt(at(answer)).approver.ask(call, verdict))),
      ["once", "denied", "denied", "denied"],
    );
    assert.is(questions.filter((text) => text === "run it this once? [y]es / [N]o, or what to do instead ").length, 4);
    assert.match(
      questions.find((text) => text.includes("write_file")) ?? "",
      /rule {12}│ settings: `tools\/new.tool` decides what may run, so each call that uses it needs approval/,
    );
    const offered: unknown[] = [];
    const begun = {
      held: {
        ask: async (
          _key: string,
          {
            params,
          }: {
            readonly params: {
              readonly requestedSchema: {
                readonly properties: { readonly decision: { readonly oneOf: readonly { readonly const: string }[] } };
              };
            };
          },
        ) => (
          offered.push(params.requestedSchema.properties.decision.oneOf.map((choice) => choice.const)),
          { action: "decline" }
        ),
      },
      asksFirst: () => undefined,
    };
    await clientApprover({ begun: begun as never, host: (await bench.open("mcp")).host, callId: "1" }).ask(
      call,
      verdict,
    );
    assert.equal(offered, [["once", "denied"]]);
  }));

test("where nobody is asked it says who can do it", () =>
  withHome(async (bench) => {
    const said = await (await bench.open("mcp")).said("write_file", {
      file_path: "../config/dottool/config.yaml",
      content: "{}",
    });
    assert.is(
      said,
      "failed[denied]: `write_file` was not approved for clients of `dottool mcp`\n  settings: `<bench>/config/dottool/config.yaml` decides what may run, so each call that uses it needs approval\n  = a person has to run it, or approve this one call when asked",
    );
  }));

test.run();
