// Values that a program would read as the name of a file because of how they begin: a call with one is refused, and
// says how a definition lets it through.
import { fileRows, languages, launchers, tools, windowsPrograms, wrappers } from "../../src/generated/program-data.ts";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { namesOf } from "../../src/core/shell/rule.ts";
import { dataRows } from "../../src/generated/data-rows.ts";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Shell } from "../../src/core/tool/command.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("values that name files");

const parameters: readonly Parameter[] = [
  parameter("x", { type: "string" }, { required: true }),
  parameter("y"),
  parameter("z", { type: "string" }, { flag: "-d {value}" }),
  parameter("c", { type: "string", choices: ["@a", "b"] }),
  parameter("files", { type: "array", items: { type: "string" } }),
];

function issuesOf(template: string, value: string, shell: Shell | "none"): readonly string[] {
  const { value: command, diagnostics } = commandOf(template, shell, parameters);
  if (!command) return diagnostics.map(({ message }) => `not accepted: ${message}`);
  const surroundings = { environment: [], inheritsEnvironment: false };
  const args = { x: value, y: "y", z: value, c: "@a", files: [value] };
  return commandWrap
    .check({ command, parameters, surroundings }, args)
    .map(({ path, message, help }) => `${path} ${message}; ${help ?? ""}`);
}

type Row = readonly [template: string, value: string];

const refused: readonly Row[] = [
  ["curl -d {x} u", "@f"],
  ["curl -sSd {x} u", "@f"],
  ["curl --data={x} u", "@f"],
  ["curl --json {x} u", "@f"],
  ["curl {z} u", "@f"],
  ["curl -H {x} u", "@f"],
  ["curl -F a={x} u", "@f"],
  ["curl -F a={x} u", "<f"],
  ["curl -F {x} u", "a=@f"],
  ["curl -F {y}={x} u", "@f"],
  ["curl --data-urlencode {x} u", "a@f"],
  ["timeout 5 curl -d {x} u", "@f"],
  ["curl -F a={x} u", "a;headers=@f"],
  ["curl -F a=1{x} u", ";headers=<f"],
  ["curl -F 'a=b;headers={x}' u", "@f"],
  ["curl -sd{x} u", "@f"],
  ["curl --data-bin {x} u", "@f"],
  ["curl --data-urlencode a{x} u", "@f"],
  ["http POST u a={x}", "@f"],
  ["http POST u {x}", "a=@f"],
  ["gh api a -F body={x}", "@f"],
  ["aws lambda invoke --payload {x} o", "file:///etc/passwd"],
  ["aws lambda invoke --payload={x} o", "fileb://f"],
  ["az vm create --tags {x}", "@f"],
  ["vault kv put a b={x}", "@f"],
  ["javac {files}", "@f"],
  ["gcc -c {x}", "@f"],
  ["rustc {x}", "@f"],
  ["tsc {x}", "@f"],
  ["pytest {files}", "@f"],
  ["magick a.png -annotate +0+0 {x} b.png", "@f"],
  ["convert label:{x} b.png", "@f"],
  ["jq {x} f", 'import "d" as $d; $d'],
  ["jq {y} {x}", 'include "d"; .'],
  ["jq -r --arg a b {x} f", '# \\\nx\nimport "d" as $d; $d'],
  ["timeout 5 gojq {x} f", 'import "d" as $d; $d'],
  ["yq {x} f", 'load("d")'],
  ["yq -o json {x} f", ".a = load_str(.b)"],
  ["yq eval {x} f", '..load "d"'],
  ["yq e {x} f", 'eval("lo" + "ad(1)")'],
  ["yq {x} f", 'import "d" as $d; $d'],
  ["xmlstarlet sel -t -v {x} f", "document (concat('/', 'd'))"],
  ["xmlstarlet ed -u /a -x {x} f", "dyn:evaluate('x')"],
];
const scripts: readonly Row[] = [
  ['b={x}; curl -d "$b" u', "@f"],
  ["sh -c 'curl -d \"$1\" u' sh {x}", "@f"],
];
const accepted: readonly Row[] = [
  ["curl -d {x} u", '{"a": "@b"}'],
  ["curl -d @./{x} u", "@f"],
  ["curl -d a={x} u", "@f"],
  ["curl -d {c} u", "a"],
  ["curl --data-raw {x} u", "@f"],
  ["curl --form-string a={x} u", "@f"],
  ["curl -H 'A: {x}' u", "@f"],
  ["curl --data-urlencode a={x} u", "@f"],
  ["gh api a -f body={x}", "@f"],
  ["gh issue create --title {x}", "@f"],
  ["gcc ./{x}", "@f"],
  ["echo {x}", "@f"],
  ["dig {x}", "@1.1.1.1"],
  ["jq {x} f", ".import | includes, imported"],
  ["jq . {x}", "import.json"],
  ["jq --arg a {x} .a f", 'import "d" as $d; $d'],
  ["yq {x} f", ".payload.load, .loader"],
  ["yq . {x}", "load.yaml"],
  ["xmlstarlet sel -t -v {x} f", "//document/title[1]"],
  ["gh api a --jq {x}", ".import"],
];

