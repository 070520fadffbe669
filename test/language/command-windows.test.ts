// PowerShell and cmd.exe under the rules of other shells: what is refused, what is accepted, and that the advice of a
// message is accepted.
import { cmdlets, methods, windowsPrograms } from "../../src/generated/program-data.ts";
import { scanCmd } from "../../src/features/windows-shells/cmd.ts";
import { type CommandWord, literalText, type SimpleCommand } from "../../src/core/shell/pieces.ts";
import { programName } from "../../src/core/shell/programs.ts";
import { scanPwsh } from "../../src/features/windows-shells/pwsh.ts";
import { namesOf } from "../../src/core/shell/rule.ts";
import type { WindowsScript } from "../../src/features/windows-shells/state.ts";
import { programReadingInput } from "../../src/core/language/checks/surroundings-dangers.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter, problemsOf } from "./command-fixture.ts";
import { directRows, safe, shellSafeRows, untried } from "./program-rows.ts";
import { honestCmd, honestPwsh, refusedCmd, refusedPwsh, unreadCmd } from "./windows-rows.ts";

const test = suite("PowerShell and cmd.exe");

const required = { required: true };
const parameters: readonly Parameter[] = [
  parameter("p", { type: "string" }, required),
  parameter("q", { type: "string" }, required),
  parameter("o"),
  parameter("n", { type: "integer" }, required),
  parameter("w", { type: "string", pattern: { source: "[a-z0-9_-]+", flags: "" } }, required),
  parameter("d", { type: "string", pattern: { source: "[\\w.-]+", flags: "" } }, required),
  parameter("flag", { type: "boolean" }, required),
  parameter("path", { type: "string", format: "path" }, required),
  parameter("c", { type: "string", choices: ["a", "b"] }, required),
  parameter("files", { type: "array", items: { type: "string" } }, required),
];
type WindowsShell = "pwsh" | "cmd";

const shown = (template: string, shell: WindowsShell): readonly string[] => problemsOf(template, shell, parameters);
const isRefused = (template: string, shell: WindowsShell): boolean =>
  commandOf(template, shell, parameters).diagnostics.some(
    ({ code }) => code === "unsafe-placeholder" || code === "parameter-as-program",
  );

test("parseCommand accepts everyday scripts for PowerShell and cmd.exe", () => {
  const rows = [...honestPwsh.map((row) => [row, "pwsh"] as const), ...honestCmd.map((row) => [row, "cmd"] as const)];
  assert.equal(
    rows.flatMap(([row, shell]) => shown(row, shell).map((problem) => `${row}: ${problem}`)),
    [],
  );
});

test("parseCommand refuses values where it does not follow the language, and says what it does not follow", () => {
  const rows: readonly (readonly [string, WindowsShell, string])[] = [
    ...unreadCmd.map((row) => [row, "cmd", "for"] as const),
    ["Set-Alias g git; g log {p}", "pwsh", "Set-Alias"],
    ["Set-Variable x {p}; Get-Item $x", "pwsh", "Set-Variable"],
    ["Get-Item {p} -OutVariable x", "pwsh", "Get-Item -OutVariable"],
    ["Set-Item env:LANG {p}", "pwsh", "Set-Item env:LANG"],
    ["enum A { B }; Get-Item {p}", "pwsh", "enum"],
    ["$a = @('log', {p}); git @a", "pwsh", "@a"],
    ["$o = @{ FilePath = 'git'; WorkingDirectory = {path} }; Start-Process @o -Wait", "pwsh", "@o"],
    ["$a = 'log', {p}; git $a", "pwsh", "git $a"],
    ["$a = @(); $a += {p}; git $a", "pwsh", "git $a"],
    ["$a = {p} -split ' '; git log $a", "pwsh", "git $a"],
    ['set "A=--all {p}" & git log %A%', "cmd", "git %A%"],
    ["$n = 0; [void][int]::TryParse({p}, [ref]$n)", "pwsh", "[ref]"],
  ];
  const note = (what: string): string => `this script has \`${what}\`, which is not supported with placeholders`;
  assert.equal(
    rows.map(([row, shell]) => [row, shown(row, shell)[0]?.replace(/^.*?\] /, "")]),
    rows.map(([row, , what]) => [row, note(what)]),
  );
});

