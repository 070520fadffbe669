// The order of writes to a terminal during a call: output, questions and the rows of steps.
import { WaitingLine } from "../../src/cli/view/waiting-line.ts";
import type { ToolResult } from "../../src/core/tool/call.ts";
import type { Terminal, TerminalPort } from "../../src/core/tool/terminal.ts";
import type { StepState } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { Screen } from "./screen.ts";

const test = suite("waiting-line");

interface Stage {
  readonly line: WaitingLine;
  readonly screen: Screen;
  output(text: string, stream?: "stdout" | "stderr"): void;
  tell(step: string, state: StepState): Promise<void>;
  wait(elapsedMs: number): Promise<string>;
  /** Answers the open question. */
  answer(text: string): void;
}

/** `isPiped` says that standard output goes elsewhere. */
function stage({ isPiped = false, movesCursor = true } = {}): Stage {
  const screen = new Screen(12, 60);
  const write = (content: string | Uint8Array): void =>
    screen.write((typeof content === "string" ? content : new TextDecoder().decode(content)).replaceAll("\n", "\r\n"));
  const port = { isTerminal: true, hasColor: false, movesCursor, columns: 60, rows: 12, write } satisfies TerminalPort;
  let answer: (text: string) => void = () => undefined;
  const ask = (question: string): Promise<string> => {
    write(question);
    return new Promise((resolve) => (answer = resolve));
  };
  const terminal = {
    errors: port,
    output: { ...port, isTerminal: !isPiped, write: isPiped ? () => undefined : write },
    input: { isTerminal: true, ask },
  } as unknown as Terminal;
  const host = memoryHost();
  const line = new WaitingLine(terminal);
  line.start("release", host, (event) => {
    if (event.kind === "output")
      return (event.stream === "stdout" ? terminal.output : terminal.errors).write(event.bytes);
    if (event.kind === "progress") write(event.text);
  });
  const wait: Stage["wait"] = async (elapsedMs) => {
    host.advance(elapsedMs);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    return screen.text;
  };
  return {
    line,
    screen,
    output: (text, stream = "stdout") =>
      void line.take({ kind: "output", stream, bytes: new TextEncoder().encode(text) }),
    tell: async (step, state) => line.take({ kind: "step", step, state, within: [], atMs: host.nowMs() }),
    wait,
    answer: (text) => {
      // The terminal shows what a person types, with its line end.
      write(`${text}\n`);
      answer(text);
    },
  };
}

const ok: ToolResult = { status: "ok", content: [], call: { id: "1", tool: "release", arguments: {} }, durationMs: 1 };
const failed: ToolResult = { ...ok, status: "failed", failure: { kind: "cancelled" } };

test("WaitingLine lets output pass between the rows, and waits for the end of its line", async () => {
  const { line, output, tell, wait } = stage();
  await tell("one", "running");
  assert.is(await wait(300), "▸ one  0.3 s\n");
  output("first\n");
  assert.is(await wait(0), "first\n");
  assert.is(await wait(200), "first\n▸ one  0.5 s\n");
  output("sec");
  assert.is(await wait(1_000), "first\nsec");
  output("ond\n", "stderr");
  assert.is(await wait(200), "first\nsecond\n▸ one  1.7 s\n");
  await tell("one", "done");
  assert.is(line.end(ok), "✓ release: 1 step, 1.7 s\n");
  assert.is(await wait(0), "first\nsecond\n");
});

test("WaitingLine ends a line that has begun before it leaves something", async () => {
  const { line, output, tell, wait } = stage();
  await tell("one", "running");
  await wait(300);
  output("half");
  assert.is(line.end(ok), "\n✓ release: 1 step, 0.3 s\n");
  const bad = stage();
  await bad.tell("one", "running");
  await bad.wait(300);
  bad.output("half");
  await bad.tell("one", "failed");
  assert.is(bad.line.end(failed), "");
  assert.is(bad.screen.text, "half\n✗ one  failed  0.3 s\n");
  assert.is(await wait(0), "half");
});

test("WaitingLine leaves the rows where they are for output that goes elsewhere", async () => {
  const { output, tell, wait } = stage({ isPiped: true });
  await tell("one", "running");
  await wait(300);
  output("half a line");
  assert.is(await wait(200), "▸ one  0.5 s\n");
});

test("WaitingLine takes the rows away while a person is asked, with what is said before", async () => {
  const { line, screen, tell, wait, answer } = stage();
  await tell("one", "running");
  await wait(300);
  line.terminal.errors.write("Which one?\n  1. this\n");
  const asked = line.terminal.input.ask("> ");
  assert.is(await wait(5_000), "Which one?\n  1. this\n>");
  answer("1");
  assert.is(await asked, "1");
  assert.is(await wait(200), "Which one?\n  1. this\n> 1\n▸ one  5.5 s\n");
  assert.ok(screen.text.startsWith("Which"));
});

test("WaitingLine draws nothing where the cursor cannot go back", async () => {
  const { line, tell, wait } = stage({ movesCursor: false });
  await tell("one", "running");
  assert.is(await wait(999), "");
  assert.is(await wait(1), "⏳ release 1 s");
  assert.is(line.end(failed), "");
});

test.run();
