// A wrong call can be repaired from its message alone: the suggested call is taken out of the text, as a model or a
// person would, and run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assemble } from "../../src/core/session/assemble.ts";
import { isCommandName } from "../../src/cli/commands.ts";
import { readToolWords } from "../../src/cli/words/tool-words.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import { prepareCall } from "../../src/core/run/prepare.ts";
import type { Session } from "../../src/core/run/session.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { filledIn } from "../sample.ts";
import { type TeachingRow, teachingRows } from "./teaching-rows.ts";

const test = suite("teaching-calls");

const tools = fileURLToPath(new URL("teaching-tools/tools", import.meta.url));

/** A folder with a few files, and a session of a model in it. */
async function withSession(use: (session: Session, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-teaching-"));
  try {
    const { session } = await assemble({ cwd: folder, toolFolders: [tools], audience: "model" });
    await use(session, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(folder: string): void {
  writeFileSync(join(folder, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(folder, "b.txt"), "b\na\nb\n");
}

interface Lesson {
  readonly row: TeachingRow;
  readonly forModel: string;
  readonly forPerson: string;
}

async function lessonOf(row: TeachingRow, session: Session): Promise<Lesson> {
  const result = await callTool(
    { id: "1", tool: row.tool, arguments: row.sent },
    session,
    new AbortController().signal,
  );
  assert.is(result.status, "failed", `${row.kind}: the call is not wrong`);
  if (result.status === "ok") throw new Error("unreachable");
  const tool = await session.registry.resolve(row.meantTool ?? row.tool);
  const more = {
    tool: row.meantTool ?? row.tool,
    isCommand: isCommandName,
    ...(tool ? { parameters: tool.parameters } : {}),
  };
  return {
    row,
    forModel: failureText(result.failure, { audience: "model", ...more }),
    forPerson: failureText(result.failure, { audience: "person", ...more }),
  };
}

const CALL = "  = call it like this: ";

function suggestedLine(text: string): string {
  const line = text.split("\n").find((one) => one.startsWith(CALL));
  assert.ok(line !== undefined, `no call in: ${text}`);
  return line?.slice(CALL.length) ?? "";
}

function placeholdersIn(text: string): readonly string[] {
  const line =
    text
      .split("\n")
      .find(
        (one) =>
          one.includes("placeholder; replace it with yours") ||
          one.includes("are placeholders; replace them with yours"),
      ) ?? "";
  return [...line.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
}

/** The lessons of every row, made once. */
let lessons: Promise<readonly Lesson[]> | undefined;

async function allLessons(session: Session): Promise<readonly Lesson[]> {
  const made: Lesson[] = [];
  for (const row of teachingRows) made.push(await lessonOf(row, session));
  return made;
}

test("the call that a model is shown is what was meant, and succeeds", () =>
  withSession(async (session, folder) => {
    for (const { row, forModel } of await (lessons ??= allLessons(session))) {
      fill(folder);
      const call = JSON.parse(suggestedLine(forModel)) as { name: string; arguments: Record<string, unknown> };
      assert.equal(
        { kind: row.kind, ...call },
        { kind: row.kind, name: row.meantTool ?? row.tool, arguments: row.meant },
      );
      assert.equal(
        { kind: row.kind, placeholders: placeholdersIn(forModel) },
        { kind: row.kind, placeholders: row.placeholders ?? [] },
      );
      const again = { id: "2", tool: call.name, arguments: call.arguments };
      if (row.placeholders === undefined)
        assert.is((await callTool(again, session, new AbortController().signal)).status, "ok", row.kind);
      else {
        const { parameters = [] } = (await session.registry.resolve(call.name)) ?? {};
        const args = filledIn(parameters, { arguments: again.arguments as JsonObject, placeholders: row.placeholders });
        assert.ok("prepared" in (await prepareCall({ ...again, arguments: args }, session)), row.kind);
      }
    }
    assert.ok(teachingRows.length >= 120, String(teachingRows.length));
  }));

test("the command line that a person is shown is the same call", () =>
  withSession(async (session) => {
    const learned = await (lessons ??= allLessons(session));
    const lines = learned.map(({ forPerson }) => suggestedLine(forPerson));
    // A shell reads the lines and prints the words that the program would get.
    const script = `dottool() { for word; do printf '%s\\0' "$word"; done; printf '\\1\\0'; }\n${lines.join("\n")}\n`;
    const calls = execFileSync("sh", ["-c", script], { encoding: "utf8" })
      .split("\x01\0")
      .map((words) => words.split("\0").slice(0, -1));
    for (const [index, { row }] of learned.entries()) {
      const [first = "", second = "", ...rest] = calls[index] ?? [];
      const [name, words, form] =
        first === "call"
          ? [second, rest, "call" as const]
          : [first, [second, ...rest].slice(0, (calls[index]?.length ?? 1) - 1), "short" as const];
      const tool = await session.registry.resolve(name);
      assert.ok(tool && !(form === "short" && isCommandName(name)), `${row.kind}: ${lines[index]}`);
      if (tool)
        assert.equal(
          { kind: row.kind, ...readToolWords(words, { parameters: tool.parameters, form }) },
          { kind: row.kind, arguments: row.meant, issues: [] },
        );
    }
  }));

test("every text is as it was reviewed", () =>
  withSession(async (session) => {
    const texts: string[] = [];
    for (const { row, forModel, forPerson } of await (lessons ??= allLessons(session))) {
      const forPersonOnly = forPerson.split("\n").filter((line) => !forModel.split("\n").includes(line));
      texts.push(`## ${row.kind}\n${forModel}\n${forPersonOnly.join("\n")}\n`);
    }
    assertGolden("run/golden/teaching-calls.txt", texts.join("\n"));
  }));

test.run();