test("a string in single quotes is expanded if it means the same in double quotes, and else refused", () => {
  const script = (text: string): unknown => {
    const { value } = commandOf(text, "pwsh", parameters);
    return value?.kind === "shell"
      ? value.parts.map((part) => (typeof part === "string" ? part : part.placeholder))
      : shown(text, "pwsh");
  };
  const refused = (name: string): readonly string[] => [
    `unsafe-placeholder [{${name}}] PowerShell puts no value into this string in single quotes`,
  ];
  const rows: readonly (readonly [string, unknown])[] = [
    ["Get-Item '*.{p}' -Force", ['Get-Item "*.', "p", '" -Force']],
    ["Write-Output 'a {x} b'", ["Write-Output 'a {x} b'"]],
    ["Write-Output 'it''s {p}'", refused("p")],
    ["Write-Output 'costs $1 {p}'", refused("p")],
    ["Write-Output 'a \"{p}\"'", refused("p")],
    ["Write-Output @'\n{p}\n'@", refused("p")],
  ];
  assert.equal(
    rows.map(([text]) => [text, script(text)]),
    rows,
  );
});

test("standard input and the folder hold no value where a script is not followed", () => {
  const saidOf = (lines: string): readonly string[] =>
    analyzeToolFile(
      parseToolFile({ path: "x.tool", text: `Says it.\n\n@name x\n${lines}\n@param p {string} [required] What\n` }),
    ).diagnostics.map(({ message }) => message);
  assert.equal(
    [
      saidOf("@shell pwsh\n@command Set-Alias x iex; $input | x\n@stdin {p}"),
      saidOf("@shell cmd\n@command for %%f in (*) do .\\%%f\n@cwd {p}"),
    ],
    [
      ["`Set-Alias` is not followed in a script, so no value can be its input"],
      ["what `for` runs is looked up in this folder, so a value cannot choose the folder"],
    ],
  );
});

test("parseCommand refuses values that PowerShell would run", () => {
  assert.equal(
    refusedPwsh.filter((row) => !isRefused(row, "pwsh")),
    [],
  );
});

test("parseCommand refuses values that cmd.exe would run", () => {
  assert.equal(
    refusedCmd.filter((row) => !isRefused(row, "cmd")),
    [],
  );
});

/** Rows that these shells read differently: `;` ends a command, `a , b` is a list, and `'` is a letter for cmd.exe. */
const readOtherwise = (row: string, shell: WindowsShell): boolean =>
  shell === "cmd" ? row.includes("'") : / , |\\;/.test(row);

test("every row of the tables of programs is refused in PowerShell and cmd.exe too", () => {
  const rows = [...directRows, ...shellSafeRows].map(({ template }) => template).concat(untried);
  for (const shell of ["pwsh", "cmd"] as const) {
    const read = rows.filter((row) => !readOtherwise(row, shell));
    assert.ok(read.length > 400, `${read.length} rows for ${shell}`);
    assert.equal(
      read.filter((row) => !isRefused(row, shell)),
      [],
      shell,
    );
  }
});

test("common uses of the same programs are accepted there, but for values beside other text", () => {
  for (const shell of ["pwsh", "cmd"] as const) {
    const read = safe.filter((row) => !readOtherwise(row, shell) && !row.includes("'"));
    assert.equal(
      read.flatMap((row) =>
        shown(row, shell)
          .filter((problem) => !problem.endsWith("joined to other text"))
          .map((problem) => `${row}: ${problem}`),
      ),
      [],
      shell,
    );
  }
});

