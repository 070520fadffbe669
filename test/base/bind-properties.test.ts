// No value ever changes the number of words, or any other word.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import { quoteWord } from "../../src/core/base/quote.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Shell } from "../../src/core/tool/command.ts";
import type { CommandBinding } from "../../src/core/tool/tool.ts";
import { amount } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter } from "../language/command-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { shellsUnderTest } from "./substitution-fixture.ts";

const test = suite("bind properties");

const parameters: readonly Parameter[] = [
  parameter("p", { type: "string" }, { flags: true }),
  parameter("q", { type: "string" }, { flags: true }),
  parameter("files", { type: "array", items: { type: "string" } }, { flags: true }),
  parameter("tag", { type: "string" }, { flag: "--tag {value}", flags: true }),
];

function binding(template: string, shell: Shell | "none"): CommandBinding {
  const { value: command, diagnostics } = commandOf(template, shell, parameters);
  if (!command) throw new Error(diagnostics.map((diagnostic) => diagnostic.message).join());
  return { command, parameters, surroundings: { environment: [], inheritsEnvironment: false } };
}

/** Texts with a meaning to shells, templates or option readers, and any other text. */
const piece = fc.oneof(
  fc.constantFrom(
    "$(id)",
    "`id`",
    "${x}",
    "$HOME",
    "'",
    '"',
    "\\",
    ";",
    "&&",
    "|",
    ">",
    "<",
    "\n",
    " ",
    "\t",
    "*",
    "?",
    "[a]",
    "~",
    "#",
    "!",
    "{p}",
    "{q}",
    "{files}",
    "{{p}}",
    "{}",
    "-",
    "--",
    "=",
    "%",
    "^",
    "\r",
    "\u2028",
    "$1",
    "${1}",
    "$@",
    "$((1))",
    "EOF",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const value = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("").replaceAll("\0", ""));
const RUNS = amount(5_000, 20_000);

test("any values leave the words of a command as they were", () => {
  const bound = binding("show {p} \"{q}\" a{p}b 'c {q} d' {tag} {files} end", "none");
  fc.assert(
    fc.property(
      fc.record({ p: value, q: value, tag: value, files: fc.array(value, { maxLength: 4 }) }),
      ({ p, q, tag, files }) => {
        assert.equal(commandWrap.bind(bound, { p, q, tag, files })["argv"], [
          "show",
          p,
          q,
          `a${p}b`,
          `c ${q} d`,
          "--tag",
          tag,
          ...files,
          "end",
        ]);
      },
    ),
    { numRuns: RUNS },
  );
});

test("any values leave a script as it was", () => {
  const bound = binding("show {p} \"{q}\" a{p}b 'c {q} d' {tag} | sort", "sh");
  const script = 'show "${1}" "${2}" a"${1}"b \'c \'"${2}"\' d\' "${3}" "${4}" | sort';
  fc.assert(
    fc.property(value, value, value, (p, q, tag) => {
      assert.equal(commandWrap.bind(bound, { p, q, tag })["argv"], ["sh", "-c", script, "dottool", p, q, "--tag", tag]);
    }),
    { numRuns: RUNS },
  );
});

for (const shell of shellsUnderTest) {
  test(`any values reach a program through ${shell.name} as they are`, () => {
    const template = "printf '%s\\0' {p} \"{q}\" \"$(printf '%sx' {p})\" a{p}b 'c {q} d' {files} end";
    const bound = binding(template, shell.annotation);
    const [program] = needPrograms(shell.program);
    const before = shell.name === "busybox" ? ["sh"] : [];
    fc.assert(
      fc.property(value, value, fc.array(value, { maxLength: 3 }), (p, q, files) => {
        const [, ...words] = commandWrap.bind(bound, { p, q, files })["argv"] as string[];
        const { stdout, stderr } = spawnSync(program ?? "", [...before, ...words], { encoding: "utf8" });
        assert.equal(
          { words: stdout.split("\0"), stderr },
          { words: [p, q, `${p}x`, `a${p}b`, `c ${q} d`, ...files, "end", ""], stderr: "" },
          shell.name,
        );
      }),
      { numRuns: amount(40, 400) },
    );
  });
}

test("any word that is shown is one word to a shell", () => {
  const words = fc.sample(value, 300).filter((word) => !/[^\x20-\x7e]/.test(word));
  const { stdout } = spawnSync("dash", ["-c", `printf '%s\\0' ${words.map(quoteWord).join(" ")}`], {
    encoding: "utf8",
  });
  assert.equal(stdout.split("\0").slice(0, -1), words);
});

test.run();
