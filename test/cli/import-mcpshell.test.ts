// What MCPShell makes of its templates, each read, written as a definition, and run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, startingOnce, testProject } from "../test-project.ts";

const test = suite("import of MCPShell");
const runLine = startingOnce();

const source = `mcp:
  tools:
    - name: flags
      params: { state: { type: string }, most: { type: number }, web: { type: boolean } }
      run:
        command: |
          {{ if .web }}
          printf 'web '
          {{ else }}
          printf 'all '
          {{ end }}
          printf '<%s>' {{ if .state }}--state {{ .state }}{{ end }} {{ if .most }}--limit {{ .most }}{{ end }}
    - name: collected
      params: { state: { type: string } }
      run:
        command: |
          ARGS="{{ if .state }}--state {{ .state }}{{ end }}"
          printf '<%s>' $ARGS
    - name: chosen
      params: { title: { type: string } }
      run: { command: "echo '{{ if .title }}Hello, {{ .title }}{{ else }}Hello{{ end }}!'" }
    - name: foreign
      params: { name: { type: string } }
      run: { command: "printf '%s\\\\n' '{{.State.Status}} {{json .Names}}' {{ .name }}" }
    - name: free
      params: { command: { type: string, required: true } }
      constraints: ["!command.contains(';')"]
      run: { command: "{{ .command }}" }
    - name: limited
      params:
        priority: { type: string }
        zone: { type: string, required: true }
      constraints:
        - "priority == '' || ['high', 'low'].exists(p, p == priority)"
        - 'zone.matches("^Z[A-Z0-9/]+$")'
      run:
        command: |
          printf '<%s>' {{ .zone }} {{ .priority }}
    - name: narrow
      params:
        word: { type: string }
        count: { type: integer, default: 5 }
      constraints:
        - "!word.contains(';') && !word.contains('..')"
        - "(word.size() > 1 && word.size() <= 8)"
        - "count >= 1 && count <= 50"
        - "true"
      run: { command: "echo {{ .word }} {{ .count }}" }
    - name: unsaid
      params: { value: { type: number, required: true }, other: { type: number } }
      constraints: ["int(value) % 2 == 0", "value <= 10 || other >= 3"]
      run: { command: "echo {{ .value }}" }
    - name: branch
      params: { name: { type: string } }
      run:
        command: |
          if false; then
            WHO="{{ .name }}"
          fi
          echo "[$WHO]"
`;

async function imported(
  use: (run: (...words: readonly string[]) => Promise<string>, bench: TestProject) => Promise<void>,
) {
  using bench = testProject({ "tools.yaml": source });
  const { stderr, exitCode } = await runLine(bench, ["import", "tools.yaml"]);
  assert.is(exitCode, 0, stderr);
  await use(async (...words) => {
    const { stdout, stderr: said } = await runLine(bench, words);
    return stdout + said;
  }, bench);
}

test("a choice within a line becomes a flag, and one around lines an `if` of the shell", () =>
  imported(async (run) => {
    assert.is(await run("flags"), "all <>");
    assert.is(await run("flags", "--state", "$(id)", "--most", "3", "--web"), "web <--state><$(id)><--limit><3>");
  }));

test("a template with more than that is not imported", () =>
  imported(async (run) => {
    const said = (await run("import", "tools.yaml", "--print"))
      .split("\n")
      .filter((line) => /^not imported/.test(line));
    assert.equal(said, [
      "not imported: `collected`: `state` has a `flag`, so it becomes whole words",
      "not imported: `chosen`: `{{ if .title }}` has no counterpart in a definition",
    ]);
  }));

test("templates of another program are text", () =>
  imported(async (run) => {
    assert.is(await run("foreign", "--name", "x"), "{{.State.Status}} {{json .Names}}\nx\n");
  }));

test("a value that is the command is a program, which a model may not run without a person", () =>
  imported(async (run, bench) => {
    assert.is(await run("free", "--command", "echo a b | tr ab AB"), "A B\n");
    assert.match(await run("free", "--command", "echo a; echo b"), "is not accepted here (it matches /;/)");
    const call =
      '{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"free","arguments":"{\\"command\\":\\"id\\"}"}}]}';
    const { stdout } = await bench.run(["exec"], { stdin: call });
    assert.match(stdout, "denied");
  }));

test("constraints about one parameter are limits in its schema", () =>
  imported(async (run) => {
    const schema = JSON.parse(await run("schema", "limited")) as { readonly properties: Record<string, object> };
    assert.equal(schema.properties, {
      priority: { type: "string", enum: ["high", "low"] },
      zone: { type: "string", pattern: "^(?:Z[A-Z0-9\\/]+)$" },
    });
    assert.is(await run("limited", "--zone", "Z1", "--priority", "low"), "<Z1><low>");
    const { properties, required } = JSON.parse(await run("schema", "narrow")) as Record<string, unknown>;
    assert.equal(properties, {
      word: { type: "string", minLength: 2, maxLength: 8, not: { pattern: ";|\\.\\." } },
      count: { type: "integer", default: 5, minimum: 1, maximum: 50 },
    });
    assert.equal(required, ["word"], "MCPShell refuses the empty text");
    assert.match(await run("narrow", "--word", "a..b"), "is not accepted here (it matches");
  }));

test("a constraint that is no limit is a note, and a person confirms each call", () =>
  imported(async (run, bench) => {
    const definition = readFileSync(join(bench.folder, ".tools/unsaid.tool"), "utf8");
    const lines = definition.split("\n").filter((line) => /^@(?:note|confirm)/.test(line));
    assert.equal(lines, [
      "@confirm MCPShell checks these values, and dottool does not: int(value) % 2 == 0; value <= 10 || other >= 3",
      "@note not checked here: the constraint `int(value) % 2 == 0`",
      "@note not checked here: the constraint `value <= 10 || other >= 3`",
    ]);
    const call =
      '{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"unsaid","arguments":"{\\"value\\":2}"}}]}';
    assert.match((await bench.run(["exec"], { stdin: call })).stdout, "denied");
    assert.is(await run("--yes", "unsaid", "--value", "2"), "2\n");
  }));

test("a variable that is set in a branch stays one", () =>
  imported(async (run) => {
    assert.is(await run("branch", "--name", "x"), "[]\n");
  }));

test("a tool for another shell is left out, with its shell", async () => {
  using bench = testProject({
    "tools.yaml": "mcp:\n  run: { shell: pwsh }\n  tools:\n    - name: a\n      run: { command: Get-Date }\n",
  });
  const { stdout, stderr } = await runLine(bench, ["import", "tools.yaml", "--print"]);
  assert.equal(stdout, "");
  assert.match(stderr, "its shell `pwsh` is none of sh, bash and zsh");
});

test.run();
