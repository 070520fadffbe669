// The options of every tool with steps, as a person types them: commands in this process, and the whole program once.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { callByName } from "../../src/cli/call.ts";
import { isCommandName } from "../../src/cli/commands.ts";
import { readGlobalOptions } from "../../src/cli/words/global-options.ts";
import { runProgram } from "../../src/cli/program.ts";
import { takeStepFlags } from "../../src/cli/words/step-flags.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { lines } from "../lines.ts";
import type { Terminal, TerminalPort } from "../../src/core/tool/terminal.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, type ToolRun, startingOnce } from "../test-project.ts";
import { trustFoldersBelow } from "../trust-folders.ts";

const test = suite("step flags");
const runLine = startingOnce();

const files = {
  "home/.config/dottool/config.yaml": lines(
    "providers:",
    "  default: echo",
    "  echo: { kind: mock }",
    "  loud: { kind: command, command: [tr, a-z, A-Z] }",
  ),
  ".tools/outer.yaml": lines(
    "name: outer",
    "description: Ask twice",
    "steps:",
    "  - type: tool",
    "    tool: inner",
    '    args: { word: "{word}" }',
    "    output_var: first",
    "  - type: prompt",
    '    prompt: "more on {first}"',
    "    provider: echo",
    "    output_var: second",
    "arguments:",
    '  - flag: "--the-word"',
    "    variable: word",
    "    default: good",
    "    description: A word",
  ),
  ".tools/inner.yaml": lines(
    "name: inner",
    "description: Ask",
    "steps:",
    "  - type: prompt",
    '    prompt: "say {word} of {input}"',
    "    output_var: said",
    "arguments:",
    "  - variable: word",
    "    description: A word",
  ),
  ".tools/silent.tool":
    "Say nothing.\n\n@title Silent\n@name silent\n@param provider {string} [default=-] P\n@param dry_run {string} [default=-] D\n@step a runs\n    echo {provider} {dry_run}\n@step b sh\n    exit 3\n",
  ".tools/other.tool": "@name other\n@wrapped outer\n@default word = bad\n",
  "in.txt": "a file\n",
};

async function withTools(body: (bench: TestProject) => Promise<void>): Promise<void> {
  using bench = testProject(files);
  for (const name of ["CONFIG", "CACHE"])
    process.env[`XDG_${name}_HOME`] = join(bench.folder, "home", `.${name.toLowerCase()}`);
  trustFoldersBelow(bench.folder);
  await body({ ...bench, run: (words) => runHere(words, bench.folder) });
}

async function runHere(argv: readonly string[], folder: string): Promise<ToolRun> {
  const read = readGlobalOptions(argv);
  if ("problem" in read) throw new Error(read.problem);
  const kept = { output: "", errors: "" };
  const port = (name: keyof typeof kept): TerminalPort => {
    const decoder = new TextDecoder();
    return {
      isTerminal: false,
      hasColor: false,
      movesCursor: false,
      columns: 80,
      rows: 24,
      write: (content) =>
        void (kept[name] += typeof content === "string" ? content : decoder.decode(content, { stream: true })),
    };
  };
  const input: Terminal["input"] = {
    isTerminal: true,
    readBytes: async () => new Uint8Array(),
    ask: async () => undefined,
    listen: () => undefined,
  };
  const terminal: Terminal = {
    runtime: "a test",
    workingFolder: () => folder,
    output: port("output"),
    errors: port("errors"),
    input,
    signal: new AbortController().signal,
    ending: undefined,
  };
  const context = { terminal, options: read.options };
  const exitCode = isCommandName(read.words[0] ?? "")
    ? await runProgram(read.words, context)
    : await callByName(read.words, context);
  const shown = (text: string): string => text.replaceAll(folder, "<bench>");
  return { stdout: shown(kept.output), stderr: shown(kept.errors), exitCode };
}

test("the program itself takes them", async () => {
  const { run, folder, remove } = testProject(files);
  try {
    assert.equal(await run(["call", "other", "-i", "in.txt", "--output-file", "out.txt", "--provider=loud"]), {
      stdout: "",
      stderr: "",
      exitCode: 0,
    });
    assert.is(readFileSync(join(folder, "out.txt"), "utf8"), "MORE ON SAY BAD OF A FILE\n");
    assert.equal(await run(["inner", "--word", "w", "-i", "-", "--show-prompt"], { stdin: "piped" }), {
      stdout: "`said` asks the default model:\n\n    say w of piped\n",
      stderr: "",
      exitCode: 0,
    });
  } finally {
    remove();
  }
});

