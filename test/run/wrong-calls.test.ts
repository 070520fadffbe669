// Calls of models that know the tools of other agents are repaired in one retry, and none is obeyed to harm. The model
// here does what the message says to the letter: it sends the call that is shown, with its own values in place of those
// that the message names as placeholders.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assemble } from "../../src/core/session/assemble.ts";
import { offeredNames } from "../../src/core/session/offered-names.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import { prepareCall } from "../../src/core/run/prepare.ts";
import type { Session } from "../../src/core/run/session.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type WrongCall, wrongCalls } from "./wrong-calls.ts";

const test = suite("wrong-calls");

const tools = fileURLToPath(new URL("wrong-call-tools/tools", import.meta.url));

/** Returns what the message says, as its reader finds it there. */
function readMessage(text: string): {
  readonly call: { readonly name: string; readonly arguments: JsonObject } | undefined;
  readonly placeholders: readonly string[];
  readonly names: readonly string[];
} {
  const lines = text.split("\n").filter((line) => line.startsWith("  = "));
  const shown = lines.find((line) => line.startsWith("  = call it like this: "));
  const namesIn = (words: RegExp): readonly string[] =>
    lines
      .filter((line) => words.test(line))
      .flatMap((line) => [...line.matchAll(/`([^`]*)`/g)].map(([, one = ""]) => one));
  return {
    call: shown === undefined ? undefined : (JSON.parse(shown.slice(shown.indexOf("{"))) as never),
    placeholders: namesIn(/placeholders?; replace/),
    names: namesIn(/^ {2}= left out: |not the ones? you gave|takes one value/),
  };
}

interface Own {
  readonly value: Json | undefined;
  readonly path: string;
  readonly places: readonly string[];
}

/** Puts the sender's own values in place of the placeholders. */
function filled(shown: Json, { value: own, path, places }: Own): Json {
  if (places.includes(path)) return own ?? null;
  if (typeof shown !== "object" || shown === null) return shown;
  const inner = (key: string | number, at: string): Own => ({
    value: (own as JsonObject | undefined)?.[key],
    path: at,
    places,
  });
  if (Array.isArray(shown))
    return (shown as readonly Json[]).map((item, index) => filled(item, inner(index, `${path}[${index}]`)));
  return Object.fromEntries(
    Object.entries(shown).map(([name, item]): [string, Json] => [
      name,
      filled(item, inner(name, path === "" ? name : `${path}.${name}`)),
    ]),
  );
}

type Verdict = "repaired" | "not repaired" | "obeyed to harm";

async function judge(
  { sent, meant }: WrongCall,
  session: Session,
): Promise<{ readonly verdict: Verdict; readonly text: string }> {
  const call = { id: "1", ...sent };
  if ("prepared" in (await prepareCall(call, session)))
    return { verdict: isMeant(sent, meant) ? "repaired" : "obeyed to harm", text: "" };
  const result = await callTool(call, session, new AbortController().signal);
  if (result.status === "ok") throw new Error("unreachable");
  const text = failureText(result.failure, { audience: "model", tool: sent.tool });
  const { call: shown, placeholders, names } = readMessage(text);
  if (!shown) return { verdict: "not repaired", text };
  const again = {
    tool: shown.name,
    arguments: filled(shown.arguments, { value: meant?.arguments as Json, path: "", places: placeholders }),
  };
  if (!("prepared" in (await prepareCall({ id: "2", ...again }, session)))) return { verdict: "not repaired", text };
  if (!isMeant(again, meant)) return { verdict: "obeyed to harm", text };
  const isNamed = [...names].sort().join() === [...(meant?.names ?? [])].sort().join();
  return { verdict: "repaired", text: isNamed ? "" : text };
}

function isMeant(call: WrongCall["sent"], meant: WrongCall["meant"]): boolean {
  try {
    assert.equal({ tool: call.tool, arguments: call.arguments }, { tool: meant?.tool, arguments: meant?.arguments });
    return true;
  } catch {
    return false;
  }
}

test("95 of 100 wrong calls are repaired in one retry, and none is obeyed to harm", async () => {
  // Otherwise `ripgrep` is no tool of this machine.
  needPrograms("rg");
  const folder = mkdtempSync(join(tmpdir(), "dottool-wrong-calls-"));
  try {
    const assembled = await assemble({ cwd: folder, toolFolders: [tools], audience: "model" });
    const opened = { ...assembled, cwd: folder };
    await opened.session.registry.complete();
    const { names } = await offeredNames(opened, { only: [], except: [], isBundled: true });
    // Tools that end a turn are offered by the agent loop.
    const offered = new Set([...names, "ask_question", "task_completion", "google_search", "web_search"]);
    const session: Session = { ...opened.session, isOffered: (name) => offered.has(name) };
    const counts: Record<Verdict, number> = { repaired: 0, "not repaired": 0, "obeyed to harm": 0 };
    const wrong: string[] = [];
    for (const row of wrongCalls) {
      const { verdict, text } = await judge(row, session);
      counts[verdict]++;
      if ((verdict === "repaired") !== (row.meant !== undefined) || (verdict === "repaired" && text !== ""))
        wrong.push(`${verdict}: ${row.line}\n${text}`);
    }
    assert.equal(wrong, [], wrong.join("\n"));
    assert.equal(counts, { repaired: 153, "not repaired": 7, "obeyed to harm": 0 });
    assert.ok(counts.repaired >= 0.95 * wrongCalls.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