test("every rule for cmdlets and programs of Windows has a row that is refused", () => {
  const words = (script: WindowsScript): readonly (readonly string[])[] =>
    script.commands.map((one) => one.words.map((word) => programName(literalText(word) ?? "").toLowerCase()));
  const commands = [...refusedPwsh.map((row) => scanPwsh(row)), ...refusedCmd.map(scanCmd)].flatMap(words);
  const isThere = (name: string): boolean =>
    commands.some((command) =>
      name.split(" ").every((part, index) => (index === 0 ? command[0] === part : command.includes(part))),
    );
  assert.equal(
    [...cmdlets.all(), ...methods.all(), ...windowsPrograms.all()]
      .filter((rule) => !namesOf(rule).some(isThere))
      .map(({ names }) => names),
    [],
  );
});

/** A refused script, the line with advice, and the script that follows the advice. */
const offers: readonly (readonly [
  refused: string,
  help: string,
  accepted: string,
  shell: WindowsShell,
  instead?: WindowsShell,
])[] = [
  [
    'iex "git log {p}"',
    "call the command directly, with the value as an argument: `Get-Item -Path {name}`, `& PROGRAM {name}`",
    "& git log {p}",
    "pwsh",
  ],
  [
    "{p} | iex",
    "call the command directly, with the value as an argument: `Get-Item -Path {name}`, `& PROGRAM {name}`",
    "Get-Item -Path {p}",
    "pwsh",
  ],
  ["{p}", "to print the value, write `Write-Output {name}`", "Write-Output {p}", "pwsh"],
  [
    "& {p} log",
    "to choose between programs, write a `switch`",
    "switch ({c}) { 'a' { git log } 'b' { hg log } }",
    "pwsh",
  ],
  [
    "{p} log",
    'to choose between programs, write an `if "{name}"=="…"` for each',
    'if "{c}"=="a" (git log) else if "{c}"=="b" (hg log)',
    "cmd",
  ],
  [
    "Invoke-Command -ScriptBlock ([scriptblock]::Create({p}))",
    "write a block, `{ … }`, and pass the value with `-ArgumentList`",
    "Invoke-Command -ScriptBlock { Get-Item $args[0] } -ArgumentList {p}",
    "pwsh",
  ],
  [
    "Start-Process git -ArgumentList log, {p}",
    "call the program directly with `&`: `& PROGRAM {name}`, with `| Out-Null` to wait for one with a window",
    "& git log {p} | Out-Null",
    "pwsh",
  ],
  ["Invoke-Item {p}", "write out the program that opens it: `& notepad {name}`", "& notepad {p}", "pwsh"],
  [
    "$psi.Arguments = {p}",
    "add the arguments one by one: `$start.ArgumentList.Add({name})`, or call the program with `&`",
    "$start.ArgumentList.Add({p})",
    "pwsh",
  ],
  [
    '$ExecutionContext.InvokeCommand.ExpandString("hi {p}")',
    "write the string literally, in double quotes",
    '"hi {p}"',
    "pwsh",
  ],
  [
    "Get-ChildItem | ForEach-Object {p}",
    "write a block, `{ … }`, or write out the member's name",
    "Get-ChildItem | ForEach-Object { $_.Name -eq {p} }",
    "pwsh",
  ],
  [
    "Add-Type -MemberDefinition {p}",
    "write the program text out, and pass the value to its methods",
    "Add-Type -TypeDefinition 'public class A { public static void B(string c) { } }'; [A]::B({p})",
    "pwsh",
  ],
  ["Import-Module {p}", "write out the file name: the file is run", "Import-Module ./tools.psm1; Get-Size {p}", "pwsh"],
  [
    "New-Object {c}; New-Object {p}",
    "write out the name, or declare choices for the parameter",
    "New-Object {c}",
    "pwsh",
  ],
  [
    "Set-Item -Path {path} -Value {p}",
    "write out the path, or use `Set-Content` for a file",
    "Set-Content -Path {path} -Value {p}",
    "pwsh",
  ],
  [
    'for %%f in ("{p}") do echo %%f',
    "put the script in a `.bat` file and pass values as its arguments: `call script.bat {name}`",
    'call script.bat "{p}"',
    "cmd",
  ],
  ["${function:x} = {p}", "write out the function", "function x { Get-Item {p} }", "pwsh"],
  [
    "[Environment]::SetEnvironmentVariable({p}, 'x')",
    "write out the name of the variable",
    "[Environment]::SetEnvironmentVariable('LANG', {p})",
    "pwsh",
  ],
  ['set "{p}=x"', "write out the name of the variable", 'set "LANG={p}"', "cmd"],
  [
    "git log --% {p}",
    "remove the `--%`, and put words with special characters in quotes",
    "git log '--format=%H;' -- {p}",
    "pwsh",
  ],
  [
    "$a = @('log', '--'); $a += {p}; git $a",
    "write the words of the variable in the command: `git log -- {name}`",
    "git log -- {p}",
    "pwsh",
  ],
  [
    "$o = @{ FilePath = 'git'; WorkingDirectory = {path} }; Start-Process @o",
    "write the words or parameters of the variable in the command",
    "Start-Process -FilePath git -WorkingDirectory {path}",
    "pwsh",
  ],
  [
    'set "A=--all {p}" & git log %A%',
    "write the value in the command, or the variable in double quotes",
    'set "A={p}" & git log --all "%A%"',
    "cmd",
  ],
  [
    "class A { [string] $x = {p} }",
    "put the script in a `.ps1` file and pass values as its parameters: `./script.ps1 -Name {name}`",
    "./script.ps1 -Name {p}",
    "pwsh",
  ],
  [
    'powershell -Command "Get-Item {p}"',
    "write the script itself as the command, below `@shell pwsh`: each value is data there",
    'powershell -NoProfile -File script.ps1 -Name "{p}"',
    "cmd",
  ],
  [
    'cmd /c "dir {p}"',
    "run the command directly with `@shell cmd`, which accepts only harmless values",
    'dir "{p}"',
    "cmd",
  ],
  [
    "./build.bat {p}",
    "run the command directly with `@shell cmd`, which accepts only harmless values",
    'call build.bat "{p}"',
    "pwsh",
    "cmd",
  ],
  [
    "$tool = Get-Content tool.txt; & (\"{0}\" -f 'git') {p}",
    "write out the program's name, or assign it to a variable as it is: `$tool = 'git'`",
    "$tool = 'git'; & $tool {p}",
    "pwsh",
  ],
  [
    "%ComSpec% /x {p}",
    'write out the program\'s name, or assign it to a variable as it is: `set "tool=git"`',
    'set "tool=git" & call %tool% log {p}',
    "cmd",
  ],
  ["echo x{p}", 'put the whole word in double quotes: `"…{p}…"`', 'echo "x{p}"', "cmd"],
  ["start {p}", "write out the program's name", 'start "" notepad "{p}"', "cmd"],
  ['reg add "{p}" /v x /d "{q}"', "write out the key", 'reg add HKCU\\Software\\Mine /v x /d "{q}"', "cmd"],
  [
    'schtasks /create /tn x /tr "{p}"',
    "the program runs this value: write it literally, or declare choices for the parameter",
    'schtasks /create /tn "{p}" /tr backup.exe',
    "cmd",
  ],
  [
    'winrs -r:host "dir {q}"',
    "cmd.exe parses these arguments again: write them out, or declare choices for the parameter",
    "winrs -r:host dir {c}",
    "cmd",
  ],
  [
    "sqlcmd -Q {p}",
    "put the statement in a file, and pass values as variables: `sqlcmd -i FILE -v name={name}`",
    'sqlcmd -i x.sql -v "name={p}"',
    "pwsh",
  ],
  [
    "wsl ls {p}",
    "write `wsl --exec PROGRAM {name}`, whose arguments are not read by a shell again",
    "wsl --exec ls {p}",
    "pwsh",
  ],
  [
    "ssh host {p}",
    "the remote shell parses these arguments again: send the value through `@stdin` to a command that you write",
    "ssh host 'sort -u'",
    "pwsh",
  ],
  [
    "echo one\necho {p}",
    "join the lines with `&&`, or with `&` if the next one should always run",
    "echo one && echo {p}",
    "cmd",
  ],
];

