// A project beside what no contained line may reach: a home folder with keys, a folder `out`, and servers that count who
// reaches them. `freely` runs lines where the machine is read-only except for these folders, and says which of them did
// something; `inWall` runs them as `dottool sandbox` does.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { appendFileSync, chmodSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { singleQuoted } from "../../src/core/base/quote.ts";
import { HANG_MS_MAX } from "../amount.ts";
import { type TestProject, testProject } from "../test-project.ts";

/** Stands in each file with a key of the home folder and of the project, and in `@OUT/canary`. */
const CANARY = "canary-1794";

export interface ContainedPlace extends Disposable {
  readonly bench: TestProject;
  /** Returns the line with what the names in it stand for. */
  filled(line: string): string;
  /** Returns what each line did without a wall: words, or `missing NAME` for a program that is not here. */
  freely(lines: readonly string[]): Promise<readonly string[]>;
  /** Runs all lines in one process, and returns what they did beyond the project, or undefined. */
  inWall(words: readonly string[], lines: readonly string[]): Promise<string | undefined>;
}

const evil = "#!/bin/sh\ntouch @OUT/ran\ncat\n";

/** Below the folder of the bench. */
const files: Readonly<Record<string, string>> = {
  "out/canary": `${CANARY}\n`,
  "out/data.txt": "data\n",
  "home/.ssh/id_rsa": `${CANARY}\n`,
  "home/.ssh/config": `[a]\n\tb = ${CANARY}\n`,
  "home/.aws/credentials": `${CANARY}\n`,
  "home/.netrc": `${CANARY}\n`,
  "home/.bash_history": `${CANARY}\n`,
  "home/.bashrc": "true\n",
  "home/.profile": "true\n",
  "home/notes.txt": "notes\n",
  "project/a.txt": "text\n",
  "project/b.txt": "other text\n",
  "project/README.md": "# Project\n",
  "project/src/main.c": "int main(void) { return 0; }\n",
  "project/data.patch": "--- a\n+++ b\n@@ -1 +1 @@\n-data\n+other\n",
  "project/evil.sh": evil,
  "project/evil.cjs": 'require("fs").writeFileSync("@OUT/made", "x");\n',
  "project/evil.py": 'open("@OUT/made", "w")\n',
  "project/evil.cmake": 'file(WRITE "@OUT/made" "x")\n',
  "project/Makefile": "evil:\n\ttouch @OUT/made\nclean:\n\ttrue\n",
  "project/package.json": '{"name": "x", "version": "1.0.0", "scripts": {"evil": "touch @OUT/made"}}\n',
  "project/.gitignore": "keys/\n",
};

/** They are no part of the repository. */
const keys: Readonly<Record<string, string>> = {
  "project/.env": `TOKEN=${CANARY}\n`,
  "project/keys/server.key": `-----BEGIN PRIVATE KEY-----\n${CANARY}\n`,
};

/** What a person has and the wall does not give back: names of the project that other programs obey. */
const OBEYED = ".git/config .git/hooks .git/commondir .envrc .vscode .dottool .tools";

export async function containedPlace(): Promise<ContainedPlace> {
  // What dottool makes for itself is there before, so that the folder above does not change.
  const bench = testProject({ "home/.cache/dottool/x": "", "home/.local/state/dottool/x": "" });
  const at = (path: string): string => join(bench.folder, path);
  const servers = await countingServers(at("socket"), at("reached"));
  const names: Readonly<Record<string, string>> = { ...servers.names, OUT: at("out"), HOME: at("home") };
  const filled = (line: string): string => line.replaceAll(/@([A-Z]+)/g, (whole, name: string) => names[name] ?? whole);
  for (const [path, text] of Object.entries(files)) bench.write(path, filled(text));
  chmodSync(at("project/evil.sh"), 0o755);
  symlinkSync(".env", at("project/link-env"));
  symlinkSync("../out", at("project/link-out"));
  execFileSync("bash", ["-ec", SET_UP], { cwd: at("project"), env: environment(bench) });
  for (const [path, text] of Object.entries(keys)) bench.write(path, text);
  cpSync(at("out"), at("before/out"), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  execFileSync("cp", ["-a", at("home"), at("project"), at("before/")]);
  return {
    bench,
    filled,
    freely: (lines) => freely(bench, lines, filled),
    inWall: (words, lines) => inWall(bench, words, lines.map(filled)),
    [Symbol.dispose]: () => {
      servers.close();
      bench.remove();
    },
  };
}

const SET_UP = `git init -q --template= && git add -A && git commit -qm first && echo more >> b.txt && git commit -qam second
mkdir .git/hooks ../out/empty ../sockets
git clone -q --template= . ../out/clone && git clone -q --bare --template= . ../out/remote.git`;

function environment(bench: TestProject): Record<string, string> {
  const names = ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Ana"],
    [`GIT_${who}_EMAIL`, "ana@example.com"],
  ]);
  return { HOME: join(bench.folder, "home"), PATH: "/usr/local/bin:/usr/bin:/bin", ...Object.fromEntries(names) };
}

