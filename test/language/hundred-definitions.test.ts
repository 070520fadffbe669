// First definitions, and their first calls, by somebody who had read only README.md: a hundred, and sixty of other needs
// later. They were written before anyone looked at what the program says, and are left as they were. What counts is what runs: each program is replaced
// by one that notes its words. `--- means` has these words, in any order, as a pipe starts its programs at once.
import "../windows-shells.ts";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { applyFixes } from "../../src/core/text/apply-fixes.ts";
import type { DiagnosticJson } from "../../src/core/text/diagnostic-json.ts";
import { assert, suite } from "../harness.ts";
import { testProject, type TestProject } from "../test-project.ts";

const test = suite("language/hundred-definitions");

interface Call {
  /** What is typed after `dottool`. */
  readonly line: string;
  /** The words of each program, as JSON. */
  readonly means: readonly string[];
}

interface Written {
  readonly file: string;
  readonly text: string;
  readonly calls: readonly Call[];
}

/** Stands in `means` for the text of a script, or its file. */
const SCRIPT = "<script>";

/** `right` at once, or after one message; `refused` with a message; `wrong` in silence. */
type Verdict = "right" | "told" | "refused" | "wrong";
const worst: readonly Verdict[] = ["right", "told", "refused", "wrong"];

function writtenIn(name: string): readonly Written[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text
    .split(/^=== /m)
    .slice(1)
    .map((one) => {
      const [head = "", ...calls] = one.split(/^--- call: /m);
      const [file = "", ...lines] = head.split("\n");
      return { file, text: lines.join("\n"), calls: calls.map(callOf) };
    });
}

function callOf(text: string): Call {
  const [line = "", means = ""] = text.split("\n--- means: ");
  return {
    line,
    means: means
      .trim()
      .split("\n")
      .map((one) => noted(JSON.parse(one) as string[])),
  };
}

/** A program's words as JSON. How it gets a script is not compared: as a file, or as a word with its lines. */
function noted(words: readonly string[]): string {
  return JSON.stringify(words.some((word) => word === SCRIPT || word.includes("\n")) ? [words[0], SCRIPT] : words);
}

/** Programs that are not replaced: they run the scripts. */
const SHELLS = ["sh", "bash", "zsh"];
/** Folders in which the definitions run, and files that a shell opens for them. */
const folders = ["services/api", "ios", "crates/core", "backend", "internal/api", "docs/pages", "data", "hw3", "shots"];
const files = { "docs/intro.md": "", "docs/first steps.md": "", "hw3/input.txt": "" };

function projectFor({ file, text, calls }: Written): TestProject {
  const bench = testProject({ [`.tools/${file}`]: text, ...files });
  for (const folder of [...folders, "noted", "bin"]) mkdirSync(join(bench.folder, folder), { recursive: true });
  for (const program of new Set(calls.flatMap(({ means }) => means.map((one) => String(JSON.parse(one)[0]))))) {
    if (SHELLS.includes(program) || program.startsWith("/")) continue;
    const places = program.includes("/") ? ["", ...folders].map((folder) => join(folder, program)) : [`bin/${program}`];
    for (const place of places.map((one) => join(bench.folder, one))) {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, `#!/bin/sh\nprintf '%s\\0' '${program}' "$@" > '${bench.folder}/noted/'$$\n`);
      chmodSync(place, 0o755);
    }
  }
  return bench;
}

async function ran(bench: TestProject, line: string) {
  const notes = join(bench.folder, "noted");
  rmSync(notes, { recursive: true });
  mkdirSync(notes);
  const words = spawnSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" })
    .stdout.split("\0")
    .slice(0, -1);
  const environment = {
    PATH: `${bench.folder}/bin:${process.env["PATH"] ?? ""}`,
    API_TOKEN: "$API_TOKEN",
    GCP_PROJECT: "$GCP_PROJECT",
    DATABASE_URL: "db",
    JIRA_USER: "$JIRA_USER",
    JIRA_TOKEN: "$JIRA_TOKEN",
  };
  const { exitCode, stdout, stderr } = await bench.here(["--yes", ...words], { environment });
  const programs = readdirSync(notes).map((name) => {
    const text = readFileSync(join(notes, name), "utf8").replaceAll(join(bench.folder, "home"), "$HOME");
    return noted(text.split("\0").slice(0, -1));
  });
  return { programs: programs.sort().join("\n"), isFailed: exitCode !== 0, said: stderr + stdout };
}

