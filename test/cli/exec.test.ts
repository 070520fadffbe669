import { toolBench } from "../tool-bench.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cli/exec");

const GREET = 'Greets.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo hello {name}\n@param name {string} [required] Whom\n@tags read\n';

test("exec answers the calls of a response in the shape of its API, each once and in order", async () => {
  const bench = toolBench({ "tools/greet.tool": GREET });
  try {
    const call = (id: string, name: string, args: string): unknown => ({ id, type: "function", function: { name, arguments: args } });
    const reply = { choices: [{ finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: [call("a", "greet", '{"name":"Ana"}'), call("b", "gret", "{}"), call("c", "greet", '{"name":"B'), call("a", "greet", '{"name":"Ben"}')] } }] };
    const run = await bench.run(["--tools", "tools", "exec"], { stdin: JSON.stringify(reply) });
    const [first, second, third, fourth] = JSON.parse(run.stdout) as { role: string; tool_call_id: string; content: string }[];
    assert.equal([run.exitCode, run.stderr, first], [0, "", { role: "tool", tool_call_id: "a", content: "hello Ana\n" }]);
    assert.match(second?.content ?? "", /^failed\[unknown-tool\]: there is no tool `gret`; did you mean `greet` or `grep`\?/);
    assert.equal(third, { role: "tool", tool_call_id: "c", content: "failed[call]: the arguments are no JSON that can be used: the JSON ends here, within a string (line 1, column 11)\n" });
    assert.equal(fourth, { role: "tool", tool_call_id: "a", content: "failed[call]: a call before this one has the id `a` too, so this one was not run; give each call an id of its own\n" });
  } finally {
    bench.remove();
  }
});

test.run();