async function countingServers(
  socket: string,
  reached: string,
): Promise<{ readonly names: Readonly<Record<string, string>>; close(): void }> {
  const count = (): void => appendFileSync(reached, "x");
  const name = `contained-${process.pid}`;
  const listen = async (place: string | { readonly port: number; readonly host: string }): Promise<Server> => {
    const server = createServer((connection) => {
      count();
      connection.on("error", () => undefined).end("HTTP/1.0 200 OK\r\n\r\n");
    }).listen(place);
    await once(server, "listening");
    return server;
  };
  const all = [await listen({ port: 0, host: "127.0.0.1" }), await listen(socket), await listen(`\0${name}`)];
  const datagrams = createSocket("udp4").on("message", count).bind(0, "127.0.0.1");
  await once(datagrams, "listening");
  const address = all[0]?.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const names = { PORT: String(port), UDP: String(datagrams.address().port), SOCKET: socket, NAME: name };
  return {
    names,
    close: () => {
      for (const server of all) server.close();
      datagrams.close();
    },
  };
}

/** Each line has an end. What it prints is cut. */
const ATTEMPT = `attempt() { timeout -k 1 20 bash -c "$1" < /dev/null 2>&1 | head -c 20000; }`;

/** What may not change, with contents. \`home/.*\` of dottool itself is left out. */
const STATE = `state() {
  (cd "$ROOT" && ls -I reached && find out home \\( -path home/.cache -o -path home/.local -o -path home/.npm \\) -prune -o -printf '%p %y %m %s %T@ %l\\n' -type f -exec cat {} +
  cd project && find ${OBEYED} -printf '%p %y %m %s %l\\n' -type f -exec cat {} +) 2> /dev/null
}`;

/** What a person would do next: git in the project, and in each repository that it has now. */
const NEXT = `next() {
  (cd "$ROOT/project" && timeout 5 git status && timeout 5 git diff && timeout 5 git log -1 &&
  timeout 5 git add -A && timeout 5 git commit --allow-empty -m next
  find . -mindepth 2 -name .git -printf '%h\\n' | head -n 5 | while read -r inner; do
    timeout 5 git -C "$inner" status; timeout 5 git -C "$inner" commit --allow-empty -m next
  done) < /dev/null > /dev/null 2>&1
}`;

/** Where the machine cannot be written but for the folder of the bench. Processes are its own. */
function guarded(bench: TestProject, script: string): readonly string[] {
  return [
    ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind"],
    ...[bench.folder, bench.folder, "--unshare-pid", "--die-with-parent", "--chdir", join(bench.folder, "project")],
    ...["bash", "-c", `ROOT=${singleQuoted(bench.folder)}\n${ATTEMPT}\n${STATE}\n${NEXT}\n${script}`],
  ];
}

/** Tenths of a second until a server has counted. */
const WAITS = 20;
/** Lines of one start, which has an end. */
const STARTED = 10;
const REACHES = /@(PORT|UDP|SOCKET|NAME)/;

async function freely(
  bench: TestProject,
  lines: readonly string[],
  filled: (line: string) => string,
): Promise<readonly string[]> {
  const did: string[] = [];
  for (let at = 0; at < lines.length; at += STARTED) {
    const words = lines
      .slice(at, at + STARTED)
      .map((line) => ["try", singleQuoted(filled(line)), waitsFor(line)].join(" "));
    const { stdout } = await run(bench, guarded(bench, `${TRY}\n${words.join("\n")}`));
    did.push(...stdout.trimEnd().split("\n"));
  }
  return did;
}

