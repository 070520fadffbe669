// Calls of models that know the tools of other agents are repaired in one retry: the answer ends with the call that was
// meant, and says what it leaves out.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "../../src/api/assemble.ts";
import { callTool } from "../../src/run/call-tool.ts";
import { prepareCall } from "../../src/run/prepare.ts";
import type { Session } from "../../src/run/session.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type WrongCall, wrongCalls } from "./wrong-calls.ts";

const test = suite("wrong-calls");

interface Judged {
  readonly tool: string;
  readonly arguments: unknown;
  readonly leftOut: readonly string[];
  readonly placeholders: readonly string[];
}

async function answerTo({ tool, sent }: WrongCall, session: Session): Promise<Judged | undefined> {
  const call = { id: "1", tool, arguments: sent };
  const prepared = await prepareCall(call, session);
  if ("prepared" in prepared) return { tool, arguments: sent, leftOut: [], placeholders: [] };
  const result = await callTool(call, session, new AbortController().signal);
  if (result.status === "ok") return undefined;
  const { failure } = result;
  const suggested =
    failure.kind === "unknown-tool"
      ? failure.suggested
      : failure.kind === "invalid-arguments" && failure.example
        ? { tool, arguments: failure.example, placeholders: failure.placeholders ?? [], losses: failure.losses }
        : undefined;
  return (
    suggested && {
      tool: suggested.tool,
      arguments: suggested.arguments,
      leftOut: [...(suggested.losses?.leftOut ?? []), ...(suggested.losses?.changed ?? [])],
      placeholders: suggested.placeholders,
    }
  );
}

test("at least 95 of 100 wrong calls are repaired in one retry, and nothing is lost in silence", async () => {
  // Otherwise `ripgrep` is no tool of this machine.
  needPrograms("rg");
  const folder = mkdtempSync(join(tmpdir(), "dottool-wrong-calls-"));
  try {
    const { session } = await assemble({ cwd: folder, audience: "model" });
    const failed: string[] = [];
    for (const row of wrongCalls) {
      const { from, tool, meant, leftOut = [], placeholders = [] } = row;
      const wanted = { ...meant, leftOut, placeholders };
      const got = await answerTo(row, session);
      try {
        assert.equal(got, wanted);
      } catch {
        failed.push(
          `${from}: ${tool} ${JSON.stringify(row.sent)}\n  wanted ${JSON.stringify(wanted)}\n  got    ${JSON.stringify(got)}`,
        );
      }
    }
    assert.ok(wrongCalls.length >= 42);
    assert.ok(failed.length === 0, `${failed.length} of ${wrongCalls.length}:\n${failed.join("\n")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
