// A home that is read-only, a file, or missing; a full disk; no place for temporary files; a folder that cannot be
// removed. Every command that stores something says what it could not store and where, and none reports a bug.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { startAgentServer } from "../agent/agent-server.ts";
import { done, KEY } from "../agent/scripted-turn.ts";
import { onFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { hello, request } from "../mcp/line-client.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";
import { withoutRights } from "../without-rights.ts";

const test = suite("unusable folders");

const say = "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo said\n";
const temporary =
  'Keep it.\n\n@title Keep\n@name keep\n@step one runs\n    sh -c \'echo kept >"$0/file"; cat "$0/file"\' {TEMP_DIR}\n';

interface Start {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** Set if files can have no bytes, as on a full disk. */
  readonly isFull?: boolean;
  /** Set to give up root also as the real user, so that variables count as for any user. */
  readonly isNobody?: boolean;
}

/** Starts the program itself with exactly this environment. The bench's folder reads `<bench>`. */
function start(
  bench: TestProject,
  words: readonly string[],
  { environment = {}, stdin = "", isFull = false, isNobody = false }: Start = {},
): Promise<ToolRun> {
  const { folder } = bench;
  const program = isFull ? onFullDisk(bench) : bench.program;
  const variables = Object.entries({ ...program.environment, ...environment }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  // A shell would restore the rights that a test has given up.
  const nobody =
    isNobody && process.getuid?.() === 0
      ? [...needPrograms("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups"]
      : [];
  return new Promise((resolve, reject) => {
    const child = spawn("env", ["-i", ...variables, ...nobody, program.command, ...program.words, ...words], {
      cwd: folder,
      timeout: HANG_MS_MAX,
    });
    const texts = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
    child.stdin.on("error", () => undefined).end(stdin);
    child.on("error", reject);
    child.on("close", (exitCode) =>
      resolve({
        stdout: texts.stdout.replaceAll(folder, "<bench>"),
        stderr: texts.stderr.replaceAll(folder, "<bench>"),
        exitCode,
      }),
    );
  });
}

interface Surroundings {
  readonly name: string;
  readonly start: (bench: TestProject) => Start;
  /** Set if nothing may be written below the home. */
  readonly isReadOnly?: true;
  /** The state folder's name in messages. */
  readonly state: string;
}

const allSurroundings: readonly Surroundings[] = [
  { name: "a home for reading alone", start: () => ({}), isReadOnly: true, state: "<bench>/home/.local" },
  {
    name: "a home that is a file",
    start: ({ folder }) => ({ environment: { HOME: join(folder, "file") } }),
    state: "<bench>/file/.local/state/dottool",
  },
  {
    name: "no HOME, and a state folder that is a file",
    start: ({ folder }) => ({
      environment: {
        HOME: undefined,
        XDG_STATE_HOME: join(folder, "file"),
        XDG_CACHE_HOME: join(folder, "file"),
        XDG_CONFIG_HOME: join(folder, "file"),
      },
    }),
    state: "<bench>/file/dottool",
  },
  { name: "a full disk", start: () => ({ isFull: true }), state: "<bench>/home/.local/state/dottool" },
];

async function inSurroundings(
  { start: startOf, isReadOnly }: Surroundings,
  body: (bench: TestProject, run: (words: readonly string[], more?: Start) => Promise<ToolRun>) => Promise<void>,
): Promise<void> {
  using bench = testProject({ ".tools/say.tool": say, "tools/keep.tool": temporary, file: "" }, { isTrusted: false });
  const run = (words: readonly string[], more: Start = {}): Promise<ToolRun> => {
    const given = startOf(bench);
    return start(bench, words, { ...given, ...more, environment: { ...given.environment, ...more.environment } });
  };
  if (!isReadOnly) return await body(bench, run);
  const home = join(bench.folder, "home");
  chmodSync(home, 0o555);
  await withoutRights(bench.folder, [], () => body(bench, run)).finally(() => chmodSync(home, 0o755));
}

function assertClean({ exitCode, stdout, stderr }: ToolRun, path: string): void {
  const said = stdout + stderr;
  assert.is(exitCode, 1, said);
  assert.ok(said.includes(`\`${path}`), said);
  assert.not.match(said, /bug|^\s+at /m);
}

for (const surroundings of allSurroundings) {
  test(`${surroundings.name}: trust and allow say what cannot be kept`, () =>
    inSurroundings(surroundings, async (_bench, run) => {
      const hash = (await run(["trust", "--show"])).stdout.trim().split("\n").at(-1) ?? "";
      assertClean(await run(["trust"], { environment: { DOTTOOL_TRUST: hash } }), surroundings.state);
      const agreed = (await run(["--tools", "tools", "allow", "keep", "--show"])).stdout.trim();
      assertClean(await run(["--tools", "tools", "allow", "keep", "--hash", agreed]), surroundings.state);
    }));

  test(`${surroundings.name}: calls, untrust, a server and an agent work as far as they can`, () =>
    inSurroundings(surroundings, async (_bench, run) => {
      const called = await run(["--tools", ".tools", "say"]);
      assert.equal([called.exitCode, called.stdout], [0, "said\n"], called.stderr);
      assert.not.match(called.stderr, /bug/);
      const untrusted = await run(["untrust"]);
      assert.equal(untrusted, { exitCode: 0, stdout: "", stderr: "no folder was trusted, so nothing was revoked\n" });
      const served = await run(["mcp"], {
        stdin: `${hello}\n${request(1, "tools/call", { name: "list_dir", arguments: {} })}\n`,
      });
      assert.equal([served.exitCode, served.stdout.includes('"id":1')], [0, true], served.stderr);
      assert.not.match(served.stdout + served.stderr, /bug/);
    }));
}

for (const [name, path] of [
  ["missing", "none"],
  ["a file", "file"],
] as const) {
  test(`a place for temporary files that is ${name} fails the run that needs one, with its path`, async () => {
    using bench = testProject({ "tools/keep.tool": temporary, file: "" });
    const { exitCode, stdout, stderr } = await start(bench, ["--tools", "tools", "keep"], {
      environment: { TMPDIR: join(bench.folder, path) },
    });
    assert.equal({ exitCode: exitCode === 0, stdout }, { exitCode: false, stdout: "" });
    assert.ok(stderr.startsWith(`failed[file]: cannot write \`<bench>/${path}\`: `), stderr);
    assert.ok(stderr.includes("set TMPDIR to use another folder"), stderr);
  });
}

test("a folder of a run that cannot be removed is named, with what the steps gave", async () => {
  // No one can remove files in a folder without rights to it.
  const stuck = temporary.replace('cat "$0/file"', 'mkdir "$0/in"; echo >"$0/in/x"; chmod 0 "$0/in"; cat "$0/file"');
  using bench = testProject({ "tools/keep.tool": stuck });
  const places = join(bench.folder, "places");
  try {
    mkdirSync(places);
    chmodSync(places, 0o777);
    chmodSync(bench.folder, 0o755);
    const { exitCode, stdout, stderr } = await start(bench, ["--tools", "tools", "keep"], {
      environment: { TMPDIR: places },
      isNobody: true,
    });
    assert.equal([exitCode, stdout], [1, "kept\n"], stderr);
    const said = stderr
      .replaceAll(/dottool-run-\w+/g, "RUN")
      .split("\n")
      .filter((line) => !line.includes("[audit]"))
      .slice(0, 2);
    assert.equal(said, [
      "warning: `<bench>/places/RUN` is left behind: it cannot be removed (EACCES)",
      "failed[file]: cannot remove `<bench>/places/RUN/in`: permission denied",
    ]);
  } finally {
    for (const name of readdirSync(places)) chmodSync(join(places, name, "in"), 0o755);
  }
});

test("an agent whose conversation cannot be kept says so before it asks a model", async () => {
  const server = await startAgentServer(done("as asked"));
  using bench = testProject({
    "config/dottool/config.yaml": `providers:\n  default: local\n  local: {kind: openai, url: "${server.origin}/v1", model: big-1, key: env:API_KEY}\n`,
    file: "",
  });
  try {
    const { exitCode, stdout, stderr } = await start(bench, ["agent", "do it"], {
      environment: { API_KEY: KEY, HOME: join(bench.folder, "file"), XDG_CONFIG_HOME: join(bench.folder, "config") },
    });
    const said =
      "failed[file]: cannot write `<bench>/file/.local/state/dottool/agents`: a part of the path is a file, not a directory\n  = conversations are stored there; free some space, or set XDG_STATE_HOME to another folder\n";
    assert.equal({ exitCode, stdout, stderr }, { exitCode: 1, stdout: "", stderr: said });
    assert.equal(server.bodies, []);
  } finally {
    await server.close();
  }
});

// The limit on the size of files is set through Node, and Deno has no code for it.
if (!("deno" in process.versions)) test.run();
else suite("unusable folders").run();
