// One definition in every form that `dottool export` and `dottool schema` write: each gives its name, description, schema
// of the input, effects and result. Clients of the forms that start a server are in export-clients.test.ts.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import JSZip from "jszip";
import { elf, machO, pe } from "../bundle/executables.ts";
import { assert, suite } from "../harness.ts";
import { startHttp } from "../mcp/server-fixture.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("export forms");
const repository = fileURLToPath(new URL("../..", import.meta.url));

const measure = `Measures a file "as it is": \`wc\` & no \${more}.

@title Measure
@name measure
@param file {path} [required] Which file
@param unit {"lines"|"bytes"} [default=lines] What to count; */ ends no comment
@param most {integer} [default=9, min=1, max=99] The highest count
@code
  return { file, unit, most };
@returns {object} What was measured
@tags read
`;

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: object;
}

async function withFixture(use: (bench: TestProject, listed: Listed) => Promise<void>): Promise<void> {
  using bench = testProject({
    ".tools/measure.tool": measure,
    ".tools/package.json": '{"name":"ops","version":"1.0.0"}',
  });
  const { stdout } = await bench.here(["schema", "measure", "--for", "mcp"]);
  const [listed] = (JSON.parse(stdout) as { readonly tools: readonly Listed[] }).tools;
  assert.ok(listed);
  if (listed) await use(bench, listed);
}

async function written(bench: TestProject, form: string, output: string): Promise<string> {
  const { exitCode, stderr } = await bench.here(["export", form, "-o", output]);
  assert.is(exitCode, 0, stderr);
  return readFileSync(join(bench.folder, output), "utf8");
}

const args = { file: "Ana.txt", most: 3 };
const result = { file: "Ana.txt", unit: "lines", most: 3 };

test("the OpenAPI document is valid, says what MCP lists, and its operation gives the result", () =>
  withFixture(async (bench, { name, title, description, inputSchema, annotations }) => {
    const document = JSON.parse(await written(bench, "openapi", "ops.json")) as {
      readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
    };
    assert.equal(await new Validator().validate(document), { valid: true });
    const [[path = "", item] = []] = Object.entries(document.paths);
    const { operationId, summary, description: said, requestBody, "x-annotations": hints } = item?.post ?? {};
    assert.equal(
      { name: operationId, title: summary, description: said, annotations: hints },
      { name, title, description, annotations },
    );
    assert.equal(requestBody?.content["application/json"].schema, inputSchema);
    const server = await startHttp(bench);
    try {
      const answer = await fetch(new URL(path, server.url), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(args),
      });
      assert.equal(((await answer.json()) as { readonly structuredContent: unknown }).structuredContent, result);
    } finally {
      await server.stop();
    }
  }));

test("a tool with a definition for each platform is exported once, and is served from the folder that was named", async () => {
  const on = (platforms: string): string => `${measure}@platforms ${platforms}\n`;
  using bench = testProject({ "ops/measure.tool": on("linux macos"), "ops/measure.windows.tool": on("windows") });
  const { stdout } = await bench.here(["export", "openapi", "ops", "-o", "ops.json"]);
  assert.is(stdout, "wrote ops.json: 1 tool as `ops`\nserve it: dottool --tools ops mcp --http 8765\n");
});

test("an mcpb is for the system of the executable that is given, by the name that the format has for it", () =>
  withFixture(async (bench) => {
    for (const [base, bytes, [system, program]] of [
      ["linux", elf(), ["linux", "server/ops"]],
      ["mac", machO(), ["darwin", "server/ops"]],
      ["windows", pe(), ["win32", "server/ops.exe"]],
    ] as const) {
      writeFileSync(join(bench.folder, base), bytes);
      const output = `${base}.mcpb`;
      const { exitCode, stderr } = await bench.here(["export", "mcpb", "-o", output, "--base", base]);
      assert.is(exitCode, 0, stderr);
      const { files } = await JSZip.loadAsync(readFileSync(join(bench.folder, output)));
      const { server, compatibility } = JSON.parse((await files["manifest.json"]?.async("text")) ?? "") as {
        readonly server: { readonly entry_point: string };
        readonly compatibility: object;
      };
      assert.equal([compatibility, server.entry_point], [{ platforms: [system] }, program]);
      assert.ok(files[program]);
    }
  }));

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: object } } };
  readonly "x-annotations"?: object;
}

