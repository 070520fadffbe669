// Definitions as an ordinary developer writes them the first time, from the READMEs of programs. They were written
// before anyone looked at what the checker says, and are left as they were: where one is refused, the checker changes.
import "../windows-shells.ts";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { applyFixes } from "../../src/core/text/apply-fixes.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import type { ParameterSchema } from "../../src/core/schema/parameter.ts";
import { type Diagnostic, hasErrors } from "../../src/core/text/diagnostic.ts";
import type { ToolDefinition } from "../../src/core/tool/definition.ts";
import { assert, suite } from "../harness.ts";
import { runHere } from "../run-here.ts";

const test = suite("first definitions");

/** Accepted once the first thing that a diagnostic offers is done: the fix, or the first of a person's choices. */
const afterOffer: Readonly<Record<string, string>> = {
  "psql-query": "declare `sql` as `{code}`",
  "mysql-query": "declare `statement` as `{code}`",
  "sqlite-query": "declare `query` as `{code}`",
  "duckdb-csv": "declare `sql` as `{code}`",
  "docker-exec": "declare `command` as `{array<code>}`",
  "docker-exec-sh": "declare `command` as `{code}`",
  "kubectl-exec": "declare `command` as `{array<code>}`",
  "ssh-run": "declare `command` as `{code}`",
  "jq-spliced": "let only plain words through: `pattern=/[\\w.-]+/`",
  "jq-select": "pass it beside the filter, with `--arg email {email}`",
  "make-target": "let only plain words through: `pattern=/[\\w.-]+/`",
  "sed-replace": "let only plain words through: `pattern=/[\\w .-]+/`",
  "node-eval": "declare `expression` as `{code}`",
  "python-c": "declare `code` as `{code}`",
  "pipeline-no-shell": "add `@shell sh`",
  "tmux-send": "declare `keys` as `{code}`",
  "docker-stats": "write `{{{{.Name}}}}`",
  mongosh: "declare `script` as `{code}`",
};

/** Refused, with the place and the reason. */
const refused: Readonly<Record<string, string>> = {
  "node-uuid": "unsafe-placeholder: `node -p` reads this as a program",
};

interface Written {
  readonly name: string;
  readonly text: string;
}

const written: readonly Written[] = readFileSync(new URL("first-definitions.txt", import.meta.url), "utf8")
  .split(/^=== /m)
  .slice(1)
  .map((one) => ({ name: one.slice(0, one.indexOf("\n")), text: `${one.slice(one.indexOf("\n") + 1).trimEnd()}\n` }));

interface Outcome {
  readonly name: string;
  readonly said: string;
  readonly definition?: ToolDefinition;
  readonly text: string;
}

function outcomeOf({ name, text }: Written): Outcome {
  const source = { path: `${name}.tool`, text };
  const first = analyzeToolFile(parseToolFile(source));
  if (!hasErrors(first.diagnostics)) return { name, said: "", text, ...definitionIn(first) };
  const errors = first.diagnostics.filter(({ severity }) => severity === "error");
  const offered = errors.map(withFirstOffer);
  const repaired = applyFixes(source, offered);
  const second = analyzeToolFile(parseToolFile({ ...source, text: repaired }));
  if (hasErrors(second.diagnostics))
    return { name, said: [...new Set(errors.map(({ code, at }) => `${code}: ${at?.text ?? ""}`))].join("; "), text };
  return { name, said: offered[0]?.fix?.title ?? "", text: repaired, ...definitionIn(second) };
}

function definitionIn({ value }: ReturnType<typeof analyzeToolFile>): { readonly definition?: ToolDefinition } {
  return value ? { definition: value } : {};
}

function withFirstOffer(diagnostic: Diagnostic): Diagnostic {
  const fix = diagnostic.fix ?? diagnostic.offers?.[0];
  return fix ? { ...diagnostic, fix } : diagnostic;
}

const outcomes = written.map(outcomeOf);

test("each definition is accepted at once, after the first offer, or refused with a reason", () => {
  assert.equal(Object.fromEntries(outcomes.filter(({ said }) => said !== "").map(({ name, said }) => [name, said])), {
    ...afterOffer,
    ...refused,
  });
});

test("at least 97 of 100 are accepted at once or after the first offer", () => {
  const accepted = outcomes.filter(({ definition }) => definition !== undefined);
  assert.equal(accepted.length / outcomes.length >= 0.97, true);
  assert.equal(outcomes.length >= 100, true);
});

/** A value of the type, of which any tool could make sense. */
function sample(schema: ParameterSchema): unknown {
  switch (schema.type) {
    case "integer":
    case "number":
      return schema.minimum ?? 3;
    case "boolean":
      return true;
    case "array":
      return [sample(schema.items), sample(schema.items)];
    case "object":
      return {};
    case "string":
      return (
        schema.choices?.[0] ?? (schema.format === "url" ? "https://example.org/" : (plain(schema.pattern) ?? SAMPLE))
      );
  }
}

/** Holds what a shell, a regular expression and most programs would read as more than text. */
const SAMPLE = "a'b\"$(x)`y`;z";

function plain(pattern: { readonly source: string } | undefined): string | undefined {
  return pattern && ["abc", "2026-01"].find((text) => new RegExp(`^(?:${pattern.source})$`).test(text));
}

interface Explained {
  readonly process?: {
    readonly argv: readonly string[];
    readonly script?: { readonly index: number; readonly text: string };
  };
}

/** Returns what is wrong with the script that would run: a value in it, or text that its shell cannot read. */
function inScript({ process: run }: Explained): readonly string[] {
  const [program, script] = [run?.argv[0], run?.script];
  if (!program || !script) return [];
  const { status, stderr } = spawnSync(program, ["-n", "-c", script.text], { encoding: "utf8" });
  return [...(script.text.includes(SAMPLE) ? ["a value is in the script"] : []), ...(status === 0 ? [] : [stderr])];
}

test("all that are accepted are built and explained, and no value is in a script", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-first-")));
  try {
    const tools = join(folder, "tools");
    mkdirSync(tools);
    const [found, unavailable]: [string[], string[]] = [[], []];
    const accepted = outcomes.flatMap(({ definition, text }) => (definition ? [{ definition, text }] : []));
    for (const { definition, text } of accepted) writeFileSync(join(tools, `${definition.name.value}.tool`), text);
    const checked = await runHere(["--tools", tools, "check"], folder);
    if (checked.exitCode !== 0) found.push(checked.stdout + checked.stderr);
    for (const { definition } of accepted) {
      const args = Object.fromEntries(definition.parameters.map(({ name, schema }) => [name, sample(schema)]));
      const name = definition.name.value;
      const run = await runHere(
        ["--tools", tools, "explain", "--json", "call", name, "--json", JSON.stringify(args)],
        folder,
      );
      if (run.stdout.includes('"unavailable"')) unavailable.push(name);
      else if (run.exitCode !== 0) found.push(`${name}: ${run.stderr}`);
      else found.push(...inScript(JSON.parse(run.stdout)).map((problem) => `${name}: ${problem}`));
    }
    assert.equal(found, []);
    // PowerShell is on few machines that are not Windows.
    assert.equal(
      unavailable.filter((name) => !name.startsWith("win_")),
      [],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
