// What `docs/install.md` says of removing dottool: its own commands, run in a home where everything was used once, leave
// nothing of it there.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { writePackage } from "../packages/package-fixture.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("uninstall");
const root = mkdtempSync(join(tmpdir(), "dottool-uninstall-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const docs = readFileSync(new URL("../../docs/install.md", import.meta.url), "utf8");

test("the commands of docs/install.md remove all that dottool has stored for a user", () => {
  const home = join(root, "home");
  const project = join(root, "project");
  const program = join(home, ".local/bin/dottool");
  for (const folder of [dirname(program), project, join(home, ".claude")]) mkdirSync(folder, { recursive: true });
  copyFileSync(packagedFile, program);
  writePackage(join(root, "words"));
  const run = (line: string): number | null =>
    spawnSync("/bin/sh", ["-c", line], {
      cwd: project,
      env: { HOME: home, PATH: `${dirname(program)}:/usr/bin:/bin` },
      stdio: "ignore",
    }).status;
  const used = [
    "dottool init",
    "dottool new todo --from 'grep -rn TODO .'",
    "DOTTOOL_TRUST=$(dottool trust --show | tail -n 1 | grep -oE '[0-9a-f]{64}') dottool trust",
    "dottool hello World",
    "dottool bundle -o ours && ./ours hello World",
    "dottool add ../words",
    "dottool add --user ../words",
    "dottool hook install claude --yes",
    "printf '' | dottool mcp",
    "dottool hook uninstall claude --yes",
  ];
  assert.equal(
    used.filter((line) => run(line) !== 0),
    [],
  );
  const before = readdirSync(home, { recursive: true }) as string[];
  assert.ok([".config/dottool", ".local/state/dottool", ".cache/dottool"].every((path) => before.includes(path)));

  const [, section = ""] = docs.split("## Uninstall");
  const ofScript = /`install\.sh` \| `([^`]+)`/.exec(section)?.[1] ?? "";
  const ofFolders = [...section.matchAll(/^\$ (rm -r [^#\n]+)/gm)].map(([, line = ""]) => line.trim());
  assert.equal([ofScript, ...ofFolders].map(run), [0, 0, 0, 0]);
  const left = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  assert.equal(
    left.map(({ name }) => name),
    [],
  );
});

test.run();
