// Runs a page of documentation: a block after "`path`:" is a file, and a `console` block is a session.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { compileCache, program } from "./program.ts";
import { trustFoldersBelow } from "./trust-folders.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

export interface Example {
  readonly command: string;
  readonly output: string;
}

export interface Page {
  readonly files: ReadonlyMap<string, string>;
  readonly examples: readonly Example[];
}

export function readPage(text: string): Page {
  const files = new Map<string, string>();
  const examples: Example[] = [];
  for (const [, before, language, body] of text.matchAll(/([^\n]*)\n\n?```(\w+)\n([\s\S]*?)```/g)) {
    const path = /`([^`]+)`:$/.exec(before ?? "")?.[1];
    if (path !== undefined) files.set(path, body ?? "");
    else if (language === "console") examples.push(...readSession(body ?? ""));
  }
  return { files, examples };
}

function readSession(body: string): readonly Example[] {
  return body
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...lines] = part.split("\n");
      return { command, output: lines.join("\n") };
    });
}

/** The files that the pages refer to. */
export const given: Readonly<Record<string, string>> = {
  "src/a.txt": "one\nTODO: fix this\n",
  "src/b.txt": "one\ntwo\nthree\n",
  "notes.txt": "buy milk\n",
};

/** `programs` are scripts of sh, by name, that stand for programs. */
export async function runPage(
  page: Page,
  programs: Readonly<Record<string, string>> = {},
): Promise<readonly Example[]> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-docs-"));
  try {
    const work = join(folder, "work");
    for (const [path, text] of [...Object.entries(given), ...page.files]) {
      const at = path.startsWith("~/") ? join(folder, path.slice(2)) : join(work, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text);
    }
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "dottool"),
      `#!/bin/sh\nexec ${[program.command, ...program.words].map((word) => `"${word}"`).join(" ")} "$@"\n`,
    );
    chmodSync(join(bin, "dottool"), 0o755);
    const environment = {
      PATH: [bin, process.env["PATH"] ?? "", join(root, "node_modules/.bin")].join(delimiter),
      HOME: folder,
      LANG: "C.UTF-8",
      ...compileCache,
    };
    // The reader has answered the page's question with yes.
    trustFoldersBelow(work, join(folder, ".local", "state", "dottool"));
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const said: Example[] = [];
    for (const { command } of page.examples) said.push({ command, output: await run(command, work, environment) });
    return said;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, cwd: string, environment: Readonly<Record<string, string>>): Promise<string> {
  // Deno adds its own environment to `env`.
  const words = ["-i", ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  return new Promise((resolve, reject) => {
    const child = spawn("env", [...words, "sh", "-c", `{ ${command}\n} 2>&1`], {
      cwd,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}
