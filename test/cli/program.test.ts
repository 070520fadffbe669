// Whole outputs of the real program. Each golden file holds several runs, as a terminal would show them. Deno only runs
// the calls, which start programs, read files and end with their codes; the other texts come from the same code in
// Node.
import { assertGolden } from "../golden.ts";
import { type Suite, suite } from "../harness.ts";
import { startingOnce, type ToolBench, toolBench, type ToolRunOptions } from "../tool-bench.ts";

const test: Suite = suite("program");

const greet = `Greet somebody.

The greeting goes to standard output.

@title Greet
@name greet
@wrapped run_command
@command printf '%s, %s!\\n' {greeting} {name}
@param name {string} [required, example=Ana] Who
@param greeting {"hello"|"good morning"} [default="hello"] What to say
@param times {integer} [min=1, max=3] How often
@param loud {boolean} In capitals
@tags read words
@note times and loud are there for the help.
@example {"name": "Ana"}
@test greets
    with {"name": "Ben"}
    expect output-equals hello, Ben!
`
  .replace("@note times and loud are there for the help.\n", "")
  .replace("{greeting} {name}", "{greeting} {name} {times} {loud}")
  .replace("'%s, %s!\\n'", "'%s, %s!\\n%.0s'");

const login = `Log in.

@title Log In
@name login
@wrapped run_command
@shell sh
@command printf '%s' {token} | wc -c; exit {code}
@param token {string} [required, secret] The token
@param code {integer} [default=0] Exit code
@env TOKEN_KIND={kind}
@param kind {string} [default="plain"] Kind
`;

const bad = `Find things.

@title Find
@name finder
@wrapped run_comand
@command find {folder}
@param folders {path} [required] Where
`;

const files = { ".tools/greet.tool": greet, ".tools/ana/login.tool": login, "notes.txt": "one\ntwo\n" };

type Step = string | readonly [line: string, options: ToolRunOptions & { readonly words: readonly string[] }];

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}

const runLine = startingOnce();

/** At most as many at once as there are processors to give to tests. */
async function session(bench: ToolBench, steps: readonly Step[]): Promise<string> {
  const texts: string[] = [];
  const entries = steps.entries();
  const work = async (): Promise<void> => {
    for (const [index, step] of entries) {
      const [line, options] = typeof step === "string" ? [step, { words: wordsOf(step) }] : step;
      const { stdout, stderr, exitCode } = await runLine(bench, options.words, options);
      const parts = [
        `$ dottool ${line}\n`,
        stdout,
        stderr === "" ? "" : `[stderr]\n${stderr}`,
        exitCode === 0 ? "" : `[exit ${exitCode}]\n`,
      ];
      texts[index] = parts.map((part) => (part === "" || part.endsWith("\n") ? part : `${part}\n`)).join("");
    }
  };
  await Promise.all([work(), work(), work()]);
  return texts
    .join("\n")
    .replaceAll(/"durationMs": [\d.]+/g, '"durationMs": 1')
    .replaceAll(/"id": "[0-9a-f]{32}"/g, '"id": "0"');
}

function golden(name: string, steps: readonly Step[], more: Readonly<Record<string, string>> = {}): void {
  if ("Deno" in globalThis && name !== "call") return;
  test(`${name} reads as in golden/${name}.txt`, async () => {
    using bench = toolBench({ ...files, ...more });
    assertGolden(`cli/golden/${name}.txt`, await session(bench, steps));
  });
}

golden("help", [
  "--help",
  "list --help",
  "call --help",
  "help check",
  "greet --help",
  "glob --help",
  "ana/login --help",
  "help nothing",
  "completions --help",
]);

