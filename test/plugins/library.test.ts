// The package as `npm install dottool` installs it in another program's node_modules, where Node strips no types.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";

const test = suite("library");
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "dottool-library-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function node(words: readonly string[]): string {
  return execFileSync("node", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Installs the package and what it does not have inside, and nothing else of the repository. */
function install(): void {
  execFileSync("node", ["scripts/library.mjs"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["xzf", packed], { cwd: folder });
  mkdirSync(join(folder, "node_modules"));
  renameSync(join(folder, "package"), join(folder, "node_modules/dottool"));
  for (const name of ["@viz-js/viz", "amaro", "quickjs-wasi", "@types"]) {
    mkdirSync(join(folder, "node_modules", name, ".."), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
}

const program = `
import * as dottool from "dottool";

const tools = await dottool.openTools({ cwd: ".", toolFolders: [".tools"] });
const pieces = async (name, args) => (await tools.call(name, args)).content;
console.log(JSON.stringify(await pieces("glob", { arguments: [".", "-maxdepth", "1", "-name", "p*.mjs"] })));
console.log(JSON.stringify(await pieces("names", {})));
console.log(JSON.stringify(Object.keys(dottool).sort()));
console.log(JSON.stringify(await pieces("twice", { n: 4 })));
console.log((await import("dottool")).openTools === dottool.openTools);
const declared = await tools.declarations("openai", ["twice"]);
const reply = { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "twice", arguments: '{"n": 5}' } }] };
console.log(JSON.stringify([declared[0].function.name, (await tools.answer(reply)).messages]));
console.log(JSON.stringify((await dottool.checkDefinition("Odd.\\n\\n@name odd\\n@comand: ls\\n")).map(({ code, line }) => [code, line])));
const server = await dottool.createMcpServer({ cwd: ".", toolFolders: [".tools"] });
console.log(typeof server.connect === "function");
`;

const plugin = `
import * as dottool from "dottool";
import { definePlugin, defineTool } from "dottool";

enum Order { Up }
const names = defineTool({ name: "names", description: "Names all that it can import.", run: () => ({ order: Order.Up, names: Object.keys(dottool).sort() }) });
export default definePlugin({ name: "names", tools: [names] });
`;

test("a program that has the package installed opens tools, and its plugins import the same", () => {
  install();
  writeFileSync(join(folder, "program.mjs"), program);
  mkdirSync(join(folder, ".tools/plugins"), { recursive: true });
  writeFileSync(join(folder, ".tools/plugins/names.ts"), plugin);
  writeFileSync(
    join(folder, ".tools/twice.tool"),
    "Doubles.\n\n@title Twice\n@name twice\n@param n {integer} [required] What to double\n@code\n  const twice: number = n * 2; return { twice };\n",
  );
  const [found, ofPlugin, ofProgram, ofSandbox, isSame, roundTrip, mistakes, isServer] = node(["program.mjs"])
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  assert.equal(ofSandbox, [{ type: "json", value: { twice: 8 } }]);
  assert.equal(roundTrip, ["twice", [{ role: "tool", tool_call_id: "c", content: '{\n  "twice": 10\n}\n' }]]);
  assert.equal(mistakes, [["unknown-annotation", 4]]);
  assert.is(isServer, true);
  assert.equal(
    { found, ofPlugin, isSame },
    {
      found: [{ type: "text", text: "./program.mjs\n" }],
      ofPlugin: [{ type: "json", value: { order: 0, names: ofProgram } }],
      isSame: true,
    },
  );
  assert.ok(
    Array.isArray(ofProgram) && ["defineTool", "openTools", "string"].every((name) => ofProgram.includes(name)),
  );
});

test("the package brings the program for npx, and types that a compiler accepts, with the plugins of the repository", () => {
  assert.match(node(["node_modules/dottool/dist/lib/main.js", "--version"]), /^dottool \d/);
  writeFileSync(
    join(folder, "typed.mts"),
    `import { openTools, defineTool, string, type ToolResult } from "dottool";
export const messages: unknown = (await (await openTools({ cwd: "." })).answer("{}")).messages;
export const result: ToolResult = await (await openTools({ cwd: "." })).call("glob", {});
defineTool({ name: "a", description: "A.", parameters: { a: string("A", { required: true }) }, run: ({ a }) => a.length });
// @ts-expect-error a string is no number
defineTool({ name: "b", description: "B.", parameters: { b: string("B", { required: true }) }, run: ({ b }) => b * 2 });
`,
  );
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "plugins/tsconfig.json"),
      // Not the source, which `npm run types` sees to.
      compilerOptions: { customConditions: [] },
      include: ["typed.mts", join(root, "plugins")],
    }),
  );
  node([join(root, "node_modules/typescript/bin/tsc"), "-p", "."]);
});

test.run();
