// Which hosts commands in the sandbox reach, through the real program.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { inFixture, sandboxed, tool } from "./sandbox-fixture.ts";

const test = suite("cli sandbox network");

/** Serves `canary` to each request, with the path in front. */
async function withServer(work: (port: number) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => response.end(`${request.url} canary ${request.headers.host}\n`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test("a sandboxed command reaches the hosts that it names, by HTTP and by a tunnel", () =>
  inFixture({}, async (call) => {
    needPrograms("curl");
    await withServer(async (port) => {
      const rule = `127.0.0.1:${port}`;
      const curl = async (...words: readonly string[]): Promise<string> => {
        const { stdout, stderr } = await call(["sandbox", "--network", rule, "--", "curl", "-sS", ...words]);
        return stdout + stderr;
      };
      assert.is(await curl(`http://${rule}/a?b=1`), `/a?b=1 canary ${rule}\n`);
      assert.is(await curl("-p", `http://${rule}/tunnel`), `/tunnel canary ${rule}\n`);
      assert.match(await curl(`http://127.0.0.1:${port + 1}/`), "is not among the hosts that this command may reach");
      assert.match(await curl("-p", `http://127.0.0.1:${port + 1}/`), /403/);
      assert.match(await curl("--noproxy", "*", `http://${rule}/`), /curl: \(7\)/);
      // A name that leads to a private address is no public host, even if all of those may be reached.
      const { stdout } = await call(["sandbox", "--network", "*", "--", "curl", "-sS", "http://localhost/"]);
      assert.match(stdout, /a loopback address; only the rule `localhost:80` would allow it/);
    });
  }));

test("`@network` names the hosts of a tool, and a tool without it has none", () =>
  withServer((port) =>
    inFixture(
      {
        ".tools/named.tool": tool("named", `curl -sS http://127.0.0.1:${port}/x`, `@network 127.0.0.1:${port}`),
        ".tools/none.tool": tool("none", `curl -sS http://127.0.0.1:${port}/x 2>&- || echo none`, "@sandbox strict"),
      },
      async (call) => {
        needPrograms("curl");
        assert.equal(await sandboxed(call, ["named"]), [`/x canary 127.0.0.1:${port}\n`, "strict", "full"]);
        assert.equal(await sandboxed(call, ["none"]), ["none\n", "strict", "full"]);
      },
    ),
  ));

test("ssh reaches an allowed host through the proxy, and no other", () =>
  inFixture({}, async (call) => {
    needPrograms("ssh");
    await withServer(async (port) => {
      const ssh = async (to: number): Promise<string> => {
        const { stderr } = await call([
          ...["sandbox", "--network", `127.0.0.1:${port}`, "--"],
          ...["ssh", "-v", "-o", "BatchMode=yes", "-p", String(to), "nobody@127.0.0.1", "true"],
        ]);
        return stderr;
      };
      // A web server answers in another language, so the tunnel is there.
      assert.match(
        await ssh(port),
        /Executing proxy command[^]*(HTTP\/1\.1 400|invalid format|banner|Bad Request|Connection closed)/,
      );
      assert.match(await ssh(port + 1), "is not among the hosts that this command may reach");
    });
  }));

test.run();
