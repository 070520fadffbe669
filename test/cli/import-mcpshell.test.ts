// What MCPShell makes of its templates, each read, written as a definition, and run.
import { assert, suite } from "../harness.ts";
import { type ToolBench, startingOnce, toolBench } from "../tool-bench.ts";

const test = suite("import of MCPShell");
const runLine = startingOnce();

const source = `mcp:
  tools:
    - name: collected
      params: { state: { type: string }, most: { type: number }, web: { type: boolean } }
      run:
        command: |
          ARGS="--all"
          ARGS="$ARGS {{ if .state }}--state {{ .state }}{{ end }}"
          ARGS="$ARGS {{ if .most }}--limit {{ .most }}{{ end }}"
          ARGS="$ARGS {{ if .web }}--web{{ end }}"

          PROFILE=""
          {{ if .web }}
          PROFILE="--profile web"
          {{ end }}
          printf '<%s>' $ARGS $PROFILE
    - name: quoted
      params: { name: { type: string, required: true }, title: { type: string } }
      run:
        command: echo '{{ if .title }}Hello, {{ .title }} {{ .name }}!{{ else }}Hello, {{ .name }}!{{ end }}'
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
          OPTIONS="-p {{ .priority }}"
          printf '<%s>' {{ .zone }} $OPTIONS
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
  use: (run: (...words: readonly string[]) => Promise<string>, bench: ToolBench) => Promise<void>,
) {
  const bench = toolBench({ "tools.yaml": source });
  try {
    const { stderr, exitCode } = await runLine(bench, ["import", "tools.yaml"]);
    assert.is(exitCode, 0, stderr);
    await use(async (...words) => {
      const { stdout, stderr: said } = await runLine(bench, words);
      return stdout + said;
    }, bench);
  } finally {
    bench.remove();
  }
}

test("what a variable collects from its parameters becomes words of the command", () =>
  imported(async (run) => {
    assert.is(await run("collected"), "<--all>");
    assert.is(
      await run("collected", "--state", "open", "--most", "3", "--web"),
      "<--all><--state><open><--limit><3><--web><--profile><web>",
    );
  }));

test("a choice within quotes becomes two lines, and its values stay data", () =>
  imported(async (run) => {
    assert.is(await run("quoted", "--name", "Ana"), "Hello, Ana!\n");
    assert.is(await run("quoted", "--name", "'; id; '", "--title", "Dr $(id)"), "Hello, Dr $(id) '; id; '!\n");
  }));

test("templates of another program are text", () =>
  imported(async (run) => {
    assert.is(await run("foreign", "--name", "x"), "{{.State.Status}} {{json .Names}}\nx\n");
  }));

test("a value that is the command is a program, which a model may not run without a person", () =>
  imported(async (run, bench) => {
    assert.is(await run("free", "--command", "echo a b | tr ab AB"), "A B\n");
    assert.match(await run("free", "--command", "echo a; echo b"), "these values break a constraint");
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
    assert.is(await run("limited", "--zone", "Z1"), "<Z1><-p>");
    assert.is(await run("limited", "--zone", "Z1", "--priority", "low"), "<Z1><-p><low>");
  }));

test("a variable that is set in a branch stays one", () =>
  imported(async (run) => {
    assert.is(await run("branch", "--name", "x"), "[]\n");
  }));

test.run();