const program = `import { openTools } from "dottool";
import type { ToolArguments, ToolReturns, Tools } from "./ops.ts";
const tools: Tools = await openTools({ cwd: ".", toolFolders: [".tools"] });
const args: ToolArguments["measure"] = ${JSON.stringify(args)};
const { content: [piece] } = await tools.call("measure", args);
const value: ToolReturns["measure"] | undefined = piece?.type === "json" ? piece.value as ToolReturns["measure"] : undefined;
console.log(JSON.stringify(value));
// @ts-expect-error there is no such tool
void (() => tools.call("measur", args));
// @ts-expect-error the file is required
void (() => tools.call("measure", {}));
// @ts-expect-error no such unit
void (() => tools.call("measure", { file: "x", unit: "miles" }));
await tools.close();
`;

test("the TypeScript types say what MCP lists, and a program compiles that calls the tool and gets the result", () =>
  withFixture(async (bench, { description }) => {
    const types = await written(bench, "typescript", "ops.ts");
    assert.ok(types.includes(`/** ${description.replaceAll(/\s+/g, " ")} @remarks Effects: read. */`), types);
    assert.ok(types.includes('/** What to count; * / ends no comment */ unit?: "lines" | "bytes";'), types);
    const write = (path: string, text: string): void => writeFileSync(join(bench.folder, path), text);
    mkdirSync(join(bench.folder, "node_modules"));
    symlinkSync(repository, join(bench.folder, "node_modules/dottool"));
    symlinkSync(join(repository, "node_modules/@types"), join(bench.folder, "node_modules/@types"));
    write("program.ts", program);
    write("package.json", '{"type":"module"}');
    write(
      "tsconfig.json",
      JSON.stringify({
        extends: join(repository, "plugins/tsconfig.json"),
        include: ["program.ts", join(repository, "src/features/packages/untyped-modules.d.ts")],
      }),
    );
    const run = (...words: readonly string[]): string => {
      const { environment } = bench.program;
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        cwd: bench.folder,
        encoding: "utf8",
        env: environment,
      });
      assert.is(status, 0, stdout + stderr);
      return stdout;
    };
    run(join(repository, "node_modules/typescript/bin/tsc"), "-p", ".");
    assert.equal(JSON.parse(run("--conditions=dottool-source", "program.ts")), result);
  }));

interface Schema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: unknown;
}
type Declared = Readonly<Partial<Record<"parameters" | "input_schema" | "parametersJsonSchema", Schema>>> & {
  readonly name: string;
  readonly description: string;
  readonly function?: Declared;
  readonly functionDeclarations?: readonly [Declared];
};

async function declaredFor(dialect: string, bench: TestProject): Promise<readonly [Declared, Schema | undefined]> {
  const { stdout } = await bench.here(["schema", "measure", "--for", dialect]);
  const [whole] = JSON.parse(stdout) as readonly [Declared];
  const own = whole.function ?? whole.functionDeclarations?.[0] ?? whole;
  return [own, own.parameters ?? own.input_schema ?? own.parametersJsonSchema];
}

test("the function declarations for each API have that name, description and schema", () =>
  withFixture(async (bench, { name, description, inputSchema }) => {
    for (const dialect of ["openai", "openai-responses", "anthropic", "mistral"]) {
      const [declared, schema] = await declaredFor(dialect, bench);
      assert.equal([declared.name, declared.description, schema], [name, description, inputSchema], dialect);
    }
    // These APIs know fewer keywords, so the description says what is missing.
    for (const dialect of ["gemini", "ollama"]) {
      const [declared, schema] = await declaredFor(dialect, bench);
      assert.equal([declared.name, declared.description.startsWith(description)], [name, true], dialect);
      const { properties, required } = inputSchema as Schema;
      assert.equal(schema?.required, required);
      for (const [key, { type, description: said, default: value }] of Object.entries(properties)) {
        const { description: text = "", ...own } = schema?.properties[key] ?? {};
        assert.equal([own["type"], String(text).startsWith(String(said))], [type, true], key);
        if (value !== undefined) assert.ok(String(text).includes(`default: ${JSON.stringify(value)}`), String(text));
      }
    }
  }));

test("the skill names each parameter with its type, choices and default, and a call by its words gives the result", () =>
  withFixture(async (bench, { description }) => {
    const reference = await written(bench, "skill", "skill").catch(() =>
      readFileSync(join(bench.folder, "skill/references/measure.md"), "utf8"),
    );
    assert.ok(reference.includes(description.split("\n")[0] ?? ""), reference);
    for (const said of [
      /--file PATH +Which file \(path; required\)/,
      /--unit lines\|bytes .*; default lines\)/,
      /1 to 99; default 9\)/,
      /^Effects: read\.$/m,
    ])
      assert.match(reference, said);
    const { stdout } = await bench.here(["--tools", "skill/tools", "call", "measure", "--json", JSON.stringify(args)]);
    assert.equal(JSON.parse(stdout), result);
  }));

test.run();
