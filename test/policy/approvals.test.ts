import { chmodSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { subjectKey } from "../../src/core/policy/approvals.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { checkedContent, withChecksum } from "../../src/core/store/checked-file.ts";
import type { Approval } from "../../src/core/tool/policy.ts";
import { type PolicyFixture, statePath, withPolicy } from "./policy-fixture.ts";

const test = suite("approvals");

const tools = {
  save: "@wrapped run_command\n@tags write\n@command sh ./save.sh",
  other: "@wrapped save",
  steps: "@step one uses save\n@step two uses save",
};
const ok = "ok";
const refused = (tool: string): string => `failed[denied]: \`${tool}\` was not approved for \`dottool agent\``;

async function withSave(body: (bench: PolicyFixture) => Promise<void>): Promise<void> {
  await withPolicy(tools, async (bench) => {
    bench.write("save.sh", "true\n");
    await body(bench);
  });
}

function kept(bench: PolicyFixture): readonly string[] {
  return bench.list(statePath("approvals"));
}

test("once is this call, session is this session, always is as long as nothing changes", async () => {
  await withSave(async (bench) => {
    bench.answers.push("once", "session");
    const first = await bench.open("agent");
    assert.equal(
      [await first.headline("save"), await first.headline("save"), await first.headline("save"), bench.asked.length],
      [ok, ok, ok, 2],
    );
    const second = await bench.open("agent");
    assert.equal([await second.headline("save"), kept(bench).length], [refused("save"), 0]);
    bench.answers.push("always");
    assert.equal(
      [
        await second.headline("save"),
        kept(bench).length,
        statSync(join(bench.folder, statePath("approvals"), kept(bench)[0] ?? "")).mode & 0o777,
      ],
      [ok, 1, 0o600],
    );
    const third = await bench.open("agent");
    const before = bench.asked.length;
    assert.equal([await third.headline("save"), bench.asked.length - before], [ok, 0]);
    assert.is(
      await (await bench.open("mcp")).headline("save"),
      "failed[denied]: `save` was not approved for clients of `dottool mcp`",
    );
    assert.is(await third.headline("other"), refused("other"));
  });
});

test("approved arguments are the same in any order of their names, at any depth", () => {
  const host = memoryHost();
  const keyOf = (args: JsonObject): string =>
    subjectKey({ tool: "a", frontEnd: "agent", project: "/p", arguments: args }, host);
  const key = keyOf({ a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } });
  assert.is(keyOf({ b: { d: [{ f: 4, e: 3 }], c: 2 }, a: 1 }), key);
  assert.is.not(keyOf({ a: 1, b: { c: 2, d: [{ e: 4, f: 3 }] } }), key);
});

test("what has changed is asked about again, and named", async () => {
  await withSave(async (bench) => {
    bench.answers.push("always");
    await (await bench.open("agent")).said("save");
    const changes = async (): Promise<readonly string[]> => {
      bench.asked.length = 0;
      await (await bench.open("agent")).said("save");
      return bench.asked
        .flatMap(({ verdict }) => verdict.question?.changes ?? [])
        .map((text) => text.replaceAll(bench.folder, "<folder>").replace(/\d{4}-\d\d-\d\d/, "DATE"));
    };
    assert.equal(await changes(), []);
    bench.write("save.sh", "true # another\n");
    assert.equal(await changes(), ["since it was allowed on DATE: the script <folder>/save.sh has changed"]);
    bench.write("save.sh", "true\n");
    bench.write(
      "tools/save.tool",
      "Do it otherwise.\n\n@title save\n@name save\n@wrapped run_command\n@tags write\n@command sh ./save.sh now\n",
    );
    assert.equal(await changes(), [
      "since it was allowed on DATE: the description of `save` has changed, the commands of `save` has changed",
    ]);
    bench.rules("policy:\n  - {decision: ask, tool: save}\n");
    bench.write(
      "tools/save.tool",
      "Do it.\n\n@title save\n@name save\n@wrapped run_command\n@tags write\n@command sh ./save.sh\n",
    );
    assert.equal(await changes(), ["since it was allowed on DATE: a new rule asks"]);
  });
});

