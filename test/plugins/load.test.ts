import type { LoadedPlugins } from "../../src/core/tool/loaded-plugins.ts";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { loadPlugins } from "../../src/features/plugins/load.ts";
import type { Diagnostic } from "../../src/core/text/diagnostic.ts";
import { positionOf } from "../../src/core/text/source.ts";
import type { BaseTool, ToolContext } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { thrownThings } from "../thrown-things.ts";

const test = suite("load plugins");

const head = `import { definePlugin, defineTool, string } from "dottool";\n`;

/** Loads plugins from files in a folder of their own: the `.ts` files at its top, by name. */
async function load(
  files: Readonly<Record<string, string>>,
  use: (loaded: LoadedPlugins, folder: string) => void | Promise<void>,
  loadMsMax = 10_000,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-plugins-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const paths = Object.keys(files)
      .filter((name) => /^[^/]+\.ts$/.test(name) && !name.startsWith("_"))
      .sort()
      .map((name) => join(folder, name));
    await use(
      await loadPlugins(
        paths.map((path) => ({ path })),
        { host: createNodeHost(), cwd: folder, loadMsMax },
      ),
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(tool: BaseTool | undefined, args: Parameters<BaseTool["execute"]>[0]): Promise<unknown> {
  if (!tool) throw new Error("no such tool");
  return tool.execute(args, {} as ToolContext);
}

function place({ at }: Diagnostic): string {
  if (!at) return "";
  const { line, column } = positionOf(at.span.source, at.span.start);
  return ` at ${at.span.source.path}:${line}:${column}`;
}

function problems(loaded: LoadedPlugins): readonly string[] {
  return loaded.diagnostics.map((diagnostic) => `${diagnostic.code}: ${diagnostic.message}${place(diagnostic)}`);
}

test("loadPlugins takes a plugin with types, a sibling import and top-level await", async () => {
  const files = {
    "greet.ts":
      `${head}import { shout } from "./_shout.ts";\nimport { mark } from "./_mark";\nconst end: string = await Promise.resolve(mark);\n` +
      `export default definePlugin({ name: "greet", tools: [defineTool({ name: "greet", description: "Greets.", effects: ["read"], parameters: { who: string("Whom", { required: true }) }, run: ({ who }) => shout("hello " + who) + end })] });\n`,
    "_shout.ts": "export function shout(text: string): string { return text.toUpperCase(); }\n",
    "_mark.ts": "export const mark = '!' as const;\n",
  };
  await load(files, async (loaded, folder) => {
    assert.equal(problems(loaded), []);
    assert.equal(
      loaded.tools.map((tool) => [
        tool.definition.name.value,
        tool.definition.title,
        tool.effects,
        tool.definition.origin,
      ]),
      [["greet", "Greet", ["read"], { kind: "plugin", plugin: "greet", path: join(folder, "greet.ts") }]],
    );
    assert.equal(await run(loaded.tools[0], { who: "Ana" }), {
      status: "ok",
      content: [{ type: "text", text: "HELLO ANA!" }],
    });
  });
});

test("loadPlugins takes enums, namespaces and parameter properties", async () => {
  const files = {
    "old.ts":
      `${head}enum Color { Red = 1, Green }\nnamespace Box { export const size: number = 3; }\nclass Point { constructor(private readonly x: number) {} get(): number { return this.x; } }\n` +
      `export default definePlugin({ name: "old", tools: [defineTool({ name: "old", description: "Old style.", run: () => ({ color: Color.Green, size: Box.size, x: new Point(7).get() }) })] });\n`,
  };
  await load(files, async (loaded) => {
    assert.equal(problems(loaded), []);
    assert.equal(await run(loaded.tools[0], {}), {
      status: "ok",
      content: [{ type: "json", value: { color: 2, size: 3, x: 7 } }],
    });
  });
});

test("loadPlugins resolves npm packages beside the plugin, ESM and CommonJS", async () => {
  const files = {
    "deps.ts": `${head}import pad from "left";\nimport { twice } from "double";\nexport default definePlugin({ name: "deps", tools: [defineTool({ name: "deps", description: "Uses packages.", run: () => pad("x") + twice(2) })] });\n`,
    "node_modules/left/package.json": '{"name": "left", "main": "main.js"}',
    "node_modules/left/main.js": "module.exports = (text) => '>' + text;",
    "node_modules/double/package.json": '{"name": "double", "type": "module", "exports": "./main.js"}',
    "node_modules/double/main.js": "export const twice = (value) => value * 2;",
  };
  await load(files, async (loaded) => {
    assert.equal(problems(loaded), []);
    assert.equal(await run(loaded.tools[0], {}), { status: "ok", content: [{ type: "text", text: ">x4" }] });
  });
});

test("loadPlugins makes each broken plugin one diagnostic and keeps the others", async () => {
  const files = {
    "a_syntax.ts": "export default definePlugin({ name: 1 2 })",
    "b_throws.ts": `${head}\nthrow new Error("boom");\n`,
    "c_none.ts": "export const nothing = 1;\n",
    "d_old.ts": `export default { name: "d", api: 2, contribute: () => ({}) };\n`,
    "e_missing.ts": `import x from "no-such-package";\nexport default x;\n`,
    "f_unknown.ts": `import { nope } from "dottool";\nexport default nope;\n`,
    "g_norun.ts": `${head}export default definePlugin({ name: "g", tools: [defineTool({ name: "g", description: "No run." } as never)] });\n`,
    "h_raw.ts": `export default { name: "h", api: 1, contribute: () => ({ baseTools: [{ definition: { name: { value: "bad name" } } }] }) };\n`,
    "i_twice.ts": `${head}const t = defineTool({ name: "same", description: "Same.", run: () => "" });\nexport default definePlugin({ name: "i", tools: [t, t] });\n`,
    "j_judge.ts": `${head}export default definePlugin({ name: "j", forgeJudges: [{ name: "j", judges: () => ({ approved: true }) } as never] });\n`,
    "z_good.ts": `${head}export default definePlugin({ name: "z", tools: [defineTool({ name: "good", description: "Works.", run: () => "fine" })] });\n`,
  };
  await load(files, (loaded) => {
    assert.equal(
      loaded.tools.map((tool) => tool.definition.name.value),
      ["good"],
    );
    const found = problems(loaded);
    assert.is(found.length, 10);
    assert.ok(found.every((problem) => problem.startsWith("broken-plugin: the plugin `")));
    assert.equal(found.slice(1, 4), [
      "broken-plugin: the plugin `b_throws.ts` cannot be used: boom at b_throws.ts:3:7",
      "broken-plugin: the plugin `c_none.ts` cannot be used: it has no default export; end it with `export default definePlugin({ … })`",
      "broken-plugin: the plugin `d_old.ts` cannot be used: it is written for version 2 of the plugin API; this dottool has version 1",
    ]);
    assert.equal(found.slice(7), [
      "broken-plugin: the plugin `h_raw.ts` cannot be used: `bad name` cannot be a tool name: it must be letters, digits, `_` and `-`, at most 64",
      "broken-plugin: the plugin `i_twice.ts` cannot be used: it has two tools called `same`",
      "broken-plugin: the plugin `j_judge.ts` cannot be used: its `forgeJudges` must be an array of `{name, judge}`: a name of letters, digits, `_` and `-`, and a function",
    ]);
    assert.ok(found[6]?.includes("the tool `g` has no `run` function"));
  });
});

test("loadPlugins makes whatever a plugin throws one diagnostic, where it is read too", async () => {
  const tool =
    '{ definition: { name: { value: "t" }, description: "T", examples: [] }, effects: [], parameters: [], execute: async () => 1 }';
  const files: Record<string, string> = {
    "y_late.ts": `let reads = 0;\nconst tool = ${tool};\nObject.defineProperty(tool, "effects", { enumerable: true, get() { if (++reads > 2) throw null; return []; } });\nexport default { name: "y", api: 1, contribute: () => ({ baseTools: [tool] }) };\n`,
  };
  // Deno panics over errors whose fields are not text.
  const things = "Deno" in globalThis ? thrownThings.slice(0, 8) : thrownThings;
  for (const [index, [source]] of things.entries()) files[`x_${index}.ts`] = `throw ${source};\n`;
  await load(files, (loaded) => {
    const messages = loaded.diagnostics.map(({ code, message }) => `${code}: ${message}`);
    // Node reads what a module throws, and throws what that reading throws.
    const told = things.map(([, message], index) => (index === 7 ? "2" : index === 8 ? "6" : message));
    if (!("Deno" in globalThis))
      assert.equal(
        messages,
        [...told, "null"].map(
          (message, index) =>
            `broken-plugin: the plugin \`${index === told.length ? "y_late" : `x_${index}`}.ts\` cannot be used: ${message}`,
        ),
      );
    assert.is(messages.length, things.length + 1);
  });
});

test("loadPlugins refuses parameters and examples that are not what their types promise", async () => {
  const tool = (parameters: string, more = ""): string =>
    `import { array, choice, definePlugin, defineTool, integer, object, string } from "dottool";\nexport default definePlugin({ name: "p", tools: [defineTool({ name: "t", description: "T.", parameters: { n: ${parameters} }, ${more} run: () => "" } as never)] });\n`;
  const cases: readonly (readonly [plugin: string, fault: string])[] = [
    [
      tool('integer("N", { default: "x" as any, minimum: 5 })'),
      'the parameter `n` has a value for `default` that does not fit: expected integer, got the string "x"',
    ],
    [
      tool('integer("N", { default: 1, minimum: 5 })'),
      "the parameter `n` has a value for `default` that does not fit: expected at least 5, got 1",
    ],
    [tool('integer("N", { minimum: "5" as any })'), "the parameter `n` has a `minimum` that is not a number"],
    [tool('integer("N", { minimum: 5, maximum: 4 })'), "the parameter `n` has a `minimum` above its `maximum`"],
    [
      tool('string("N", { maximumLength: -1 })'),
      "the parameter `n` has a `maximumLength` that is not an integer, 0 or more",
    ],
    [tool('string("N", { required: "yes" as any })'), "the parameter `n` has a `required` that is not true or false"],
    [
      tool('string("N", { pattern: "a+" as any })'),
      "the parameter `n` has a `pattern` that is not a regular expression",
    ],
    [tool('choice(["a", 1] as any, "N")'), "the parameter `n` has a `choices` that is not an array of strings"],
    [
      tool('choice(["a"], "N", { example: "b" as any })'),
      'the parameter `n` has a value for `example` that does not fit: expected "a", got the string "b"',
    ],
    [
      tool('{ parameter: { description: "N", schema: { type: "string", colour: 1 }, required: false } }'),
      "the parameter `n` has an unknown field `colour`; the fields are `type`, `format`, `choices`, `pattern`, `reject`, `minimumLength`, `maximumLength`, `transforms`",
    ],
    [
      tool('{ parameter: { description: "N", schema: { type: "toString" }, required: false } }'),
      "the parameter `n` has no type; declare it with `string(…)`, `integer(…)` and the like",
    ],
    [
      tool('object({ inner: integer("I", { default: true as any }) }, "N")'),
      "the parameter `n` has a property that does not fit: the parameter `inner` has a value for `default` that does not fit: expected integer, got true",
    ],
    [
      tool('string("N", { required: true })', "examples: [{}],"),
      "one of its examples does not fit: `n` expected string, got nothing",
    ],
    [
      tool('array(string("N"), "N")', "examples: [{ n: [1] }],"),
      "one of its examples does not fit: `n[0]` expected string, got the number 1",
    ],
  ];
  const name = (index: number): string => `p${String(index).padStart(2, "0")}.ts`;
  await load(Object.fromEntries(cases.map(([text], index) => [name(index), text])), (loaded) => {
    assert.equal(
      problems(loaded),
      cases.map(
        ([, fault], index) =>
          `broken-plugin: the plugin \`${name(index)}\` cannot be used: its tool \`t\`: ${fault}${fault.includes("examples") ? "" : ` at ${name(index)}:2:50`}`,
      ),
    );
  });
});

test("loadPlugins does not wait for ever, and what a module does to all objects changes no other plugin", async () => {
  const files = {
    // Deno does not end while a module is loading, so this module ends, but too late.
    "a_hangs.ts": "await new Promise((end) => setTimeout(end, 1500));\n",
    "b_never.ts": 'export default { name: "b", api: 1, contribute: () => new Promise(() => undefined) };\n',
    "c_pollutes.ts":
      "Object.assign(Object.prototype, { baseTools: [1], default: 7, required: true });\nexport const nothing = 1;\n",
    "z_good.ts": `${head}export default definePlugin({ name: "z", tools: [defineTool({ name: "good", description: "Works.", parameters: { who: string("Who") }, run: () => "fine" })] });\n`,
  };
  await load(
    files,
    (loaded) => {
      assert.equal(problems(loaded), [
        "broken-plugin: the plugin `a_hangs.ts` cannot be used: it did not load within 0.3 s",
        "broken-plugin: the plugin `b_never.ts` cannot be used: it did not load within 0.3 s",
        "broken-plugin: the plugin `c_pollutes.ts` cannot be used: it adds `baseTools`, `default`, `required` to every object of the program",
      ]);
      assert.equal(
        loaded.tools.map((tool) => [tool.definition.name.value, tool.parameters[0]?.required]),
        [["good", false]],
      );
    },
    300,
  );
});

test("a plugin's foreseen failure is an outcome", async () => {
  const files = {
    "sad.ts": `import { definePlugin, defineTool, failed } from "dottool";\nexport default definePlugin({ name: "sad", tools: [defineTool({ name: "sad", description: "Fails.", run: () => failed("it rains", ["wait"]) })] });\n`,
  };
  await load(files, async (loaded) => {
    assert.equal(await run(loaded.tools[0], {}), {
      status: "failed",
      content: [],
      failure: { kind: "rejected", reason: "it rains", help: ["wait"] },
    });
  });
});

test("loadPlugins waits for no FIFO, and reads no device", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-plugins-"));
  try {
    execFileSync("mkfifo", [join(folder, "fifo.ts")]);
    symlinkSync("/dev/zero", join(folder, "zero.ts"));
    symlinkSync("nothing", join(folder, "gone.ts"));
    const paths = ["fifo.ts", "zero.ts", "gone.ts"].map((name) => ({ path: join(folder, name) }));
    const whys = ["it is not a regular file", "it is not a regular file", "it does not exist, or is a dangling link"];
    const { diagnostics } = await loadPlugins(paths, { host: createNodeHost(), cwd: folder });
    assert.equal(
      diagnostics.map(({ message }) => message),
      paths.map(({ path }, index) => `the plugin \`${path.slice(folder.length + 1)}\` cannot be used: ${whys[index]}`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a plugin, or a module that it imports, is read again when it has changed", async () => {
  // Deno keeps what it has loaded.
  if ("Deno" in globalThis) return;
  const files = {
    "words.ts": `${head}import { word } from "./lib/word.ts";\nexport default definePlugin({ name: "words", tools: [defineTool({ name: "say", description: "Says.", effects: ["read"], run: () => "1 " + word })] });\n`,
    "lib/word.ts": 'export { word } from "./inner.ts";\n',
    "lib/inner.ts": 'export const word = "one";\n',
  };
  await load(files, async (first, folder) => {
    const said = async (loaded: LoadedPlugins): Promise<unknown> => [
      ...problems(loaded),
      ((await run(loaded.tools[0], {})) as { content: readonly unknown[] }).content[0],
    ];
    const again = () => loadPlugins([{ path: join(folder, "words.ts") }], { host: createNodeHost(), cwd: folder });
    assert.equal(await said(first), [{ type: "text", text: "1 one" }]);
    assert.is(run((await again()).tools[0], {}) instanceof Promise, true);
    writeFileSync(join(folder, "lib/inner.ts"), 'export const word = "two";\n');
    assert.equal(await said(await again()), [{ type: "text", text: "1 two" }]);
    writeFileSync(join(folder, "words.ts"), files["words.ts"].replace("1 ", "2 "));
    assert.equal(await said(await again()), [{ type: "text", text: "2 two" }]);
    writeFileSync(join(folder, "lib/inner.ts"), "export const word = ;\n");
    assert.equal(problems(await again()), [
      "broken-plugin: the plugin `words.ts` cannot be used: Expression expected at lib/inner.ts:1:21",
    ]);
    assert.equal(first.tools[0] && (await run(first.tools[0], {})), {
      status: "ok",
      content: [{ type: "text", text: "1 one" }],
    });
  });
});

test("a mistake has its file, line and column, whatever keeps the plugin from loading", async () => {
  const files = {
    "a.ts": `${head}export default definePlugin({ name: "a" tools: [] });\n`,
    "b.ts": `${head}enum Word { One = 1 }\nconst x: = Word.One;\n`,
    "c.ts": `${head}enum Word { One = 1 }\n\nthrow new Error(\`word \${Word.One}\`);\n`,
    "d.ts": 'import { thrower } from "./lib/thrower.ts";\nthrower();\n',
    "lib/thrower.ts": 'export function thrower(): void {\n  throw new Error("at load");\n}\n',
    "e.ts": "const a = `x;\n",
  };
  await load(files, (loaded) => {
    assert.equal(
      problems(loaded).map((line) => line.replace(/^.*cannot be used: .* at /, "")),
      ["a.ts:2:41", "b.ts:3:10", "c.ts:4:7", "d.ts:2:1", "e.ts:1:11"],
    );
  });
});

test.run();
