// The page of runs as an MCP App: what clients that show pages are offered, and the page in a host of the official
// package, in a real browser.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { build } from "esbuild";
import { isLong } from "../amount.ts";
import { withBrowser } from "../cli/page-fixture.ts";
import { startSlow } from "../cli/runs-fixture.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { connectTo, eras } from "./server-fixture.ts";

const all = suite("mcp/server app");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

const SLOW = `Slow.

@name slow
@title Slow
@param word {string} [required] A word
@wrapped run_command
@shell sh
@command echo begin {word}; sleep 1000 & echo $! > child; wait
`;
const GREET = `Greets.

@name greet
@title Greet
@param who {string} [required] Whom
@wrapped run_command
@shell sh
@command echo "<b>Hello</b> {who}"
`;
const withPages = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };

async function withClient(
  body: (bench: TestProject, client: Client) => Promise<void>,
  { era = "2026-07-28", capabilities = withPages }: { era?: (typeof eras)[number]; capabilities?: object } = {},
): Promise<void> {
  using bench = testProject({ ".tools/slow.tool": SLOW, ".tools/greet.tool": GREET, "other/x": "" });
  bench.trust();
  const client = await connectTo(bench, { era, capabilities });
  try {
    await body(bench, client);
  } finally {
    await client.close();
    for (const { id, state } of JSON.parse((await bench.run(["runs", "--json"])).stdout).runs)
      if (state === "running") await bench.run(["runs", "cancel", id]);
  }
}

const ask = async (client: Client, path: string, method = "GET"): Promise<{ status: number; body: never }> =>
  (await client.callTool({ name: "runs_page", arguments: { method, path } })).structuredContent as never;

for (const era of eras)
  test(`a client that shows pages gets one, its tools and its runs (${era})`, () =>
    withClient(
      async (bench, client) => {
        const { tools } = await client.listTools();
        const own = tools.filter(({ name }) => /runs/.test(name));
        assert.equal(
          own.map(({ name, _meta }) => [name, _meta]),
          [
            ["show_runs", { ui: { resourceUri: "ui://dottool/runs", visibility: ["model", "app"] } }],
            ["runs_page", { ui: { resourceUri: "ui://dottool/runs", visibility: ["app"] } }],
          ],
        );
        const [page] = (await client.readResource({ uri: "ui://dottool/runs" })).contents;
        assert.is(page?.mimeType, "text/html;profile=mcp-app");
        assert.match(String(page && "text" in page ? page.text : ""), /^<!doctype html>/);
        const id = await startSlow(bench, "here");
        // A run of another folder is not the client's.
        await bench.run(["--cwd", "other", "--tools", join(bench.folder, ".tools"), "--detach", "greet", "--who", "x"]);
        assert.equal(
          ((await ask(client, "/runs")).body as { runs: { id: string }[] }).runs.map((run) => run.id),
          [id],
        );
        const [text] = (await client.callTool({ name: "show_runs", arguments: {} })).content as { text: string }[];
        assert.match(text?.text ?? "", new RegExp(`\n${id}  running  slow$`));
        const output = (await ask(client, `/runs/${id}/output?stream=stdout&from=0`)).body as { base64: string };
        assert.is(Buffer.from(output.base64, "base64").toString(), "begin here\n");
        const statuses = [];
        for (const [path, method] of [
          ["/runs/../../x", "GET"],
          ["//example.org/runs", "GET"],
          [`/runs/${id}/resume`, "POST"],
          ["/tools/greet", "POST"],
          ["/files?folder=/", "GET"],
          ["/tools/nothing", "GET"],
          [`/runs/${id}/cancel`, "POST"],
        ] as const)
          statuses.push((await ask(client, path, method)).status);
        assert.equal(statuses, [404, 404, 404, 404, 404, 404, 200]);
        assert.is((await client.callTool({ name: "runs_page", arguments: { path: 1 } })).isError, true);
        assert.is((await bench.run(["runs", "wait", id])).exitCode, 130);
      },
      { era },
    ));