interface Message {
  readonly file: string;
  readonly line: string;
  readonly said: string;
}

/** Does what the first message offers: the call, the fixes, or the first of a person's choices for each mistake. */
async function followed(bench: TestProject, { file, line, said }: Message): Promise<string> {
  const [, better] = /(?:call it like this|for your own tool .*): dottool (.*)/.exec(said) ?? [];
  // A place for a value is nothing to send.
  const next = better === undefined || /<[\w-]+>/.test(better) ? line : better;
  if (better !== undefined && !said.includes("error[")) return next;
  const path = join(bench.folder, ".tools", file);
  // What has one meaning is read so, and the message is about the rest.
  await bench.here(["check", "--fix"]);
  const source = { path, text: readFileSync(path, "utf8") };
  const starts = [...source.text.matchAll(/^/gm)].map(({ index }) => index);
  const { stdout } = await bench.here(["check", "--json"]);
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly DiagnosticJson[] };
  const chosen = diagnostics.flatMap(({ severity, fix, offers }) =>
    severity === "error" ? (fix ?? offers?.[0] ?? []) : [],
  );
  const offered = chosen.map(({ title, edits }) => ({
    fix: {
      title,
      edits: edits.map(({ text, line: first, column, endLine, endColumn }) => {
        const [start, end] = [(starts[first - 1] ?? 0) + column - 1, (starts[endLine - 1] ?? 0) + endColumn - 1];
        return { text, span: { source, start, end } };
      }),
    },
  }));
  writeFileSync(path, applyFixes(source, offered));
  await bench.here(["check", "--fix"]);
  return next;
}

async function verdictOf(one: Written): Promise<readonly [Verdict, string]> {
  let verdict: Verdict = "right";
  let why = "";
  using bench = projectFor(one);
  for (const { line, means } of one.calls) {
    const meant = [...means].sort().join("\n");
    let run = await ran(bench, line);
    let now: Verdict = "right";
    if (run.programs !== meant && run.programs === "" && run.isFailed) {
      const { said } = run;
      run = await ran(bench, await followed(bench, { file: one.file, line, said }));
      now = "told";
    }
    if (run.programs !== meant) now = run.programs === "" && run.isFailed ? "refused" : "wrong";
    if (worst.indexOf(now) > worst.indexOf(verdict))
      [verdict, why] = [now, `$ ${line}\n${now === "wrong" ? run.programs : run.said}`];
  }
  return [verdict, why];
}

/** Right after one message, as that a command needs a shell, which is not guessed; refused for longer; or wrong. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "hundred-definitions.txt": {
    told: "mk.tool new-order.tool rebuild.tool peek.tool biggest.tool restore.tool nginx-reload.tool cert-end.tool deeplink.tool cover.tool bump.tool ct.tool expand.tool hyper.tool spell.tool docx.tool new-page.tool hw.tool dntest.tool to-parquet.tool rtail.tool dev.tool shot.tool wipe-app.yaml roll.tool term.tool save.tool e2e.tool plot.yaml",
    // Several values for a parameter that takes one, a script of Python, and a path in PowerShell.
    refused: "style.tool grades.tool bigfiles.tool",
  },
  "sixty-definitions.txt": {
    told: "shell-into.tool who-has.tool keygen.tool fade.tool gpr.tool mixtest.tool play.tool pick.tool remote-restart.tool watch-dir.tool tmux-new.tool",
    // What nix evaluates.
    refused: "nixrun.tool",
    // A quote in a JSON text, of which only `check` warns.
    wrong: "",
  },
};

// `ONLY="mk.tool"` shows what is said of some of them.
const only = process.env["ONLY"]?.split(" ");

for (const [name, verdicts] of Object.entries(expected))
  test(`what runs is what was meant in ${name}`, async () => {
    const found: Record<string, Verdict> = {};
    for (const one of writtenIn(name).filter(({ file }) => only?.includes(file) ?? true)) {
      const [verdict, why] = await verdictOf(one);
      if (verdict !== "right") found[one.file] = verdict;
      if (only) console.log(`${verdict} ${one.file}\n${why}`);
    }
    const others = Object.entries(verdicts).flatMap(([verdict, files]) =>
      files.split(" ").flatMap((file) => (file === "" ? [] : [[file, verdict]])),
    );
    if (!only) assert.equal(found, Object.fromEntries(others));
  });

test.run();
