// The first ten minutes of a new user, typed in tmux: test/screens/ten-minutes.txt has what is typed and each screen.
// `UPDATE=1` writes the screens. `> LINE` types a line and waits for the shell's next prompt, or for the text of the
// line `# until TEXT` below it, which was not there before; `> <Down Enter>` presses keys.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { installedAt } from "../installed-program.ts";
import { hasProgram, needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("cli/ten-minutes");
const RECORDING = new URL("../screens/ten-minutes.txt", import.meta.url);
const PROMPT = "$";
const COLUMNS = 120;
const ROWS = 50;

interface Block {
  /** `-- FILE --`, `> LINE` or `` for what stands above the first. */
  readonly head: string;
  /** `# until TEXT`. */
  readonly until?: string;
  readonly body: string;
}

function blocksOf(text: string): readonly Block[] {
  return text.split(/^(?=> |-- \S+ --$)/m).map((block) => {
    const [, head = "", until, body = ""] = /^((?:> |-- ).*\n)?(?:# until (.*)\n)?([^]*)$/.exec(block) ?? [];
    return { head: head.trimEnd(), body, ...(until !== undefined && { until }) };
  });
}

function textOf({ head, until, body }: Block): string {
  return `${head === "" ? "" : `${head}\n`}${until === undefined ? "" : `# until ${until}\n`}${body}`;
}

/** A shell in tmux, in the bench's folder, with dottool on PATH. */
function terminalOf(bench: TestProject) {
  const socket = join(bench.folder, "home/tmux");
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      cwd: bench.folder,
      env: { ...installed, SHELL: "/bin/sh", PS1: `${PROMPT} `, TERM: "xterm-256color", TMUX_TMPDIR: bench.folder },
      encoding: "utf8",
    });
  const installed = installedAt(bench);
  tmux("new-session", "-d", "-x", String(COLUMNS), "-y", String(ROWS), "/bin/sh");
  const screen = (): string =>
    // Joined, since a longer path of the project breaks a line elsewhere.
    tmux("capture-pane", "-p", "-J")
      .replace(/ +$/gm, "")
      .replace(/\n+$/, "")
      .replaceAll(bench.folder, "<project>")
      // A run that lasts says so at its end.
      .replace(/^✓ .*\n/gm, "")
      // How many there are depends on how the program is started.
      .replace(/\d+ variables/, "N variables");
  const isAtPrompt = (text: string): boolean => text.split("\n").at(-1) === PROMPT;
  return {
    end: () => tmux("kill-server"),
    async type({ head, until }: Block): Promise<string> {
      const typed = head.slice("> ".length);
      const [, keys] = /^<(.*)>$/.exec(typed) ?? [];
      if (keys === undefined) {
        tmux("send-keys", "-R", ";", "clear-history");
        tmux("send-keys", "clear", "Enter");
        await settled(() => isAtPrompt(screen()) && screen() === PROMPT);
        tmux("send-keys", "-l", typed);
        tmux("send-keys", "Enter");
        await settled(() => screen() !== PROMPT && screen() !== `${PROMPT} ${typed}`);
      } else tmux("send-keys", ...keys.split(" "));
      const isThere = (text: string): boolean => (until === undefined ? isAtPrompt(text) : text.includes(until));
      await settled(() => isThere(screen()));
      return screen();
    },
  };

  /** Waits until `isTrue` holds and the screen has been the same for two looks. */
  async function settled(isTrue: () => boolean): Promise<void> {
    for (let [before, tries] = ["", HANG_MS_MAX / 100]; tries > 0; tries -= 1) {
      const now = screen();
      if (now === before && isTrue()) return;
      before = now;
      await wait(100);
    }
    throw new Error(`what is waited for did not come: ${screen()}`);
  }
}

if (process.env["CI"] || hasProgram("tmux"))
  test("each screen of the first ten minutes is as recorded", async () => {
    needPrograms("tmux");
    using bench = testProject({}, { isTrusted: false });
    const terminal = terminalOf(bench);
    const [before, after]: [string[], string[]] = [[], []];
    try {
      for (const block of blocksOf(readFileSync(RECORDING, "utf8"))) {
        before.push(textOf(block));
        const [, path] = /^-- (\S+) --$/.exec(block.head) ?? [];
        if (path !== undefined) bench.write(path, `${block.body.trimEnd()}\n`);
        const body = block.head.startsWith("> ") ? `${await terminal.type(block)}\n\n` : block.body;
        after.push(textOf({ ...block, body }));
      }
    } finally {
      terminal.end();
      if (process.env["UPDATE"] === "1") writeFileSync(RECORDING, after.join(""));
    }
    if (process.env["UPDATE"] !== "1") assert.is(after.join(""), before.join(""));
  });

test.run();
