// The network of a sandbox that may reach named hosts: what has to be inside, and the proxy outside.
import { Buffer } from "node:buffer";
import process from "node:process";
import { PROXY_PORT, relay } from "./relay.ts";

const proxy = `http://127.0.0.1:${PROXY_PORT}`;

const RELAY_FILE = "/run/dottool/relay.cjs";

/** The words that start the relay, before `run` or `connect`. */
export function relayWords(): readonly string[] {
  return isExecutable() ? [process.execPath, RELAY_WORD] : [process.execPath, RELAY_FILE];
}

/** The first word of the executable's own relay, which no tool can be called. */
const RELAY_WORD = "__relay";

function isExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}

/** What has to be visible inside: files as they are, and files with a content. */
export function networkFiles(): {
  readonly paths: readonly string[];
  readonly contents: readonly (readonly [path: string, content: Buffer])[];
} {
  const script = Buffer.from(`(${relay.toString()})(process.argv.slice(2));\n`);
  return {
    paths: [process.execPath],
    contents: [["/etc/ssh/ssh_config", sshSettings()], ...(isExecutable() ? [] : [[RELAY_FILE, script] as const])],
  };
}

/** Programs that know no proxy reach nothing. */
export function proxyEnvironment(): Readonly<Record<string, string>> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    NO_PROXY: "",
    no_proxy: "",
    // Node's own fetch.
    NODE_USE_ENV_PROXY: "1",
  };
}

/** ssh's settings for the whole system, within the sandbox. */
function sshSettings(): Buffer {
  return Buffer.from(`Host *\n  ProxyCommand ${[...relayWords(), "connect", "%h", "%p"].map(sshWord).join(" ")}\n`);
}

/** ssh puts host and port into the line, in which `%%` is a percent sign, and gives it to a shell. */
function sshWord(word: string): string {
  return word === "%h" || word === "%p" ? word : `'${word.replaceAll("%", "%%").replaceAll("'", "'\\''")}'`;
}
