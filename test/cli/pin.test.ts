// Tools of MCP servers on the command line: looking starts nothing, a call asks the server first, and a changed tool
// waits for a person.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hostileServer, serverLines } from "../mcp/client-fixture.ts";
import { assert } from "../harness.ts";
import { sideBySide } from "../side-by-side.ts";
import { type TestProject, testProject, startingOnce } from "../test-project.ts";

const test = sideBySide("cli/pin");
const runLine = startingOnce();

async function withServer(
  mode: string,
  work: (bench: TestProject, diary: () => readonly string[]) => Promise<void>,
): Promise<void> {
  using bench = testProject({
    "tools/echo.tool": "Say it again.\n\n@title Echo\n@name echo\n@wrapped mcp:it/echo\n@keywords again\n",
    "tools/two.tool":
      "Twice.\n\n@title Two\n@name two\n@param words {string} [required] Which\n@step one uses echo\n  text = {words}\n@step two uses mcp:it/restless\n",
  });
  bench.write("notes/diary", "");
  bench.write(
    "home/.config/dottool/config.yaml",
    `mcp_servers:\n  it:\n    ${serverLines(hostileServer, mode).replace("NOTES_FOLDER", JSON.stringify(join(bench.folder, "notes")))}\n`,
  );
  await work(bench, () =>
    readFileSync(join(bench.folder, "notes/diary"), "utf8")
      .trim()
      .split("\n")
      .filter((line) => line !== ""),
  );
  assert.equal(left(bench.folder), []);
}

function left(folder: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder);
    } catch {
      return false;
    }
  });
}

const tools = ["--tools", "tools"];

test("what looks at a tool starts no server", async () => {
  await withServer("plain", async (bench, diary) => {
    await Promise.all(
      [
        ["list"],
        ["show", "echo"],
        ["check"],
        ["schema", "--for", "mcp"],
        ["graph", "two"],
        ["doctor"],
        ["__complete", "dottool", "echo", "--"],
      ].map((words) => runLine(bench, [...tools, ...words])),
    );
    assert.equal(diary(), []);
    const { stderr, exitCode } = await runLine(bench, [...tools, "explain", "echo", "text=a"]);
    assert.equal(
      [stderr, exitCode],
      [
        "failed[unavailable]: `echo` cannot run here\n  the tool `echo` of the MCP server `it` is not pinned yet\n  = run: dottool pin it/echo\n",
        66,
      ],
    );
  });
});

test("the first call of a person asks the server what a tool takes, in the same run that calls it", async () => {
  await withServer("plain", async (bench, diary) => {
    assert.equal(await runLine(bench, [...tools, "echo", "hello"]), { stdout: "hello\n", stderr: "", exitCode: 0 });
    assert.is(diary().filter((line) => line.startsWith("start ")).length, 1);
    const shown = await runLine(bench, [...tools, "echo", "--help"]);
    assert.match(shown.stdout, /--text TEXT {2}What \(string; required\)/);
    assert.equal(
      (await runLine(bench, [...tools, "echo"])).stderr.split("\n")[1],
      "  text  expected string, got nothing",
    );
    assert.is(diary().filter((line) => line.startsWith("start ")).length, 1);
  });
});

test("a model's call asks no server, and is judged like any program's", async () => {
  await withServer("plain", async (bench, diary) => {
    const reply = JSON.stringify({
      choices: [
        {
          message: {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "1", type: "function", function: { name: "echo", arguments: '{"text":"a"}' } }],
          },
        },
      ],
    });
    const first = await runLine(bench, [...tools, "exec"], { stdin: reply });
    assert.match(first.stdout, /is not pinned yet/);
    assert.equal(diary(), []);
    await runLine(bench, [...tools, "pin", "it/echo"]);
    assert.match((await runLine(bench, [...tools, "exec"], { stdin: reply })).stdout, /denied/);
    const config = join(bench.folder, "home/.config/dottool/config.yaml");
    bench.write(
      "home/.config/dottool/config.yaml",
      `${readFileSync(config, "utf8")}policy:\n  - {decision: allow, tool: echo, front_end: exec}\n`,
    );
    assert.equal(JSON.parse((await runLine(bench, [...tools, "exec"], { stdin: reply })).stdout), [
      { role: "tool", tool_call_id: "1", content: "a\n" },
    ]);
  });
});

test("`pin` shows what it takes, what has changed and what there is not, and refuses to work for a tool", async () => {
  await withServer("restless", async (bench) => {
    const first = await runLine(bench, ["pin", "it/restless", "it/ecko"]);
    assert.equal(
      { ...first, stdout: first.stdout.replace(/\d+/, "PID") },
      {
        stdout: "pinned     mcp:it/restless  Says something else each time: PID\n",
        stderr:
          "failed[unavailable]: the MCP server `it` has no tool `ecko`; did you mean `echo`?\n  = `dottool pin it` lists its tools\n",
        exitCode: 66,
      },
    );
    bench.write("notes/quiet", "");
    const changed =
      '- description: "Says something else each time: PID"\n  + description: "Says something else each time: "\n';
    const refused = await runLine(bench, ["mcp:it/restless"]);
    assert.equal(
      { ...refused, stderr: refused.stderr.replace(/\d+/, "PID") },
      {
        stdout: "",
        stderr: `failed[unavailable]: \`mcp:it/restless\` cannot run here\n  the MCP server \`it\` has changed its tool \`restless\` since a person accepted it\n  ${changed}  = to review and accept it: dottool pin it/restless\n`,
        exitCode: 66,
      },
    );
    assert.equal(await runLine(bench, ["pin", "it/restless"], { environment: { DOTTOOL_RUN_ID: "0".repeat(32) } }), {
      stdout: "",
      stderr: "failed[pin]: a tool started this command, and only a person may pin tools\n",
      exitCode: 77,
    });
    const accepted = await runLine(bench, ["pin", "it/restless"]);
    assert.equal(
      { ...accepted, stdout: accepted.stdout.replace(/\d+/, "PID") },
      { stdout: `accepted   mcp:it/restless, which has changed:\n  ${changed}`, stderr: "", exitCode: 0 },
    );
    assert.equal(
      [(await runLine(bench, ["mcp:it/restless"])).exitCode, (await runLine(bench, ["pin", "it/restless"])).stdout],
      [0, "unchanged  mcp:it/restless\n"],
    );
  });
});

test.run();
