// The rows of the substitution table as tools in a folder, and `show` and similar programs, which record their words.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { needPrograms } from "../programs-needed.ts";
import { type SubstitutionRow, toolName, toolText } from "./substitution-rows.ts";

/** A shell in which the `sh` rows must hold. */
export interface ShellUnderTest {
  readonly name: string;
  /** The shell's name in the `.tool` file. */
  readonly annotation: "sh" | "bash" | "zsh";
  /** The program that `sh` is, where that matters. */
  readonly program: string;
}

export const shellsUnderTest: readonly ShellUnderTest[] = [
  { name: "dash", annotation: "sh", program: "dash" },
  { name: "bash", annotation: "bash", program: "bash" },
  { name: "zsh", annotation: "zsh", program: "zsh" },
  { name: "busybox", annotation: "sh", program: "busybox" },
];

export interface SubstitutionFixture {
  /** The folder with a definition for each row. */
  readonly tools: string;
  readonly folder: string;
  /** PATH, with `show` and `sh` first. */
  readonly path: string;
  /** Returns the words of `show` since the last call. */
  shown(): readonly string[];
  remove(): void;
}

/** Makes a bench. Without a shell, it has the rows that need none. */
export function substitutionFixture(rows: readonly SubstitutionRow[], shell?: ShellUnderTest): SubstitutionFixture {
  const [shellPath = ""] = needPrograms(...(shell ? [shell.program] : []));
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-substitution-")));
  const [tools, programs, folder] = ["tools", "programs", "work"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [tools, programs, folder]) mkdirSync(made);
  const shown = join(root, "shown");
  for (const name of ["show", "show.exe", "tool.bat", "cmd", "pwsh", ...(shell ? [] : ["git"])])
    writeFileSync(join(programs, name), recorder(shown), { mode: 0o755 });
  if (shell) symlinkSync(shellPath, join(programs, "sh"));
  for (const row of rows)
    writeFileSync(join(tools, `${toolName(row)}.tool`), toolText(row, toolName(row), shellOf(row, shell)));
  return {
    tools,
    folder,
    path: [programs, process.env["PATH"] ?? ""].join(delimiter),
    shown: () => {
      const text = existsSync(shown) ? readFileSync(shown, "utf8") : "";
      rmSync(shown, { force: true });
      return text.split("\0").slice(0, -1);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/**
 * Returns a program that records its words and the variable of the parameter `p`, through which PowerShell gets values.
 */
function recorder(shown: string): string {
  const version = 'case "$0:$1" in */pwsh:--version) echo "PowerShell 7.4.6"; exit;; esac';
  return `#!/bin/sh\n${version}\n{ for word do printf '%s\\0' "$word"; done; [ -z "\${TOOL_ARG_p+set}" ] || printf '%s\\0' "$TOOL_ARG_p"; } >> '${shown}'\n`;
}

function shellOf(row: SubstitutionRow, under: ShellUnderTest | undefined): string {
  return row.shell === "cmd" || row.shell === "pwsh" ? row.shell : (under?.annotation ?? "none");
}