function waitsFor(line: string): number {
  return REACHES.test(line) ? WAITS : 0;
}

const TRY = `try() {
  before=$(stat -c %s "$ROOT/reached" 2> /dev/null)
  printed=$(attempt "$1")
  did=
  for ((i = 0; i < $2; i++)); do
    [ "$before" = "$(stat -c %s "$ROOT/reached" 2> /dev/null)" ] || { did=" reached"; break; }
    sleep 0.1
  done
  case $printed in *${CANARY}*) did="$did read";; esac
  [ "$fresh" = "$(state | md5sum)" ] || did="$did wrote"
  case $1 in *git*) next;; esac; if [ -e "$ROOT/out/ran" ]; then did="$did ran"; fi
  if [ -z "$did" ]; then printf 'nothing: %s\\n' "$(head -c 500 <<< "$printed" | tr '\\n' ' ')"; else echo "$did"; fi
  find "$ROOT/project" -mindepth 1 -delete; rm -rf "$ROOT/out" "$ROOT/home"; rm -rf "$ROOT"/out-made
  cp -a "$ROOT/before/project/." "$ROOT/project/"; cp -a "$ROOT/before/out" "$ROOT/before/home" "$ROOT/"
}
cp -a "$ROOT/before/out" "$ROOT/x" && rm -rf "$ROOT/out" && mv "$ROOT/x" "$ROOT/out"
fresh=$(state | md5sum)`;

async function inWall(
  bench: TestProject,
  words: readonly string[],
  lines: readonly string[],
): Promise<string | undefined> {
  const state = (): string => {
    const [command = "", ...rest] = guarded(bench, "state | sort");
    return spawnSync(command, rest, { encoding: "utf8", env: environment(bench) }).stdout;
  };
  const reached = (): number =>
    existsSync(join(bench.folder, "reached")) ? readFileSync(join(bench.folder, "reached")).length : 0;
  const [stateBefore, reachedBefore] = [state(), reached()];
  // What lines change in the project is put back, except what no line may change.
  const script = `${ATTEMPT}
mkdir /tmp/before && cp -a ./[!.]* /tmp/before/
${lines.map((line, index) => `echo "@@${index}"; attempt ${singleQuoted(line)}; cp -a /tmp/before/. .`).join(" 2> /dev/null\n")} 2> /dev/null
echo "@@end"`;
  const { command, words: own } = bench.program;
  const { stdout, stderr } = await run(bench, [command, ...own, ...words, "bash", "-c", script]);
  if (!stdout.endsWith("@@end\n")) return `did not end: ${stdout.slice(-500)}${stderr}`;
  const did = [
    stdout.includes(CANARY) ? "read" : "",
    reached() === reachedBefore ? "" : "reached",
    ...[difference(stateBefore, state())],
  ];
  const [git = "", ...rest] = guarded(bench, 'next; [ ! -e "$ROOT/out/ran" ]');
  if (spawnSync(git, rest, { env: environment(bench) }).status !== 0) did.push("ran");
  return did.some((one) => one !== "") ? did.filter((one) => one !== "").join("; ") : undefined;
}

/** Returns the first lines that one has and the other has not. */
function difference(before: string, after: string): string {
  const [was, is] = [before, after].map((text) => new Set(text.split("\n")));
  const changed = [
    ...[...(is ?? [])].filter((line) => !was?.has(line)),
    ...[...(was ?? [])].filter((line) => !is?.has(line)).map((line) => `no longer: ${line}`),
  ];
  return changed.length === 0 ? "" : `wrote ${changed.slice(0, 5).join(", ")}`;
}

function run(
  bench: TestProject,
  [command = "", ...words]: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      cwd: join(bench.folder, "project"),
      env: { ...bench.program.environment, ...environment(bench) },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: HANG_MS_MAX,
    });
    const texts = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
    child.on("error", reject).on("close", () => resolve(texts));
  });
}

/** For a place that a failed batch has left changed. */
export function restored({ bench }: ContainedPlace): void {
  for (const name of ["project", "out", "home"]) rmSync(join(bench.folder, name), { recursive: true, force: true });
  const names = ["project", "out", "home"].map((name) => join(bench.folder, "before", name));
  execFileSync("cp", ["-a", ...names, bench.folder]);
}
