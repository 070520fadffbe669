import type { CommandTemplate, Shell } from "../../src/core/tool/command.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { parseCommand } from "../../src/core/language/kinds/command.ts";
import { mappedText } from "../../src/core/language/syntax/mapped-text.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter, problemsOf } from "./command-fixture.ts";

const test = suite("command");

const parameters: readonly Parameter[] = [
  parameter("p"),
  parameter("q"),
  parameter("folder", { type: "string", format: "path" }),
  parameter("n", { type: "integer" }, { required: true }),
  parameter("mode", { type: "string", choices: ["a", "b"] }),
  parameter("word", { type: "string", pattern: { source: "[a-z0-9_]+", flags: "" } }),
  parameter("files", { type: "array", items: { type: "string" } }),
  parameter("depth", { type: "integer" }, { flag: "--depth {value}" }),
  parameter("all", { type: "boolean" }, { flag: "--all" }),
  parameter("options", { type: "array", items: { type: "string" } }, { flags: true }),
];

function parsed(template: string, shell: Shell | "none" = "none"): CommandTemplate | readonly string[] {
  return commandOf(template, shell, parameters).value ?? problemsOf(template, shell, parameters);
}

function words(template: string): unknown {
  const command = parsed(template);
  return "kind" in command && command.kind === "direct" ? command.words.map((word) => word.parts) : command;
}

const p = { placeholder: "p" };

test("parseCommand splits a template into words as a shell would", () => {
  assert.equal(words("  find  . \t-name '*.ts'\n -o -name \"a b\" c\\ d e'f'\"g\"\n"), [
    ["find"],
    ["."],
    ["-name"],
    ["*.ts"],
    ["-o"],
    ["-name"],
    ["a b"],
    ["c d"],
    ["efg"],
  ]);
});

test("parseCommand keeps * ? [ ~ # and = as they are without a shell", () => {
  assert.equal(words("show * ? [a] ~ # ! a=b {a,b} {1..3} % @ ^"), [
    ["show"],
    ["*"],
    ["?"],
    ["[a]"],
    ["~"],
    ["#"],
    ["!"],
    ["a=b"],
    ["{a,b}"],
    ["{1..3}"],
    ["%"],
    ["@"],
    ["^"],
  ]);
});

test("parseCommand keeps empty words", () => {
  assert.equal(words("show '' \"\" a''"), [["show"], [""], [""], ["a"]]);
});

test("parseCommand finds placeholders in and out of quotes, and marks a lone quoted one with an empty text", () => {
  assert.equal(words("show {p} \"{p}\" '{p}' a{p}b \"{p}{q}\" {p}''"), [
    ["show"],
    [p],
    ["", p],
    ["", p],
    ["a", p, "b"],
    [p, { placeholder: "q" }],
    ["", p],
  ]);
});

test("parseCommand reads {{, }} and {} as literal braces", () => {
  assert.equal(words("show {{p}} {{{p}}} {} {{}} '{{p}}' \"}}\" \\{p\\} { } {}}}"), [
    ["show"],
    ["{p}"],
    ["{", p, "}"],
    ["{}"],
    ["{}"],
    ["{p}"],
    ["}}"],
    ["{p}"],
    ["{"],
    ["}"],
    ["{}}}"],
  ]);
});

test("a value that other programs write in two braces is text where the parameter has a place, or a shell may mean it", () => {
  const codes = (file: string): readonly string[] =>
    analyzeToolFile(parseToolFile({ path: "a.tool", text: `Do it.\n\n@name a\n${file}\n` })).diagnostics.map(
      ({ code }) => code,
    );
  assert.equal(codes("@param p\n@command show {{p}}"), ["unknown-placeholder"]);
  assert.equal(codes("@param p\n@command show {{p}} {p}"), []);
  assert.equal(codes("@param p\n@command(linux) show {{p}}\n@command(windows) show {p}"), []);
  assert.equal(codes("@param p\n@command show {{q}}"), ["unused-parameter"]);
  assert.equal(codes("@param p\n@shell sh\n@command show $(p) <p>x"), ["unused-parameter"]);
});

test("parseCommand takes backslashes in double quotes only before what they escape", () => {
  assert.equal(words('show "a\\"b" "\\$x" "\\n" "\\\\" "a\\\nb" \\\'x\\\''), [
    ["show"],
    ['a"b'],
    ["$x"],
    ["\\n"],
    ["\\"],
    ["ab"],
    ["'x'"],
  ]);
});

