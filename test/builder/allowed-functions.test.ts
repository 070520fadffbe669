// `@allow`: what JavaScript of a definition may reach, with real files, servers and tools.
import { createHash, createHmac } from "node:crypto";
import { assert, suite } from "../harness.ts";
import { startServer } from "../base/web-server.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("builder allowed functions");
const runLine = startingOnce();

const code = (name: string, allows: readonly string[], body: string): string =>
  `Does ${name}.\n\n@title ${name}\n@name ${name}\n@returns {any}\n@tags read\n${allows.map((allow) => `@allow ${allow}\n`).join("")}@code\n${body.replaceAll(/^/gm, "    ")}\n`;

async function withTool(
  allows: readonly string[],
  body: string,
  check: (run: () => Promise<ToolRun>, bench: TestProject) => Promise<void>,
): Promise<void> {
  using bench = testProject({ ".tools/tried.tool": code("tried", allows, body), "a.txt": "one\ntwo\n" });
  await check(() => runLine(bench, ["tried"], { environment: { WEB_ALLOW_HOSTS: "127.0.0.1" } }), bench);
}

async function valueOf(allows: readonly string[], body: string): Promise<string> {
  let text = "";
  await withTool(allows, body, async (run) => {
    const { stdout, stderr } = await run();
    text = stdout + stderr;
  });
  return text;
}

test("without `@allow` nothing reaches out", async () => {
  for (const name of ["crypto", "fs", "fetch", "tools"])
    assert.is(await valueOf([], `return typeof ${name};`), "undefined\n", name);
  assert.is(
    await valueOf(["crypto"], "return [typeof crypto.hash, typeof fs, typeof fetch].join();"),
    "function,undefined,undefined\n",
  );
});

test("`crypto` hashes as other programs do", async () => {
  const key = "k".repeat(100);
  const rows = ["sha1", "SHA-256", "sha384", "sha-512"].flatMap((name) =>
    [
      ["key", "naïve text"],
      [key, ""],
      ["", "text"],
    ].map(([short = "", text = ""]) => ({ name, short, text })),
  );
  assert.equal(
    JSON.parse(
      await valueOf(
        ["crypto"],
        `const all = [];\nfor (const { name, short, text } of ${JSON.stringify(rows)}) all.push([await crypto.hash(name, text), await crypto.hmac(name, short, text)]);\nreturn all;`,
      ),
    ),
    rows.map(({ name, short, text }) => {
      const own = name.toLowerCase().replace("-", "");
      return [createHash(own).update(text).digest("hex"), createHmac(own, short).update(text).digest("hex")];
    }),
  );
  assert.match(
    await valueOf(["crypto"], "return await crypto.hash('md5', 'a');"),
    "there is no hash `md5`; there are `sha1`, `sha256`, `sha384`, `sha512`",
  );
});

test("`fs.readFile` reads below the working folder", async () => {
  assert.is(await valueOf(["fs.readFile"], "return (await fs.readFile('./a.txt')).length;"), "8\n");
  assert.match(
    await valueOf(["fs.readFile"], "return await fs.readFile('..');"),
    "`..` is not below the working folder",
  );
  assert.match(await valueOf(["fs.readFile"], "return await fs.readFile('.tools');"), "cannot be read (EISDIR)");
});

test("`fetch` reaches the named host, sends what it is given, and follows no redirect", async () => {
  const server = await startServer(({ path, body, headers }, response) => {
    if (path === "/away") response.writeHead(302, { location: "http://localhost:1/" }).end();
    else
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ path, body, mark: headers["x-mark"] ?? null }));
  });
  try {
    const at = server.origin;
    assert.is(
      await valueOf(
        [`fetch ${server.host}`],
        `const answer = await fetch("${at}/a?b=c", { method: "POST", headers: { "x-mark": "m" }, body: "text" });\nreturn [answer.ok, await answer.json()];`,
      ),
      '[\n  true,\n  {\n    "path": "/a?b=c",\n    "body": "text",\n    "mark": "m"\n  }\n]\n',
    );
    assert.match(
      await valueOf([`fetch ${server.host}`], `return (await fetch("${at}/away")).status;`),
      "redirects, and redirects are not followed here",
    );
    for (const [address, said] of [
      [`http://localhost:${server.port}/`, "may not reach"],
      [`http://127.0.0.1:1/`, "may not reach"],
      [`http://user@127.0.0.2:${server.port}/`, "may not reach"],
      [`http://127.0.0.1.nip.example:${server.port}/`, "may not reach"],
      ["file:///etc/passwd", "takes http and https"],
      ["nonsense", "expects an address"],
    ] as const)
      assert.match(
        await valueOf([`fetch ${server.host}`], `return (await fetch(${JSON.stringify(address)})).status;`),
        said,
      );
    assert.match(
      await valueOf([`fetch ${server.host}`], `return (await fetch("${at}/", { headers: { host: "other" } })).status;`),
      "does not take the header `host`",
    );
    assert.is(server.seen.length, 2);
  } finally {
    await server.close();
  }
});