test("a message of the checks names what is accepted", () => {
  const wrong = offers.flatMap(([refused, help, accepted, shell, instead = shell]) => {
    const { diagnostics } = commandOf(refused, shell, parameters);
    const isOffered = diagnostics.some((diagnostic) => diagnostic.help.includes(help));
    return isOffered && shown(accepted, instead).length === 0
      ? []
      : [{ refused, help: diagnostics.map((one) => one.help), accepted: shown(accepted, instead) }];
  });
  assert.equal(wrong, []);
});

test("parseCommand says of PowerShell and cmd.exe what reads the value", () => {
  const said: readonly (readonly [string, WindowsShell, readonly string[]])[] = [
    [
      "saps {p}",
      "pwsh",
      ["unsafe-placeholder [{p}] `Start-Process` joins the arguments of its program into one string without quotes"],
    ],
    ["python -c {p}", "pwsh", ["unsafe-placeholder [{p}] `python -c` reads this as a program"]],
    ["$v = {p}; & $v", "pwsh", ["parameter-as-program [{p}] this is the name of a program"]],
    ["$env:Path = {p}", "pwsh", ["unsafe-placeholder [{p}] `PATH` decides what runs, or is evaluated"]],
    ["Import-Module {p}", "pwsh", ["unsafe-placeholder [{p}] the cmdlet runs what it loads"]],
    [
      "icm -cn h -ScriptBlock { Get-Item {p} }",
      "pwsh",
      ["unsafe-placeholder [{p}] this script has `icm -cn`, which is not supported with placeholders"],
    ],
    ["Invoke-Command { Get-Item {p} }", "pwsh", []],
    ["[{p}]::new()", "pwsh", ["unsafe-placeholder [{p}] in the brackets of a type"]],
    ["Get-Item (", "pwsh", ["unclosed-quote [(]"]],
    ["Get-Item )", "pwsh", ["unclosed-quote [)]"]],
    ["@'\nx", "pwsh", ["unclosed-quote [@']"]],
    ["<# x", "pwsh", ["unclosed-quote [<#]"]],
    ["(".repeat(100), "pwsh", ["too-deep [(]"]],
    ["$x = ".repeat(100), "pwsh", ["too-deep [=]"]],
    ["Get-Item {fiels}", "pwsh", ["unknown-placeholder [fiels] did you mean `files`?"]],
    ["Write-Output '{name}'", "pwsh", []],
    ["if 1==1 ".repeat(100), "cmd", ["too-deep [ ]"]],
    ["(echo a", "cmd", ["unclosed-quote [(]"]],
    ["echo one\necho two\n", "cmd", ["unsupported-yet [\n] the lines after this one would not run"]],
  ];
  assert.equal(
    said.map(([template, shell]) => [template, shell, shown(template, shell)]),
    said,
  );
});

