import { loginPromptAt } from "../../src/features/mcp-client/login-prompt.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { Terminal } from "../../src/core/tool/terminal.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cli/login-prompt");

function terminalThatSays(said: string[], signal = new AbortController().signal): Terminal {
  return { signal, errors: { write: (text: string) => void said.push(text) } } as unknown as Terminal;
}

test("loginPromptAt shows the address, and takes what the browser brings back to this machine and nothing else", async () => {
  const said: string[] = [];
  const host = createNodeHost();
  const prompt = await loginPromptAt(terminalThatSays(said))("git\u001bhub", undefined, host);
  const early = await fetch(`${prompt.redirectUrl}?code=early`);
  const brought = prompt.visit({ host: "login.example.com", address: "https://login.example.com/?state=1" });
  const other = await fetch(new URL("/other", prompt.redirectUrl));
  const page = await fetch(`${prompt.redirectUrl}?code=abc&state=1`);
  assert.equal(
    [early.status, other.status, page.status, (await brought).toString()],
    [404, 404, 200, "code=abc&state=1"],
  );
  assert.equal(said, [
    "the MCP server git\\u{1b}hub wants you to log in at login.example.com; if you trust that site, open this address:\n  https://login.example.com/?state=1\n",
  ]);
  const port = Number(new URL(prompt.redirectUrl).port);
  await prompt.close();
  const again = await loginPromptAt(terminalThatSays([]))("github", port, host);
  assert.is(Number(new URL(again.redirectUrl).port), port);
  const second = await loginPromptAt(terminalThatSays([]))("github", port, host);
  assert.is.not(second.redirectUrl, again.redirectUrl);
  await again.close();
  await second.close();
});

test("loginPromptAt gives up with the person", async () => {
  const stop = new AbortController();
  const prompt = await loginPromptAt(terminalThatSays([], stop.signal))("github", undefined, createNodeHost());
  const brought = prompt.visit({ host: "login.example.com", address: "https://login.example.com/" });
  stop.abort();
  assert.is(await brought.catch((error: Error) => error.message), "cancelled");
  await prompt.close();
});

test.run();
