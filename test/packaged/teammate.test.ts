// From an empty folder to a teammate's machine, with the built executable: `new`, `add` from a registry, `bundle`, copy,
// run. Each machine is a namespace with a home of its own; the teammate's has no Node, no dottool, no cache and no
// network, and nothing of Ana's.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assertGolden } from "../golden.ts";
import { suite } from "../harness.ts";
import { startRegistry } from "../packages/registry-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";

const test = suite("teammate");
const root = mkdtempSync(join(tmpdir(), "dottool-teammate-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

interface Machine {
  /** Of the user, in this file system. */
  readonly home: string;
  /** Returns the line as a person types it, and what it prints. */
  run(line: string, variables?: Readonly<Record<string, string>>): string;
}

function machine(user: string, words: readonly string[]): Machine {
  const home = join(root, user);
  const inside = `/home/${user}`;
  const hidden = ["/usr/bin/node", "/usr/local/bin/node"].filter((path) => existsSync(path));
  const bubblewrap = [
    ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"],
    ...(existsSync("/lib64") ? ["--symlink", "usr/lib64", "/lib64"] : []),
    ...hidden.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--bind", home, inside, "--chdir", `${inside}/work`],
    ...["--unshare-pid", "--die-with-parent", "--clearenv", "--setenv", "HOME", inside, ...words],
  ];
  mkdirSync(join(home, "work"), { recursive: true });
  const [program = ""] = needPrograms("bwrap");
  return {
    home,
    run: (line, variables = {}) => {
      const set = Object.entries({ PATH: `${inside}/bin:/usr/bin:/bin`, ...variables });
      const own = [...bubblewrap, ...set.flatMap(([name, value]) => ["--setenv", name, value]), "/bin/sh", "-c", line];
      const { status, stdout, stderr } = spawnSync(program, own, { encoding: "utf8" });
      return `$ ${line}\n${stdout}${stderr}${status === 0 ? "" : `exit code ${status}\n`}\n`;
    },
  };
}

const shout = `Says it loudly.

@param text [required] What to say
@code return text.toUpperCase();
@tags read
`;

test("the way to a teammate is as in golden/teammate.txt", async () => {
  const registry = await startRegistry();
  await registry.publish({
    name: "@team/text",
    version: "1.2.0",
    dottool: {},
    files: { "shout.tool": shout },
  });
  const ana = machine("ana", []);
  mkdirSync(join(ana.home, "bin"));
  copyFileSync(packagedFile, join(ana.home, "bin/dottool"));
  const fromRegistry = { npm_config_registry: registry.url };
  const shown = [
    "Ana's machine\n\n",
    ana.run("dottool new todo --from 'grep -rn TODO .'"),
    ana.run("dottool check"),
    ana.run("dottool add @team/text", fromRegistry),
    ana.run("dottool bundle -o ourtools"),
  ];
  const [approval = ""] = /[0-9a-f]{64}$/m.exec(ana.run("dottool trust --package @team/text --show")) ?? [];
  shown.push(ana.run(`DOTTOOL_TRUST=${approval} dottool bundle -o ourtools`));

  const ben = machine("ben", ["--unshare-net"]);
  copyFileSync(join(ana.home, "work/ourtools"), join(ben.home, "work/ourtools"));
  mkdirSync(join(ben.home, "work/src"));
  writeFileSync(join(ben.home, "work/src/a.c"), "// TODO: free it\n");
  shown.push("Ben's machine\n\n");
  for (const line of [
    "ls -A ~ . && command -v node dottool",
    "./ourtools list --mine",
    "./ourtools todo --folder src",
    "./ourtools team/shout hello",
    "./ourtools shout hello",
    "./ourtools todo --help",
    "./ourtools --bundle-info",
    "ls -A ~",
  ])
    shown.push(ben.run(line));
  assertGolden(
    "packaged/golden/teammate.txt",
    shown
      .join("")
      .replaceAll(registry.url, "REGISTRY/")
      .replaceAll(packagedTarget, "PLATFORM")
      .replaceAll(/[0-9a-f]{64}/g, "SUM"),
  );
});

test.run();
