// A hostile repository as models meet it: over MCP, by the real program on standard input and output, and in `dottool
// agent`, with a model behind real HTTP that calls any tool.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { startAgentServer } from "../agent/agent-server.ts";
import { call, done, KEY } from "../agent/scripted-turn.ts";
import { compileCache, program } from "../program.ts";
import type { Client, HostileFixture, Served } from "./hostile-fixture.ts";

export interface Met {
  /** The names of the offered tools. */
  readonly offered: readonly string[];
  /** What the model gets for its call, and messages beside it. */
  readonly text: string;
}

export interface MeetOptions {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
}

/** `bench`: in this process; absent: a start of the program. */
export async function overMcp({ name, arguments: args, cwd }: MeetOptions, bench?: HostileFixture): Promise<Met> {
  const asked = [
    {
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: { elicitation: {} },
        clientInfo: { name: "test", version: "1" },
      },
    },
    { method: "tools/list" },
    { method: "prompts/list" },
    { method: "resources/list" },
    { method: "tools/call", params: { name, arguments: args } },
  ];
  const says = asked.map((message, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`).join("");
  const client = { says, lines: asked.length, cwd };
  const { stdout, stderr } = await (bench === undefined ? startMcp(client) : bench.serve(client));
  const answers = new Map(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly id: number; readonly result?: unknown; readonly error?: unknown })
      .map((answer) => [answer.id, answer]),
  );
  const { tools = [] } = (answers.get(1)?.result ?? {}) as { readonly tools?: readonly { readonly name: string }[] };
  const answer = answers.get(asked.length - 1);
  return { offered: tools.map((tool) => tool.name), text: `${textsIn(answer?.result ?? answer?.error)}\n${stderr}` };
}

async function startMcp({ says, lines, cwd }: Client): Promise<Served> {
  const child = spawn(program.command, [...program.words, "mcp"], {
    cwd,
    env: { ...process.env, ...compileCache },
    timeout: HANG_MS_MAX,
  });
  let stdout = "";
  let stderr = "";
  // Behind the end of its input the server answers for a moment only.
  child.stdout
    .setEncoding("utf8")
    .on("data", (text: string) => (stdout += text).split("\n").length > lines && child.stdin.end());
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined).write(says);
  await new Promise((resolve) => child.on("close", resolve));
  return { stdout, stderr };
}

export async function throughAgent(bench: HostileFixture, { name, arguments: args, cwd }: MeetOptions): Promise<Met> {
  const server = await startAgentServer({ calls: [call(name, args)] }, done("Done."));
  try {
    bench.write(
      "home/.config/dottool/config.yaml",
      `providers:\n  default: api\n  api: { kind: openai, url: "${server.origin}/v1", model: big-1, key: "file:${bench.at("home/key")}" }\n`,
    );
    bench.write("home/key", KEY, 0o600);
    const { text } = await bench.run(["agent", "Do the task."], { cwd });
    const [first, second] = server.bodies as readonly {
      readonly tools?: readonly { readonly function: { readonly name: string } }[];
      readonly messages: readonly object[];
    }[];
    return {
      offered: (first?.tools ?? []).map((tool) => tool.function.name),
      text: `${textsIn(second?.messages.at(-1))}\n${text}`,
    };
  } finally {
    rmSync(bench.at("home/.config/dottool/config.yaml"));
    await server.close();
  }
}

function textsIn(value: unknown): string {
  const texts: string[] = [];
  JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "string") texts.push(item);
    return item;
  });
  return texts.join("\n");
}
