// The files that a model reads only after a person agrees to the very call, with every way of naming them.
import { join } from "node:path";
import { keyFilesAtHome, keyFilesByName, keyFilesOfMachine } from "../../src/generated/guarded-files.ts";
import { remoteTool } from "../../src/features/mcp-client/remote-tool.ts";
import { guardedFiles } from "../../src/core/policy/guarded-files.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { PreparedCall } from "../../src/core/tool/tool.ts";
import { amount } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { requireRows, withGuarded } from "./guarded-fixture.ts";

const test = suite("guarded files");

const environ = "processes: /proc/1/environ";

test("a process's environment is asked about in every tool and word", () =>
  requireRows(
    [
      ["head", { files: ["/proc/1/environ"] }],
      ["head", { files: ["a", "/proc/./1//environ"] }],
      ["head", { files: ["../../../../../../../../../../proc/1/environ"] }],
      ["read_file", { file_path: "/proc/1/environ" }],
      ["read_file", { file_path: `${"a/../".repeat(20_000)}../../../../../../../../../../proc/1/environ` }],
      ["search_text", { pattern: "x", path: "/proc/1/environ" }],
      ["show", { file: "/proc/1/environ" }],
      ["copy", { to: "/proc/1/environ" }],
      ["lines", { args: ["-a", "x", "/proc/1/environ"] }],
      ["lines", { args: ["--file=/proc/1/environ", "a"] }],
      ["lines", { args: ["-f/proc/1/environ", "a"] }],
      ["words", { args: ["@/proc/1/environ"] }],
      ["words", { args: ["x:/proc/1/environ"] }],
      ["words", { args: ["a,/proc/1/environ"] }],
      ["words", { args: ["file:///proc/1/environ"] }],
      ["words", { args: ["-c", "cat /proc/1/environ"] }],
      ["words", { args: ["open('/proc/1/environ')"] }],
      ["words", { args: ["/proc/1/root/proc/1/environ"] }, "processes: /proc/1/root/proc/1/environ"],
      ["words", { args: ["/pr''oc/1/envi\\ron"] }],
      ["scripted", { file: "/proc/1/environ" }],
      ["looks", { file: "/proc/1/environ" }],
      ["takes_file", { file: "/proc/1/environ" }],
      ["takes_file", { file: "x", more: [{ path: "file:///proc/1/environ" }] }],
      ["process", { id: 1 }],
      ["run_command", { argv: ["cat", "/proc/1/environ"] }],
      ["run_command", { command: "cat </proc/1/environ" }],
      ["run_command", { argv: ["xargs", "cat"], stdin: "/proc/1/environ\n" }],
      ["run_command", { argv: ["sh", "-c", "cat $X"], env: { X: "/proc/1/environ" } }],
      ["run_command", { argv: ["cat", "environ"], working_dir: "/proc/1" }],
      ["lines", { args: ["x", "/proc/self/environ"] }, "processes: /proc/self/environ"],
      ["lines", { args: ["x", "/proc/thread-self/mem"] }, "processes: /proc/thread-self/mem"],
      ["lines", { args: ["x", "/proc/1/task/1/environ"] }, "processes: /proc/1/task/1/environ"],
      ["lines", { args: ["x", "/proc/99999999/environ"] }, "processes: /proc/99999999/environ"],
      ["head", { files: ["/dev/fd/9"] }, "processes: /dev/fd/9"],
    ],
    environ,
  ));

test("so is what a shell or a program makes of wildcards, braces, variables and a change of folder", () =>
  requireRows(
    [
      ["run_command", { command: "cat /proc/*/environ" }, "processes: /proc/1/environ"],
      ["lines", { args: ["x", "/proc/[0-9]/environ"] }, "processes: /proc/1/environ"],
      ["run_command", { command: "cat /proc/$PPID/environ" }, "processes: /proc/1/environ"],
      ["run_command", { command: "cat /proc/{self,1}/environ" }, "processes: /proc/self/environ"],
      ["run_command", { command: "cat $HOME/.ssh/id_ed25519" }, "keys: ~/.ssh/id_ed25519"],
      ["run_command", { command: 'cat "$HOME"/.s*/id_*' }, "keys: ~/.ssh/id_ed25519"],
      ["run_command", { command: "cd ~ && cat .netrc" }, "keys: ~/.netrc"],
      ["run_command", { command: "cd ../home; head .config/nvim/init.lua" }, "settings: ~/.config/nvim/init.lua"],
      ["names", { args: ["<root>/home", ".netrc"] }, "keys: ~/.netrc"],
      ["run_command", { command: "cd /proc/1; cat environ" }, "processes: /proc/1/environ"],
    ],
    "",
  ));

