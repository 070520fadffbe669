import { readServerSettings } from "../../src/features/mcp-client/server-settings.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("mcp/client: server-settings");

const PATH = "/home/ana/.config/dottool/config.yaml";

function read(text: string): ReturnType<typeof readServerSettings> {
  return readServerSettings(memoryHost({ files: { [PATH]: text } }));
}

test("readServerSettings reads servers that are started and servers of the web, with places of secrets", () => {
  const { servers, problems } = read(`
secrets: { GITHUB: "command:pass show github" }
mcp_servers:
  github:
    command: npx
    args: ["-y", "@example/github"]
    env: { GITHUB_TOKEN: secret:GITHUB, LOG_LEVEL: debug }
    cwd: ~/work
    timeout: 90
  linear:
    url: https://mcp.example.com/mcp?team=1
    headers: { Authorization: "Bearer env:LINEAR", X-Region: eu }
    oauth: { client_id: dot, client_secret: env:DOT, scope: read }
`);
  assert.equal(problems, []);
  assert.equal(
    [...servers],
    [
      [
        "github",
        {
          kind: "sound",
          server: {
            kind: "process",
            name: "github",
            argv: ["npx", "-y", "@example/github"],
            cwd: "/home/ana/work",
            environment: new Map([
              [
                "GITHUB_TOKEN",
                { kind: "secret", before: "", source: { kind: "command", argv: ["pass", "show", "github"] } },
              ],
              ["LOG_LEVEL", { kind: "plain", text: "debug" }],
            ]),
            startMs: 90_000,
          },
        },
      ],
      [
        "linear",
        {
          kind: "sound",
          server: {
            kind: "web",
            name: "linear",
            url: "https://mcp.example.com/mcp?team=1",
            headers: new Map([
              ["Authorization", { kind: "secret", before: "Bearer ", source: { kind: "environment", name: "LINEAR" } }],
              ["X-Region", { kind: "plain", text: "eu" }],
            ]),
            login: {
              id: "dot",
              secret: { kind: "secret", before: "", source: { kind: "environment", name: "DOT" } },
              scope: "read",
            },
            startMs: 30_000,
          },
        },
      ],
    ],
  );
});

test("readServerSettings runs a server in the home folder, never in a project's, where the file does not say", () => {
  const server = read("mcp_servers: { a: { command: npx } }").servers.get("a");
  assert.is(server?.kind === "sound" && server.server.kind === "process" ? server.server.cwd : "", "/home/ana");
});

test("readServerSettings reads the sandbox of a server, which `hosts`, `reads` or `writes` ask for, too", () => {
  const serverOf = (text: string): unknown => {
    const found = read(`mcp_servers: { it: { command: npx, ${text} } }`).servers.get("it");
    return found?.kind === "sound" && found.server.kind === "process"
      ? { cwd: found.server.cwd, ...found.server.sandbox }
      : found;
  };
  const home = "/home/ana/.cache/dottool/server-homes/it";
  const places = { level: "strict", folder: home, reads: [], writes: [home], hosts: [] };
  assert.equal(serverOf("sandbox: none"), { cwd: "/home/ana" });
  assert.equal(serverOf("sandbox: strict"), { cwd: home, home, confinement: places });
  assert.equal(serverOf("hosts: [api.github.com, '*.b.org:22']"), {
    cwd: home,
    home,
    confinement: { ...places, hosts: ["api.github.com", "*.b.org:22"] },
  });
  assert.equal(serverOf("cwd: ~/work, reads: ~/notes, writes: [/srv/a, ~/new/]"), {
    cwd: "/home/ana/work",
    home,
    confinement: {
      ...places,
      folder: "/home/ana/work",
      reads: ["/home/ana/notes"],
      writes: [home, "/srv/a", "/home/ana/new/"],
    },
  });
});

const mistakes: readonly (readonly [text: string, said: string])[] = [
  ["{ comand: npx }", "`comand`; did you mean `command`?"],
  ["{ args: [a] }", "has no `command` and no `url`"],
  ["{ command: npx, url: https://a }", "a server with a `url` has no key `command`"],
  ["{ command: ./server }", "`command` starts with a relative path"],
  ["{ command: npx, args: [1] }", "each word of `args` must be text"],
  ["{ command: npx, cwd: work }", "`cwd` must be an absolute path"],
  ["{ command: npx, timeout: 0 }", "`timeout` must be a number from 1 to 600"],
  ["{ command: npx, shareable: true }", "`shareable` is gone: each session starts its own server; remove the line"],
  ["{ command: npx, env: { API_KEY: sk-123 } }", "`API_KEY` must name the place of the secret, not its value"],
  ["{ command: npx, env: { A: secret:NOPE } }", "`A` names an unknown secret"],
  ["{ command: npx, env: { 'A B': c } }", "a variable name must be letters, digits and `_`"],
  ["{ command: npx, sandbox: custom }", "`sandbox` of a server must be `strict` or `none`"],
  [
    "{ command: npx, sandbox: none, hosts: [a.org] }",
    "`hosts` needs the sandbox; write `sandbox: strict`, or remove it",
  ],
  ["{ command: npx, hosts: ['https://a.org/'] }", "`hosts` takes hosts such as `api.github.com`"],
  ["{ command: npx, reads: [notes] }", "`notes` in `reads` must begin with `/` or `~/`"],
  ["{ command: npx, writes: [../a] }", "`../a` in `writes` must begin with `/` or `~/`"],
  ["{ url: 'https://a', sandbox: strict }", "a server with a `url` has no key `sandbox`"],
  ["{ url: ftp://a }", "`url` is not a web address"],
  ["{ url: 'https://ana:pw@a' }", "`url` has more than an address"],
  ["{ url: 'https://a', headers: { Authorization: Bearer abc } }", "`Authorization` must name the place of the secret"],
  ["{ url: 'https://a', oauth: { client_secret: sk-123 } }", "`client_secret` must name the place of the secret"],
  ["{ url: 'https://a', oauth: { clientid: x } }", "`oauth` has no key `clientid`"],
  ["npx", "must be a map"],
];

for (const [text, said] of mistakes) {
  test(`readServerSettings says where and what is wrong with ${text}`, () => {
    const { servers } = read(`mcp_servers:\n  it: ${text}\n`);
    const found = servers.get("it");
    const problems = found?.kind === "broken" ? found.problems : [];
    assert.equal(
      [
        problems.some((line) => line.startsWith(`${PATH}:2:`) && line.includes(said)),
        problems.some((line) => /sk-123|abc|pw@/.test(line)),
      ],
      [true, false],
    );
  });
}

test("readServerSettings reads no file that others may write", () => {
  assert.equal(
    readServerSettings({
      ...memoryHost(),
      instant: {
        ...memoryHost().instant,
        stat: () => ({
          kind: "file",
          sizeBytes: 1,
          mtimeMs: 0,
          ctimeMs: 0,
          mode: 0o666,
          isOwn: true,
          isOfRoot: false,
          inode: 1,
        }),
      },
    }),
    { path: PATH, servers: new Map(), problems: [`\`${PATH}\` can be written by every user`] },
  );
});

test.run();