test("a value that would be the name of a file is refused in a call, in both modes", () => {
  const isRefused = ([template, value]: Row, shell: Shell | "none"): boolean =>
    issuesOf(template, value, shell).some((issue) => issue.includes("would read a file"));
  assert.equal(
    refused.filter((row) => !isRefused(row, "none")),
    [],
  );
  assert.equal(
    [...refused, ...scripts].filter((row) => !isRefused(row, "bash")),
    [],
  );
  const isAccepted = ([template, value]: Row, shell: Shell | "none"): boolean =>
    issuesOf(template, value, shell).length === 0;
  assert.equal(
    accepted.flatMap((row) => (isAccepted(row, "none") && isAccepted(row, "bash") ? [] : [row])),
    [],
  );
});

test("the refusal names the program, and the way through", () => {
  assert.equal(issuesOf("curl -d {x} u", "@f", "none"), [
    "x starts with `@`, so `curl -d` would read a file; its definition can let such a value through: with `--data-raw`",
  ]);
});

test("every row has a source and a template here", () => {
  const data: { readonly files: readonly { readonly names: string; readonly from: string }[] } = parse(
    readFileSync(new URL("../../grammar/programs.yaml", import.meta.url), "utf8"),
    { maxAliasCount: -1 },
  );
  const tried = new Set(
    refused.map(
      ([template]) =>
        template
          .replace(/^timeout 5 /, "")
          .replace(/^gh api/, "gh.api")
          .split(" ")[0],
    ),
  );
  assert.equal(
    data.files.filter(({ names, from }) => from === "" || !names.split(" ").some((name) => tried.has(name))),
    [],
  );
});

test("grammar/programs.md names every program with a row", () => {
  const page = readFileSync(new URL("../../grammar/programs.md", import.meta.url), "utf8");
  const rules = [...languages.all(), ...wrappers.all(), ...launchers.all(), ...tools.all(), ...windowsPrograms.all()];
  const names = [...rules.flatMap(namesOf), ...dataRows.flatMap((row) => row.names.trim().split(/\s+/))];
  const programs = new Set(
    [...names, ...fileRows.flatMap((row) => row.names.split(" "))].map((name) => name.split(/[ .]/)[0]),
  );
  const named = new Set(
    [...(/<!-- programs -->[^]*<!--/.exec(page)?.[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  assert.equal(
    [[...programs].filter((name) => !named.has(name)), [...named].filter((name) => !programs.has(name ?? ""))],
    [[], []],
  );
});

test("curl reads the file that the refused value names, and sends the text that is accepted", async () => {
  needPrograms("curl");
  const folder = mkdtempSync(join(tmpdir(), "dottool-files-"));
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      bodies.push(/secret/.test(body) ? "secret" : body);
      response.end();
    });
  });
  try {
    writeFileSync(join(folder, "f"), "secret");
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    for (const words of [
      ["-d", "@f"],
      ["-F", "a=<f"],
      ["--data-raw", "@f"],
      ["-d", "a=@f"],
    ])
      await promisify(execFile)("curl", ["-s", ...words, url], { cwd: folder });
    assert.equal(bodies, ["secret", "secret", "@f", "a=@f"]);
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