test("a program too large to be read is asked about again once it is written, whatever its length and its times say", async () => {
  await withSave(async (bench) => {
    const rest = "#".repeat(9 * 1024 * 1024);
    const write = (line: string): void => {
      bench.write("save.sh", `${line}; exit\n${rest}`);
      utimesSync(join(bench.folder, "save.sh"), 1_000, 1_000);
    };
    write("true ");
    bench.answers.push("always");
    const opened = await bench.open("agent");
    assert.equal([await opened.headline("save"), await opened.headline("save"), bench.asked.length], [ok, ok, 1]);
    write(">ran ");
    assert.equal([await opened.headline("save"), bench.read("ran")], [refused("save"), undefined]);
  });
});

test("a script that is swapped while somebody is asked does not run", async () => {
  await withSave(async (bench) => {
    bench.answers.push("always");
    bench.onAsk = () => bench.write("save.sh", "touch canary\n");
    const said = await (await bench.open("agent")).said("save");
    assert.equal(
      [said.split("\n").slice(0, 2), bench.read("canary"), kept(bench)],
      [[refused("save"), "  it changed while the question was open; call again"], undefined, []],
    );
  });
});

test("of a tool that runs what it is given, exactly these arguments are allowed", async () => {
  await withPolicy({}, async (bench) => {
    bench.answers.push("always");
    const opened = await bench.open("agent");
    const argv = (...words: readonly string[]): { readonly argv: readonly string[] } => ({ argv: words });
    assert.equal(
      [
        await opened.headline("run_command", argv("true", "a")),
        await opened.headline("run_command", argv("true", "a")),
        await opened.headline("run_command", argv("true", "b")),
        await opened.headline("run_command", argv("a", "true")),
      ],
      [ok, ok, refused("run_command"), refused("run_command")],
    );
    const lines = (await opened.said("run_command", argv("true", "it's"))).split("\n");
    assert.is(
      lines.at(-1),
      `  = a person can allow it at a terminal with: dottool --cwd <bench>/work allow run_command --for agent --arguments '{"argv":["true","it'\\''s"]}'`,
    );
  });
});

test("a yes covers what the tool is known to stand on, and nothing that it calls besides", async () => {
  const plugin = `import { definePlugin, defineTool } from "dottool";
export default definePlugin({ name: "caller", tools: [defineTool({ name: "caller", description: "Calls.", effects: ["read"], run: async (_args, context) => (await context.invoke("save", {})).status })] });
`;
  await withSave(async (bench) => {
    bench.write("tools/plugins/caller.ts", plugin);
    bench.answers.push("once");
    const opened = await bench.open("agent");
    assert.equal([await opened.headline("steps"), bench.asked.map(({ call }) => call.call.tool)], [ok, ["steps"]]);
    // An approval for one step does not cover a call of the same tool by another step.
    bench.write("tools/mixed.tool", "Mix.\n\n@title Mix\n@name mixed\n@step one uses save\n@step two uses caller\n");
    const asked = async (tool: string): Promise<readonly string[]> => {
      bench.asked.length = 0;
      bench.answers.splice(0, Infinity, ...(tool === "mixed" ? ["once" as const] : []));
      await (await bench.open("agent")).said(tool);
      return bench.asked.map(({ call }) => call.call.tool);
    };
    bench.rules("policy:\n  - {decision: allow, tool: caller}\n");
    assert.equal([await asked("caller"), await asked("mixed")], [["save"], ["mixed", "save"]]);
  });
});

test("a yes covers no rule that only the run finds to ask", async () => {
  await withPolicy(
    { later: "@tags run\n@step first runs\n    echo push\n@step second runs\n    true {first}" },
    async (bench) => {
      bench.rules('policy:\n  - {decision: ask, command: "true push"}\n');
      bench.answers.push("once");
      await (await bench.open("agent")).said("later");
      assert.equal(
        bench.asked.map(({ call }) => call.call.tool),
        ["later", "run_command"],
      );
    },
  );
});