/** Returns a word as the judges see it: placeholders as `{name}`, and names for what is only known at run time. */
function wordText({ pieces }: CommandWord): string {
  return pieces
    .map((piece) =>
      piece.kind === "text" ? piece.text : piece.kind === "placeholder" ? `{${piece.name}}` : piece.text,
    )
    .join("");
}

function read({ commands }: WindowsScript): readonly (readonly string[])[] {
  return commands.map(({ words, redirections }: SimpleCommand) => [
    ...words.map(wordText),
    ...redirections.map(({ operator, word }) => `${operator}${wordText(word)}`),
  ]);
}

test("scanPwsh finds commands, their words and what variables are given", () => {
  const found: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ["git log 'a b' \"$x y\" # no", [["git", "log", "a b", "$x y"]]],
    ["$X = 'a'; $env:Path = $x", [["x=("], ["write-output", "$x"], ["PATH=$x"]]],
    [
      "if ($a) { git add . } else { git rm x }",
      [
        ["write-output", "$a"],
        ["git", "add", "."],
        ["git", "rm", "x"],
      ],
    ],
    ["foreach ($f in 'a', $b) { sh $f }", [["write-output", "a", "$b"], ["f=($b)"], ["sh", "$f"]]],
    ["& { param($x) git $x } 1", [["x=$_"], ["git", "$x"], ["{}", "1"]]],
    [
      "git log | Select-String x -Path:y > z",
      [
        ["git", "log"],
        ["Select-String", "x", "-Path:y", ">z"],
      ],
    ],
    ["[System.IO.File]::ReadAllText($x).Trim()", [["[file]::readalltext", "$x"], ["::trim"], ["write-output", "($x)"]]],
    [
      "git @('a', $b), c",
      [
        ["write-output", "a", "$b"],
        ["git", "($b)", "c"],
      ],
    ],
    ["$l = @('a', $b); git x @l", [["write-output", "a", "$b"], ["write-output", "($b)"], ["l=($b)"], ["git", "x"]]],
    ["./x.cmd a", [["cmd", "/c", "./x.cmd", "a"]]],
    [
      "Set-Content x.ps1 $y",
      [
        ["Set-Content", "x.ps1", "$y"],
        ["write-output", "x.ps1", "$y", "$_", ">x.ps1", ">$y"],
      ],
    ],
    [
      'git log `\n  --all; "$(git a)"',
      [
        ["git", "log", "--all"],
        ["git", "a"],
        ["write-output", "($()"],
      ],
    ],
  ];
  assert.equal(
    found.map(([script]) => [script, read(scanPwsh(script))]),
    found,
  );
});

