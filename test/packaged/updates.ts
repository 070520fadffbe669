// Bundles that update themselves, by the built executable, and a place of updates on the web for them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { assert } from "../harness.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";
import type { ToolRun } from "../test-project.ts";

export const root = mkdtempSync(join(tmpdir(), "dottool-update-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
chmodSync(root, 0o755);
export const NOBODY = 65_534;
export const FACTS = `ourtools-${packagedTarget}.json`;

export function folder(name: string): string {
  const made = mkdtempSync(join(root, `${name}-`));
  chmodSync(made, 0o777);
  return made;
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export interface RunOptions {
  readonly cwd?: string;
  readonly home?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: number;
}

/** The servers of this process answer meanwhile. */
export async function run(file: string, words: readonly string[], options: RunOptions = {}): Promise<ToolRun> {
  const { cwd = root, home = folder("home"), environment = {}, user } = options;
  const child = spawn(file, words, {
    cwd,
    env: { PATH: "/usr/bin:/bin", HOME: home, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: HANG_MS_MAX,
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (bytes: Buffer) => (said[stream] += bytes.toString()));
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, ...said };
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A place of updates on the web: the files of a folder, or what a test answers. */
export const place = folder("place");
export const asked: string[] = [];
export const serve: Answer = ({ url = "" }, response) => {
  asked.push(url);
  const path = join(place, decodeURIComponent(url));
  if (existsSync(path)) response.end(readFileSync(path));
  else response.writeHead(404).end();
};
let answer: Answer = serve;
/** Until the next release is served. */
export function answerWith(other: Answer): void {
  answer = other;
}

const server = createServer((request, response) => answer(request, response));
await once(server.listen(0, "127.0.0.1"), "listening");
server.unref();
export const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export const project = folder("project");
export const greet = (word: string): string =>
  `Greets somebody.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo "${word} {name}"\n@param name {string} [required] Who\n@tags read\n`;
export const key = join(root, "team.key");
export const made = await run(packagedFile, ["bundle", "--new-key", key]);

interface BundleOptions {
  readonly from?: string;
  readonly sign?: string;
  readonly release?: string;
  readonly name?: string;
}

/** Returns the path of a new bundle of that version, in a folder of its own. */
export async function bundle(version: string, options: BundleOptions = {}): Promise<string> {
  const { from = url, sign = key, release, name = "ourtools" } = options;
  write(join(project, ".tools/greet.tool"), greet(version));
  write(join(project, ".tools/package.json"), JSON.stringify({ name: "our-tools", version }));
  const output = join(folder("bin"), name);
  const words = ["bundle", "-o", output, "--update-from", from, "--sign", sign];
  const ran = await run(packagedFile, [...words, ...(release === undefined ? [] : ["--release", release])], {
    cwd: project,
  });
  assert.is(ran.exitCode, 0, ran.stderr);
  return output;
}

/** Folders of releases that were made once. */
const releases = new Map<string, string>();

/** Serves this release alone. */
export async function publish(version: string, options: BundleOptions = {}): Promise<void> {
  answer = serve;
  const wanted = JSON.stringify([version, options]);
  const release = releases.get(wanted) ?? folder("release");
  if (!releases.has(wanted)) rmSync(dirname(await bundle(version, { release, ...options })), { recursive: true });
  releases.set(wanted, release);
  rmSync(place, { recursive: true });
  cpSync(release, place, { recursive: true });
}

export const first = await bundle("1.0.0");

/** Returns a copy of the first version, alone in a folder. */
export function copy(): string {
  const path = join(folder("copy"), "ourtools");
  copyFileSync(first, path);
  return path;
}

export function isAsBefore(path: string): boolean {
  return readdirSync(dirname(path)).join() === "ourtools" && readFileSync(path).equals(readFileSync(first));
}