test("parseCommand lexes the flag of a parameter into words", () => {
  assert.equal(words("show {depth} {all}"), [
    ["show"],
    [{ placeholder: "depth", flag: [{ parts: ["--depth"] }, { parts: [{ placeholder: "value" }] }] }],
    [{ placeholder: "all", flag: [{ parts: ["--all"] }] }],
  ]);
});

function flagProblem(flag: string, schema: Parameter["schema"] = { type: "string" }): readonly string[] {
  return commandOf("show {x}", "none", [parameter("x", schema, { flag })]).diagnostics.map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

test("parseCommand says what is wrong with a flag", () => {
  assert.equal(
    [
      flagProblem(""),
      flagProblem("--x"),
      flagProblem("--x {y}"),
      flagProblem("--x={value} | y"),
      flagProblem("--x '{value}"),
      flagProblem("--x", { type: "boolean" }),
    ],
    [
      ["malformed-option: the flag is empty"],
      ["malformed-option: the flag `--x` has no `{value}`"],
      ["malformed-option: unknown placeholder `{y}` in the flag `--x {y}`"],
      ["malformed-option: `|` is not allowed in the flag `--x={value} | y`"],
      ["malformed-option: `'` is not allowed in the flag `--x '{value}`"],
      [],
    ],
  );
});

type Table = readonly (readonly [template: string, problems: readonly string[]])[];

/** Returns only the differences, so that a failure can be read. */
function differing(table: Table, shell: Shell | "none"): unknown {
  return table
    .map(([template, expected]) => ({ template, expected, actual: problemsOf(template, shell, parameters) }))
    .filter(({ expected, actual }) => JSON.stringify(expected) !== JSON.stringify(actual));
}

const refusedDirect: Table = [
  ["show {foldr}", ["unknown-placeholder [foldr] did you mean `folder`?"]],
  ["show {zzzzzz} {yyyyyy}", ["unknown-placeholder [zzzzzz]", "unknown-placeholder [yyyyyy]"]],
  ["show {p} | sort", ["needs-shell [|]"]],
  ["show a && b", ["needs-shell [&]"]],
  ["show > out", ["needs-shell [>]"]],
  ["show a;b", ["operator-in-word [;]"]],
  ["show http://h?a={p}&b=2 | sort", ["operator-in-word [&]"]],
  ["show x 2>err", ["needs-shell [>]"]],
  ["show a&&b", ["needs-shell [&]"]],
  ["show x$(a;b)", ["needs-shell [$]"]],
  ["show $HOME", ["needs-shell [$]"]],
  ['show "`id`"', ["needs-shell [`]"]],
  ["{p} x", ["parameter-as-program [{p}] this is the name of a program"]],
  ["./bin/{p} x", ["parameter-as-program [{p}] this is the name of a program"]],
  ["sudo -u {p} {q} x", ["parameter-as-program [{q}] this is the name of a program"]],
  ["show --x={files}", ["array-in-word [{files}] joined to other text"]],
  ['show "{files}"', ["array-in-word [{files}] in quotes"]],
  ["show x{depth}", ["array-in-word [{depth}]"]],
  ["show 'a", ["unclosed-quote [']"]],
  ['show a "b', ['unclosed-quote ["]']],
  ["show x\\", ["unclosed-quote [\\]"]],
  ["   ", ["empty-command [   ]"]],
  ["sh -c 'echo {p}'", ["unsafe-placeholder [{p}] `sh -c` reads this as a program"]],
  ["/bin/bash -euo pipefail -c {p}", ["unsafe-placeholder [{p}] `/bin/bash -c` reads this as a program"]],
  ["bash {options} x", ["unsafe-placeholder [{options}] `bash` reads this as a program"]],
  ["env X=1 sh -c {p}", ["unsafe-placeholder [{p}] `sh -c` reads this as a program"]],
  ['docker exec box sh -c "ls {p}"', ["unsafe-placeholder [{p}] `sh -c` reads this as a program"]],
  ["find . -exec perl -e {p} \\;", ["unsafe-placeholder [{p}] `perl -e` reads this as a program"]],
  ["python3.12 -c {p}", ["unsafe-placeholder [{p}] `python3.12 -c` reads this as a program"]],
  ["awk {p} f", ["unsafe-placeholder [{p}] `awk` reads this as a program"]],
  ["awk -F , '{print \"{p}\"}' f", ["unsafe-placeholder [{p}] `awk` reads this as a program"]],
  ["sed -n -e s/{p}/x/ f", ["unsafe-placeholder [{p}] `sed -e` reads this as a program"]],
  ["ssh -p {n} host ls {p}", ["unsafe-placeholder [{p}] `ssh` reads this as a program"]],
  ["sh -c {mode} {p}", ["unsafe-placeholder [{p}] `sh` reads this as a program if the argument before it is missing"]],
  [
    "awk -F {mode} '{{print}}' {p}",
    ["unsafe-placeholder [{p}] `awk` reads this as a program if the argument before it is missing"],
  ],
  ["timeout {mode} ls {p}", ["unsafe-placeholder [{p}] `timeout` runs this if an argument before it is missing"]],
  ["ssh -o {p} host", ["unsafe-placeholder [{p}] `ssh -o` reads this as a program"]],
  ["watch show -x {p}", ["unsafe-placeholder [{p}] `watch` reads this as a program"]],
  ["make {p}", ["unsafe-placeholder [{p}] `make` expands `$(shell …)` in its arguments"]],
  ["sqlite3 db {p}", ["unsafe-placeholder [{p}] `sqlite3` reads this as a program"]],
  ["env LD_PRELOAD={p} show", ["unsafe-placeholder [{p}] `LD_PRELOAD` decides what runs, or is evaluated"]],
];

test("parseCommand refuses what needs a shell, and values that a program would read as a program", () => {
  assert.equal(differing(refusedDirect, "none"), []);
});

const acceptedDirect: readonly string[] = [
  "sh -c 'echo \"$1\"' sh {p}",
  "bash script.sh {p}",
  "python3 tool.py {p}",
  "awk -v x={p} '{print x}' {folder}",
  "awk '/{word}/' f",
  "sed -n '{n}p' {folder}",
  "sed 's/{word}/x/' f",
  "ssh {p} uptime",
  "make {word}",
  "make {mode}",
  "sqlite3 -safe db {p}",
  "git log --author={p} -- {files}",
  "find {folder} -name {p} -exec wc -l {} \\;",
  "grep -e perl -e {p}",
  "xargs -n 1 show {p}",
  "timeout {n} show {p}",
  "watch -d -x show {p}",
  "awk -F \"{mode}\" '{{print}}' {p}",
  "sh script.sh {mode} {p}",
  "env X={p} show",
  "jq {p} f",
];

test("parseCommand accepts values that stay values", () => {
  assert.equal(
    acceptedDirect.filter((template) => Array.isArray(parsed(template))),
    [],
  );
});

function parts(template: string, shell: Shell = "sh"): unknown {
  const command = parsed(template, shell);
  return "kind" in command && command.kind === "shell" ? command.parts : command;
}

const bare = { placeholder: "p", quoting: "bare", isWholeWord: true, startsWord: true, isAfterDashes: false };
const guarded = { ...bare, reader: { program: "`show`" } };

test("parseCommand notes where in a script a value stands", () => {
  assert.equal(parts("show {p} x{p} \"a {p}\" '{p}' -- {p}"), [
    "show ",
    guarded,
    " x",
    { ...bare, isWholeWord: false, startsWord: false },
    ' "a ',
    { ...bare, quoting: "double", isWholeWord: false, startsWord: false },
    "\" '",
    { ...guarded, quoting: "single", isWholeWord: false },
    "' -- ",
    { ...bare, isAfterDashes: true },
  ]);
});

test("parseCommand forgets `--` at the end of a command", () => {
  assert.equal(parts("a -- b; show {p}"), ["a -- b; show ", guarded]);
});

test("parseCommand notes the placeholders before one in its word", () => {
  assert.equal(parts("show {p}{q}"), [
    "show ",
    { ...guarded, isWholeWord: false },
    { ...guarded, placeholder: "q", isWholeWord: false, behind: ["p"] },
  ]);
});

test("parseCommand keeps a word where a shell would miss it", () => {
  const fixed = { ...bare, isWholeWord: false };
  assert.equal(
    [parts("[ -n {p} ]"), parts("case {p} in a) ;; esac"), parts("show > {p}")],
    [
      ["[ -n ", { ...fixed, isAfterDashes: true }, " ]"],
      ["case ", { ...fixed, startsWord: false }, " in a) ;; esac"],
      ["show > ", { ...fixed, startsWord: false }],
    ],
  );
});

test("parseCommand leaves the braces of shells, awk and jq alone", () => {
  const template = "echo ${p} \"${HOME}\" '{print}' '{name, q: .p}' '{{.Names}}' { a; } {a,b} {1..3} {} }} $(x)";
  assert.equal(parts(template, "bash"), [template]);
});

test("parseCommand finds braces with more than a name in them, but not in single quotes", () => {
  assert.equal(
    ["echo {p:lower}", "echo '{p:lower}'", "echo 'a\\' {p:lower}", 'echo "a\\" {p:lower}"'].map((template) =>
      problemsOf(template, "sh", parameters),
    ),
    [["unknown-placeholder [{p:lower}]"], [], ["unknown-placeholder [{p:lower}]"], ["unknown-placeholder [{p:lower}]"]],
  );
});

test("parseCommand reduces {{name}} in a script to {name}", () => {
  assert.equal(parts("echo {{p}} '{{other}}' \"{{x}}\" {p}"), [
    "echo {p} '{other}' \"{x}\" ",
    { ...bare, reader: { program: "`echo`", instead: "with `printf '%s\\n'`, which prints any text" } },
  ]);
});

test("parseCommand leaves comments and here-documents without placeholders alone", () => {
  const template = "# don't {nothing}\ncat <<'E F' | cat\nit's ` ${ $(( {nothing}\nE F\nshow ";
  assert.equal(parts(`${template}{p}`), [template, guarded]);
});

test("parseCommand says that a script changes its positional parameters", () => {
  const moved = [
    "set -- a; show {p}",
    "shift; show {p}",
    "f() { show {p}; }",
    "function f { show {p}; }",
    ". ./lib; show {p}",
  ].map((template) => {
    const command = parsed(template, "bash");
    return "kind" in command && command.kind === "shell" && command.movesPositions;
  });
  assert.equal(moved, [true, true, true, true, true]);
});

const refusedScripts: Table = [
  ["awk '{foldr}' {p}", ["unknown-placeholder [foldr] did you mean `folder`?"]],
  ['echo {foldr} "{zzzzzz}"', ["unknown-placeholder [foldr] did you mean `folder`?", "unknown-placeholder [zzzzzz]"]],
  ["echo `show {p}`", ["unsafe-placeholder [{p}] inside backquotes"]],
  ['echo "`show {p}`"', ["unsafe-placeholder [{p}] inside backquotes"]],
  ["echo $(( {mode} + 1 ))", ["unsafe-placeholder [{mode}] inside arithmetic, where bash and zsh may run the value"]],
  [
    "IFS=: read -r h <<< {p}; echo $((h + 1))",
    ["unsafe-placeholder [{p}] `$((h + 1))` evaluates this value, and bash and zsh may run it"],
  ],
  [
    "x=$(sort); echo $((x)) {p}",
    ["unsafe-placeholder [$((x))] `$((x))` evaluates this value, and bash and zsh may run it"],
  ],
  [
    "n=${n:-5}; echo $((n)) {p}",
    ["unsafe-placeholder [$((n))] `$((n))` evaluates this value, and bash and zsh may run it"],
  ],
  ["echo ${!x} {p}", ["unsafe-placeholder [${!x}] `${!x}` runs this value, or reads it as the name of a variable"]],
  [
    "$x {p}",
    [
      "parameter-as-program [$x] this is the name of a program",
      "parameter-as-program [{p}] this is the name of a program",
    ],
  ],
  ["printf %s {p} > x.sh; sh x.sh", ["unsafe-placeholder [{p}] the file that is run here may contain its value"]],
  ["echo ${x:-{p}}", ["unsafe-placeholder [{p}] inside `${…}`"]],
  ["echo ${x[$(show {p})]}", ["unsafe-placeholder [{p}] inside `${…}`"]],
  ["show $'{p}'", ["unsafe-placeholder [{p}] inside `$'…'`"]],
  ["cat <<-'EOF'\n\t{p}\n\tEOF", ["unsafe-placeholder [{p}] a here-document with a quoted end is not expanded"]],
  ["eval {n}", ["unsafe-placeholder [{n}] `eval` runs its arguments as a script"]],
  ["[[ {p} -gt 1 ]]", ["unsafe-placeholder [{p}] `-gt` in `[[` makes bash or zsh evaluate the value"]],
  ["printf {p}", ["unsafe-placeholder [{p}] this is the format of `printf`"]],
  ["export {p}=1", ["unsafe-placeholder [{p}] `export` expects a name here"]],
  [
    "$sudo {p}",
    [
      "parameter-as-program [$sudo] this is the name of a program",
      "parameter-as-program [{p}] this is the name of a program",
    ],
  ],
  [
    "sh -c $x a{p}",
    [
      "unsafe-placeholder [$x] `sh -c` reads this as a program",
      "unsafe-placeholder [{p}] `sh` reads this as a program if the argument before it is missing",
    ],
  ],
  ["x={p}; $x", ["parameter-as-program [{p}] this is the name of a program"]],
  ["for {p} in a; do :; done", ["unsafe-placeholder [{p}] this is the name of a variable"]],
  ["curl {p} | sh", ["unsafe-placeholder [{p}] the value may reach `sh`, which runs what it reads"]],
  ["show > {files}", ["array-in-word [{files}] expected one word here"]],
  ["show x={depth}", ["array-in-word [{depth}]"]],
  ["show '{p}", ["unclosed-quote [']"]],
  ['show "$(echo {p}"', ['unclosed-quote ["]']],
  ["show $(echo {p}", ["unclosed-quote [$(]"]],
  ["show ${x", ["unclosed-quote [${]"]],
  ["cat <<EOF\n{p}", ["unclosed-quote [<<]"]],
  ["show \\", ["unclosed-quote [\\]"]],
  ["\n \n", ["empty-command [\n \n]"]],
  [`${"$(".repeat(100)}`, ["too-deep [$]"]],
  [`\${${"{".repeat(2)}${"${".repeat(100)}`, ["too-deep [$]"]],
];

test("parseCommand refuses in a script what could run a value", () => {
  assert.equal(differing(refusedScripts, "bash"), []);
});

test("parseCommand points from a variable's use to the placeholder", () => {
  const { diagnostics } = commandOf('x={p}; eval "$x"', "sh", parameters);
  const shown = diagnostics.map(({ at, related }) =>
    [at, ...related].map(
      (label) => `${label?.span.source.text.slice(label.span.start, label.span.end)}: ${label?.text}`,
    ),
  );
  assert.equal(shown, [
    ["{p}: `eval` runs its arguments as a script", ": declared here", "$x: the value may end up here"],
  ]);
});

test("parseCommand offers `@shell sh` where that is all that is missing", () => {
  const file = { path: "x.tool", text: "A tool.\n\n  @command show {p} |\n  sort\n" };
  const start = file.text.indexOf("show");
  const text = mappedText(
    file,
    [
      { start, end: file.text.indexOf("|") + 1 },
      { start: file.text.indexOf("sort"), end: file.text.indexOf("sort") + 4 },
    ],
    " ",
  );
  const declared = parameters.map((one) => ({ parameter: one, span: text.span }));
  const at = file.text.indexOf("@command");
  assert.equal(parseCommand(text, "none", declared).diagnostics[0]?.fix, {
    title: "add `@shell sh`",
    edits: [{ span: { source: file, start: at, end: at }, text: "@shell sh\n" }],
  });
});

test("parseCommand offers no shell where a value would be in danger there", () => {
  assert.is(commandOf("show `echo {p}`", "none", parameters).diagnostics[0]?.fix, undefined);
});

const powershell: Table = [
  ["iex '{p}'", ["unsafe-placeholder [{p}] `iex` reads this as a program"]],
  ["pwsh -Command 'show {p}'", ["unsafe-placeholder [{p}] `pwsh -command` reads this as a program"]],
  ["show x{p}", ["unsafe-placeholder [{p}] joined to other text"]],
  ['iex "show {p}"', ["unsafe-placeholder [{p}] `iex` reads this as a program"]],
  ["& {p}", ["parameter-as-program [{p}] this is the name of a program"]],
  ["show; {p}", ["parameter-as-program [{p}] this is the name of a program"]],
  ["show {foldr}", ["unknown-placeholder [foldr] did you mean `folder`?"]],
  ['show "{files}"', ["array-in-word [{files}] in quotes"]],
  ['show "x', ['unclosed-quote ["]']],
];

test("parseCommand reads PowerShell's quotes and refuses what it cannot be sure of", () => {
  assert.equal(differing(powershell, "pwsh"), []);
  assert.equal(parts('show {p} "a {p}" {{p}} | sort {files}', "pwsh"), [
    "show ",
    bare,
    ' "a ',
    { ...bare, quoting: "double", isWholeWord: false, startsWord: false },
    '" {p} | sort ',
    { ...bare, placeholder: "files" },
  ]);
});

test("parseCommand writes double quotes where a value is within PowerShell's single ones", () => {
  const double = { ...bare, quoting: "double", isWholeWord: false, startsWord: false } as const;
  assert.equal(parts("show '*.{p}' 'a {{p}} (b) {p}' 'plain $x'", "pwsh"), [
    'show "*.',
    double,
    '" "a {p} (b) ',
    double,
    "\" 'plain $x'",
  ]);
  assert.equal(parts("show '{p}'", "pwsh"), ['show "', { ...double, startsWord: true }, '"']);
});

test("parseCommand limits the length of commands and scripts", () => {
  assert.equal(
    [parsed("a ".repeat(10_000)), parsed("a ".repeat(40_000), "sh")].map((one) => Array.isArray(one) && one[0]),
    ["too-large [a]", "too-large [a]"],
  );
});

test("parseCommand refuses NUL characters", () => {
  assert.equal(parsed("show \0"), ["not-text [\0]"]);
});

test.run();
