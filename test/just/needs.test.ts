// Thirty needs of a team with a Makefile and scripts, as recipes of just and as `.tool` files: both run the same
// programs with the same words. docs/just.md has the table that is made of them; `UPDATE=1` writes it.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { trustFoldersBelow } from "../trust-folders.ts";
import { testProject, type TestProject } from "../test-project.ts";

const test = suite("just");

interface Need {
  readonly title: string;
  readonly recipe: string;
  readonly tool: string;
  readonly name: string;
  /** What is typed behind `just` and behind `dottool`. */
  readonly typed: readonly { readonly just: string; readonly dottool: string }[];
  /** A word, in the shell's quotes, that just changes and dottool passes on. */
  readonly changed: string | undefined;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const needs: readonly Need[] = readFileSync(here("needs.txt"), "utf8")
  .split(/^=== /m)
  .slice(1)
  .map((text) => {
    const [, title = "", recipe = "", name = "", tool = "", lines = ""] =
      /^(.*)\n([^]*?)--- tool (.*)\n([^]*?)((?:^--- (?:type|differs) .*\n)+)$/m.exec(text) ?? [];
    const typed = [...lines.matchAll(/^--- type (.*) \| (.*)$/gm)].map(([, just = "", dottool = ""]) => ({
      just,
      dottool,
    }));
    return { title, recipe, name, tool, typed, changed: /^--- differs (.*)$/m.exec(lines)?.[1] };
  });

/** Programs that are replaced by one that notes its words. */
const programs =
  "tsc vitest eslint prettier rm vite docker psql pg_dump npm git kubectl ssh openapi-typescript grep mkdir sed coverage-report pytest node gh terraform nano curl wc";
const just = here("../../node_modules/rust-just-linux-x64/bin/just");

function projectWith(files: Readonly<Record<string, string>>): TestProject {
  const bench = testProject({ ...files, "infra/main.tf": "", "notes.md": "", "a.txt": "", "b.txt": "" });
  for (const folder of ["noted", "bin"]) mkdirSync(join(bench.folder, folder));
  for (const program of programs.split(" ")) {
    const file = join(bench.folder, "bin", program);
    writeFileSync(
      file,
      `#!/bin/sh\nprintf '%s\\0' '${program}' "$@" "in \${PWD##*/}" "NODE_ENV=$NODE_ENV" > '${bench.folder}/noted/'$$\n`,
    );
    chmodSync(file, 0o755);
  }
  return bench;
}

/** Runs a line and returns the words of each program that it started. */
function noted(bench: TestProject, run: () => unknown): readonly string[] {
  const folder = join(bench.folder, "noted");
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  run();
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8").split("\0").slice(0, -1).join(" · "))
    .sort();
}

const variables = { DATABASE_URL: "postgres://db/app", GH_TOKEN: "token-of-the-test", EDITOR: "nano", NODE_ENV: "" };

test("both run the same programs", async () => {
  const files = Object.fromEntries(needs.map(({ name, tool }) => [`.tools/${name}.tool`, tool]));
  using bench = projectWith({ justfile: needs.map(({ recipe }) => recipe).join("\n"), ...files });
  const wrong: unknown[] = [];
  const environment = { ...variables, PATH: `${bench.folder}/bin:${process.env["PATH"] ?? ""}` };
  const { command, words } = bench.program;
  const typed = (line: string): readonly string[] =>
    noted(bench, () => {
      const { status, stderr } = spawnSync("sh", ["-c", line], {
        cwd: bench.folder,
        env: { ...bench.program.environment, ...environment },
        encoding: "utf8",
        timeout: HANG_MS_MAX,
      });
      if (status !== 0) wrong.push(stderr);
    });
  const quoted = [command, ...words].map((word) => `'${word}'`).join(" ");
  trustFoldersBelow(bench.folder, join(bench.folder, "home/.local/state/dottool"));
  const both = (one: Need["typed"][number]): readonly (readonly string[])[] => [
    typed(`'${just}' --yes ${one.just}`),
    typed(`${quoted} --yes ${one.dottool}`),
  ];
  for (const one of needs.flatMap((need) => need.typed)) {
    const [theirs = [], ours = []] = both(one);
    if (ours.length === 0 || ours.join("\n") !== theirs.join("\n")) wrong.push({ ...one, ours, theirs });
  }
  for (const { name, changed } of needs) {
    if (changed === undefined) continue;
    const kept = both({ just: `${name} ${changed}`, dottool: `${name} ${changed}` }).map((noted) =>
      noted.some((words) => words.includes(` ${changed.slice(1, -1)} `)),
    );
    if (kept.join() !== "false,true") wrong.push({ name, changed, kept });
  }
  assert.equal(wrong, []);
});

const linesOf = (text: string): number => text.trim().split("\n").length;
const sum = (numbers: readonly number[]): number => numbers.reduce((before, next) => before + next, 0);

test("docs/just.md has the table of them", () => {
  const rows = needs.map(({ title, recipe, tool, typed }) => ({
    title,
    lines: [linesOf(recipe), linesOf(tool)],
    keys: [`just ${typed[0]?.just ?? ""}`.length, `dottool ${typed[0]?.dottool ?? ""}`.length],
    line: typed[0]?.dottool ?? "",
  }));
  const cells = (of: "lines" | "keys"): string =>
    [0, 1].map((at) => sum(rows.map((row) => row[of][at] ?? 0))).join(" | ");
  const table = [
    "| need | lines: just | lines: dottool | keys: just | keys: dottool | typed behind `dottool` |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map(
      ({ title, lines, keys, line }) => `| ${title} | ${lines.join(" | ")} | ${keys.join(" | ")} | \`${line}\` |`,
    ),
    `| all thirty | ${cells("lines")} | ${cells("keys")} | |`,
  ].join("\n");
  const path = here("../../docs/just.md");
  const before = readFileSync(path, "utf8");
  const after = before.replace(/(<!-- table -->\n)[^]*?(?=\n<!-- end -->)/, (_all, mark: string) => `${mark}${table}`);
  if (process.env["UPDATE"]) writeFileSync(path, after);
  else assert.is(before, after);
});

test.run();