test("a script without an ending is one, too, and so is the program of a definition that names nothing else", async () => {
  await withPolicy({ bare: "@wrapped run_command\n@command sh build" }, async (bench) => {
    bench.write("tools/forged/tool.yaml", "name: forged\ndescription: Do it\nentrypoint: main\n");
    for (const path of ["build", "tools/forged/main"]) bench.write(path, "#!/bin/sh\ntrue\n");
    for (const path of ["build", "tools/forged/main"]) chmodSync(join(bench.folder, path), 0o755);
    const opened = await bench.open("agent");
    const heads = async (): Promise<readonly string[]> => [
      await opened.headline("bare"),
      await opened.headline("forged"),
    ];
    bench.answers.push("always", "always");
    assert.equal([await heads(), await heads(), bench.asked.length], [[ok, ok], [ok, ok], 2]);
    for (const path of ["build", "tools/forged/main"]) bench.write(path, "#!/bin/sh\ntouch ran\n");
    assert.equal([await heads(), bench.read("ran")], [[refused("bare"), refused("forged")], undefined]);
  });
});

test("a yes for a plugin's tool holds to the modules that the plugin is made of", async () => {
  const plugin = `import { definePlugin, defineTool } from "dottool";
import { word } from "./parts/word.js";
export default definePlugin({ name: "teller", tools: [defineTool({ name: "tell", description: "Tells.", effects: ["run"], run: async () => word })] });
`;
  await withPolicy({ told: "@wrapped tell" }, async (bench) => {
    bench.write("tools/plugins/teller.ts", plugin);
    bench.write("tools/plugins/parts/word.ts", 'import * as deep from "./deep.ts";\nexport const word = deep.word;\n');
    bench.write(
      "tools/plugins/parts/deep.ts",
      'export { word } from "../../lib/last.mjs"; // import("./no-such-file.ts")\n',
    );
    bench.write("tools/lib/last.mjs", 'import "../plugins/teller.ts";\nexport const word = "a";\n');
    bench.answers.push("always", "always");
    const opened = await bench.open("agent");
    const asked = async (): Promise<readonly unknown[]> => {
      bench.asked.length = 0;
      return [
        await opened.headline("tell"),
        await opened.headline("told"),
        bench.asked.flatMap(({ verdict }) =>
          verdict.question?.changes.map((change) =>
            change.replaceAll(bench.folder, "<folder>").replace(/\d{4}-\d\d-\d\d/, "DATE"),
          ),
        ),
      ];
    };
    await asked();
    assert.equal(await asked(), [ok, ok, []]);
    bench.write("tools/lib/last.mjs", 'import "../plugins/teller.ts";\nexport const word = "b";\n');
    const change = "since it was allowed on DATE: the script <folder>/tools/lib/last.mjs has changed";
    assert.equal(await asked(), [refused("tell"), refused("told"), [change, change]]);
  });
});