test("scanCmd finds commands, their words and what variables are given", () => {
  const found: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    [
      'git log "a b" ^& x & dir/s',
      [
        ["git", "log", "a b", "&", "x"],
        ["dir", "/s"],
      ],
    ],
    ['set "X=a b" & set y=%x%', [["X=a b"], ["Y=$X"]]],
    [
      'if not exist "a b" (git add .) else git rm x',
      [
        ["git", "add", "."],
        ["git", "rm", "x"],
      ],
    ],
    ['if /i "%a%"=="b" if 1 lss 2 echo c', [["echo", "c"]]],
    ["for /f %%i in ('git log ^| sort') do @echo %%~ni", [["echo", "%%~ni"]]],
    [
      'call x.bat a > b 2>&1 & start "t" /b git log',
      [
        ["./x.bat", "a", ">b"],
        ["start", "/b", "git", "log"],
      ],
    ],
    ["rem git\n:: git\n:git\n@echo off", [["echo", "off"]]],
    ["echo a | sort & !x! %*", [["echo", "a"], ["sort"], ["$X", "$_"]]],
  ];
  assert.equal(
    found.map(([script]) => [script, read(scanCmd(script))]),
    found,
  );
});

test("a value that may be read as an option is guarded for programs, and not for cmdlets, expressions and settings", () => {
  const guards = (template: string, shell: WindowsShell): unknown => {
    const { value } = commandOf(template, shell, parameters);
    return value?.kind !== "shell"
      ? undefined
      : value.parts.flatMap((part) =>
          typeof part === "string" ? [] : [[part.startsWord, part.isAfterDashes, part.takesSlash === true]],
        );
  };
  const rows: readonly (readonly [string, WindowsShell, unknown])[] = [
    ["git log {p}", "pwsh", [[true, false, false]]],
    ['git log -- "{p}"', "pwsh", [[true, true, false]]],
    ['git log "x{p}"', "pwsh", [[false, false, false]]],
    ["git log ({p})", "pwsh", [[true, false, false]]],
    ["$f = {p}; git log $f", "pwsh", [[true, false, false]]],
    ["$f = {p}; git log -- $f; git show $f", "pwsh", [[true, false, false]]],
    ["foreach ($f in {files}) { git log -- $f }", "pwsh", [[true, true, false]]],
    ["$f = {p}; Get-Item $f", "pwsh", [[false, false, false]]],
    ["findstr x {p}", "pwsh", [[true, false, true]]],
    ["Get-Item {p}", "pwsh", [[false, false, false]]],
    ["$x = {p}", "pwsh", [[false, false, false]]],
    ["dir -- {p}", "cmd", [[true, false, true]]],
    ["git log -- {p}", "cmd", [[true, true, false]]],
    ['set "A={p}" & git log "%A%"', "cmd", [[true, false, false]]],
    ['if "{p}"=="a" echo', "cmd", [[false, false, false]]],
    ['set "x={p}"', "cmd", [[false, false, false]]],
  ];
  assert.equal(
    rows.map(([template, shell]) => [template, shell, guards(template, shell)]),
    rows,
  );
});