test("takeStepFlags leaves the tool its own words", () => {
  const text = (name: string): Parameter => ({ name, description: "", schema: { type: "string" }, required: false });
  const taken = (words: readonly string[], ...parameters: readonly Parameter[]) => {
    const { words: left, issues, ...flags } = takeStepFlags(words, parameters, "call");
    return {
      left,
      flags: Object.entries(flags)
        .filter(([, value]) => value !== false)
        .flat()
        .join(" "),
      issues: issues.map(({ path, message }) => `${path} ${message}`),
    };
  };
  assert.equal(taken(["--title", "-o", "x", "--provider=p", "y"], text("title")), {
    left: ["--title", "y"],
    flags: "outputFile x provider p",
    issues: [],
  });
  assert.equal(taken(["--title", "T", "-i", "f", "--dry-run", "--", "--provider", "p"], text("title")), {
    left: ["--title", "T", "--", "--provider", "p"],
    flags: "isDryRun true inputFile f",
    issues: [],
  });
  assert.equal(taken(["--provider", "p", "--dry-run"], text("provider"), text("dry_run")), {
    left: ["--provider", "p", "--dry-run"],
    flags: "",
    issues: [],
  });
  assert.equal(taken(["--provider", "--provider=", "-i", "a", "-i=b", "--show-prompt=1", "-o"]), {
    left: [],
    flags: "showsPrompts true inputFile b provider --provider=",
    issues: ["-i is given more than once", "--show-prompt does not take a value", "-o needs a file"],
  });
  assert.equal(taken(["--json", "--dry-run"]), { left: ["--json"], flags: "isDryRun true", issues: [] });
});

test("--provider answers every prompt, nested ones too; -i and -o are files", () =>
  withTools(async (bench) => {
    assert.equal(await runLine(bench, ["outer", "--input", "it"]), {
      stdout: "more on say good of it\n",
      stderr: "",
      exitCode: 0,
    });
    assert.equal(await runLine(bench, ["outer", "--input", "it", "--provider", "loud"]), {
      stdout: "MORE ON SAY GOOD OF IT\n",
      stderr: "",
      exitCode: 0,
    });
    assert.equal(
      await runLine(bench, ["call", "other", "-i", "in.txt", "--output-file", "out.txt", "--provider=loud"]),
      {
        stdout: "",
        stderr: "",
        exitCode: 0,
      },
    );
    assert.is(readFileSync(join(bench.folder, "out.txt"), "utf8"), "MORE ON SAY BAD OF A FILE\n");
    assert.equal(
      readdirSync(bench.folder).filter((name) => name.startsWith(".dottool")),
      [],
    );
  }));

test("--the-word is the variable `word`, and `word=` is too", () =>
  withTools(async (bench) => {
    assert.is((await runLine(bench, ["inner", "--word", "1", "--input", "2"])).stdout, "say 1 of 2\n");
    assert.is((await runLine(bench, ["outer", "--the-word", "1", "--input", "2"])).stdout, "more on say 1 of 2\n");
    assert.is((await runLine(bench, ["outer", "word=1", "--input", "2"])).stdout, "more on say 1 of 2\n");
  }));

