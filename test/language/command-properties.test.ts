// Properties of every text.
import fc from "fast-check";
import { unicodeText } from "../arbitrary-text.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { amount, isLong, seed, someOf } from "../amount.ts";
import { assert, assertLinear, suite } from "../harness.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("command properties");

const parameters: readonly Parameter[] = [
  parameter("p"),
  parameter("files", { type: "array", items: { type: "string" } }),
  parameter("n", { type: "integer" }, { flag: "-n {value}" }),
];

const piece = fc.oneof(
  fc.constantFrom(
    "{p}",
    "{files}",
    "{n}",
    "{x}",
    "{{p}}",
    "{}",
    "'",
    '"',
    "\\",
    "`",
    "$",
    "$(",
    "${",
    "$((",
    "((",
    "))",
    ")",
    "}",
    "[[",
    "]]",
    "<<E",
    "\nE\n",
    "case a in",
    "esac",
    ";;",
    "|",
    "&",
    ";",
    ">",
    "#",
    "\n",
    " ",
    "=",
    "x=",
    "eval ",
    "sh -c ",
    "for x in ",
    "f()",
    "{ ",
    "$'",
    "@(",
    "\r",
    "@{",
    "@(",
    '@"\n',
    '\n"@',
    "$x",
    "$env:",
    "iex ",
    "[int]",
    "::",
    ".a(",
    "<#",
    "#>",
    ",",
    "%x%",
    "%%i",
    "^",
    "if ",
    "for /f %%i in ('",
    "set ",
    "\u{1f99c}",
    "\ud800",
  ),
  unicodeText(4),
);
const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));

test("parseCommand gives a command or says why not, at a place in the text", () => {
  fc.assert(
    fc.property(text, fc.constantFrom("none", "sh", "bash", "zsh", "pwsh", "cmd"), (template, shell) => {
      const { value, diagnostics, text: whole } = commandOf(template, shell, parameters);
      assert.is(value === undefined, diagnostics.length > 0, JSON.stringify(template));
      for (const { at, message } of diagnostics) {
        assert.ok(
          message !== "" &&
            at !== undefined &&
            at.span.start >= whole.span.start - "@command ".length &&
            at.span.end <= whole.span.end,
          JSON.stringify({ template, message, at: at?.span.start }),
        );
      }
    }),
    { numRuns: amount(500, 20_000), seed },
  );
});

test("parseCommand keeps the text of a script, placeholders aside", () => {
  fc.assert(
    fc.property(text, fc.constantFrom("sh", "bash", "zsh", "pwsh", "cmd"), (template, shell) => {
      const { value } = commandOf(template, shell, parameters);
      if (value?.kind !== "shell") return;
      const written = value.parts.map((part) => (typeof part === "string" ? part : `{${part.placeholder}}`)).join("");
      assert.is(reduced(written), reduced(template));
    }),
    { numRuns: amount(250, 5_000), seed },
  );
});

/** Returns a text with every `{{name}}` reduced to `{name}`, at any depth. */
function reduced(script: string): string {
  const once = script.replaceAll(/\{(\{[A-Za-z_][A-Za-z0-9_-]*\})\}/g, "$1");
  return once === script ? script : reduced(once);
}

const hostile = [
  "$(",
  '"',
  "{p}",
  "{p} ",
  "(",
  "`",
  "${",
  "$((",
  "a ",
  "x={p} ",
  "case a in ",
  "<<a\n",
  "env ",
  "[[ ",
  "a=(",
  "{{p}}",
  '"$(',
  "\\",
  "#\n",
  "eval $x ",
  "x={p};eval $x;",
  "sh -c ",
  "'{p}'",
  "a()",
  "{a1}{b2}{c3}",
  "$((p+p)) ",
  "{ read x; ",
  "while read x;do rm $x;",
  "find -exec ",
  "{p}|xargs rm;",
  'rm "$(basename {p})" ',
  "f(){ rm $1;};f {p};",
  "x=${x#a}{p};",
];

const hostileOnWindows = {
  pwsh: [
    "$x.a",
    "$x=",
    "[int]",
    "@(",
    "{ ",
    "$x,",
    "(a);",
    "<#",
    "$x = $x + {p}\n",
    "iex $x;",
    "$x.a({p});",
    "$a=@({p});git @a;",
  ],
  cmd: ["(a);", "%x% ", "if a==a ", "set x=%x%&", "^", "else ", "call ", "for /f %%i in ('"],
};

function hostileTo(shell: "sh" | "pwsh" | "cmd"): readonly string[] {
  if (shell === "sh") return hostile;
  return [...someOf(hostile, 4), ...(isLong ? Object.values(hostileOnWindows).flat() : hostileOnWindows[shell])];
}

test("parseCommand takes time linear to a hostile script", () => {
  for (const shell of ["sh", "pwsh", "cmd"] as const) {
    for (const unit of hostileTo(shell)) {
      assertLinear(
        `${shell} ${JSON.stringify(unit)}`,
        amount(750, 7_500),
        (size) => void commandOf(unit.repeat(size / unit.length), shell, parameters),
      );
    }
  }
});

test.run();
