// Rules with `outside: project`: for calls of tools, and for lines of other agents.
import { mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { withHooks } from "../hook/hook-fixture.ts";
import { withPolicy } from "./policy-fixture.ts";

const test = suite("policy/outside");
const RULES = "policy:\n  - {decision: deny, outside: project, reason: work stays in the project}\n";

const tools = {
  copy: "@wrapped run_command\n@command cp -- {from} {to}\n@param from {string} [required] What\n@param to {string} [required] Where",
  show: "@wrapped run_command\n@command cat -- {file}\n@param file {path} [required] Which",
  odd: "@wrapped run_command\n@command true-or-not --out {out}\n@param out {path} [required] Where",
  reader: "@wrapped run_command\n@command true-or-not ../elsewhere\n@tags read",
  declares: "@wrapped run_command\n@command true\n@writes ../elsewhere",
  script: "@wrapped run_command\n@shell sh\n@command echo x > {to}\n@param to {path} [required] Where",
  steps: "@param to {path} [required] Where\n@step one uses write_file\n    file_path = {to}\n    content = x",
};

test("a call is denied that writes outside of the project, by its own words or those of a tool below", () =>
  withPolicy(tools, async (bench) => {
    bench.rules(RULES);
    mkdirSync(join(bench.folder, ".git"));
    mkdirSync(join(bench.folder, "../elsewhere"));
    bench.write("a", "");
    bench.write("../elsewhere/b", "");
    symlinkSync("../elsewhere", join(bench.folder, "link"));
    const opened = await bench.open("person");
    const rows: readonly (readonly [string, JsonObject, boolean])[] = [
      ["write_file", { file_path: "in.txt", content: "/etc/passwd" }, false],
      ["write_file", { file_path: "link/x", content: "" }, true],
      ["write_file", { file_path: "../elsewhere/x", content: "" }, true],
      ["write_file", { file_path: join(bench.folder, "x"), content: "" }, false],
      ["read_file", { file_path: "../elsewhere/b" }, false],
      ["copy", { from: "../elsewhere/b", to: "b" }, false],
      ["copy", { from: "a", to: "../elsewhere/c" }, true],
      ["show", { file: "../elsewhere/b" }, false],
      ["odd", { out: "../elsewhere/b" }, true],
      ["reader", {}, false],
      ["declares", {}, true],
      ["script", { to: "in.txt" }, false],
      ["script", { to: "link/y" }, true],
      ["steps", { to: "in.txt" }, false],
      ["steps", { to: "../elsewhere/y" }, true],
      ["run_command", { command: "rm -rf ../elsewhere" }, true],
      ["run_command", { argv: ["rm", "-rf", "../elsewhere"] }, true],
      ["run_command", { argv: ["sh"], stdin: "rm -rf ../elsewhere" }, true],
      ["run_command", { command: 'rm -f "$X/b"', env: { X: "../elsewhere" } }, true],
      ["run_command", { argv: ["touch", "x"], working_dir: "../elsewhere" }, true],
      ["run_command", { command: "ls ../elsewhere" }, false],
    ];
    const wrong: unknown[] = [];
    for (const [tool, args, isDenied] of rows) {
      const said = await opened.headline(tool, args);
      if (said.startsWith("failed[denied]") !== isDenied) wrong.push([tool, args, said]);
    }
    assert.equal(wrong, []);
  }));

function deniedLines(project: string): readonly string[] {
  return [
    "rm -rf ../x",
    "cd / && rm -rf x",
    "rm -rf ~/x",
    'rm -rf "$HOME/x"',
    "rm -rf $UNKNOWN/x",
    "rm -rf link/x",
    "cd $UNKNOWN && rm -rf /srv",
    "cd $UNKNOWN && rm -rf x",
    "ln -s .. made && rm -rf made/x",
    "env -C .. rm x",
    "sudo --chdir=.. rm x",
    "{ echo x; } > ../x",
    "cp --target-directory=../x a",
    "dd if=a of=../x",
    "rm -rf -- ..",
    "rsync -a --delete ./ ../x",
    "rm -rf sub/../../x",
    "find .. -name x -delete",
    "find .. -name '*.o' | xargs rm",
    "find .. -name '*.o' | xargs rm -f",
    "echo x > /srv/x",
    "echo x >> ~/.bashrc",
    "tee ../x < a",
    "mv ../x .",
    "cp -t ../x a",
    "sh -c 'rm -rf /srv'",
    "sh clean.sh",
    "sudo rm -rf /srv",
    "sed -i s/a/b/ ../x",
    "git -C .. commit -m x",
    "git clone https://example.org/x ../x",
    "curl -o /srv/x https://example.org",
    "tar -xf a.tar -C ..",
    "cd .. && make",
    "unknown-program --out=../x",
    "python3 -c \"open('/srv/x', 'w')\"",
    'echo x > "$(cat l)"',
    "F=$(cat l); echo x > $F",
    "constructor ../x",
    `rm -rf ../${project}`,
    `cd .. && rm -rf ${project}`,
    'rm -rf "$PWD"',
    `mv ../${project} sub`,
    "cd - && rm x",
    "find ../x -type f | xargs chmod 644",
    "find ../x | sort | xargs -I{} mv {} sub",
    "grep -rl foo ../x | xargs sed -i s/a/b/",
    "grep foo list | xargs rm",
    "xargs rm < list",
    "sed -i s/a/b/ $F",
    "perl -pi -e s/a/b/ $F",
    "find $D -delete",
    "find .. -name x -exec rm {} +",
    "tar -C $DIR -xf a",
    "tar czf ../a.tgz sub",
    'curl -o "$DIR/x" https://example.org',
    'git clone https://example.org "$DIR"',
    "rsync -a sub/ ../x --exclude y",
    "install -d ../x sub",
    "split a ../x",
    "script ../x",
    "gawk -i inplace '{print}' ../x",
    "diff --output=../x a b",
    "curl -o /usr/bin/x https://example.org",
    "go build -o /usr/bin/x",
    "tar -C /usr -xf a.tar",
    "npm --prefix /usr install",
    "git clone https://example.org /usr/src/y",
    "docker run -v /:/host x ls",
    "for f in a ../x; do touch $f; done",
    "for f in a b; do read f; rm $f; done",
    "rm -rf ${X:-..}/y",
    'mkdir "$(dirname ../x/y)"',
    "ln -s ../x made; touch made/y",
  ];
}

const FREE_LINES = [
  "rm -rf sub",
  "cd sub && rm -rf ../x",
  "cat /etc/hosts ../x",
  "grep -r x ..",
  "find / -name x",
  "make > /dev/null 2>&1",
  "cp ../x .",
  "echo /srv/x",
  "git commit -m 'see a/b'",
  "curl https://example.org/x",
  "git commit -m 'fix(/api): see /etc/hosts'",
  "gcc -I/usr/include -o x x.c",
  "awk '/x/ {print}' a",
  "sed 's/a/b/' ../x",
  "cd .. && ls",
  "npm test",
  "constructor && toString valueOf",
  'docker run -v "$PWD:/work" -w /work x',
  "docker exec c ls /app",
  "docker exec c sh -c 'rm -rf /tmp/x'",
  'for f in a b; do touch "$f"; echo x > "$f.out"; done',
  'for f in *.ts; do mv "$f" "${f%.ts}.js"; done',
  "find . -name '*.pyc' | xargs rm",
  "find sub | sort | head -1 | xargs rm",
  "git ls-files '*.ts' | xargs rm",
  'rm -rf "${BUILD_DIR:-build}"',
  'mkdir -p "$(dirname src/x/y)"',
  'npm test > "log-$(date +%s).txt"',
  'cd "$(git rev-parse --show-toplevel)" && npm test',
  "tar xzf ../a.tgz",
  "tar czf a.tgz -C .. x",
  "ln -s ../shared/x y",
  "./configure --prefix=/usr/local",
  "vite build --base /app/",
  "gh api /repos/o/r",
  'git stash push -m "../x"',
  "git commit -m ../x",
  "git grep '/etc/'",
  "sort -t/ -k2 a",
  "node -e \"app.get('/users', x)\"",
  "ls > >(tee log.txt)",
];

test("a line of another agent is denied that writes outside of the project", () =>
  withHooks(async (bench) => {
    mkdirSync(join(bench.project, ".git"));
    mkdirSync(join(bench.project, "sub"));
    symlinkSync(dirname(bench.project), join(bench.project, "link"));
    bench.write(join(bench.project, "clean.sh"), "rm -rf /srv/data\n");
    const denied = deniedLines(basename(bench.project));
    const wrong = [];
    for (const line of denied) if ((await bench.shell(line)).decision !== "deny") wrong.push(`must be denied: ${line}`);
    for (const line of FREE_LINES)
      if ((await bench.shell(line)).decision === "deny") wrong.push(`must not be: ${line}`);
    for (const [tool, args] of [
      ["Write", { file_path: "../x", content: "" }],
      ["mcp__files__write_file", { path: "/srv/x", content: "" }],
    ] as const)
      if ((await bench.judge(tool, args)).decision !== "deny") wrong.push(tool);
    assert.equal(wrong, []);
    assert.equal(await bench.shell("rm ../x"), { decision: "deny", reason: "work stays in the project" });
  }, RULES));

test("a rule says what `outside` takes, and its examples are checked", async () => {
  const said = async (rule: string): Promise<string> => {
    let first = "";
    await withPolicy({}, async (bench) => {
      bench.rules(`policy:\n  - ${rule}\n`);
      first = await (await bench.open("person")).said("list_dir");
    });
    return first.split("config.yaml:").at(-1) ?? "";
  };
  assert.equal(
    [
      await said("{decision: deny, outside: projet}"),
      await said("{decision: deny, outside: home}"),
      await said("{decision: deny, outside: true}"),
      await said("{decision: allow, tool: write_file, outside: project}"),
      await said("{decision: deny, outside: project, examples: [{command: rm ../x}, {command: rm x, matches: false}]}"),
      await said("{decision: deny, outside: project, examples: [{command: rm x}]}"),
    ],
    [
      "2:31: unknown outside `projet`; did you mean `project`?",
      "2:31: unknown outside `home`; use one of `project`",
      "2:31: `outside` must be `project`",
      "2:50: `outside` needs `decision: ask` or `deny`: nothing is allowed because it is elsewhere",
      "ok",
      "2:51: the rule does not match this example",
    ],
  );
});

test("patterns of paths mean what they say, or are refused with what to write", () =>
  withPolicy({}, async (bench) => {
    mkdirSync(join(bench.folder, "src"));
    mkdirSync(join(bench.folder, "../elsewhere"));
    symlinkSync("../elsewhere", join(bench.folder, "link"));
    const home = (await bench.open("person")).session.host.folders.home;
    /** Returns the paths that a rule with the pattern denies to be listed. */
    const denied = async (pattern: string): Promise<readonly string[] | string> => {
      bench.rules(`policy:\n  - {decision: deny, tool: list_dir, arguments: {path: "${pattern}"}}\n`);
      const opened = await bench.open("person");
      const paths = [".", "src", "..", "../elsewhere", "link", "/", "/usr", home];
      const said = await Promise.all(paths.map((path) => opened.said("list_dir", { path: path })));
      const broken = said.find((text) => text.includes("cannot be used"));
      if (broken !== undefined) return broken.split("config.yaml:2:")[1] ?? "";
      return paths
        .filter((_path, at) => said[at]?.startsWith("failed[denied]"))
        .map((path) => (path === home ? "~" : path));
    };
    assert.equal(
      [await denied("../*"), await denied("./src"), await denied("src*"), await denied("~"), await denied("../else*")],
      [["..", "../elsewhere", "link", "/", "/usr", "~"], ["src"], ["src"], [], ["../elsewhere", "link"]],
    );
    const refused = [await denied("/*"), await denied("/**"), await denied("src/"), await denied("src/../x")];
    assert.equal(refused, [
      '56: `/*` matches every path, those of the project too; write `outside: project` for what is written elsewhere, or `"*"` for any value',
      '56: `/**` matches every path, those of the project too; write `outside: project` for what is written elsewhere, or `"*"` for any value',
      "56: `src/` matches no path, because none ends with `/`; write `src` for the folder, or `src/*` for what is in it",
      "56: `src/../x` matches no path, because paths are compared without `.` and `..` behind a name; write the path that it leads to",
    ]);
    bench.rules('policy:\n  - {decision: deny, tool: list_dir, arguments: {path: ["~/*", "$HOME/*"]}}\n');
    const opened = await bench.open("person");
    assert.match(await opened.said("list_dir", { path: join(home, "nothing") }), /^failed\[denied\]: policy denies/);
    bench.rules('policy:\n  - {decision: deny, tool: web_fetch, arguments: {url: "https://example.com/"}}\n');
    assert.is(await (await bench.open("person")).said("list_dir"), "ok");
  }));

test.run();