/** Hardly more characters are read of a word in the long tests. */
const LONG = amount(10_000, 30_000);

test("what names too many files to look at is asked about, and no text makes it take long or look away", () =>
  withGuarded(async ({ reasons }) => {
    const many = "it names more files than can be checked, so each such call needs approval";
    const words = Array.from({ length: 200 }, (_one, word) =>
      Array.from({ length: 200 }, (_part, at) => `a${word}.${at}/`).join(" "),
    );
    assert.equal(await reasons("words", { args: words }), [["settings", many]]);
    const strange = [
      "*a".repeat(5_000),
      `{${",".repeat(LONG)}`,
      `/x{${",".repeat(LONG)}}`,
      "{a,b}".repeat(amount(150, 500)),
      "$".repeat(LONG),
      "[".repeat(LONG),
      "*/".repeat(500),
      "(".repeat(LONG),
      `-${"~/".repeat(amount(3_000, 9_000))}`,
      `/proc/{${"x,".repeat(100)}self}/environ`,
      `/proc/{a,self}${"{,}".repeat(10)}/environ`,
    ];
    const asked: string[] = [];
    for (const word of strange)
      asked.push((await reasons("words", { args: ["x", word] })).map(([rule]) => rule).join());
    // Sixteen thousand wildcards also match the link `keys`.
    assert.equal(asked, ["", "", "", "", "keys", "", "", "", "", "processes", "processes"]);
  }));

test("so are keys, and what is hidden in a home folder", () =>
  requireRows(
    [
      ["read_file", { file_path: "<root>/home/.ssh/id_ed25519" }],
      ["read_file", { file_path: "../home/.ssh/id_ed25519" }],
      ["head", { files: ["keys/id_ed25519"] }, "keys: ~/.ssh/id_ed25519"],
      ["head", { files: ["keys/../.ssh/id_ed25519"] }],
      ["show", { file: "~/.ssh/id_ed25519" }],
      ["words", { args: ["-i", "~/.ssh/id_ed25519"] }],
      ["words", { args: ["-i~/.ssh/id_ed25519"] }],
      ["words", { args: ["--data", "@../home/.ssh/id_ed25519"] }],
      ["list_dir", { path: "../home/.ssh" }, "keys: ~/.ssh"],
      ["names", { args: ["../home/.aws"] }, "keys: ~/.aws"],
      [
        "run_command",
        { argv: ["jq", "-n", 'import "x" as $d {search: "~/.aws/sso/cache"}; $d'] },
        "keys: ~/.aws/sso/cache",
      ],
      ["read_file", { file_path: "../home/.config/gh/hosts.yml" }, "keys: ~/.config/gh/hosts.yml"],
      ["read_file", { file_path: "../home/.mozilla/firefox/x/logins.json" }, "keys: ~/.mozilla/firefox/x/logins.json"],
      ["read_file", { file_path: "../home/.bash_history" }, "keys: ~/.bash_history"],
      ["read_file", { file_path: "/root/.aws/credentials" }, "keys: /root/.aws/credentials"],
      ["read_file", { file_path: "/home/somebody/.netrc" }, "keys: /home/somebody/.netrc"],
      ["read_file", { file_path: "/etc/shadow" }, "keys: /etc/shadow"],
      ["read_file", { file_path: "deploy/id_rsa" }, "keys: deploy/id_rsa"],
      ["choice", { which: "/etc/shadow" }, ""],
      ["read_file", { file_path: "../home/.config/nvim/init.lua" }, "settings: ~/.config/nvim/init.lua"],
      ["read_file", { file_path: "../state/dottool/trust.json" }, "settings: <root>/state/dottool/trust.json"],
      ["read_file", { file_path: "../config/dottool/config.yaml" }, "settings: <root>/config/dottool/config.yaml"],
      ["lines", { args: ["x", "../cache/dottool/x"] }, "settings: <root>/cache/dottool/x"],
    ],
    "keys: ~/.ssh/id_ed25519",
  ));

test("so are a project's files with passwords, and not words that look like them", () =>
  requireRows(
    [
      ["read_file", { file_path: "app/.env" }],
      ["show", { file: "./app/../app/.env" }],
      ["lines", { args: ["-n", "KEY", "app/.env"] }],
      ["search_text", { pattern: "KEY", path: "app/.env" }],
      ["run_command", { command: "cat app/.e*v" }],
      ["words", { args: ["--env-file=app/.env"] }],
      ["run_command", { command: "cd app && cat .env" }],
      ["run_command", { command: "cd app; cat *.key" }, "keys: app/server.key"],
      ["read_file", { file_path: "app/server.key" }, "keys: app/server.key"],
      ["read_file", { file_path: "app/.env.example" }, ""],
      ["read_file", { file_path: "app/node_modules/tls/test.key" }, ""],
      ["note", { to: "app/.env" }],
      ["note", { to: "app/.env.local" }, ""],
      ["lines", { args: ["-rn", "process.env", "src"] }, ""],
      ["run_command", { command: "node -p process.env.HOME" }, ""],
    ],
    "keys: app/.env",
  ));

