// `dottool hook` within the clients themselves: each is installed from npm, gets its settings from `dottool hook
// install`, and makes the calls of a scripted model on loopback. Files say what ran.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { assert, suite } from "../harness.ts";
import { HELPER, startClientModel } from "../hook/client-model.ts";
import type { ClientName } from "../../src/features/hook/formats.ts";
import { call, type ScriptedCall } from "../agent/scripted-turn.ts";
import { LeftOut, leaveOut, needPrograms } from "../programs-needed.ts";
import { packagedFile } from "../run-variables.ts";
import { testProject } from "../test-project.ts";

const test = suite("hook clients");
const CLIENT_MS_MAX = 600_000;
const ANSWER_MS = 3_000;

/** In the second and the third, the client lets every tool run that no hook stops. */
type Mode = "as it comes" | "all allowed" | "contained";

interface Client {
  readonly package: string;
  readonly version: string;
  readonly program: string;
  readonly shell: string;
  call(line: string): Readonly<Record<string, unknown>>;
  readonly words: Readonly<Record<Exclude<Mode, "contained">, readonly string[]>>;
  /** The canaries that are there at the end. */
  readonly left: Readonly<Record<Mode, readonly string[]>>;
  write(path: string): ScriptedCall;
  /** Calls another agent within the client, which asks for two more commands. */
  readonly helper?: ScriptedCall;
  /** Set if it waits for ever where it asks and nobody is there. It is stopped then. */
  readonly waitsForAnswer?: true;
  environment(origin: string): Readonly<Record<string, string>>;
  /** Below the home folder. */
  files?(origin: string): Readonly<Record<string, string>>;
}

const described = (line: string) => ({ command: line, description: "Runs it" });