test("`fetch` takes methods that change something only where the tool has the effect `write`", async () => {
  const server = await startServer(({ method, body }, response) =>
    response.writeHead(200, { "x-method": method }).end(`${method} ${body}`),
  );
  const request = (method: string, more = ""): string =>
    `const answer = await fetch("${server.origin}/", { method: "${method}"${more} });\nreturn [answer.headers["x-method"], await answer.text()].join();`;
  using bench = testProject();
  const run = async (body: string, tags: string): Promise<string> => {
    const text = code("tried", [`fetch ${server.host}`], body).replace("@tags read", `@tags ${tags}`);
    bench.write(".tools/tried.tool", text);
    bench.trust();
    const { stdout, stderr } = await runLine(bench, ["tried"], { environment: { WEB_ALLOW_HOSTS: "127.0.0.1" } });
    return stdout + stderr;
  };
  try {
    assert.is(await run(request("get"), "read"), "GET,GET \n");
    assert.is(await run(request("HEAD"), "read"), "HEAD,\n");
    assert.is(await run(request("POST", ', body: "a"'), "read"), "POST,POST a\n");
    const sent = server.seen.length;
    for (const method of ["PUT", "PATCH", "delete"])
      assert.match(
        await run(request(method), "read"),
        `\`fetch\` with ${method.toUpperCase()} changes something, and the tool has the effects read, network: it needs \`write\` in its \`@tags\``,
      );
    assert.match(await run(request("GET", ', body: "a"'), "read"), "sends no body with GET");
    assert.match(await run(request("TRACE"), "write"), "takes the methods GET, HEAD, POST, PUT, PATCH, DELETE");
    assert.is(server.seen.length, sent);
    for (const method of ["PUT", "PATCH", "DELETE"])
      assert.is(await run(request(method, ', body: "a"'), "write"), `${method},${method} a\n`);
    assert.match((await runLine(bench, ["list", "tried"])).stdout, /tried +project +read write network/);
    const forged = async (effects: readonly string[]): Promise<string> => {
      const asked = {
        name: "remover",
        description: "Removes.",
        effects,
        implementation: {
          mode: "sandbox",
          code: `return (await fetch("${server.origin}/", { method: "DELETE" })).status;`,
          allowlist: [`fetch ${server.host}`],
        },
        testCases: [{ input: {}, expectedOutput: 200 }],
      };
      const environment = { WEB_ALLOW_HOSTS: "127.0.0.1" };
      return (
        await runLine(bench, ["--allow-forge", "call", "forge_tool", "--json", JSON.stringify(asked)], { environment })
      ).stdout;
    };
    assert.match(await forged(["read", "network"]), "in `effects` of the request that forges it");
    assert.match(await forged(["read", "network", "write"]), '"success": true');
    assert.match((await runLine(bench, ["forge", "show", "remover"])).stdout, "@tags write");
  } finally {
    await server.close();
  }
});

test("a private address is refused although it is named, unless the user allows it", async () => {
  const server = await startServer((_request, response) => response.end("no"));
  using bench = testProject({
    ".tools/tried.tool": code("tried", [`fetch ${server.host}`], `return (await fetch("${server.origin}/")).status;`),
  });
  try {
    const { stderr } = await runLine(bench, ["tried"]);
    assert.match(stderr, "failed[code-failed]");
    assert.is(server.seen.length, 0);
  } finally {
    await server.close();
  }
});

test("`tools.call` calls what is named, and the tool has the effects of all that it may call", () =>
  withTool(
    ["tools.call read_file", "tools.call write_file"],
    "return (await tools.call('read_file', { file_path: 'a.txt', end_line: 1 })).split('\\n')[0];",
    async (run, bench) => {
      assert.is((await run()).stdout, "one\n");
      assert.match((await runLine(bench, ["list", "tried"])).stdout, /tried +project +read write/);
      assert.match((await runLine(bench, ["show", "tried"])).stdout, "read_file");
      bench.write(".tools/tried.tool", code("tried", ["tools.call nothing_here"], "return 1;"));
      assert.match((await runLine(bench, ["check"])).stdout, "there is no tool `nothing_here`");
      bench.write(
        ".tools/tried.tool",
        code("tried", ["tools.call read_file"], "return await tools.call('write_file', {});"),
      );
      assert.match((await run()).stderr, "`tools.call` may not call `write_file`");
      bench.write(".tools/tried.tool", code("tried", ["tools.call tried"], "return await tools.call('tried', {});"));
      assert.match((await runLine(bench, ["check"])).stdout, "in a circle: `tried` > `tried`");
    },
  ));

test("YAML says the same with `allow`, and nothing is lost on the way there and back", () =>
  withTool(["crypto", "fetch api.example.com:8443", "tools.call read_file"], "return 1;", async (_run, bench) => {
    const yaml = await runLine(bench, ["convert", ".tools/tried.tool"]);
    assert.match(yaml.stdout, "allow: [crypto, fetch api.example.com:8443, tools.call read_file]");
    bench.write("other/tried.yaml", yaml.stdout);
    const back = await runLine(bench, ["convert", "other/tried.yaml"]);
    assert.match(back.stdout, "@allow crypto\n@allow fetch api.example.com:8443\n@allow tools.call read_file\n");
  }));

test.run();