test("--show-prompt and --dry-run ask nobody and run nothing", () =>
  withTools(async (bench) => {
    assert.equal(await runLine(bench, ["outer", "--show-prompt", "--input", "it", "--the-word", "{x}"]), {
      stdout:
        "`first` > `said` asks the default model:\n\n    say {x} of it\n\n`second` asks `echo`:\n\n    more on {first}\n",
      stderr: "",
      exitCode: 0,
    });
    assert.equal(
      JSON.parse((await runLine(bench, ["--result", "json", "outer", "--show-prompt", "--input", "it"])).stdout),
      [
        { steps: ["first", "said"], prompt: "say good of it" },
        { steps: ["second"], provider: "echo", prompt: "more on {first}" },
      ],
    );
    const both = (await runLine(bench, ["outer", "--show-prompt", "--dry-run", "--input", "it"])).stdout;
    assert.is(
      both.slice(both.indexOf("\n`first`")),
      "\n`first` > `said` asks the default model:\n\n    say good of it\n\n`second` asks `echo`:\n\n    more on {first}\n",
    );
    const dry = await runLine(bench, ["outer", "--dry-run", "-i", "in.txt", "-o", "out.txt", "--provider", "loud"]);
    assert.equal(
      dry,
      await runLine(bench, ["explain", "outer", "-i", "in.txt", "-o", "out.txt", "--provider", "loud"]),
    );
    assert.is(
      dry.stdout.slice(0, dry.stdout.indexOf("effects")),
      "tool             `outer` in .tools/outer.yaml:1\nsteps            2\nfolder           <bench>\nprompts go to    `loud`\nresult goes to   `out.txt`\n",
    );
    assert.ok(
      dry.stdout.endsWith(
        'second, after first\n  calls    `ask_model`\n  with     {"prompt":"more on {first}","provider":"loud"}\n  effects  network, run\n',
      ),
      dry.stdout,
    );
    assert.not(existsSync(join(bench.folder, "out.txt")));
  }));

test("what cannot be is told before anything runs", () =>
  withTools(async (bench) => {
    const said = async (...words: readonly string[]): Promise<string> => {
      const { stdout, stderr, exitCode } = await runLine(bench, words);
      return `${stdout}${stderr.split("\n").slice(0, 2).join("|")} ${exitCode}`;
    };
    mkdirSync(join(bench.folder, "folder"));
    bench.write("bytes", "\xff\xfe\x00");
    assert.equal(
      await Promise.all([
        said("outer", "--provider", "lod"),
        said("outer", "-i", "nowhere"),
        said("outer", "-i", "folder"),
        said("outer", "-i", "in.txt", "--input", "x"),
        said("outer", "-o", "no/folder"),
        said("outer", "-o", "folder"),
        said("outer", "--provider"),
        said("outer", "--show-prompt", "-o", "out.txt"),
        said("silent", "--show-prompt"),
        said("silent", "-i", "in.txt"),
      ]),
      [
        "failed[unavailable]: `ask_model` cannot run here|  there is no provider `lod`; did you mean `loud`? 66",
        "failed[usage]: there is no file `nowhere`|  = nothing has run 66",
        "failed[usage]: `folder` is a folder|  = nothing has run 66",
        "failed[usage]: `input` is given both as a file and as an argument|  = nothing has run 64",
        "failed[usage]: there is no folder for the result `no/folder`|  = nothing has run 66",
        "failed[usage]: `folder` is a folder|  = nothing has run 66",
        "failed[invalid-arguments]: `outer` does not accept these arguments|  --provider  needs a name 64",
        "failed[usage]: `--show-prompt` calls nothing, so there is no result for `--output-file`|  = nothing has run 64",
        "failed[usage]: `silent` does not ask a model, so `--show-prompt` has no effect|  = nothing has run 64",
        "failed[usage]: `silent` has no parameter `input`, so `--input-file` cannot be used|  = nothing has run 64",
      ],
    );
  }));

test("a tool's own parameter wins, its help says so, and a failure leaves the file as it was", () =>
  withTools(async (bench) => {
    bench.write("out.txt", "before");
    assert.equal(await runLine(bench, ["silent", "--provider", "p", "--dry-run", "d", "-o", "out.txt"]), {
      stdout: "",
      stderr:
        "failed[step-failed]: step `b` (`sh`): `sh` ended with exit code 3\nwarning[output-file]: `out.txt` was not changed: the call failed\n",
      exitCode: 3,
    });
    assert.is(readFileSync(join(bench.folder, "out.txt"), "utf8"), "before");
    const help = (await runLine(bench, ["silent", "--help"])).stdout;
    assert.is(
      help.slice(help.indexOf("Options of every")),
      lines(
        "Options of every tool of steps",
        "  --show-prompt           print the prompts of its steps, as far as they are",
        "                          known before they run, and ask no model",
        "  -i, --input-file FILE   read `input` from a file",
        "  -o, --output-file FILE  write the result to a file, once it is complete",
        "  --quiet                 show only the result, and not the output of each step",
        "",
        "Names with two meanings",
        "  `--dry-run` is a parameter of this tool, not the option.",
        "  `--provider` is a parameter of this tool, not the option.",
      ),
    );
  }));

test.run();
