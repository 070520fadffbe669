import "../windows-shells.ts";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Shell } from "../../src/core/tool/command.ts";
import type { Surroundings } from "../../src/core/tool/definition.ts";
import type { CommandBinding } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter } from "../language/command-fixture.ts";

const test = suite("bind-command");

const plain: Surroundings = { environment: [], inheritsEnvironment: false };

const parameters: readonly Parameter[] = [
  parameter("p"),
  parameter("q"),
  parameter("file", { type: "string", format: "path" }),
  parameter("n", { type: "number" }),
  parameter("mode", { type: "string", choices: ["-a", "b"] }),
  parameter("sort", { type: "string" }, { default: "-date" }),
  parameter("yes", { type: "boolean" }),
  parameter("data", { type: "object", properties: [], open: true }),
  parameter("files", { type: "array", items: { type: "string" } }),
  parameter("paths", { type: "array", items: { type: "string", format: "path" } }),
  parameter("rows", { type: "array", items: { type: "object", properties: [], open: true } }),
  parameter("options", { type: "array", items: { type: "string" } }, { flags: true }),
  parameter("depth", { type: "integer" }, { flag: "--depth {value}" }),
  parameter("tag", { type: "string" }, { flag: "--tag={value}" }),
  parameter("all", { type: "boolean" }, { flag: "--all --no-pager" }),
  parameter("each", { type: "array", items: { type: "string" } }, { flag: "-e {value}" }),
];

function binding(template: string, shell: Shell | "none" = "none", surroundings = plain): CommandBinding {
  const { value: command, diagnostics } = commandOf(template, shell, parameters);
  if (!command) throw new Error(diagnostics.map((diagnostic) => diagnostic.message).join());
  return { command, parameters, surroundings };
}

function bind(template: string, args: JsonObject, shell: Shell | "none" = "none"): JsonObject {
  return commandWrap.bind(binding(template, shell), args);
}

function argv(template: string, args: JsonObject): unknown {
  return bind(template, args)["argv"];
}

function refusals(template: string, args: JsonObject, shell: Shell | "none" = "none"): readonly string[] {
  return commandWrap.check(binding(template, shell), args).map((issue) => `${issue.path} ${issue.message}`);
}

test("an absent value leaves no word where it stands alone, and nothing in a word", () => {
  assert.equal(argv('show {p} a{p}b "{p}" {files} {depth}', {}), ["show", "ab", ""]);
});

test("values are not read again", () => {
  assert.equal(argv("show {p} x{q}", { p: "{q}", q: "{{p}} $x 'y\" z" }), ["show", "{q}", "x{{p}} $x 'y\" z"]);
});

test("numbers are written without an exponent, objects as JSON", () => {
  const numbers = [1e21, 1.5e-7, -0, 123456789012345680000, 0.1, -2.5e22].map(
    (n) => (argv("show {n}", { n }) as string[])[1],
  );
  assert.equal(numbers, [
    "1000000000000000000000",
    "0.00000015",
    "0",
    "123456789012345680000",
    "0.1",
    "-25000000000000000000000",
  ]);
  assert.equal(argv("show {yes} {data} {rows}", { yes: false, data: { a: ["b"] }, rows: [{ n: 1 }, {}] }), [
    "show",
    "false",
    '{"a":["b"]}',
    '{"n":1}',
    "{}",
  ]);
});

test("a path that starts with a dash gets ./", () => {
  assert.equal(argv("show {file} --in={file} {paths}", { file: "-x", paths: ["-a", "b", "./-c"] }), [
    "show",
    "./-x",
    "--in=./-x",
    "./-a",
    "b",
    "./-c",
  ]);
});

test("a flag becomes words, once for each item of a list, and none where the value is absent or false", () => {
  assert.equal(argv("show {depth} {tag} {all} {each}", { depth: 3, tag: "a b", all: true, each: ["x", "y z"] }), [
    "show",
    "--depth",
    "3",
    "--tag=a b",
    "--all",
    "--no-pager",
    "-e",
    "x",
    "-e",
    "y z",
  ]);
  assert.equal(argv("show {depth} {all} {each}", { all: false, each: [] }), ["show"]);
});

