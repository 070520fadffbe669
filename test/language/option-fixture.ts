// A folder in which a value that becomes an option of tar leaves a mark.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { literalText } from "../../src/core/shell/pieces.ts";
import { scanScript } from "../../src/core/shell/scan.ts";
import { present } from "../harness.ts";
import { type RowRun, runRows } from "./run-rows.ts";

export interface Field {
  write(path: string, text: string): void;
  /** Returns whether `script` has run, and how the words ended. */
  run(argv: readonly string[], env?: Readonly<Record<string, string>>): RowRun;
  /** As `run`, for many rows. */
  runAll(rows: readonly (readonly string[])[], env?: Readonly<Record<string, string>>): readonly RowRun[];
  remove(): void;
}

export function field(): Field {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-options-")));
  writeFileSync(join(folder, "script"), "#!/bin/sh\n: > mark\n", { mode: 0o755 });
  writeFileSync(join(folder, "run.sh"), 'tar cf o.tar "$@" f\n');
  writeFileSync(
    join(folder, "package.json"),
    '{ "name": "a", "version": "1.0.0", "scripts": { "x": "tar cf o.tar" } }',
  );
  writeFileSync(join(folder, "f"), "f\n");
  const runAll: Field["runAll"] = (rows, env = {}) =>
    runRows(folder, rows, { PATH: [folder, process.env["PATH"]].join(delimiter), HOME: folder, ...env });
  return {
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    run: (argv, env) => present(runAll([argv], env)[0]),
    runAll,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Returns the script of a program that only looks at quotes. */
export function naiveScript(template: string): string {
  const quoted = { bare: '"${dottool}"', double: "${dottool}", single: `'"\${dottool}"'` };
  return `dottool=$1; shift; ${scanScript(template, { knowsTests: true })
    .parts.map((part) =>
      typeof part === "string" ? part : part.name === "p" ? quoted[part.quoting] : `{${part.name}}`,
    )
    .join("")}`;
}

/** Programs that many machines lack. */
const rare = "setpriv choom prlimit ionice strace unshare bwrap npm chrt busybox flock setsid stdbuf".split(" ");

/** Whether the programs of a row exist. */
export function isThere(template: string): boolean {
  const words = scanScript(template, { knowsTests: true }).commands.flatMap((command) =>
    command.words.slice(0, 2).map((word) => literalText(word) ?? ""),
  );
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return rare.every((name) => !words.includes(name) || folders.some((folder) => existsSync(join(folder, name))));
}
