import { string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import { assert, suite } from "../harness.ts";
import { runScript } from "./agent-fixture.ts";
import { call, done, KEY, type Turn } from "./scripted-turn.ts";

const test = suite("agent/saved-form");

const login = baseTool({
  name: "login",
  title: "Log in",
  description: "Logs in.",
  effects: ["read"],
  parameters: { token: string("The token", { required: true, secret: true }) },
  execute: async ({ token }) => okText(`logged in with ${token}`),
});

test("what is kept of a conversation holds no secret argument and no key, and what the model gets is the same", async () => {
  const secret = "hunter-2-hunter";
  const inText = `I log in with ${secret}: <tool>{"tool_name":"login","arguments":{"token":"${secret}"}}</tool>`;
  const native: Turn = {
    text: [`I log in with ${secret} and ${KEY}.`],
    calls: [call("login", { token: secret }), call("login", `{"token": "${KEY}`)],
  };
  for (const [turns, provider] of [
    [[native, done("Done.")], {}],
    [
      [{ text: [inText] }, { text: ['<tool>{"tool_name":"task_completion","arguments":{"result":"Done."}}</tool>'] }],
      { toolsAsText: true },
    ],
  ] as const) {
    const { end, messages, host } = await runScript(turns, { tools: [login], provider });
    assert.equal([end, JSON.stringify(messages[1]).includes(secret)], [{ how: "completed", text: "Done.\n" }, true]);
    const [saved = ""] = Object.entries(host.texts()).flatMap(([path, text]) =>
      path.endsWith(".jsonl") ? [text] : [],
    );
    assert.equal([saved.includes(secret), saved.includes(KEY), saved.includes("•••")], [false, false, true]);
  }
});

test.run();
