// A batch that is stopped with Ctrl-C and made again while the worker is still stopping its items.
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { stores } from "../queue-server.ts";
import { whenThere } from "./runs-fixture.ts";
import { scriptTool, withQueue } from "./queue-fixture.ts";

const test = suite("queue-stopped");
const WAIT = "until test -e go; do sleep 0.02; done";

for (const store of stores)
  test(`--done after Ctrl-C makes what the worker was still stopping, and records no \`cancelled\` (${store})`, () =>
    withQueue(
      async ({ machine, worker, batch }) => {
        const files = {
          ".tools/make.tool": scriptTool(
            "make",
            `test {word} != 1 || { printf 1; exit 0; }; trap 'echo x >> stopping; ${WAIT}; exit 1' TERM; echo x >> made; ${WAIT}; printf %s {word}`,
          ),
        };
        const lines = "1\n2\n3\n4\n5\n";
        const [away, home] = [machine(files), machine(files)];
        await worker(away, { words: ["--parallel", "10"] });
        const first = batch(home, lines, "make");
        await first.whenPrinted(1);
        await whenThere(join(away.folder, "made"), (text) => text === "x\n".repeat(4));
        first.kill("SIGINT");
        assert.is(await first.ended, 130);
        home.write("results", first.stdout());
        await whenThere(join(away.folder, "stopping"));
        const again = batch(home, lines, "--done", "results", "make");
        away.write("go", "");
        assert.is(await again.ended, 0, again.stdout() + again.stderr());
        assert.is(
          again
            .stdout()
            .split("\n")
            .filter((line) => line.includes('"status":"ok"')).length,
          4,
        );
        assert.not.match(again.stdout(), /cancelled/);
      },
      { store },
    ));

test.run();
