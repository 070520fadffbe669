// The ten stages of the walk with the first tool: `glob.tool`, from its text to a result.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../src/core/base/run-command.ts";
import { createToolBuilder } from "../src/core/builder/tool-builder.ts";
import { discoverToolFiles } from "../src/core/catalog/discover.ts";
import { decodeSource, readDefinitionBytes } from "../src/core/catalog/load.ts";
import { createNodeHost } from "../src/core/host/node-host.ts";
import { analyzeToolFile } from "../src/core/language/analyze.ts";
import { parseToolFile } from "../src/core/language/syntax/parse.ts";
import { callTool } from "../src/core/run/call-tool.ts";
import { consentOfPerson, judgeCall } from "../src/core/run/judge.ts";
import { prepareCall } from "../src/core/run/prepare.ts";
import type { Session } from "../src/core/run/session.ts";
import type { SourceFile } from "../src/core/text/source.ts";
import type { ToolDefinition } from "../src/core/tool/definition.ts";
import { createRegistry } from "../src/core/tool/registry.ts";
import type { Tool } from "../src/core/tool/tool.ts";
import { assert, suite } from "./harness.ts";

const test = suite("walk");

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "wrapped-tools");
const path = join(folder, "glob.tool");
const host = createNodeHost();

test("1 find: discoverToolFiles names the definitions of a folder", () => {
  const found = discoverToolFiles({ scope: "given", path: folder, shownPath: "wrapped-tools", isNamed: true }, host);
  assert.equal(found.diagnostics, []);
  assert.ok(found.files.some((file) => file.path === path));
});

function source(): SourceFile {
  const bytes = readDefinitionBytes(path, "glob.tool", { host });
  const decoded = "code" in bytes ? bytes : decodeSource("glob.tool", bytes);
  if ("code" in decoded) throw new Error(decoded.message);
  return decoded;
}

test("2 read: the bytes of a definition become its text", () => {
  assert.equal(source(), { path: "glob.tool", text: readFileSync(path, "utf8") });
});

test("3 parse: parseToolFile splits the text into a description and annotations", () => {
  const file = parseToolFile(source());
  assert.ok(file.description.text.startsWith("Find files by a pattern of their paths, or with arguments of `find`."));
  assert.equal(
    file.annotations.slice(0, 4).map(({ keyword, text }) => [keyword, text.text]),
    [
      ["title", "Find Files"],
      ["name", "glob"],
      ["wrapped", "run_command"],
      ["command", "find {arguments} {path} -type f {pattern}"],
    ],
  );
});

function definition(): ToolDefinition {
  const analyzed = analyzeToolFile(parseToolFile(source()));
  if (!analyzed.value || analyzed.diagnostics.length > 0) throw new Error(JSON.stringify(analyzed.diagnostics));
  return analyzed.value;
}

test("4 analyze: analyzeToolFile makes a definition of it", () => {
  const made = definition();
  assert.ok(made.kind === "wrapped");
  const [everywhere] = made.kind === "wrapped" ? made.commands : [];
  const flag = "-not -path */.git/* -not -path */node_modules/* -regextype posix-extended -regex".split(" ");
  assert.equal(everywhere, {
    command: {
      kind: "direct",
      words: [
        { parts: ["find"] },
        { parts: [{ placeholder: "arguments" }] },
        { parts: [{ placeholder: "path" }] },
        { parts: ["-type"] },
        { parts: ["f"] },
        {
          parts: [
            {
              placeholder: "pattern",
              flag: [...flag.map((word) => ({ parts: [word] })), { parts: [{ placeholder: "value" }] }],
            },
          ],
          reader: { program: "`find`", instead: "as a `{path}`, or with `./` before it" },
        },
      ],
    },
  });
  assert.equal(made.declaredEffects, ["read"]);
});

function tool(): Tool {
  const builder = createToolBuilder({
    platform: "linux",
    definition: () => undefined,
    baseTool: (name) => (name === "run_command" ? runCommand : undefined),
    names: () => [],
  });
  const built = builder.build(definition());
  if (!built.value) throw new Error(JSON.stringify(built.diagnostics));
  return built.value;
}

test("5 build: the builder puts it on the base tool it wraps", () => {
  assert.equal(tool().expand?.({ arguments: [".", "-name", "*.ts"] }), {
    tool: "run_command",
    arguments: { argv: ["find", ".", "-name", "*.ts", "-type", "f"] },
  });
});

function session(): Session {
  const glob = tool();
  return {
    registry: createRegistry({ names: () => ["glob"], build: (name) => (name === "glob" ? glob : undefined) }),
    policy: [consentOfPerson],
    approver: { ask: async () => "denied" },
    host,
    cwd: folder,
    audience: "person",
    setting: async () => undefined,
    memory: new Map(),
  };
}

test("6 register: a registry finds it by name", () => {
  assert.is(session().registry.find("glob")?.definition.name.value, "glob");
});

const call = { id: "1", tool: "glob", arguments: { arguments: [".", "-name", "glob.tool"] } };

test("7 prepare: prepareCall proves that the arguments fit", async () => {
  const step = await prepareCall(call, session());
  assert.equal("prepared" in step && step.prepared.arguments, { arguments: [".", "-name", "glob.tool"] });
});

test("7 prepare: what `reject` names does not pass", async () => {
  const step = await prepareCall({ ...call, arguments: { arguments: [".", "-delete"] } }, session());
  assert.equal("failure" in step && step.failure.kind, "invalid-arguments");
});

test("8 judge: a person's call is consent", async () => {
  const step = await prepareCall(call, session());
  assert.is("prepared" in step && judgeCall(step.prepared, [consentOfPerson]).decision, "allow");
});

test("9 and 10 execute, finish: callTool gives the output with the report of the process", async () => {
  const result = await callTool(call, session(), new AbortController().signal);
  assert.is(result.status, "ok");
  assert.equal(result.content, [{ type: "text", text: "./glob.tool\n" }]);
  assert.equal(
    [result.process?.argv, result.process?.exitCode],
    [["find", ".", "-name", "glob.tool", "-type", "f"], 0],
  );
});

test.run();
