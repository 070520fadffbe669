// The notes of `list` on tools that no call can reach or run, although their files have no mistakes.
import { assert, type Suite, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test: Suite = suite("list");

function wrapping(name: string, base: string, more = ""): string {
  return `Does ${name}.\n\n@title ${name}\n@name ${name}\n@wrapped ${base}\n${more}@tags read\n`;
}

const command = "@command echo hello\n";

test("list names each definition whose base is not there, and why", async () => {
  using bench = testProject({
    ".tools/lost.tool": wrapping("lost", "run_comand", command),
    ".tools/above.tool": wrapping("above", "lost"),
    ".tools/chicken.tool": wrapping("chicken", "egg"),
    ".tools/egg.tool": wrapping("egg", "chicken"),
    ".tools/self.tool": wrapping("self", "self"),
    ".tools/sound.tool": wrapping("sound", "run_command", command),
    ".tools/faulty.tool": wrapping("faulty", "run_command", "@command echo {nothing}\n"),
    ".tools/on_faulty.tool": wrapping("on_faulty", "faulty"),
  });
  const { stdout } = await bench.run(["list", "--json"]);
  const { tools, unused } = JSON.parse(stdout) as {
    tools: readonly { name: string; origin: string }[];
    unused: readonly { name: string; reason: string }[];
  };
  assert.equal(
    tools.filter(({ origin }) => origin === "project").map(({ name }) => name),
    ["sound"],
  );
  assert.equal(Object.fromEntries(unused.map(({ name, reason }) => [name, reason])), {
    above: "`above` > `lost` > `run_comand`: there is no tool `run_comand` to wrap",
    chicken: "these tools wrap each other in a circle: `chicken` > `egg` > `chicken`",
    egg: "these tools wrap each other in a circle: `egg` > `chicken` > `egg`",
    faulty: "it has an error; `dottool check` shows it",
    lost: "there is no tool `run_comand` to wrap",
    on_faulty: "`faulty` has errors, so no other tool can use it",
    self: "it wraps itself: `self` > `self`",
  });
});

test("list says which tool of `@depends` is not there", async () => {
  using bench = testProject({
    ".tools/lost.tool": wrapping("lost", "run_comand", command),
    ".tools/needy.tool": wrapping(
      "needy",
      "run_command",
      `${command}@depends absent\n@depends lost\n@depends read_file\n`,
    ),
  });
  const { stdout } = await bench.run(["list", "needy", "--json"]);
  const { tools } = JSON.parse(stdout) as { tools: readonly { name: string; unavailable: readonly string[] }[] };
  assert.equal(
    tools.map(({ name, unavailable }) => ({ name, unavailable })),
    [
      {
        name: "needy",
        unavailable: [
          "it depends on the tool `absent`, which does not exist",
          "it depends on the tool `lost`, which does not exist",
        ],
      },
    ],
  );
});

test.run();
