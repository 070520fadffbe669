// Every recipe of grammar/cookbook.md is run as it stands there, with the real programs of this machine. Only `ssh` and
// `docker` are stand-ins, because a test has no other host and no container: they print their arguments. The addresses
// of the page lead to a server of this test.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { assert, suite } from "./harness.ts";
import { type Example, readPage, runPage } from "./run-page.ts";

const test = suite("cookbook");
const text = readFileSync(fileURLToPath(new URL("../grammar/cookbook.md", import.meta.url)), "utf8");

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part as string;
  return body;
}

async function withServer(use: (port: number) => Promise<void>): Promise<void> {
  let attempts = 0;
  const answers: Readonly<Record<string, (request: IncomingMessage) => Promise<string | undefined>>> = {
    "/notes": async (request) => `got ${JSON.stringify(JSON.parse(await bodyOf(request)))}\n`,
    "/whoami": async ({ headers }) => `you are ana, with the token ${headers.authorization?.slice("Bearer ".length)}\n`,
    "/flaky": async () => (++attempts < 3 ? undefined : "here at the third attempt\n"),
  };
  const server: Server = createServer((request, response) => {
    void answers[request.url ?? ""]?.(request).then((answer) =>
      answer === undefined ? response.writeHead(503).end() : response.end(answer),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

const programs = {
  ssh: 'echo ssh "$@"',
  docker: 'echo docker "$@"',
  op: "echo abcdefghijkl",
  npm: 'shift 3; echo "${@:-all}"',
};
const items = [
  { name: "pen", price: 2 },
  { name: "book", price: 12 },
];

test("every recipe does what it shows", () =>
  withServer(async (port) => {
    const page = readPage(text.replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`));
    const recipes = text.match(/^## \d+\./gm)?.length;
    assert.equal([recipes, [...page.files.keys()].filter((path) => path.endsWith(".tool")).length], [22, 22]);
    const files = new Map([...page.files, ["items.json", JSON.stringify(items)], ["new.sql", sql]]);
    const prepared: Example = { command: "sqlite3 shop.db < new.sql", output: "" };
    const checked: Example = { command: "dottool check | tail -n 1", output: "22 definitions checked: no problems\n" };
    const examples = [prepared, ...page.examples];
    assert.equal(await runPage({ files, examples: [...examples, checked] }, programs), [...examples, checked]);
  }));

const sql = `create table items (name text, price integer);
${items.map(({ name, price }) => `insert into items values ('${name}', ${price});`).join("\n")}
`;

if (spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0)
  test("the real docker takes the words of the recipe", () => {
    const words = ["exec", "no-such-container", "ls", "-l"];
    const { stderr } = spawnSync("docker", words, { encoding: "utf8" });
    assert.match(stderr, "No such container");
  });

test("the real ssh takes the words of the recipe", () => {
  assert.match(execFileSync("ssh", ["-G", "-o", "BatchMode=yes", "--", "web1"], { encoding: "utf8" }), "batchmode yes");
});

test.run();