const dashed = "starts with `-`, so `show` would read it as an option";

test("a word that starts with a dash is refused unless something allows it", () => {
  assert.equal(refusals("show {p}", { p: "-x" }), [`p ${dashed}`]);
  assert.equal(refusals("show {p}.txt", { p: "-x" }), [`p ${dashed}`]);
  assert.equal(refusals('show "{p}"', { p: "-" }), [`p ${dashed}`]);
  assert.equal(refusals("show {files}", { files: ["a", "-b", "--"] }), [`files[1] ${dashed}`, `files[2] ${dashed}`]);
  assert.equal(refusals("show {each}", { each: ["-x"] }), [`each[0] ${dashed}`]);
  assert.equal(refusals("show {p} -- {q}", { p: "-x", q: "-y" }), [`p ${dashed}`]);
  const allowed = refusals("show {n} {mode} {sort} {file} {options} {tag} x{p} --a={p} -- {q} {files}", {
    n: -1,
    mode: "-a",
    sort: "-date",
    file: "-f",
    options: ["-x", "--"],
    tag: "-t",
    p: "-p",
    q: "-q",
    files: ["-z"],
  });
  assert.equal(allowed, []);
});

test("`--` from a value opens nothing", () => {
  assert.equal(refusals("show {options} {p}", { options: ["--"], p: "-x" }), [`p ${dashed}`]);
});

test("the first value of a word that is not empty answers for its dash", () => {
  assert.equal(refusals("show {p}{q}", { p: "", q: "-x" }), [`q ${dashed}`]);
  assert.equal(refusals("show {p}{q}", { q: "-x" }), [`q ${dashed}`]);
  assert.equal(refusals("show {p}{q}", { p: "a", q: "-x" }), []);
  assert.equal(refusals("show {p}{q}", { q: "-x" }, "sh"), [`q ${dashed}`]);
  assert.equal(refusals("show {p}{q}", { p: "", q: "-x" }, "sh"), [`q ${dashed}`]);
  assert.equal(refusals("show {p}{q}", { p: "a", q: "-x" }, "sh"), []);
  assert.equal(refusals("show {p} {p}; show -- {p}; x={p}", { p: "-x" }, "sh"), [`p ${dashed}`]);
});

test("words and commands that no system takes are refused, all at once", () => {
  const advice = "pass long text through standard input";
  assert.equal(refusals("show {p} {q} {files}", { p: "x".repeat(131_072), q: "é".repeat(65_536), files: ["-a"] }), [
    `files[0] ${dashed}`,
    `p makes an argument of 131,072 bytes, and a program accepts at most 131,071; ${advice}`,
    `q makes an argument of 131,072 bytes, and a program accepts at most 131,071; ${advice}`,
  ]);
  assert.equal(refusals("show {p} {files}", { p: "a", files: Array.from({ length: 15 }, () => "x".repeat(110_000)) }), [
    `files makes the command 1,650,158 bytes long, and the limit is 1,572,864; ${advice}`,
  ]);
  assert.equal(refusals("show {p}", { p: "x".repeat(131_071) }), []);
  assert.equal(
    refusals("show {files}", { files: Array.from({ length: 20_000 }, () => "x") }, "sh").map((text) =>
      text.slice(0, 20),
    ),
    ["files makes an argum"],
  );
});

test("a script gets its values beside it", () => {
  assert.equal(bind("show {p} \"a {p}\" '{q}' {files}", { p: "x", q: "y", files: ["1", "2"] }, "sh"), {
    argv: ["sh", "-c", 'show "${1}" "a ${1}" \'\'"${2}"\'\' "${3}" "${4}"', "dottool", "x", "y", "1", "2"],
  });
  assert.equal(bind("show {p}", { p: "x" }, "bash"), {
    argv: ["bash", "--norc", "--noprofile", "-p", "-c", 'show "${1}"', "dottool", "x"],
  });
  assert.equal(bind("show {p}", { p: "x" }, "zsh"), { argv: ["zsh", "-f", "-c", 'show "${1}"', "dottool", "x"] });
});