test("a command is judged with what its variables stand for", () => {
  const pwsh = [
    "$a = @('-c', {p}); python @a",
    "$a = '-c', {p}; python $a",
    "$a = @('-u'); $a += '-c'; $a += {p}; python @a",
    "$a = [System.Collections.ArrayList]@(); $a.Add('-c'); $a.Add({p}); python @a",
    "$o = @{ FilePath = {p} }; Start-Process @o",
    "$o = @{ Wait = $true }; $o.FilePath = {p}; Start-Process @o",
    "if ($x) { $a = @('-c', {p}) } else { $a = @('x.py') }; python @a",
    "$a = @('x.py'); if ($x) { $a = @('-c', {p}) }; python @a",
    "$h = {p}; iex $h",
  ];
  const cmd = ['set "A=-c {p}" & python %A%', 'for %%i in ("-c {p}") do python %%i'];
  assert.equal([pwsh.filter((row) => !isRefused(row, "pwsh")), cmd.filter((row) => !isRefused(row, "cmd"))], [[], []]);
  const honest = [
    "$f = {p}; python script.py $f",
    "$m = '{0}, {1}' -f {p}, {q}; git commit -m $m",
    "$o = @{ Path = {path}; Recurse = $true }; Get-ChildItem @o",
  ];
  assert.equal(
    honest.flatMap((row) => shown(row, "pwsh")),
    [],
  );
});

test("programReadingInput finds what runs standard input in PowerShell and cmd.exe", () => {
  const readers = (rows: readonly string[], shell: WindowsShell): readonly string[] =>
    rows.filter((row) => {
      const { value } = commandOf(row, shell, []);
      return value !== undefined && programReadingInput(value) !== undefined;
    });
  const pwsh = [
    "$input | iex",
    'iex "$input"',
    "$input | python",
    "& ([scriptblock]::Create([Console]::In.ReadToEnd()))",
    "python",
    "$input | ForEach-Object { & $_ }",
  ];
  const cmd = ["python", "sort | cmd", "set /p X= & call %X%", "powershell -Command -"];
  assert.equal([readers(pwsh, "pwsh"), readers(cmd, "cmd")], [pwsh, cmd]);
  const plain = [
    "$input | Measure-Object -Line",
    "$input | ForEach-Object { $_.Trim() }",
    "python script.py",
    "$input | Set-Content x.txt",
  ];
  assert.equal([readers(plain, "pwsh"), readers(["sort", "findstr x", "set /p X= & echo %X%"], "cmd")], [[], []]);
});

test.run();
