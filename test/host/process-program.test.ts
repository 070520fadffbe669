import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, type ProgramAnswer } from "../../src/core/host/processes/process-program.ts";
import type { Platform } from "../../src/core/tool/command.ts";
import { assert, suite } from "../harness.ts";

const test = suite("process-program");

/**
 * `files` are executable ones by name. A name that ends in `-` is not executable, and one that ends in `/` is a folder.
 */
function finding(files: readonly string[], find: (folder: string) => ProgramAnswer): ProgramAnswer {
  const folder = mkdtempSync(join(tmpdir(), "dottool-program-"));
  try {
    for (const name of files) {
      const path = join(folder, name);
      if (name.endsWith("/")) mkdirSync(path, { recursive: true });
      else {
        mkdirSync(join(path, ".."), { recursive: true });
        writeFileSync(path, "");
        chmodSync(path, name.endsWith("-") ? 0o644 : 0o755);
      }
    }
    return JSON.parse(JSON.stringify(find(folder)).replaceAll(folder, "DIR")) as ProgramAnswer;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const on =
  (platform: Platform, program: string) =>
  (folder: string): ProgramAnswer =>
    findProgram(program, {
      platform,
      cwd: folder,
      pathVariable: [`${folder}/a`, `${folder}/b`].join(platform === "windows" ? ";" : ":"),
    });

test("findProgram takes the first folder of PATH that has it", () => {
  assert.equal(finding(["a/other", "b/tool"], on("linux", "tool")), { kind: "found", path: "DIR/b/tool" });
  assert.equal(finding(["a/tool", "b/tool"], on("linux", "tool")), { kind: "found", path: "DIR/a/tool" });
});

test("findProgram passes over folders and files that are no programs", () => {
  assert.equal(finding(["a/tool-/", "b/tool-"], on("linux", "tool-")), {
    kind: "refused",
    reason: "not-executable",
    detail: "DIR/b/tool- is not executable",
  });
  assert.equal(finding(["a/tool/", "b/tool"], on("linux", "tool")), { kind: "found", path: "DIR/b/tool" });
});

test("findProgram takes a path from the folder that it is called in", () => {
  assert.equal(finding(["bin/tool"], on("linux", "bin/tool")), { kind: "found", path: "DIR/bin/tool" });
  assert.equal(findProgram("bin/tool", { platform: "linux", pathVariable: "/bin" }), {
    kind: "refused",
    reason: "file-missing",
    detail: "bin/tool",
  });
});

test("findProgram adds the extensions of Windows programs", () => {
  assert.equal(finding(["b/tool.exe"], on("windows", "tool")), { kind: "found", path: "DIR/b/tool.exe" });
  assert.equal(finding(["a/tool.com", "a/tool.exe"], on("windows", "tool.exe")), {
    kind: "found",
    path: "DIR/a/tool.exe",
  });
});

test("findProgram finds Python for Windows by the name that it has there", () => {
  assert.equal(finding(["a/python.exe"], on("windows", "python3")), { kind: "found", path: "DIR/a/python.exe" });
  assert.equal(finding(["a/python.exe", "b/python3.exe"], on("windows", "python3")), {
    kind: "found",
    path: "DIR/b/python3.exe",
  });
  assert.is(finding(["a/python"], on("linux", "python3")).kind, "refused");
});

test("findProgram refuses a batch file that Windows would run under the name", () => {
  assert.equal(finding(["a/npm.cmd", "b/npm.exe"], on("windows", "npm")), {
    kind: "refused",
    reason: "batch-file",
    detail: "DIR/a/npm.cmd",
  });
});

test.run();
