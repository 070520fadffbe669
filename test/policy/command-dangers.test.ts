// The default policy for hooks reads any text: it never throws, and its work is limited.
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { commandDangers } from "../../src/features/hook/command-dangers.ts";
import { amount, seed } from "../amount.ts";
import { assert, suite } from "../harness.ts";

const test = suite("commandDangers");
const host = createNodeHost();
const dangers = (line: string): readonly string[] => commandDangers(line, { host, cwd: "/work" });

const words =
  "rm -rf / ~ $x $( ` ) ( { } ' \" | && ; <<A < > sh\u00a0-c sudo git -c eval xargs find\u00a0.\u00a0-exec \\ $'\\x41' ${x:-a} ${x@P} [[ ]] if then fi for\u00a0i\u00a0in do done case esac a=b * {a,b} # ! & <( $(( )) ssh\u00a0h docker\u00a0exec\u00a0x python\u00a0-c awk é alias\u00a0a=b function\u00a0f"
    .split(" ")
    .map((word) => word.replaceAll("\u00a0", " "));

test("any text is read", () => {
  let state = seed;
  const random = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % count;
  };
  for (let count = 0; count < amount(2_000, 100_000); count++) {
    const parts = Array.from({ length: 1 + random(12) }, () => words[random(words.length)]);
    dangers(parts.join(random(3) === 0 ? "" : " "));
  }
});

const REPEATS = 20_000;

test("what repeats without end is read to a limit", () => {
  const lines: readonly string[] = [
    "a;".repeat(REPEATS),
    `${"$(".repeat(REPEATS)}${")".repeat(REPEATS)}`,
    `git ${"-c ".repeat(REPEATS)}x`,
    `dottool ${"--a ".repeat(REPEATS)}`,
    `sed '1/${"\\".repeat(REPEATS)}'`,
    `sed '${"s/".repeat(REPEATS)}'`,
    `echo ${"{a,b}".repeat(REPEATS)}`,
    `curl ${"-d ".repeat(REPEATS)}`,
    `a=x;${"a=$a$a;".repeat(60)}$a`,
    `python -c '${"open(".repeat(REPEATS)}'`,
    `${"xargs ".repeat(REPEATS)}x`,
    `${"sudo ".repeat(REPEATS)}x`,
    `${"wrapper git ".repeat(REPEATS)}x`,
    `${"a|".repeat(REPEATS)}sh`,
    "cat <<A\n".repeat(REPEATS),
    "f(){ ".repeat(REPEATS),
  ];
  for (const line of lines) assert.ok(dangers(line).length <= 6, line.slice(0, 40));
});

test("a long line of dangers is asked about at its end", () => {
  assert.equal(dangers(`${"true; ".repeat(60)}git push --force`), [
    "`git push` overwrites or deletes what others may have",
  ]);
  assert.equal(dangers(`git push origin ${"x ".repeat(10_000)} --force`), [
    "the words of `git` are too long to be read",
    "the words of `git push` are too long to be read",
  ]);
  assert.equal(dangers(`${"true; ".repeat(2_000)}git push --force`), ["more commands than can be read"]);
});

test.run();
