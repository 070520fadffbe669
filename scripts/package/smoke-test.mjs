// Tests a new executable: it must start and make a call, in a folder and an environment that share nothing with this
// one.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const RUN_MS_MAX = 30_000;
const FOUND = "found.txt";
/** Windows has another `find`. */
const call =
  process.platform === "win32"
    ? { words: ["find_files", "--patterns", "*.txt"], stdout: `${FOUND}\n` }
    : { words: ["glob", ".", "-name", "*.txt"], stdout: `./${FOUND}\n` };

/** Throws an error with the output of the executable. */
export function smokeTest(file, version) {
  const folder = mkdtempSync(join(tmpdir(), "dottool-smoke-"));
  try {
    writeFileSync(join(folder, FOUND), "");
    expect(file, folder, { words: ["--version"], stdout: `dottool ${version}\n` });
    // The second run uses the caches that the first has written.
    for (let time = 0; time < 2; time++) expect(file, folder, call);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function expect(file, folder, { words, stdout }) {
  const { PATH, SystemRoot } = process.env;
  const env = { HOME: folder, PATH, ...(SystemRoot === undefined ? {} : { SystemRoot, USERPROFILE: folder }) };
  const said = spawnSync(file, words, {
    cwd: folder,
    env,
    encoding: "utf8",
    timeout: RUN_MS_MAX,
    killSignal: "SIGKILL",
  });
  if (said.error === undefined && said.status === 0 && said.stdout === stdout && said.stderr === "") return;
  const how = said.error?.message ?? (said.signal === null ? `exit code ${said.status}` : `ended by ${said.signal}`);
  throw new Error(`${[file, ...words].join(" ")} does not work: ${how}\n${said.stdout ?? ""}${said.stderr ?? ""}`);
}
