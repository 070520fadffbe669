// Progress that writes over itself, as git, npm and curl print it: a model reads what is left in the end, however long
// the output is and wherever its pieces end.
import { openKeeper } from "../../src/core/output/output-keeper.ts";
import { asLastShown } from "../../src/core/text/overwritten.ts";
import { forModels } from "../../src/core/text/hidden-characters.ts";
import type { Content } from "../../src/core/tool/call.ts";
import { assert, assertLinear, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { testProject } from "../test-project.ts";

const test = suite("text/overwritten");

const steps = Array.from({ length: 4_000 }, (_, index) => index + 1);
const percent = (step: number): string => String(Math.floor((step * 100) / steps.length)).padStart(3);
const phase = (name: string, end: string, erases = ""): string =>
  `${steps.map((step) => `${name}: ${percent(step)}% (${step}/${steps.length})${erases}\r`).join("")}${name}: 100% (4000/4000)${end}\n`;

/** As programs write them, and what a terminal shows when they are done. */
const streams: Readonly<Record<string, readonly [printed: string, shown: string]>> = {
  "git clone --progress": [
    [
      "Cloning into 'repo'...\n",
      phase("remote: Counting objects", ", done.\x1b[K", "\x1b[K"),
      phase("Receiving objects", ", 31.02 MiB | 9.12 MiB/s, done."),
      phase("Resolving deltas", ", done."),
    ].join(""),
    "Cloning into 'repo'...\nremote: Counting objects: 100% (4000/4000), done.\nReceiving objects: 100% (4000/4000), 31.02 MiB | 9.12 MiB/s, done.\nResolving deltas: 100% (4000/4000), done.\n",
  ],
  "npm install, with a spinner": [
    `${steps.map((step) => `\x1b[1G\x1b[0K${"⠙⠹⠸⠼⠴⠦⠧⠇⠏⠋"[step % 10]}`).join("")}\x1b[1G\x1b[0K\nadded 312 packages in 9s\n`,
    "\nadded 312 packages in 9s\n",
  ],
  "yarn, with a bar": [
    `${steps.map((step) => `\x1b[2K\x1b[1G[${"#".repeat(step % 40)}] ${step}/4000`).join("")}\x1b[2K\x1b[Gdone\n`,
    "done\n",
  ],
  "curl, with Windows line ends": [
    `% Total\r\n${steps.map((step) => `\r${percent(step)} 9000k`).join("")}\r\nend\r\n`,
    "% Total\r\n100 9000k\r\nend\r\n",
  ],
};

for (const [name, [printed, shown]] of Object.entries(streams)) {
  test(`asLastShown leaves what is seen in the end: ${name}`, () => {
    assert.is(forModels(asLastShown(printed)), shown);
  });

  test(`a kept output of pieces has the same: ${name}`, async () => {
    const bytes = new TextEncoder().encode(printed);
    for (const size of [7, 4_093, 70_001]) {
      const keeper = openKeeper(memoryHost());
      for (let start = 0; start < bytes.length; start += size)
        await keeper.write("stdout", bytes.slice(start, start + size));
      const kept: Content | undefined = (await keeper.end()).get("stdout");
      assert.equal([size, kept?.type === "file" && kept.ends?.head], [size, shown]);
    }
  });
}

test("a command's progress of megabytes is a line of its result, and nothing is cut", async () => {
  const script =
    "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); printf '\\rReceiving: %d of 100000' $i; done; echo; echo end";
  using bench = testProject();
  const { stdout } = await bench.run(["--result", "model", "run_command", "--command", script]);
  assert.is(stdout, "Receiving: 100000 of 100000\nend\n");
});

test("asLastShown takes time linear to a line", () => {
  assertLinear("updates of one line", 2 ** 12, (count) => void asLastShown("\x1b[1G50%\r".repeat(count)));
});

test.run();