const clients = {
  claude: {
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    program: "claude",
    shell: "Bash",
    call: described,
    words: { "as it comes": ["-p", "Do it"], "all allowed": ["--dangerously-skip-permissions", "-p", "Do it"] },
    left: {
      "as it comes": ["allowed", "in-sandbox"],
      "all allowed": ["passed", "allowed", "in-sandbox", "helped"],
      contained: ["passed", "allowed", "in-sandbox", "helped"],
    },
    write: (path) => call("Write", { file_path: path, content: "x" }),
    helper: call("Agent", {
      description: "Helps",
      prompt: HELPER,
      subagent_type: "general-purpose",
      run_in_background: false,
    }),
    environment: (origin) => ({
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: "key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // It lets root skip permissions only where it is told of a container.
      IS_SANDBOX: "1",
    }),
  },
  codex: {
    package: "@openai/codex",
    version: "0.171.0",
    program: "codex",
    shell: "exec_command",
    call: (line) => ({ cmd: line }),
    words: {
      "as it comes": ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "Do it"],
      "all allowed": [
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox",
        "Do it",
      ],
    },
    // It gets refusals with the line to run.
    left: { "as it comes": [], "all allowed": ["passed", "allowed"], contained: ["allowed"] },
    write: (path) => call("apply_patch", `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`),
    environment: () => ({}),
    files: (origin) => ({
      ".codex/config.toml": `model = "gpt-5.5"
model_provider = "here"
[model_providers.here]
name = "here"
base_url = "${origin}/v1"
wire_api = "responses"
`,
    }),
  },
  gemini: {
    package: "@google/gemini-cli",
    version: "0.61.0",
    program: "gemini",
    shell: "run_shell_command",
    call: described,
    words: {
      "as it comes": ["--skip-trust", "--model", "gemini-2.5-pro", "-p", "Do it"],
      "all allowed": ["--skip-trust", "--model", "gemini-2.5-pro", "--yolo", "-p", "Do it"],
    },
    // Without a terminal it offers no shell unless all is allowed.
    left: {
      "as it comes": [],
      "all allowed": ["passed", "allowed", "in-sandbox"],
      contained: ["passed", "allowed", "in-sandbox"],
    },
    waitsForAnswer: true,
    write: (path) => call("write_file", { file_path: path, content: "x" }),
    environment: (origin) => ({ GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: "key" }),
    files: () => ({ ".gemini/settings.json": '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' }),
  },
  opencode: {
    package: "opencode-ai",
    version: "1.18.33",
    program: "opencode",
    shell: "bash",
    call: described,
    words: { "as it comes": ["run", "Do it"], "all allowed": ["run", "Do it"] },
    left: {
      "as it comes": ["passed", "allowed", "in-sandbox", "helped"],
      "all allowed": ["passed", "allowed", "in-sandbox", "helped"],
      contained: ["passed", "allowed", "in-sandbox", "helped"],
    },
    write: (path) => call("write", { filePath: path, content: "x" }),
    helper: call("task", { description: "Helps", prompt: HELPER, subagent_type: "general" }),
    environment: () => ({}),
    files: (origin) => ({
      // It looks for its own library there, and goes on without.
      ".npmrc": `registry=${origin}/\n`,
      ".config/opencode/opencode.json": JSON.stringify({
        autoupdate: false,
        model: "here/m",
        provider: {
          here: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${origin}/v1`, apiKey: "key" },
            models: { m: {} },
          },
        },
      }),
    }),
  },
  copilot: {
    package: "@github/copilot",
    version: "1.0.102",
    program: "copilot",
    shell: "bash",
    call: described,
    words: { "as it comes": ["-p", "Do it"], "all allowed": ["--allow-all-tools", "-p", "Do it"] },
    left: {
      "as it comes": ["allowed", "in-sandbox"],
      "all allowed": ["passed", "allowed", "in-sandbox", "helped"],
      contained: ["passed", "allowed", "in-sandbox", "helped"],
    },
    write: (path) => call("create", { path, file_text: "x" }),
    helper: call("task", {
      name: "helper",
      description: "Helps",
      prompt: HELPER,
      agent_type: "general-purpose",
      mode: "sync",
    }),
    environment: (origin) => ({
      COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "key",
      COPILOT_MODEL: "gpt-5",
      COPILOT_OFFLINE: "true",
    }),
  },
} as const satisfies Record<ClientName, Client>;

interface Ran {
  readonly left: readonly string[];
  /** What the model was not told as it should. */
  readonly untold: readonly string[];
  readonly said: string;
}

const root = mkdtempSync(join(tmpdir(), "dottool-clients-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

/** Returns the folder of the client's program. */
function installed({ package: name, version, program }: Client): string {
  const folder = join(root, program);
  const bin = join(folder, "node_modules/.bin");
  if (existsSync(bin)) return bin;
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"private": true}\n');
  const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", `${name}@${version}`];
  const { status, stderr } = spawnSync("npm", words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) leaveOut(`npm cannot install ${name}@${version}: ${stderr.trim()}`);
  const started = spawnSync(join(bin, program), ["--version"], {
    env: { PATH: process.env["PATH"], HOME: folder },
    encoding: "utf8",
  });
  if (!started.stdout?.includes(version))
    throw new LeftOut(`${name}@${version} does not start here: ${started.error?.message ?? started.stderr.trim()}`);
  return bin;
}

const rules = `policy:
  - {decision: deny, command: touch denied}
  - {decision: deny, tool: write_file, arguments: {file_path: "*unwritten"}}
  - {decision: ask, command: touch asked-by-rule}
  - {decision: allow, command: touch allowed, front_end: hook}
`;
const sandboxRule = "  - {decision: allow, command: cp *, front_end: hook, sandbox: strict}\n";

/** The line, or what else it does, with each call. */
function scriptOf(client: Client, folder: string): readonly (readonly [does: string, ScriptedCall])[] {
  const run = (line: string): readonly [string, ScriptedCall] => [line, call(client.shell, client.call(line))];
  return [
    run("cat note"),
    run("touch passed"),
    run("touch allowed"),
    run("touch denied"),
    run(`sh -c 'x=deni; touch "$x"ed'`),
    run("cp note in-sandbox"),
    run(`cp note ${folder}/outside`),
    run(`cp ${folder}/home/key read-outside`),
    ["writes", client.write(join(folder, "work", "unwritten"))],
    ...(client.helper ? [["helps", client.helper] as const] : []),
    run("git reset --hard; touch asked"),
    run("touch asked-by-rule"),
  ];
}

const canaries = "passed allowed denied in-sandbox helped ../outside read-outside unwritten asked asked-by-rule".split(
  " ",
);

/** What a model is told of lines, in part. */
const told: Readonly<Record<string, string>> = {
  "cat note": "canary",
  writes: "dottool: it is not allowed here",
  "touch denied": "dottool: it is not allowed here",
  "git reset --hard; touch asked": "dottool: `git reset` discards changes that are not committed",
  "touch asked-by-rule": "dottool: it needs approval",
};

/** Runs the ten lines in the client and returns the canaries that are there, and what the model was told of each. */
async function ran(name: ClientName, mode: Mode): Promise<Ran> {
  needPrograms("bwrap", "npm", "git");
  const client: Client = clients[name];
  const bin = installed(client);
  using bench = testProject({
    "home/.config/dottool/config.yaml": mode === "contained" ? rules : rules + sandboxRule,
    "home/key": "secret\n",
    "work/note": "canary\n",
  });
  const cwd = join(bench.folder, "work");
  for (const folder of ["bin", "tmp"]) mkdirSync(join(bench.folder, folder));
  symlinkSync(packagedFile, join(bench.folder, "bin/dottool"));
  const script = scriptOf(client, bench.folder);
  const ofHelper = ["touch denied", "touch helped"].map((line) => call(client.shell, client.call(line)));
  const model = await startClientModel(
    script.map(([, made]) => made),
    ofHelper,
  );
  try {
    for (const [path, text] of Object.entries(client.files?.(model.origin) ?? {})) bench.write(`home/${path}`, text);
    const environment = {
      HOME: join(bench.folder, "home"),
      TMPDIR: join(bench.folder, "tmp"),
      PATH: `${bench.folder}/bin:${process.env["PATH"] ?? ""}`,
      LANG: "C.UTF-8",
      // What is not for the model goes nowhere.
      ...Object.fromEntries(
        ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((one) => [one, model.origin]),
      ),
      NO_PROXY: "127.0.0.1",
      no_proxy: "127.0.0.1",
      ...client.environment(model.origin),
    };
    execFileSync("dottool", ["hook", "install", name, "--yes", ...(mode === "contained" ? ["--contained"] : [])], {
      cwd,
      env: environment,
      stdio: "pipe",
    });
    const child = spawn(join(bin, client.program), client.words[mode === "contained" ? "all allowed" : mode], {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // Some start themselves again: all of them end together.
      detached: true,
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
    const ended = new Promise((resolve) => child.on("close", resolve));
    if (client.waitsForAnswer) void stoppedOnceAsked(child, join(environment.HOME, ".local/state/dottool/audit.jsonl"));
    const late = setTimeout(() => killed(child), CLIENT_MS_MAX);
    await ended;
    clearTimeout(late);
    return {
      left: canaries.filter((path) => existsSync(join(cwd, path))),
      untold: script.flatMap(([does], index) => {
        const result = model.results[index];
        return result === undefined || result.includes(told[does] ?? "") ? [] : [`${does}: ${result}`];
      }),
      said,
    };
  } finally {
    await model.close();
  }
}

function killed({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

/** Leaves the client time to run what it should ask about. */
async function stoppedOnceAsked(child: ChildProcess, log: string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    await wait(ANSWER_MS);
    if (existsSync(log) && readFileSync(log, "utf8").includes('"status":"ask"')) return killed(child);
  }
}

for (const name of Object.keys(clients) as readonly ClientName[])
  for (const [mode, left] of Object.entries(clients[name].left) as readonly (readonly [Mode, readonly string[]])[])
    test(`${name}, ${mode}: what runs is what dottool and the client let run`, async () => {
      const { left: found, untold, said } = await ran(name, mode);
      assert.equal(found, left, `${said}\n${untold.join("\n")}`);
      // As it comes, a client may refuse in its own words.
      if (mode !== "as it comes") assert.equal(untold, []);
    });

test.run();
