import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("policy-findings");
const runLine = startingOnce();

const CONFIG = "home/.config/dottool/config.yaml";

test("doctor shows every problem of the rules, and while there is one, calls end with exit code 77", async () => {
  using bench = testProject({
    [CONFIG]: "policy:\n  - {decision: dney, tool: x}\n  - {decision: deny, tool: list_dir, effekt: read}\n",
  });
  const call = await runLine(bench, ["list_dir"]);
  assert.equal(call, {
    stdout: "",
    stderr:
      "failed[denied]: policy denies `list_dir`\n  config.yaml: the rules cannot be used, so nothing runs: <bench>/home/.config/dottool/config.yaml:2:16: unknown decision `dney`; did you mean `deny`?, and 1 more; `dottool doctor` shows them\n",
    exitCode: 77,
  });
  assert.equal(await findings(), [
    ["rules", false, "<bench>/home/.config/dottool/config.yaml:2:16: unknown decision `dney`; did you mean `deny`?"],
    [
      "rules",
      false,
      "<bench>/home/.config/dottool/config.yaml:3:38: a rule has no key `effekt`; did you mean `effect`?",
    ],
  ]);
  bench.write(
    CONFIG,
    'policy:\n  - {decision: deny, tool: [list_dri, "web_*"]}\n  - {decision: ask, tool: read_file, arguments: {path: x, file_path: y}}\n',
  );
  assert.equal(await findings(), [
    ["rules", false, "<bench>/home/.config/dottool/config.yaml:2:5: there is no tool `list_dri`"],
    ["rules", false, "<bench>/home/.config/dottool/config.yaml:3:5: `read_file` has no parameter `path`"],
    ["rules", true, "2 rules"],
  ]);

  async function findings(): Promise<readonly unknown[]> {
    const { stdout } = await runLine(bench, ["doctor", "--json"]);
    const { findings: all } = JSON.parse(stdout) as {
      findings: { group: string; name: string; works: boolean; fact: string }[];
    };
    return all
      .filter(({ group, name }) => group === "Policy" && name === "rules")
      .map(({ name, works, fact }) => [name, works, fact]);
  }
});

test("doctor says whether a settings file that cannot be read refuses every call", async () => {
  using bench = testProject();
  const told = async (): Promise<readonly unknown[]> => {
    const { exitCode } = await runLine(bench, ["list_dir"]);
    const { findings } = JSON.parse((await runLine(bench, ["doctor", "--json"])).stdout) as {
      findings: { group: string; name: string; help?: string }[];
    };
    return [
      exitCode,
      ...findings
        .filter(({ help }) => help?.startsWith("fix it; "))
        .map(({ group, name, help }) => [group, name, help]),
    ];
  };
  const refused = "fix it; every call is refused until then";
  bench.write(CONFIG, "policy: [\n");
  assert.equal(await told(), [77, ["Settings", "config.yaml", refused], ["Policy", "rules", refused]]);
  bench.write(CONFIG, "web: [\n");
  assert.equal(await told(), [0, ["Settings", "config.yaml", "fix it; none of its settings applies until then"]]);
});

test.run();
