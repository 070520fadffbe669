// Every definition of the tests and of the bundle is written and read again, and is the same.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { analyzeToolFile } from "../../../src/core/language/analyze.ts";
import { parseToolFile } from "../../../src/core/language/syntax/parse.ts";
import { firstDifference } from "../../../src/core/language/write/same-definition.ts";
import { toolText } from "../../../src/core/language/write/tool-text.ts";
import type { ToolDefinition } from "../../../src/core/tool/definition.ts";
import { assert, suite } from "../../harness.ts";
import { knownDefinitions } from "./definitions.ts";
import { stepsTool } from "../../steps/steps-fixture.ts";

const test = suite("toolText");
const root = fileURLToPath(new URL("../../../", import.meta.url));

function read(path: string, text: string): ToolDefinition | undefined {
  return analyzeToolFile(parseToolFile({ path: basename(path), text })).value;
}

function rewritten(path: string, text: string): string | undefined {
  const first = read(path, text);
  if (!first) return undefined;
  const second = read(path, toolText(first));
  return second ? (firstDifference(first, second) ?? "same") : "unreadable";
}

test("toolText writes every definition so that it reads as the same", () => {
  const files = ["wrapped-tools", "test/cases"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(root, folder, file)),
    )
    .filter((file) => file.endsWith(".tool") && statSync(file, { throwIfNoEntry: false })?.isFile());
  const seen = files
    .map((file) => [file.slice(root.length), rewritten(file, readFileSync(file, "utf8"))] as const)
    .filter(([, outcome]) => outcome !== undefined);
  assert.ok(seen.length > 40);
  assert.equal(
    seen.filter(([, outcome]) => outcome !== "same"),
    [],
  );
});

test("toolText writes what a tool asks, and all that a parameter has", () => {
  const text =
    'Asks.\n\n@title T\n@name t\n@wrapped run_command\n@command echo {a}\n@param a {integer} [default=7, max=5, example=1, example=2, help="More\\nof it", transform="value - 3"] A\n@interactive timeout=1500ms yes please\n@privilege reduced\n@isolation container\n@permissions filesystem:write:out network:external:example.com\n@justification It fetches.\n@schema-omits defaults examples\n@cycod-version 1.2.0\n@test one\n    about What it shows\n    expect exit-code 0\n';
  assert.is(rewritten("t.tool", text), "same");
  assert.is(rewritten("t.tool", text.replace("yes please", '""')), "same");
});

test("every annotation is a part of the definition, so that conversion cannot lose it unseen", () => {
  const more =
    "Counts.\n\n@title Counts\n@name t\n@wrapped run_command\n@command true\n@note Mind the gap\n@x-team core\n@x-flag\n";
  const texts = [
    ...knownDefinitions()
      .filter(([path]) => path.endsWith(".tool"))
      .flatMap(([, { origin }]) => (origin.kind === "file" ? [[origin.source.path, origin.source.text] as const] : [])),
    ["t.tool", more] as const,
  ];
  const unseen = texts.flatMap(([path, text]) => {
    const whole = read(path, text);
    return parseToolFile({ path, text }).annotations.flatMap(({ keyword, span }) => {
      const less = read(path, text.slice(0, span.start) + text.slice(span.end));
      // A title may repeat the name, a name that of the file, and a command needs no `@wrapped run_command`.
      return !["title", "name", "wrapped"].includes(keyword) &&
        whole &&
        less &&
        firstDifference(whole, less) === undefined
        ? [`${path}: ${text.slice(span.start, span.end)}`]
        : [];
    });
  });
  assert.equal(unseen, []);
});

test("toolText writes steps with all that they can have", () => {
  const text = stepsTool(
    "whole",
    `@param list {array<string>} [required] L
@cwd {WORKSPACE}
@env A={{x}} {list}
@step a bash [retry=3 delay=1500ms backoff=exponential timeout=2m continue-on-error]
    echo '{print}' {{a.stdout}} "{input}" \${x:-y}
    cat <<'X'
      {not a placeholder}
    X
@step b runs [for-each={list} concurrency=4 output=stream buffer-limit=1MiB stdin="{a.json.x[0]:-no thing} {{"] [when={a.ok} && !({a.exit-code} > 1 || {a} matches /x]y/i)]
    printf '%s %s' "it's \\$5" {item} "{index}" '' "{item.name:-none}"
@step bb sh [parallel]
    true
@step bq uses read_file [for-each={list} on=queue concurrency=200]
    file_path = {item}
@step bd uses read_file [for-each={list} on=queue]
    file_path = {item}
@step c uses read_file [wait-for=a,b cache=1h fallback]
    file_path = {a.json.path}
    start_line = 3
    fallback:
        file_path = other
@step d prompt [provider=claude]
    Say {a}

    and {{braces}}
@step e code
    return \`\${a} {a}\`;
@cleanup sh
    rm -rf {TEMP_DIR}/x
@output
    {a}
      {b} {{c}}`,
  );
  assert.is(rewritten("whole.tool", text), "same");
});

test.run();
