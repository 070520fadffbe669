// Calls over HTTP without MCP, and the document that describes them, of the real server.
import { Validator } from "@seriousme/openapi-schema-validator";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { type HttpServer, startHttp } from "./server-fixture.ts";

const test = suite("features/mcp-server/plain-http.ts");

const files = {
  token: "secret-of-the-test\n",
  ".tools/greet.tool": "Greets.\n@name greet\n@command echo hello {name}\n@param name [required] Who\n@tags read\n",
  ".tools/erase.tool": "Erases.\n@name erase\n@command rm {file}\n@param file {path} [required] Which\n",
  ".tools/fails.tool": "Fails.\n@name fails\n@command false\n@tags read\n",
  ".tools/acme/count.tool":
    "Counts.\n@param n {integer} [default=2] How far\n@code return { n };\n@returns {object} What there is\n@tags read\n",
};

type Ask = (path: string, options?: RequestInit & { readonly body?: string }) => Promise<Response>;

async function served(
  use: (ask: Ask, bench: TestProject, server: HttpServer) => Promise<void>,
  words: readonly string[] = ["--without-token"],
): Promise<void> {
  using bench = testProject(files);
  bench.trust();
  const server = await startHttp(bench, words);
  const ask: Ask = (path, options = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: options.body === undefined ? "GET" : "POST",
      ...options,
      headers: { "content-type": "application/json", ...options.headers },
    });
  try {
    await use(ask, bench, server);
  } finally {
    await server.stop();
  }
}

async function answer(response: Promise<Response>): Promise<readonly [status: number, body: unknown]> {
  const answered = await response;
  return [answered.status, await answered.json()];
}

const failed = (text: string): object => ({ content: [{ type: "text", text }], isError: true });

test("a call is answered with its result, and a failure has a status and says what would be accepted", () =>
  served(async (ask) => {
    const call = (name: string, body: string): Promise<readonly [number, unknown]> =>
      answer(ask(`/tools/${name}`, { body }));
    assert.equal(await call("greet", '{"name": "Ana"}'), [200, { content: [{ type: "text", text: "hello Ana\n" }] }]);
    assert.equal(await call("acme__count", ""), [
      200,
      { content: [{ type: "text", text: '{"n":2}' }], structuredContent: { n: 2 } },
    ]);
    const [status, body] = await call("greet", '{"nam": "Ana"}');
    assert.equal(
      [status, JSON.stringify(body).includes("did you mean `name`?"), (body as { isError?: boolean }).isError],
      [400, true, true],
    );
    assert.equal((await call("gret", "{}"))[0], 404);
    assert.equal((await call("%E0%A4%A", "{}"))[0], 404);
    assert.equal((await call("fails", "{}"))[0], 422);
    assert.equal((await call("greet", "[1]"))[0], 400);
    // Nobody can be asked.
    assert.equal((await call("erase", '{"file": "x"}'))[0], 403);
    assert.equal(await call("greet", '{"name"'), [
      400,
      failed("the body is not JSON: Expected ':' after property name in JSON at position 7 (line 1 column 8)"),
    ]);
  }));

test("what a website could send is refused, and so are other methods", () =>
  served(async (ask) => {
    const body = '{"name": "Ana"}';
    const status = async (path: string, options: Parameters<Ask>[1]): Promise<number> =>
      (await ask(path, options)).status;
    assert.equal(
      [
        await status("/tools/greet", { method: "POST", body, headers: { "content-type": "text/plain" } }),
        await status("/tools/greet", { method: "POST", headers: { "content-type": "text/plain" } }),
        await status("/tools/greet", { method: "POST", body, headers: { origin: "https://evil.example" } }),
        await status("/tools/greet", { method: "GET" }),
        await status("/openapi.json", { method: "POST", body }),
        await status("/", { method: "GET" }),
      ],
      [415, 415, 403, 405, 405, 404],
    );
  }));

test("the document describes each tool, and a validator accepts it", () =>
  served(async (ask) => {
    const document = (await (await ask("/openapi.json")).json()) as {
      readonly paths: Readonly<Record<string, unknown>>;
      readonly servers: unknown;
      readonly security?: unknown;
    };
    assert.equal(await new Validator().validate(document), { valid: true });
    assert.equal(Object.keys(document.paths), [
      "/tools/acme__count",
      "/tools/erase",
      "/tools/fails",
      "/tools/greet",
      "/tools/read_output",
    ]);
    assert.equal([document.servers, document.security], [[{ url: "/" }], undefined]);
  }));

test("without the token, nothing is answered", () =>
  served(async (ask, _bench, { token }) => {
    const body = '{"name": "Ana"}';
    const authorization = `Bearer ${token}`;
    assert.equal(
      [
        (await ask("/tools/greet", { body })).status,
        (await ask("/openapi.json")).status,
        (await ask("/tools/greet", { body, headers: { authorization } })).status,
      ],
      [401, 401, 200],
    );
    const { security } = (await (await ask("/openapi.json", { headers: { authorization } })).json()) as {
      readonly security: unknown;
    };
    assert.equal(security, [{ token: [] }]);
  }, []));

test("a request without the token, from another website, or with too much, is refused in the form of results", () =>
  served(
    async (ask, _bench, { port }) => {
      const form = async (response: Promise<Response>): Promise<readonly unknown[]> => {
        const [status, body] = await answer(response);
        const { content, isError } = body as { content: readonly { type: string; text: string }[]; isError: boolean };
        return [status, isError, content.length, content[0]?.type, content[0]?.text !== ""];
      };
      assert.equal(await form(ask("/tools/greet", { body: "{}" })), [401, true, 1, "text", true]);
      assert.equal(await form(ask("/tools/greet", { body: "{}", headers: { origin: "https://example.org" } })), [
        403,
        true,
        1,
        "text",
        true,
      ]);
      assert.is((await ask("/tools/greet", { body: "{}" })).headers.get("www-authenticate"), 'Bearer realm="dottool"');
      const long = fetch(`http://127.0.0.1:${port}/tools/greet`, {
        method: "POST",
        headers: { authorization: "Bearer secret-of-the-test", "content-type": "application/json" },
        body: JSON.stringify({ name: "x".repeat(2 * 1024 * 1024) }),
      });
      assert.equal(await form(long), [413, true, 1, "text", true]);
    },
    ["--token-file", "token"],
  ));

test.run();