test("so is a folder with links to them, for what follows links", () =>
  requireRows(
    [
      ["lines", { args: ["-Rn", "x", "."] }],
      ["lines", { args: ["-Rn", "x"] }],
      ["glob", { arguments: ["-L", ".", "-name", "x"] }],
      ["run_command", { command: "rg --follow x ." }],
      ["lines", { args: ["-Rn", "x", "src"] }, ""],
      ["lines", { args: ["-rn", "x", "."] }, ""],
      ["glob", { arguments: [".", "-name", "x"] }, ""],
    ],
    "keys: <root>/work",
  ));

test("so is a folder above them, for what reads all that lies below", () =>
  requireRows(
    [
      ["lines", { args: ["-r", "x", "<root>/home"] }, "settings: <root>/home"],
      ["lines", { args: ["-rn", "x", "~"] }, "settings: <root>/home"],
      ["lines", { args: ["--recursive", "x", ".."] }, "settings: <root>"],
      ["lines", { args: ["-r", "x", "/"] }, "processes: /"],
      ["lines", { args: ["-r", "x", "/proc"] }, "processes: /proc"],
      ["lines", { args: ["-r", "x", "/proc/self"] }, "processes: /proc/self"],
      ["names", { args: ["-laR", "<root>"] }, "settings: <root>"],
      ["draw", { path: "../home" }, "settings: <root>/home"],
      ["glob", { arguments: ["<root>", "-name", "x"] }, "settings: <root>"],
      ["words", { args: ["<root>/home"] }, "settings: <root>/home"],
      ["takes_file", { file: "<root>/home" }, "settings: <root>/home"],
      ["run_command", { command: "ls; rg x ~" }, "settings: <root>/home"],
      ["run_command", { command: "rg x", working_dir: "<root>/home" }, "settings: <root>/home"],
      ["run_command", { argv: ["grep", "-r", "x"], working_dir: "../home" }, "settings: <root>/home"],
    ],
    "",
  ));

test("a tool of an MCP server is asked about for files of this machine, and not for those of its own", () => {
  const inputSchema = { type: "object", properties: { path: { type: "string" }, text: { type: "string" } } };
  const pin = { name: "read", description: "Reads.", inputSchema };
  const tool = remoteTool({
    name: { server: "files", tool: "read" },
    pin,
    call: () => Promise.reject(new Error("it is not called")),
  });
  const asked = (args: JsonObject): readonly string[] => {
    const call: PreparedCall = { call: { id: "1", tool: "mcp:files/read", arguments: args }, tool, arguments: args };
    return guardedFiles(call, {
      host: memoryHost({ files: { "/home/ana/.netrc": "" } }),
      cwd: "/home/ana/work",
      toolFolders: [],
    }).rules.map(({ name }) => name);
  };
  assert.equal(
    [
      "/home/ana/.ssh/id_rsa",
      "~/.netrc",
      "file:///proc/1/environ",
      "/home/ana/work/Makefile",
      "/home/ana",
      "package.json",
      ".github/workflows/ci.yml",
      "src/a.ts",
      "/home/ana/work/src",
    ].map((path) => asked({ path, text: "See ~/.netrc and Makefile" }).join()),
    ["keys", "keys", "processes", "executed files", "settings", "", "", "", ""],
  );
});

test("each place of keys is asked about, and says what it may hold", () =>
  withGuarded(async ({ root, reasons }) => {
    const told = async (path: string): Promise<string> => {
      const seen = await reasons("read_file", { file_path: path });
      return seen.flat().join(": ");
    };
    const because = (path: string, holds: string): string =>
      `keys: \`${path}\` may contain ${holds}, so each call that uses it needs approval`;
    const named = (path: string): string => path.replaceAll("*", "x");
    for (const { paths, holds } of keyFilesAtHome)
      for (const path of paths.split(", ").map(named))
        assert.is(await told(join(root, "home", path, "x")), because(`~/${path}/x`, holds));
    // `/var/run` may be a link.
    const plain = (text: string): string => text.replace("`/run/", "`/var/run/");
    for (const { paths, holds } of [...keyFilesOfMachine, ...keyFilesByName]) {
      for (const path of paths.split(", ").map(named)) {
        if (!path.startsWith("C:")) assert.is(plain(await told(path)), plain(because(path, holds)));
      }
    }
  }));

test.run();
