// A client of `dottool mcp --allow-forge`: the real program, over its standard input and output.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ForgedRecord } from "../../src/features/forge/record.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import { hello, type Message, request, startLines } from "../mcp/line-client.ts";
import { type TestProject, testProject } from "../test-project.ts";

export interface Forging {
  /** Returns the outcome of a request in lines, without what differs from run to run. */
  forge(args: JsonObject): Promise<string>;
  /** Returns the text of a tool's answer. */
  call(name: string, args: JsonObject): Promise<string>;
  /** Returns the structured content, or what else there is. */
  data(name: string, args: JsonObject): Promise<Json>;
  names(): Promise<readonly string[]>;
  /** Settles when the server has said that its tools changed. */
  listChanged(): Promise<void>;
  /** Standard error so far. */
  errors(): string;
  close(): Promise<void>;
}

export type ForgingBody = (forging: Forging, bench: TestProject) => Promise<void>;

/** Opens a server in a folder with these files, and closes it when the body has ended. */
export async function withForging(
  files: Readonly<Record<string, string>>,
  body: ForgingBody,
  { cwd, prepare }: { readonly cwd?: string; prepare?(bench: TestProject): void } = {},
): Promise<void> {
  using bench = testProject(files);
  prepare?.(bench);
  const forging = await openForging(bench, undefined, cwd);
  try {
    await body(forging, bench);
  } finally {
    await forging.close();
  }
}

/** A request for code. */
export function codeRequest(
  name: string,
  body: string,
  ...cases: readonly (readonly [input: JsonObject, expectedOutput: Json])[]
): JsonObject {
  return {
    name,
    description: `Computes ${name}.`,
    implementation: { mode: "sandbox", code: body },
    testCases: cases.map(([input, expectedOutput]) => ({ input, expectedOutput })),
  };
}

export const forgedIn = (bench: TestProject): string => join(bench.folder, "home/.local/state/dottool/forge");

export function filesIn(bench: TestProject): readonly string[] {
  return readdirSync(forgedIn(bench)).filter((name) => name.includes("@"));
}

export function recordsIn(bench: TestProject): readonly ForgedRecord[] {
  return filesIn(bench).map((name) => {
    const text = readFileSync(join(forgedIn(bench), name), "utf8");
    return JSON.parse(text.slice(text.indexOf("\n") + 1)) as ForgedRecord;
  });
}

interface Answer {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

/** `cwd` is relative to the bench's folder. */
export async function openForging(
  bench: TestProject,
  words: readonly string[] = ["--allow-forge"],
  cwd = ".",
): Promise<Forging> {
  const { program, folder } = bench;
  const lines = startLines({ ...bench, program, folder: join(folder, cwd) }, words);
  let sent = 0;
  const ask = async (method: string, params: JsonObject): Promise<Message> => {
    const own = ++sent;
    lines.send(request(own, method, params));
    // Notifications come in between.
    for (let wanted = 1; ; wanted++) {
      const messages = await lines.count(wanted);
      const found = messages.find(({ id }) => id === own);
      if (found) return found;
      wanted = messages.length;
    }
  };
  lines.send(hello);
  await lines.count(1);
  const answer = async (name: string, args: JsonObject): Promise<Answer> => {
    const { result, error } = await ask("tools/call", { name, arguments: args });
    if (error) return { content: [{ text: `${error.code} ${error.message}` }], isError: true };
    return result as unknown as Answer;
  };
  return {
    forge: async (args) => shownForging(await answer("forge_tool", args)),
    call: async (name, args) => textsOf(await answer(name, args)).replaceAll(bench.folder, "<bench>"),
    data: async (name, args) => {
      const given = await answer(name, args);
      return given.structuredContent ?? textsOf(given);
    },
    names: async () => {
      const { result } = await ask("tools/list", {});
      const tools = result?.tools as readonly { readonly name: string }[] | undefined;
      return (tools ?? []).map(({ name }) => name);
    },
    listChanged: async () => {
      for (let wanted = 1; ; wanted++) {
        const messages = await lines.count(wanted);
        if (messages.some((message) => "method" in message && message.method === "notifications/tools/list_changed"))
          return;
        wanted = messages.length;
      }
    },
    errors: () => lines.errors(),
    close: async () => {
      await lines.end();
    },
  };
}

function textsOf({ content }: Answer): string {
  return content.map(({ text = "" }) => text).join("\n");
}

function shownForging(answer: Answer): string {
  const [first, ...others] = answer.content;
  if (!first?.text?.startsWith("{")) return textsOf(answer);
  const result = JSON.parse(first.text) as {
    readonly success: boolean;
    readonly tool?: JsonObject;
    readonly verdict?: { readonly reasoning: string };
    readonly stages: readonly { readonly stage: string; readonly status: string }[];
  };
  return [
    `success ${result.success}: ${result.stages.map(({ stage, status }) => `${stage} ${status}`).join(", ")}`,
    ...(result.verdict ? [`verdict: ${result.verdict.reasoning}`] : []),
    ...others.map(({ text = "" }) => text),
  ].join("\n");
}
