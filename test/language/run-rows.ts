// Many small processes in one folder, started by one shell: started by this process, each would copy its memory map.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HANG_MS_MAX } from "../amount.ts";
import { present } from "../harness.ts";

export interface RowRun {
  /** Whether the row made the file `mark`, which is removed before the next row. */
  readonly isMarked: boolean;
  /** The exit code and the errors. */
  readonly ended: string;
}

/**
 * Runs the words of each row in sequence, each in a process of its own without input. Throws if one did not run to its
 * end, which would prove nothing.
 */
export function runRows(
  folder: string,
  rows: readonly (readonly string[])[],
  env: Readonly<Record<string, string>>,
): readonly RowRun[] {
  const place = mkdtempSync(join(tmpdir(), "dottool-rows-"));
  const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  try {
    const script = join(place, "script");
    // A regular file for output: some programs write nothing to /dev/null.
    const row = `row() {
  number=$1; shift
  "$@" </dev/null >${quoted(join(place, "output"))} 2>${quoted(place)}/"$number"
  status=$?
  if [ -e mark ]; then rm -f mark; echo "$status marked"; else echo "$status"; fi
}`;
    writeFileSync(
      script,
      `${row}\n${rows.map((words, index) => `row ${index} ${words.map(quoted).join(" ")}\n`).join("")}echo all\n`,
    );
    const { stdout, stderr, error } = spawnSync("/bin/sh", [script], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      timeout: HANG_MS_MAX,
      env,
    });
    if (error) throw error;
    const said = stdout.split("\n");
    if (stderr !== "" || said[rows.length] !== "all")
      throw new Error(`after row ${said.length - 1} of ${rows.length}: ${stderr}`);
    return rows.map((_words, index) => {
      const [status = "", marked] = present(said[index]).split(" ");
      return {
        isMarked: marked !== undefined,
        ended: `${status}: ${readFileSync(join(place, String(index)), "utf8")}`,
      };
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