test("an absent value in a script leaves no word where it stands alone, and an empty one where a word is needed", () => {
  assert.equal(bind("show {p} a{p}b \"{p}\" '{p}' {files} {depth}; [ -n {p} ]", {}, "sh"), {
    argv: ["sh", "-c", 'show  a""b "" \'\'  ; [ -n "" ]', "dottool"],
  });
});

test("flags in a script are values too", () => {
  assert.equal(bind("show {depth} {all} {tag}", { depth: 2, all: true, tag: "$(x)" }, "sh"), {
    argv: [
      "sh",
      "-c",
      'show "${1}" "${2}" "${3}" "${4}" "${5}"',
      "dottool",
      "--depth",
      "2",
      "--all",
      "--no-pager",
      "--tag=$(x)",
    ],
  });
});

test("values are kept in variables where the script changes its positional parameters", () => {
  assert.equal(bind('set -- a; show {p} "{p}" {q}', { p: "x", q: "y" }, "sh"), {
    argv: [
      "sh",
      "-c",
      'dottool_1=${1} dottool_2=${2}; set --; set -- a; show "${dottool_1}" "${dottool_1}" "${dottool_2}"',
      "dottool",
      "x",
      "y",
    ],
  });
});

test("PowerShell reads values from variables of the environment", () => {
  const words = ["pwsh", "-NoProfile", "-NonInteractive", "-Command"];
  assert.equal(
    bind('show {p} "<{q}>" {files} {file}', { p: "'; x", q: "$(y)", files: ["1", ""], file: "-f" }, "pwsh"),
    {
      argv: [...words, 'show $env:TOOL_ARG_p "<$($env:TOOL_ARG_q)>" $env:TOOL_ARG_files_1 "" $env:TOOL_ARG_file'],
      env: {
        TOOL_ARG_p: "'; x",
        TOOL_ARG_q: "$(y)",
        TOOL_ARG_files_1: "1",
        TOOL_ARG_files_2: "",
        TOOL_ARG_file: "./-f",
      },
    },
  );
  assert.equal(bind('show {p} "{q}"', {}, "pwsh"), { argv: [...words, 'show  ""'] });
});

test("a value of an expression of PowerShell has its type", () => {
  const script = (template: string, args: JsonObject): unknown =>
    (bind(template, args, "pwsh")["argv"] as string[]).at(-1);
  assert.equal(
    script("if ({yes}) { $x = {n} + 1 }", { yes: false, n: 1.5 }),
    'if (($env:TOOL_ARG_yes -eq "true")) { $x = ([double]$env:TOOL_ARG_n) + 1 }',
  );
  assert.equal(
    script("foreach ($f in {files}) { $f }; $a = {files}", { files: ["1", ""] }),
    'foreach ($f in @($env:TOOL_ARG_files_1, "")) { $f }; $a = @($env:TOOL_ARG_files_1, "")',
  );
  assert.equal(script("$x = {p}; $y = {files}; if ({yes}) { {n} }", {}), '$x = ""; $y = @(); if ($false) { "" }');
  assert.equal(
    script('Write-Output {n} ({n} * 2) "{n}"; git log -n {n}', { n: 3 }),
    'Write-Output $env:TOOL_ARG_n (([double]$env:TOOL_ARG_n) * 2) "$($env:TOOL_ARG_n)"; git log -n $env:TOOL_ARG_n',
  );
});

