// The launcher at a terminal: what needs the terminal is the executable's, and a call whose output goes elsewhere obeys
// the shell's keys.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AtTerminal, type Typed, typeAtTerminal } from "../at-terminal.ts";
import { assert, suite } from "../harness.ts";
import { trustFoldersBelow } from "../trust-folders.ts";
import { processesWith } from "./packaged-program.ts";
import { type Place, until, withResident } from "./resident-program.ts";

const test = suite("resident at a terminal");

const tools = {
  awaits: "echo begun; while [ ! -e go ]; do sleep 0.05; done; echo hello",
  asks: `printf 'name? '; read name; echo "hello $name at $(stty size)"; exit 3`,
  resized: "trap 'stty size; exit 4' WINCH; touch go; while :; do sleep 0.05; done",
  leaves: "echo begun; sleep 98762 & sleep 98762",
};

async function atTerminal(
  body: (place: Place, type: (line: string, typed: Typed) => Promise<AtTerminal>) => Promise<void>,
): Promise<void> {
  await withResident(async (place) => {
    for (const [name, script] of Object.entries(tools))
      writeFileSync(
        join(place.project, `.tools/${name}.tool`),
        `Does it.\n\n@title It\n@name ${name}\n@wrapped run_command\n@shell sh\n@command ${script}\n@tags read\n`,
      );
    trustFoldersBelow(place.project, join(place.environment["HOME"] ?? "", ".local/state/dottool"));
    await body(place, (line, typed) =>
      typeAtTerminal(line, { folder: place.project, environment: place.environment, typed }),
    );
  });
}

if (spawnSync("sh", ["-c", "command -v script && command -v bash"]).status === 0) {
  test("a call at a terminal is the executable's: it asks, and sees the size of the terminal", () =>
    atTerminal(async ({ launcher, status }, type) => {
      const { text } = await type(`stty rows 31 cols 97; ${launcher} asks; echo "code $?"`, [["name? ", "Ana\n"]]);
      assert.match(text, "hello Ana at 31 97\r\ncode 3");
      assert.is(status().calls, 0);
    }));

  test("a call at a terminal is told that its window has another size", () =>
    atTerminal(async ({ launcher, status }, type) => {
      const resize = "(while [ ! -e go ]; do sleep 0.05; done; stty rows 43 cols 121 < /dev/tty) &";
      const { text } = await type(`${resize} ${launcher} resized; echo "code $?"`, [["code", ""]]);
      assert.match(text, "43 121\r\ncode 4");
      assert.is(status().calls, 0);
    }));

  test("Ctrl-Z stops a call that writes into a pipe and a file, with its processes, and fg continues both", () =>
    atTerminal(async ({ launcher, status }, type) => {
      const { text } = await type("bash --norc --noprofile -i", [
        ["$ ", `${launcher} awaits 2> errors | cat\n`],
        ["begun", "\u001a"],
        ["Stopped", ""],
        ["$ ", " ps -eo stat=,args= | grep '[b]egun; while' | cut -c1; echo looked\n"],
        ["T\r\n", ""],
        ["looked\r\n", ""],
        ["$ ", "touch go; fg\n"],
        ["hello", ""],
        ["$ ", 'echo "codes ${PIPESTATUS[*]}"\n'],
        ["codes 0", "exit\n"],
      ]);
      assert.match(text, "hello");
      const { calls, ordinaryWay } = status();
      assert.equal([calls, ordinaryWay], [1, 0]);
    }));

  test("Ctrl-C ends such a call, and all of its processes", () =>
    atTerminal(async ({ launcher, status }, type) => {
      await type("bash --norc --noprofile -i", [
        ["$ ", `${launcher} leaves 2> errors | cat\n`],
        ["begun", "\u0003"],
        ["$ ", 'echo "codes ${PIPESTATUS[*]}"\n'],
        ["codes 130", "exit\n"],
      ]);
      await until(() => processesWith("98762").length === 0);
      const { calls, ordinaryWay } = status();
      assert.equal([calls, ordinaryWay], [1, 0]);
    }));
}

test.run();
