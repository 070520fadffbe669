// Every example of the READMEs, in order: a block after "`path`:" is a file, and a `console` block is a session whose
// output must match exactly.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "./harness.ts";
import { compileCache, program } from "./program.ts";
import { startingOnce, toolBench } from "./tool-bench.ts";
import { trustFoldersBelow } from "./trust-folders.ts";

const test = suite("docs");
const root = fileURLToPath(new URL("..", import.meta.url));

interface Example {
  readonly command: string;
  readonly output: string;
}

interface Page {
  readonly files: ReadonlyMap<string, string>;
  readonly examples: readonly Example[];
}

function readPage(text: string): Page {
  const files = new Map<string, string>();
  const examples: Example[] = [];
  for (const [, before, language, body] of text.matchAll(/([^\n]*)\n\n?```(\w+)\n([\s\S]*?)```/g)) {
    const path = /`([^`]+)`:$/.exec(before ?? "")?.[1];
    if (path !== undefined) files.set(path, body ?? "");
    else if (language === "console") examples.push(...readSession(body ?? ""));
  }
  return { files, examples };
}

function readSession(body: string): readonly Example[] {
  return body
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...lines] = part.split("\n");
      return { command, output: lines.join("\n") };
    });
}

/** The files that the pages refer to. */
const given: Readonly<Record<string, string>> = {
  "src/a.txt": "one\nTODO: fix this\n",
  "src/b.txt": "one\ntwo\nthree\n",
  "notes.txt": "buy milk\n",
};

function runPage(page: Page): readonly Example[] {
  const folder = mkdtempSync(join(tmpdir(), "dottool-docs-"));
  try {
    const work = join(folder, "work");
    for (const [path, text] of [...Object.entries(given), ...page.files]) {
      const at = path.startsWith("~/") ? join(folder, path.slice(2)) : join(work, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text);
    }
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "dottool"),
      `#!/bin/sh\nexec ${[program.command, ...program.words].map((word) => `"${word}"`).join(" ")} "$@"\n`,
    );
    chmodSync(join(bin, "dottool"), 0o755);
    const environment = {
      PATH: [bin, process.env["PATH"] ?? "", join(root, "node_modules/.bin")].join(delimiter),
      HOME: folder,
      LANG: "C.UTF-8",
      ...compileCache,
    };
    // The reader has answered the page's question with yes.
    trustFoldersBelow(work, join(folder, ".local", "state", "dottool"));
    return page.examples.map(({ command }) => {
      // Deno adds its own environment to `env`.
      const { stdout } = spawnSync(
        "env",
        [
          "-i",
          ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
          "sh",
          "-c",
          `{ ${command}\n} 2>&1`,
        ],
        { cwd: work, encoding: "utf8" },
      );
      return { command, output: stdout };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// "src/policy/README.md" shows rules, which test/policy/readme.test.ts tests with calls.
for (const path of [
  "README.md",
  "plugins/README.md",
  "src/language/custom-tools/README.md",
  "src/language/meta-tools/README.md",
  "src/language/forge-tool/README.md",
  "src/mcp/client/README.md",
]) {
  test(`${path} shows what really happens`, () => {
    const page = readPage(readFileSync(join(root, path), "utf8"));
    assert.ok(page.examples.length > 0 && page.files.size > 0);
    assert.equal(runPage(page), page.examples);
  });
}

/**
 * A call of each tool in grammar/README.md. Tools that need the network or a repository are only explained: bound to
 * their base tool, and not run.
 */
const grammarCalls: Readonly<Record<string, string>> = {
  glob: "test glob",
  webFetch: "explain webFetch --url https://example.org/",
  blame: "explain blame --file a.txt --lines 1,2",
  docs: "explain docs --page getting-started",
  webText: "explain webText --url https://example.org/",
  count_lines: "explain count_lines --pattern '*.txt'",
  format_json: "test format_json",
  longest_file: "longest_file --folder src --pattern '*.txt'",
  reverse_words: "test reverse_words",
  test_changes: "explain test_changes",
  in_container: `explain in_container --json '{"container":"web","command":["ls","-l"]}'`,
  replace_texts: "test replace_texts",
  who_am_i: "explain who_am_i --token T1234",
  remove_package: "explain remove_package --package left-pad",
  make_folder: "test make_folder",
  week: "explain week",
};

test("grammar/README.md shows tools that build, and can be called", async () => {
  const text = readFileSync(join(root, "grammar/README.md"), "utf8");
  const tools = [...text.matchAll(/```tool\n([\s\S]*?)```/g)].map(
    ([, body = ""]) => [/^@name (\S+)/m.exec(body)?.[1] ?? "", body] as const,
  );
  assert.equal(
    tools.map(([name]) => name),
    Object.keys(grammarCalls),
  );
  const commands = ["check .tools", "count_lines --folder src --pattern '*.txt'", "call glob --json - < words.json"];
  const files = new Map([
    ["words.json", '{"arguments": ["src", "-name", "a.txt"]}'],
    ...tools.map(([name, body]) => [`.tools/${name}.tool`, body] as const),
  ]);
  const bench = toolBench({ ...given, ...Object.fromEntries(files) });
  const start = startingOnce();
  try {
    for (const call of Object.values(grammarCalls)) {
      const words = [...call.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
      const { exitCode, stdout, stderr } = await start(bench, ["--tools=.tools", ...words]);
      assert.is(exitCode, 0, `${call}: ${stdout}${stderr}`);
    }
  } finally {
    bench.remove();
  }
  const said = runPage({
    files,
    examples: commands.map((command) => ({ command: `dottool --tools .tools ${command}; echo $?`, output: "" })),
  });
  assert.equal(
    said.map(({ output }) => output),
    [`${tools.length} definitions checked: no problems\n0\n`, "5\n0\n", "src/a.txt\n0\n"],
  );
});

test("README.md names the two commands that do everything", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  assert.ok(readme.includes("npm ci && npm start -- glob . -name '*.tool'") && readme.includes("npm ci && npm test"));
  assert.ok("start" in scripts && "test" in scripts);
});

test("README.md is one screen", () => {
  assert.ok(readFileSync(join(root, "README.md"), "utf8").split("\n").length <= 90);
});

test.run();
