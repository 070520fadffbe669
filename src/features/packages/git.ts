// Packages in git repositories. git fetches one commit into an empty repository and writes it as an archive: nothing of
// it is checked out, so no hook, filter or submodule of it runs.
import { processEnvironment } from "../../core/base/process-environment.ts";
import type { Host } from "../../core/tool/host.ts";
import { PACKAGE_BYTES_MAX } from "./host/packed-file.ts";
import { Refusal } from "./refusal.ts";

interface GitCommit {
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** A tar archive. */
  readonly archive: Uint8Array;
}

const COMMIT = /^[0-9a-f]{40}$/;
const REF = /^[A-Za-z0-9_][\w./-]*$/;
const PASSED = ["SSH_AUTH_SOCK", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
// Others run programs that their address names.
const PROTOCOLS = "https:http:ssh:file";
const NO_FILE = "/dev/null";
const MESSAGE_CHARACTERS_MAX = 300;

/** `url` is one of a repository; `ref` is a branch, a tag or a commit, by default the repository's own choice. */
export async function fetchCommit(
  url: string,
  ref: string | undefined,
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
): Promise<GitCommit> {
  if (ref !== undefined && !REF.test(ref))
    throw new Refusal("denied", `\`${ref}\` is not the name of a branch, a tag or a commit`);
  const folder = await host.files.makeTemporaryFolder("dottool-git-");
  const git = async (...words: readonly string[]): Promise<Uint8Array> => {
    const { exitCode, output, errors } = await runGit(words, { folder, host, signal });
    if (exitCode === 0) return output;
    throw new Refusal(
      "failed",
      `git cannot fetch \`${ref ?? "HEAD"}\` of \`${url}\`: ${errors.slice(0, MESSAGE_CHARACTERS_MAX)}`,
    );
  };
  try {
    await git("init", "--quiet", "--bare", ".");
    const wanted = ref ?? "HEAD";
    try {
      await git("fetch", "--quiet", "--depth", "1", "--no-tags", "--", url, wanted);
    } catch (error) {
      // Some servers give no single commits.
      if (!COMMIT.test(wanted)) throw error;
      await git("fetch", "--quiet", "--no-tags", "--", url, "+refs/*:refs/fetched/*");
      await git("update-ref", "FETCH_HEAD", wanted);
    }
    const commit = new TextDecoder().decode(await git("rev-parse", "--verify", "FETCH_HEAD^{commit}")).trim();
    return { commit, archive: await git("archive", "--format=tar", commit) };
  } finally {
    await host.files.remove(folder);
  }
}

interface GitRun {
  readonly exitCode: number | undefined;
  readonly output: Uint8Array;
  readonly errors: string;
}

interface GitOptions {
  readonly folder: string;
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Variables of the environment. */
  readonly declared?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export async function runGit(
  words: readonly string[],
  { folder, host, signal, declared = {}, stdin }: GitOptions,
): Promise<GitRun> {
  const chunks: Uint8Array[] = [];
  let errors = "";
  const decoder = new TextDecoder();
  const result = await host.processes.run({
    argv: ["git", "-c", `core.hooksPath=${NO_FILE}`, ...words],
    cwd: folder,
    environment: processEnvironment(host, {
      declared: {
        GIT_TERMINAL_PROMPT: "0",
        GIT_ALLOW_PROTOCOL: PROTOCOLS,
        LC_ALL: "C",
        // An archive is written through the filters that the user's settings have for the repository's files.
        ...(words[0] === "archive" ? { GIT_CONFIG_GLOBAL: NO_FILE, GIT_CONFIG_NOSYSTEM: "1" } : {}),
        ...declared,
      },
      inherits: false,
      passed: PASSED,
    }),
    confinement: { unconfined: "git" },
    ...(stdin === undefined ? {} : { stdin }),
    signal,
    outputBytesMax: PACKAGE_BYTES_MAX * 2,
    onOutput: (stream, bytes) => {
      if (stream === "stdout") chunks.push(bytes);
      else errors += decoder.decode(bytes, { stream: true });
    },
  });
  if (result.kind === "exited")
    return { exitCode: result.exitCode, output: Buffer.concat(chunks), errors: errors.trim() };
  return {
    exitCode: undefined,
    output: new Uint8Array(),
    errors: result.kind === "busy" ? "too much runs" : result.detail,
  };
}
