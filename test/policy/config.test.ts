import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { trustFoldersBelow } from "../trust-folders.ts";
import { statePath, withPolicy } from "./policy-fixture.ts";

const test = suite("config");

const tools = { looker: "@wrapped run_command\n@tags read\n@command true look" };

/** Returns the lines after the headline of a refused call. */
async function whyNot(rules: string): Promise<readonly string[]> {
  let lines: readonly string[] = [];
  await withPolicy(tools, async (bench) => {
    bench.rules(rules);
    lines = (await (await bench.open("person")).said("looker"))
      .split("\n")
      .slice(1)
      .map((line) =>
        line
          .trim()
          .replaceAll("\\", "/")
          .replace("config.yaml: the rules cannot be used, so nothing runs: <bench>/config/dottool/config.yaml", "…"),
      );
  });
  return lines;
}

test("a rule that cannot be read refuses every call, and says where", async () => {
  const rule = (text: string): string => `policy:\n  - ${text}\n`;
  const cases: readonly (readonly [rules: string, line: string])[] = [
    [rule("{decision: dney, tool: x}"), "…:2:16: unknown decision `dney`; did you mean `deny`?"],
    [rule("{tool: x}"), "…:2:5: a rule needs a `decision`: `allow`, `ask` or `deny`"],
    [rule("{decision: deny, tol: x}"), "…:2:22: a rule has no key `tol`; did you mean `tool`?"],
    [rule("{decision: deny, tool: []}"), "…:2:28: `tool` is empty; remove it, or give it a value"],
    [
      rule("{decision: deny, effect: [erase]}"),
      "…:2:30: unknown effect `erase`; use one of `read`, `write`, `run`, `network`, `unknown`",
    ],
    [
      rule("{decision: deny, front_end: robot}"),
      "…:2:33: unknown front end `robot`; use one of `person`, `program`, `mcp`, `exec`, `agent`, `worker`, `hook`",
    ],
    [rule("{decision: allow}"), '…:2:16: the rule does not say what is allowed; write `tool: "*"` to allow everything'],
    [
      rule('{decision: deny, tool: x, arguments: {a: {regex: "("}}}'),
      "…:2:46: `regex` is not a regular expression: Unterminated group",
    ],
    [rule("{decision: deny, tool: x, arguments: {a: []}}"), '…:2:46: `a` is empty; write `"*"` for any value'],
    [
      rule("{tool: x, rate: often}"),
      "…:2:21: `rate` must be such as `10/min`: a whole number, a slash, and `s`, `min`, `h` or `day`",
    ],
    [
      rule("{decision: deny, command: git push, examples: [{command: git pull}]}"),
      "…:2:52: the rule does not match this example",
    ],
    [
      rule("{decision: deny, command: git push, examples: [{command: git push -f, matches: false}]}"),
      "…:2:84: the rule matches this example, which says that it must not",
    ],
    ["policy: {decision: deny}\n", "…:1:9: `policy` must be a list: lines below it that begin with `-`"],
    ["policy:\n  - deny\n", "…:2:5: each item of `policy` must be a map"],
    [
      "policy: [\n",
      "…:2:1: not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    ["polciy:\n  - {decision: deny, tool: looker}\n", "…:2:3: unknown key `polciy`; rules are the items of `policy:`"],
    ["permissions: {deny: [x]}\n", "…:1:14: unknown key `permissions`; rules are the items of `policy:`"],
    ['"pol\\u0069cy":\n  - {decision: nope}\n', "…:2:16: unknown decision `nope`; use one of `allow`, `ask`, `deny`"],
    ["audit: maybe\n", "…:1:8: `audit` must be `on` or `off`"],
    ["\u0000policy: []\n", "…"],
  ];
  for (const [rules, line] of cases) {
    const [said = ""] = await whyNot(rules);
    if (line === "…") assert.ok(said.startsWith(line), said);
    else assert.is(said, line);
  }
});

test("rules whose examples hold are used", async () => {
  const rules =
    "policy:\n  - decision: deny\n    command: git push\n    tool: run_command\n    examples:\n      - {command: git push -f}\n      - {command: git pull, matches: false}\n      - {arguments: {argv: [git, push]}}\n";
  await withPolicy(tools, async (bench) => {
    bench.rules(rules);
    const opened = await bench.open("person");
    assert.equal(
      [await opened.headline("looker"), await opened.headline("run_command", { command: ": git push" })],
      ["ok", "failed[denied]: policy denies `run_command`"],
    );
  });
});

test("aliases that repeat each other are counted, and 10,000 rules are read", async () => {
  const bomb = Array.from(
    { length: 12 },
    (_, index) =>
      `a${index}: &a${index} [${
        index === 0
          ? "x"
          : Array(10)
              .fill(`*a${index - 1}`)
              .join(", ")
      }]`,
  ).join("\n");
  const [said = ""] = await whyNot(`${bomb}\npolicy:\n  - {decision: deny, tool: x, arguments: {a: *a11}}\n`);
  assert.match(said, /^…:2:20: there are more than 1,000 aliases \(`\*`\)/);
  const many = (count: number): string =>
    `policy:\n${Array.from({ length: count }, (_, index) => `- {decision: deny, tool: t${index}}\n`).join("")}`;
  assert.equal(await whyNot(many(10_000)), []);
  assert.match((await whyNot(many(10_001)))[0] ?? "", /^…:2:1: there are more than 10,000 rules/);
});

test("a file that others could have written, or that cannot be read, refuses every call; a link to one's own is one's own", async () => {
  await withPolicy(tools, async (bench) => {
    bench.rules("policy: []\n");
    const path = join(bench.folder, "../config/dottool/config.yaml");
    const opened = await bench.open("person");
    chmodSync(path, 0o666);
    assert.is(
      await opened.said("looker"),
      "failed[denied]: policy denies `looker`\n  config.yaml: the rules cannot be used, so nothing runs: <bench>/config/dottool/config.yaml: it can be written by every user",
    );
    rmSync(path);
    bench.write("mine.yaml", "policy:\n  - {decision: deny, tool: looker, reason: linked}\n");
    symlinkSync(join(bench.folder, "mine.yaml"), path);
    assert.is(
      await opened.said("looker"),
      "failed[denied]: policy denies `looker`\n  <bench>/config/dottool/config.yaml:2:5: linked",
    );
    rmSync(path);
    bench.write("../config/dottool/config.yaml/x", "");
    assert.match(await opened.said("looker"), /it cannot be read \(EISDIR\)$/);
    rmSync(path, { recursive: true });
    symlinkSync(join(bench.folder, "gone.yaml"), path);
    assert.match(await opened.said("looker"), /config\.yaml: it is a dangling link$/);
    rmSync(path);
    assert.is(await opened.said("looker"), "ok");
  });
});

test("rules below a key with one flipped bit refuse every call, and do not get lost", async () => {
  const rules = new TextEncoder().encode("policy:\n  - {decision: deny, tool: looker}\n");
  await withPolicy(tools, async (bench) => {
    const opened = await bench.open("person");
    const path = join(bench.folder, "../config/dottool/config.yaml");
    bench.rules("");
    for (let bit = 0; bit < 8 * "policy:\n".length; bit++) {
      const index = bit >>> 3;
      writeFileSync(path, rules.with(index, (rules[index] ?? 0) ^ (1 << (bit & 7))));
      assert.is(await opened.headline("looker"), "failed[denied]: policy denies `looker`", `bit ${bit}`);
    }
  });
});

test("a project whose record of trust is damaged may have had rules that deny: every call is refused until somebody looks at it", async () => {
  await withPolicy(tools, async (bench) => {
    bench.write(".tools/config.yaml", "policy:\n  - {decision: deny, tool: looker}\n");
    bench.rules("policy: []\n");
    const denied = "failed[denied]: policy denies `looker`";
    const opened = await bench.open("person");
    trustFoldersBelow(bench.folder, join(bench.folder, "../state/dottool"));
    assert.is(await opened.headline("looker"), denied);
    const [name = ""] = bench.list(statePath("trust")).filter((one) => one.endsWith(".trust.json"));
    const path = join(bench.folder, statePath("trust"), name);
    const whole = readFileSync(path);
    const damages = [
      () => writeFileSync(path, whole.with(150, 0)),
      () => writeFileSync(path, ""),
      () => (writeFileSync(path, whole), chmodSync(path, 0o666)),
      () => mkdirSync(path),
      () => symlinkSync(join(bench.folder, "gone"), path),
    ];
    for (const damage of damages) {
      rmSync(path, { recursive: true, force: true });
      damage();
      const said = await opened.said("looker");
      assert.ok(
        said.startsWith(denied) && said.includes(name) && said.includes("`dottool trust` reviews the project again"),
        said,
      );
    }
    rmSync(path);
    writeFileSync(path, whole, { mode: 0o600 });
    assert.match(await opened.said("looker"), /config\.yaml:2:5/);
  });
});

test("rules that were read once are used as they were, for the same text alone, and by nobody else", async () => {
  const everything =
    'policy:\n  - {decision: deny, tool: "l?oker", command: [true look], arguments: {argv: [{regex: lo+k}, x]}, effect: run, reason: stored}\naudit: off\n';
  await withPolicy(tools, async (bench) => {
    const heads = async (): Promise<readonly string[]> => {
      const opened = await bench.open("person");
      return [await opened.headline("run_command", { argv: ["true", "look"] }), await opened.said("looker")];
    };
    bench.rules(everything.replace("l?oker", "*"));
    const first = await heads();
    assert.equal([await heads(), bench.list(statePath("")).includes("rules.json")], [first, true]);
    assert.match(first[0] ?? "", /^failed\[denied\]/);
    const path = join(bench.folder, statePath("rules.json"));
    const text = bench.read(statePath("rules.json")) ?? "";
    bench.write(statePath("rules.json"), text.replace('"deny"', '"allow"'));
    chmodSync(path, 0o666);
    assert.equal(await heads(), first);
    bench.write(statePath("rules.json"), text.slice(0, 99));
    assert.equal(await heads(), first);
    bench.rules(everything);
    assert.equal(await heads(), ["ok", "ok"]);
  });
});

test("rules that change count from the next call on", async () => {
  await withPolicy(tools, async (bench) => {
    const opened = await bench.open("mcp");
    const decided = async (rules: string): Promise<string> => {
      bench.rules(rules);
      return opened.headline("list_dir");
    };
    assert.equal(
      [
        await opened.headline("list_dir"),
        await decided("policy:\n- {decision: deny, tool: list_dir}\n"),
        await decided("policy: []\n"),
      ],
      ["ok", "failed[denied]: policy denies `list_dir`", "ok"],
    );
  });
});

test("a project can only be stricter, trusted or not", async () => {
  await withPolicy(tools, async (bench) => {
    bench.write(
      ".tools/config.yaml",
      "policy:\n  - {decision: allow, tool: run_command}\n  - {decision: deny, tool: looker, reason: not here}\n",
    );
    bench.rules("policy:\n  - {decision: allow, tool: [looker, git_status]}\n");
    const heads = async (): Promise<readonly string[]> => {
      const opened = await bench.open("exec");
      const said = [await opened.headline("run_command", { argv: ["true"] }), await opened.said("looker")];
      return [...said, ...((await opened.session.guard?.current())?.notes ?? [])].map((text) =>
        text.replaceAll(join(bench.folder, ".."), "<bench>"),
      );
    };
    const asked = "failed[denied]: `run_command` was not approved for `dottool exec`";
    const place = "<bench>/work/.tools/config.yaml";
    const untrusted = "the project is not trusted, but its rules that deny and ask apply";
    const denied = `failed[denied]: policy denies \`looker\`\n  ${place}:3:5:`;
    const unused = `${place}:2:5: a project can only ask and deny, so this \`allow\` is ignored`;
    assert.equal(await heads(), [
      asked,
      `${denied} it is not allowed here (${untrusted})`,
      unused,
      `${place}: ${untrusted}`,
    ]);
    trustFoldersBelow(bench.folder, join(bench.folder, "../state/dottool"));
    assert.equal(await heads(), [asked, `${denied} not here`, unused]);
    bench.write(".tools/config.yaml", "policy: nonsense\n");
    trustFoldersBelow(bench.folder, join(bench.folder, "../state/dottool"));
    assert.equal(
      (await heads()).map((head) => head.split("\n")[0]),
      ["failed[denied]: policy denies `run_command`", "failed[denied]: policy denies `looker`"],
    );
  });
});

test("damaged rules are read again, and a damaged rate refuses until it is done what the refusal says", async () => {
  const rare = "@wrapped run_command\n@limit rate=2/day\n@tags read\n@command true";
  await withPolicy({ rare, gone: "@wrapped run_command\n@command true" }, async (bench) => {
    bench.rules("policy:\n  - {decision: deny, tool: gone}\n");
    const said = async (tool: string): Promise<string> => (await bench.open("person")).said(tool);
    const denied = "failed[denied]: policy denies `gone`";
    assert.equal([await said("rare"), (await said("gone")).split("\n")[0]], ["ok", denied]);
    const rules = bench.read(statePath("rules.json")) ?? "";
    bench.write(statePath("rules.json"), rules.replace('"deny"', '"dena"'));
    assert.is((await said("gone")).split("\n")[0], denied);
    assert.equal([await said("rare"), bench.read(statePath("rules.json"))], ["ok", rules]);
    const [name = ""] = bench.list(statePath("rates"));
    bench.write(statePath(`rates/${name}`), "damaged");
    const uncounted = await said("rare");
    assert.match(uncounted, /^failed\[denied\]: policy denies `rare`\n {2}@limit: its calls cannot be counted: /);
    assert.match(uncounted, /is damaged: its content does not match its checksum; remove it to count from now on$/);
    assert.match(await said("rare"), /cannot be counted/);
    rmSync(join(bench.folder, statePath(`rates/${name}`)));
    assert.is(await said("rare"), "ok");
  });
});

test.run();