test("an argument of a cmdlet is one argument, a list too, and a flag is the name of a parameter", () => {
  const script = (template: string, args: JsonObject): unknown =>
    (bind(template, args, "pwsh")["argv"] as string[]).at(-1);
  assert.equal(
    script("Get-Content {files} -Tail {n}; cat {files}", { files: ["1", "2"], n: 3 }),
    "Get-Content @($env:TOOL_ARG_files_1, $env:TOOL_ARG_files_2) -Tail $env:TOOL_ARG_n; cat $env:TOOL_ARG_files_1 $env:TOOL_ARG_files_2",
  );
  assert.equal(script("Get-Item {p} -Force:{yes}", { yes: true }), 'Get-Item  -Force:($env:TOOL_ARG_yes -eq "true")');
  assert.equal(
    script("Get-ChildItem {each}; ls {each}", { each: ["a"] }),
    "Get-ChildItem -e $env:TOOL_ARG_each_2; ls $env:TOOL_ARG_each_1 $env:TOOL_ARG_each_2",
  );
});

test("an option of PowerShell goes with the value that it takes, and a switch stays", () => {
  const script = (template: string, args: JsonObject): unknown =>
    (bind(template, args, "pwsh")["argv"] as string[]).at(-1);
  const all =
    "Get-ChildItem -Recurse {p} -Filter {q} -Include {files} -First {n} | Where-Object { $_.Length -gt {n} }; git log -n {n}";
  assert.equal(
    script(all, { p: ".", q: "*.ts", files: ["a", "b"], n: 3 }),
    "Get-ChildItem -Recurse $env:TOOL_ARG_p -Filter $env:TOOL_ARG_q -Include @($env:TOOL_ARG_files_1, $env:TOOL_ARG_files_2) -First $env:TOOL_ARG_n | Where-Object { $_.Length -gt ([double]$env:TOOL_ARG_n) }; git log -n $env:TOOL_ARG_n",
  );
  assert.equal(script(all, {}), 'Get-ChildItem -Recurse     | Where-Object { $_.Length -gt "" }; git log ');
});

test("a value that begins with a dash is an option for a program, and never for a cmdlet of PowerShell", () => {
  const dash = "p starts with `-`, so a program would read it as an option";
  assert.equal(
    ["git log {p}", "git log -- {p}", "Get-Item {p}", "$x = {p}", "git log ({p})", "$a = {p}; git log $a"].map(
      (template) => refusals(template, { p: "-x" }, "pwsh"),
    ),
    [[dash], [], [], [], [dash], [dash]],
  );
  const slash = "p starts with `/`, so a program would read it as an option";
  assert.equal(
    ["findstr x {p}", "git log {p}", "Get-Item {p}"].map((template) => refusals(template, { p: "/s" }, "pwsh")),
    [[slash], [], []],
  );
});

test("cmd.exe is given only values that mean nothing to it", () => {
  const line = (template: string, args: JsonObject): unknown =>
    (bind(template, args, "cmd")["argv"] as string[]).at(-1);
  assert.equal(
    line('show {p} "{q}" {file}', { p: "a b", q: "C:\\x\\", file: "C:\\a b\\" }),
    'show "a b" "C:\\x\\\\" "C:\\a b\\\\"',
  );
  assert.equal(line("show {p} {q}", { p: "", q: "a=b" }), 'show "" "a=b"');
  const refusal =
    "has a character that cmd.exe could read as a command; letters, digits, spaces and `_ . , : \\ / @ = + -` are accepted";
  for (const p of ['a"b', "a&b", "%PATH%", "a^b", "a|b", "a<b", "a>b", "!x!", "a\nb", "a'b", "a(b", "a;b", "a\tb", "é"])
    assert.equal(refusals("show {p}", { p }, "cmd"), [`p ${refusal}`], p);
  assert.equal(refusals("show {p} {q}", { p: "/s", q: "-x" }, "cmd"), [
    "p starts with `/`, so a program would read it as an option",
    "q starts with `-`, so a program would read it as an option",
  ]);
  assert.equal(refusals("dir -- {p} & git log -- {q}", { p: "/s", q: "/s" }, "cmd"), [
    "p starts with `/`, so a program would read it as an option",
  ]);
  assert.equal(line("dir {p} & git log {p}", { p: "a/s" }), 'dir "a/s" & git log a/s');
});