test("what is broken or could be somebody else's does not count, and is kept", async () => {
  await withSave(async (bench) => {
    bench.answers.push("always");
    await (await bench.open("agent")).said("save");
    const [name = ""] = kept(bench);
    const path = join(bench.folder, statePath("approvals"), name);
    const text = bench.read(statePath(`approvals/${name}`)) ?? "";
    const changes = async (): Promise<string> => {
      bench.asked.length = 0;
      await (await bench.open("agent")).said("save");
      return (bench.asked[0]?.verdict.question?.changes ?? ["not asked"])
        .join()
        .replace(/`.*\//, "`")
        .replace(/\d{17}-\w{4}/, "N");
    };
    chmodSync(path, 0o666);
    assert.match(await changes(), /^the approval does not apply: `\w+\.json` can be written by others$/);
    chmodSync(path, 0o600);
    assert.is(await changes(), "not asked");
    writeFileSync(path, text.slice(0, 40));
    assert.match(await changes(), /^the approval does not apply: .*`\w+\.json\.broken-N`$/);
    assert.is(kept(bench).length, 1);
    // An undamaged approval of another tool.
    const { bytes } = checkedContent({ name: "approval", version: 3 }, new TextEncoder().encode(text)) as {
      readonly bytes: Uint8Array;
    };
    writeFileSync(
      path,
      withChecksum(
        { name: "approval", version: 3 },
        new TextDecoder().decode(bytes).replace('"tool":"save"', '"tool":"other"'),
      ),
    );
    assert.match(await changes(), /^since it was allowed on/);
    const odd = new TextDecoder().decode(bytes).replace('"frontEnd":"agent"', '"frontEnd":"anybody"');
    writeFileSync(path, withChecksum({ name: "approval", version: 3 }, odd));
    assert.match(await changes(), /^the approval does not apply: .*`\w+\.json\.broken-N`$/);
    writeFileSync(path, bytes);
    assert.match(await changes(), /^the approval does not apply: /);
    writeFileSync(path, withChecksum({ name: "approval", version: 4 }, bytes));
    assert.match(await changes(), /^the approval does not apply: .*was written by a newer dottool/);
    assert.ok(bench.read(statePath(`approvals/${name}`)));
  });
});

test("an approval of a later dottool stays where it is, and one of an earlier dottool is put aside", async () => {
  await withSave(async (bench) => {
    const changes = async (): Promise<readonly string[]> => {
      bench.asked.length = 0;
      await (await bench.open("agent")).said("save");
      return bench.asked
        .flatMap(({ verdict }) => verdict.question?.changes ?? [])
        .map((change) =>
          change
            .replaceAll(bench.folder, "<folder>")
            .replace(/broken-[\w-]+/, "broken-N")
            .replaceAll(/[0-9a-f]{32}/g, "KEY"),
        );
    };
    bench.answers.push("always");
    await (await bench.open("agent")).said("save");
    const [name = ""] = kept(bench).filter((one) => one.endsWith(".json"));
    const later = new TextDecoder().decode(withChecksum({ name: "approval", version: 4 }, "{}"));
    bench.write(statePath(`approvals/${name}`), later);
    bench.answers.push("always");
    assert.match(
      (await changes())[0] ?? "",
      /was written by a newer dottool \(version 4, here 3\); use that version, or remove the file$/,
    );
    assert.equal(
      [bench.read(statePath(`approvals/${name}`)), bench.warnings],
      [
        later,
        ["warning[policy]: the approval lasts only until the session ends, because it could not be saved (ENEWER)\n"],
      ],
    );
    bench.write(
      statePath(`approvals/${name}`),
      new TextDecoder().decode(withChecksum({ name: "approval", version: 2 }, "{}")),
    );
    assert.match(
      (await changes())[0] ?? "",
      /KEY\.json` is of an earlier dottool; it was moved to `[^`]+\/KEY\.json\.broken-N`$/,
    );
  });
});

test("nobody is asked about more calls than can be shown", async () => {
  const steps = (action: (index: number) => string): string =>
    Array.from({ length: 50 }, (_, index) => `@step s${index}${action(index)}`).join("\n");
  const tools = {
    inner: `@param word {string} [required] W\n${steps((index) => ` runs\n  echo {word} ${index}`)}`,
    outer: steps((index) => ` uses inner\n  word = ${index}`),
  };
  await withPolicy(tools, async (bench) => {
    bench.answers.push("once");
    const said = (await (await bench.open("agent")).said("outer")).split("\n");
    assert.equal(
      [said[0], said.filter((line) => line.includes("cannot be approved")), bench.asked.length],
      [
        refused("outer"),
        [
          "  the call cannot be approved: it runs more than 2,000 calls of other tools, which cannot be shown; call its parts one by one",
        ],
        0,
      ],
    );
  });
});

test("what is no clear yes is a no", async () => {
  await withSave(async (bench) => {
    const odd = [true, undefined, "yes", "ALWAYS", {}, "denied"] as unknown as Approval[];
    bench.answers.push(...odd);
    const opened = await bench.open("agent");
    const heads = [];
    for (const _each of odd) heads.push(await opened.headline("save"));
    assert.equal(
      heads,
      odd.map(() => refused("save")),
    );
  });
});

test("of two calls at once one is asked about, where the answer is for both", async () => {
  await withSave(async (bench) => {
    bench.answers.push("session");
    const opened = await bench.open("agent");
    assert.equal(
      [await Promise.all([opened.headline("save"), opened.headline("save")]), bench.asked.length],
      [[ok, ok], 1],
    );
  });
});

test("two who agree at once are both remembered", async () => {
  await withSave(async (bench) => {
    bench.answers.push("always", "always", "always");
    const all = await Promise.all(
      (["agent", "mcp", "exec"] as const).map(async (frontEnd) => (await bench.open(frontEnd)).headline("save")),
    );
    assert.equal([all, kept(bench).length], [[ok, ok, ok], 3]);
  });
});

test.run();
