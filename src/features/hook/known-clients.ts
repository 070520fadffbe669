// What is known of how clients treat their hooks: what was seen in the version of formats.ts, and what others report.
import type { JsonObject } from "../../core/schema/json.ts";
import type { ClientName } from "./formats.ts";

interface KnownClient {
  /** A call of its shell, as the client writes it. */
  call(command: string, cwd: string): JsonObject;
  /** What test/packaged/hook-clients.test.ts has seen, in the version of formats.ts. */
  readonly obeys: string;
  /** In docs/hook.md, too. */
  readonly holes?: readonly string[];
}

const toolInput = (tool: string) => (command: string, cwd: string) => ({
  cwd,
  tool_name: tool,
  tool_input: { command },
});

export const knownClients: Readonly<Record<ClientName, KnownClient>> = {
  claude: {
    call: toolInput("Bash"),
    obeys: "a refusal holds, a question that nobody answers is a refusal, and a changed line runs",
    holes: [
      "anthropics/claude-code#89561: the permission mode `auto` may ignore a question; dottool refuses there",
      "anthropics/claude-code#77212: 2.1.199 answered questions itself in the mode `bypassPermissions`; 2.1.233 asks",
      "anthropics/claude-code#39344: before 2.1.101 a question switched off the client's own rules that deny",
      "anthropics/claude-code#62437: no hook after an approval for the session; not seen again in 2.1.233",
    ],
  },
  gemini: {
    call: toolInput("run_shell_command"),
    obeys: "a refusal holds, a changed line runs, and with `-p --yolo` a question waits for ever",
  },
  codex: {
    call: toolInput("Bash"),
    obeys: "a refusal holds",
    holes: [
      "openai/codex#46210: a hook that you have not trusted with `/hooks` is left out, in `codex exec` without a word",
      "openai/codex#27833: a refused `apply_patch` was written all the same, in June 2026 on Windows; not in 0.171.0 on Linux",
      "openai/codex#26733: hooks for `Write` and `Edit` alone never see patches; dottool's is for every tool",
    ],
  },
  opencode: {
    call: (command, cwd) => ({ tool: "bash", args: { command }, cwd }),
    obeys: "a refusal holds, and a changed line runs",
  },
  copilot: {
    call: (command, cwd) => ({ cwd, toolName: "bash", toolArgs: { command } }),
    obeys: "a refusal holds, a question that nobody answers is a refusal, and a changed line runs",
    holes: ["github/copilot-cli#3013: 1.0.37 did not ask about the calls of subagents; 1.0.102 does"],
  },
};