test("surroundings are filled, and left out where they are one placeholder without a value", () => {
  const template = (name: string) => ({ parts: [{ placeholder: name }] });
  const surroundings: Surroundings = {
    cwd: template("file"),
    stdin: template("p"),
    environment: [
      { name: "A", value: { parts: ["<", { placeholder: "q" }, ">"] } },
      { name: "B", value: template("q") },
      { name: "C", value: template("files") },
    ],
    inheritsEnvironment: true,
  };
  const bound = binding("show", "none", surroundings);
  assert.equal(commandWrap.bind(bound, { file: "-a", p: "text\n", q: "{p}", files: ["x", "y"] }), {
    argv: ["show"],
    stdin: "text\n",
    env: { A: "<{p}>", B: "{p}", C: '["x","y"]' },
    working_dir: "-a",
    inherit_env: true,
  });
  assert.equal(commandWrap.bind(bound, {}), { argv: ["show"], env: { A: "<>" }, inherit_env: true });
});

test("secrets of a script come in its environment, and leave it before the script begins", () => {
  const secret = [
    parameter("token", { type: "string" }, { secret: true }),
    parameter("keys", { type: "array", items: { type: "string" } }, { secret: true }),
    parameter("p"),
    parameter("login", { type: "object", properties: [{ ...parameter("key"), secret: true }], open: false }),
  ];
  const bound = (template: string, shell: Shell, args: JsonObject): unknown => {
    const { value: command } = commandOf(template, shell, secret);
    return command && commandWrap.bind({ command, parameters: secret, surroundings: plain }, args);
  };
  const args = { token: "T1", keys: ["K1", "K2"], p: "plain", login: { key: "L1" } };
  assert.equal(bound('log {p} "a {token}" {keys} {token} {login}', "sh", args), {
    argv: [
      "sh",
      "-c",
      'dottool_secret_1=$DOTTOOL_SECRET_1 dottool_secret_2=$DOTTOOL_SECRET_2 dottool_secret_3=$DOTTOOL_SECRET_3 dottool_secret_4=$DOTTOOL_SECRET_4; unset DOTTOOL_SECRET_1 DOTTOOL_SECRET_2 DOTTOOL_SECRET_3 DOTTOOL_SECRET_4; log "${1}" "a ${dottool_secret_1}" "${dottool_secret_2}" "${dottool_secret_3}" "${dottool_secret_1}" "${dottool_secret_4}"',
      "dottool",
      "plain",
    ],
    env: { DOTTOOL_SECRET_1: "T1", DOTTOOL_SECRET_2: "K1", DOTTOOL_SECRET_3: "K2", DOTTOOL_SECRET_4: '{"key":"L1"}' },
  });
  assert.equal(bound("set -- x; log {p} {token}", "bash", { p: "plain", token: "T1" }), {
    argv: [
      "bash",
      "--norc",
      "--noprofile",
      "-p",
      "-c",
      'dottool_secret_1=$DOTTOOL_SECRET_1; unset DOTTOOL_SECRET_1; dottool_1=${1}; set --; set -- x; log "${dottool_1}" "${dottool_secret_1}"',
      "dottool",
      "plain",
    ],
    env: { DOTTOOL_SECRET_1: "T1" },
  });
});

test("a value that is too long for the environment is told by its name", () => {
  const secret = [parameter("token", { type: "string" }, { secret: true })];
  const { value: command } = commandOf("log {token}", "sh", secret);
  const issues = command
    ? commandWrap.check({ command, parameters: secret, surroundings: plain }, { token: "x".repeat(131_072) })
    : [];
  assert.equal(
    issues.map(({ path }) => path),
    ["token"],
  );
});

test.run();
