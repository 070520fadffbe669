// "The second day" of docs/bundle.md, from a first version to a self-update, as it is shown there.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { type Page, readPage, runPage } from "../run-page.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";

const test = suite("pages of bundles");
const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

async function isAsShown(page: Page): Promise<void> {
  const said = await runPage(page, { dottool: `exec ${packagedFile} "$@"` });
  const asShown = (output: string): string =>
    output
      .replaceAll(/\/\S*\/dottool-docs-[^/]+\/work\//g, "/home/ana/")
      .replaceAll(packagedTarget, "linux-x64")
      .replaceAll(/(?<=SHA-256 of the files: )\S+/g, "…");
  if (process.env["UPDATE"])
    for (const { command, output } of said) process.stdout.write(`$ ${command}\n${asShown(output)}`);
  assert.equal(
    said.map(({ output }) => asShown(output)),
    page.examples.map(({ output }) => asShown(output)),
  );
}

test("the second day is as docs/bundle.md shows it", async () => {
  const text = read("docs/bundle.md");
  const page = readPage(text.slice(text.indexOf("\n## The second day\n")));
  assert.ok(page.examples.length > 5 && page.files.size === 1);
  await isAsShown(page);
});

test("three repositories get to the second day as docs/team.md shows it", async () => {
  const page = readPage(read("docs/team.md"));
  const sources = ["yaml", "pg-types", "json-stringify-safe"].flatMap((name) => [
    `${name}/package.json`,
    ...(name === "yaml" ? [] : [`${name}/Makefile`]),
  ]);
  await isAsShown({ ...page, files: new Map(sources.map((path) => [path, read(`node_modules/${path}`)])) });
});

test("dottool itself, and a bundle without a place, say how they are replaced", () => {
  const cwd = mkdtempSync(join(tmpdir(), "dottool-plain-"));
  try {
    const run = (file: string, ...words: readonly string[]): string => {
      const environment = { PATH: "/usr/bin:/bin", HOME: join(cwd, "home") };
      return spawnSync(file, words, { cwd, env: environment, encoding: "utf8" }).stderr.split("\n")[0] ?? "";
    };
    mkdirSync(join(cwd, "t"));
    writeFileSync(join(cwd, "t/greet.tool"), "Greets.\n\n@name greet\n@command echo hello\n@tags read\n");
    const made = run(packagedFile, "bundle", "t", "-o", "plain");
    assert.equal(
      [made, run(packagedFile, "self-update"), run(join(cwd, "plain"), "self-update")],
      [
        "",
        "failed[missing]: this is not a bundle, which alone replaces itself",
        "failed[missing]: `plain` was made without a place of updates",
      ],
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});

test.run();