test("a client that does not show pages has no tools for them", () =>
  withClient(
    async (_bench, client) => {
      assert.equal(
        (await client.listTools()).tools.map(({ name }) => name).filter((name) => /runs/.test(name)),
        [],
      );
      const refused = client.callTool({ name: "runs_page", arguments: { method: "GET", path: "/runs" } });
      assert.match(String(await refused.catch(String)), /there is no tool `runs_page`/);
    },
    { capabilities: {} },
  ));

/** A host as the official package makes it; the frame has the policy that it must have where a page declares nothing. */
const HOST = `
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
const frame = document.querySelector("iframe");
const bridge = new AppBridge(null, { name: "host", version: "1" }, { serverTools: {} }, { hostContext: { theme: "dark" } });
bridge.oncalltool = async (params) => (await fetch("/call", { method: "POST", body: JSON.stringify(params) })).json();
bridge.onsizechange = ({ height }) => { frame.style.height = height + "px"; };
bridge.oninitialized = () => { document.title = "ready"; };
window.bridge = bridge;
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.srcdoc = await (await fetch("/page")).text();
`;
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

async function withHost(client: Client, body: (origin: string) => Promise<void>): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: HOST, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    bundle: true,
    format: "esm",
    target: "es2024",
    write: false,
    logLevel: "error",
  });
  const [page] = (await client.readResource({ uri: "ui://dottool/runs" })).contents;
  const html = String(page && "text" in page ? page.text : "");
  const framed = html.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
  const server = createServer(async (request, response) => {
    if (request.url === "/call") {
      let text = "";
      for await (const piece of request) text += String(piece);
      response.end(JSON.stringify(await client.callTool(JSON.parse(text))));
    } else if (request.url === "/page") response.end(framed);
    else {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        `<!doctype html><title>host</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts allow-same-origin" width="700" height="10"></iframe><script type="module">${outputFiles[0]?.text.replaceAll("</script", "<\\/script") ?? ""}</script>`,
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

if (isLong && !("Deno" in globalThis))
  test("a host shows the page: runs and their output, a form that calls a tool, a button that cancels", () =>
    withClient(async (bench, client) => {
      const id = await startSlow(bench, "<i>here</i>");
      await withHost(client, (origin) =>
        withBrowser({ link: `${origin}/`, origin }, async ({ browser, picture }) => {
          const { evaluate, until } = browser;
          const inside = (expression: string): string =>
            `(({ document }) => ${expression})(window.frames[0])`.replaceAll("$$", "document.querySelector");
          await until(`document.title === "ready"`);
          await until(inside(`$$("#stdout").textContent === "begin <i>here</i>\\n"`));
          assert.equal(await evaluate(inside(`[$$("#call").textContent, $$("#stdout i"), $$("#resume").hidden]`)), [
            "dottool slow --word '<i>here</i>'",
            null,
            true,
          ]);
          assert.is(await evaluate(inside(`document.documentElement.style.colorScheme`)), "dark");
          await evaluate(`window.bridge.setHostContext({ theme: "light" })`);
          await until(inside(`document.documentElement.style.colorScheme === "light"`));
          // The frame is as high as the page, and stays so.
          await until(
            `Math.abs(document.querySelector("iframe").offsetHeight - window.frames[0].document.body.offsetHeight) < 10`,
          );
          await picture("app");
          await evaluate(inside(`$$('header a[href="#tools"]').click()`));
          await until(inside(`$$("#list a")?.textContent.startsWith("greet") === true`));
          await evaluate(inside(`$$("#list a").click()`));
          await until(inside(`$$("#field-who") !== null`));
          await evaluate(inside(`$$("#start").click()`));
          await until(inside(`$$("#trouble").textContent.includes("who")`));
          await evaluate(inside(`$$("#field-who").value = "you"`));
          await evaluate(inside(`$$("#start").click()`));
          await until(inside(`$$("#result").textContent.includes("<b>Hello</b> you")`));
          await picture("app-form");
          await evaluate(inside(`$$('header a[href="#runs"]').click()`));
          await until(inside(`!$$("#run").hidden`));
          await evaluate(inside(`$$("#cancel").click()`));
          await until(inside(`$$("#facts [data-state]").textContent === "cancelled"`));
          assert.is(await evaluate(`location.pathname + location.hash`), "/");
          assert.is((await bench.run(["runs", "wait", id])).exitCode, 130);
        }),
      );
    }));

all.run();