golden("call", [
  "greet Ana",
  "greet --name Ana --greeting 'good morning'",
  "call greet name=Ana greeting=hello",
  ["call greet --json - < arguments", { words: ["call", "greet", "--json", "-"], stdin: '{"name": "Ana"}' }],
  "greet --name",
  "greet Ana --greting hello --times 9 --loud=perhaps extra",
  "call glob . -name '*.txt'",
  "greet Ana --trace t.json",
  "call ana/login --cwd /tmp --code 3",
  "glob . -name '*.txt'",
  "grep nothing notes.txt",
  "ana/login secret --code 3",
  "Read missing.txt",
  "gret Ana",
  "lsit",
  "call",
  "--result json greet Ana",
  "--result model greet",
  "--result xml greet",
  "--cwd nowhere greet Ana",
]);

golden("list", ["list greet", "list --tags words", "list --tags words --tokens --json", "list zzzzz", "list --jsn"]);

golden("show", ["show greet", "show ana/login --json", "show nothing"]);

golden("explain", [
  "explain greet Ana",
  "explain Read notes.txt",
  "explain ana/login secret --code 3",
  "explain --json call glob -- .",
  "explain greet",
  "explain",
]);

const stats = `Count the words of a page, twice.

@title Page Statistics
@name stats
@param page {url} [required, example=https://example.org] Page
@param level {integer} [default=1] How closely
@param token {string} [secret] Token
@step fetch uses WebFetch
    url = {page}
@step words sh [retry=3 delay=100ms backoff=exponential timeout=5s fallback]
    printf '%s' {fetch} | wc -w
    fallback:
        echo {level}
@step lines runs [parallel when={level} > 2 && {fetch.ok}]
    wc -l {TEMP_DIR}/{fetch.json.rows[0].name:-page}
@step each runs [for-each="1 {words}" concurrency=2 continue-on-error output=stream]
    echo {item} {index} {WORKSPACE} {token}
@step sum code [wait-for=words cache=1h]
    return Number(words)
@step ask prompt
    What does {sum} say of {page}?
@output
    {sum} words
@cleanup sh
    rm -rf {TEMP_DIR}/page
`;

golden(
  "steps",
  [
    "show stats",
    "explain stats --page https://example.org --level 3 --token hunter2",
    "explain --json stats --page https://example.org --token hunter2",
    "graph stats",
    "explain stats",
  ],
  { ".tools/stats.tool": stats },
);

golden(
  "check",
  [
    "check",
    "check .tools/greet.tool",
    "check .tools/finder.tool --json",
    "check nowhere",
    "check finder",
    "finder",
    "list finder",
    "show finder",
    "fmt --check",
    "test finder",
  ],
  { ".tools/finder.tool": bad },
);

golden("schema", ["schema greet", "schema greet ana/login --for mcp", "schema greet --for xml"]);

golden("test", ["test greet", "test greet --json", "test broken", "test ana/login"], {
  ".tools/broken.tool": `Say hello.\n\n@title Broken\n@name broken\n@wrapped run_command\n@command echo hello\n@test says good bye\n    expect output-contains good bye\n    expect exit-code 3\n`,
});

golden("explain-code", ["explain-code needs-shell", "explain-code needs-shel"]);

golden("complete", [
  ["__complete 0 gr", { words: ["__complete", "0", "gr"] }],
  ["__complete 1 greet --", { words: ["__complete", "1", "greet", "--"] }],
  ["__complete 2 greet --greeting ''", { words: ["__complete", "2", "greet", "--greeting", ""] }],
  ["__complete 1 check --f", { words: ["__complete", "1", "check", "--f"] }],
  ["__complete 1 completions", { words: ["__complete", "1", "completions"] }],
  ["__complete 1 --result", { words: ["__complete", "1", "--result"] }],
  ["__complete 0 --t", { words: ["__complete", "0", "--t"] }],
  ["__complete 2 graph glob --", { words: ["__complete", "2", "graph", "glob", "--"] }],
  ["__complete 3 graph glob --format ''", { words: ["__complete", "3", "graph", "glob", "--format", ""] }],
  ["__complete 3 graph glob -o gr", { words: ["__complete", "3", "graph", "glob", "-o", "gr"] }],
]);

test.run();
