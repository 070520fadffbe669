// The bundled tools as Windows has them. What they do in process is tried here with that platform pretended; programs of
// Windows are stood in for by scripts that print what those print.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool } from "../src/core/run/call-tool.ts";
import { runToolTests } from "../src/features/check/run-tool-tests.ts";
import { bundledWindowsTools } from "../src/generated/bundled-windows-tools.ts";
import type { JsonObject } from "../src/core/schema/json.ts";
import type { Parameter } from "../src/core/schema/parameter.ts";
import { type CheckFixture, type CheckFixtureOptions, withCheckFixture } from "./check/check-fixture.ts";
import { assert, suite } from "./harness.ts";

const test = suite("wrapped-windows-tools");
const signal = new AbortController().signal;

function onWindows(options: CheckFixtureOptions, body: (bench: CheckFixture) => Promise<void>): Promise<void> {
  return withCheckFixture({ ...options, platform: "windows" }, body);
}

test("every bundled tool runs on Windows, with the same effects as elsewhere", async () => {
  const effectsOf = ({ session, names }: CheckFixture): JsonObject =>
    Object.fromEntries(names.map((name) => [name, [...(session.registry.find(name)?.effects ?? [])].sort()]));
  let elsewhere: JsonObject = {};
  await withCheckFixture({}, async (bench) => void (elsewhere = effectsOf(bench)));
  await onWindows({}, async (bench) => {
    const { session, names } = bench;
    assert.equal(
      names.filter((name) => session.registry.find(name)?.definition.platforms?.includes("windows") === false),
      [],
    );
    // A script of PowerShell may run any text.
    assert.equal(effectsOf(bench), { ...elsewhere, date_convert: ["read", "run"] });
  });
});

test("each has a file of its name, words, a title, an example and a test", () => {
  for (const { fileName, summary, text } of bundledWindowsTools) {
    assert.is(fileName, `${summary.name}.windows.tool`);
    assert.equal([summary.name, summary.platforms], [summary.name, ["windows"]]);
    assert.match(text, /^@title .*\n[^]*^@example [^]*^@test /m);
  }
});

/** What a caller sees of a parameter, without words and what the command makes of it. */
function accepted({ name, schema, required, default: value }: Parameter): JsonObject {
  const { type, ...others } = schema;
  return JSON.parse(JSON.stringify({ name, type, others, required, value: value ?? null })) as JsonObject;
}

test("they take the same parameters on each platform", async () => {
  const taken: JsonObject[] = [];
  for (const platform of ["linux", "windows"] as const)
    await withCheckFixture({ platform }, async ({ session, names }) => {
      taken.push(
        Object.fromEntries(names.map((name) => [name, (session.registry.find(name)?.parameters ?? []).map(accepted)])),
      );
    });
  assert.equal(taken[1], taken[0]);
});

test("the own tests pass of those that work in process", async () => {
  const inProcess = ["disk_usage", "file_type", "glob", "head", "ls", "sort_lines", "tail", "tree", "word_count"];
  await onWindows({}, async ({ session }) => {
    const results = await runToolTests(session, inProcess, { signal });
    assert.equal(
      results.filter(({ kind }) => kind !== "passed"),
      [],
    );
    assert.equal([...new Set(results.map(({ tool }) => tool))].sort(), inProcess);
  });
});

/** Returns what a tool prints where `scripts` are the programs of Windows. */
async function printed(scripts: Readonly<Record<string, string>>, tool: string, args: JsonObject): Promise<string> {
  const programs = mkdtempSync(join(tmpdir(), "dottool-programs-"));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  let text = "";
  try {
    await onWindows({ programs, files: { "a.txt": "hello", "b.txt": "" } }, async ({ session }) => {
      const result = await callTool({ id: "1", tool, arguments: args }, session, signal);
      text = result.content.map((item) => (item.type === "text" ? item.text : item.type)).join("");
    });
  } finally {
    rmSync(programs, { recursive: true });
  }
  return text;
}

test("checksum reads what certutil prints, old and new", async () => {
  const hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
  const old = hash.replace(/..(?!$)/g, "$& ");
  const certutil = `printf 'SHA256-Hash von %s:\\r\\n%s\\r\\nCertUtil: -hashfile-Befehl wurde erfolgreich ausgeführt.\\r\\n' "$2" "${hash}"`;
  assert.is(await printed({ certutil }, "checksum", { files: ["a.txt", "b.txt"] }), `${hash}  a.txt\n${hash}  b.txt\n`);
  assert.is(
    await printed({ certutil: certutil.replace(hash, old) }, "checksum", { files: ["a.txt"] }),
    `${hash}  a.txt\n`,
  );
});

test("port_list reads what netstat prints in any language", async () => {
  const rows = [
    "",
    "Aktive Verbindungen",
    "",
    "  Proto  Lokale Adresse         Remoteadresse          Status           PID",
    "  TCP    0.0.0.0:135            0.0.0.0:0              ABHÖREN         1004",
    "  TCP    10.0.0.5:50122         10.0.0.9:443           HERGESTELLT     4711",
    "  TCP    [::]:445               [::]:0                 ABHÖREN         4",
    "  UDP    0.0.0.0:5353           *:*                                    2816",
  ];
  const netstat = `printf '%s\\r\\n' ${rows.map((row) => `'${row}'`).join(" ")}`;
  const tcp = "TCP  0.0.0.0:135                    1004\nTCP  [::]:445                       4\n";
  assert.is(await printed({ netstat }, "port_list", {}), tcp);
  assert.is(await printed({ netstat }, "port_list", { udp: true }), `${tcp}UDP  0.0.0.0:5353                   2816\n`);
});

test("process_list puts the largest first", async () => {
  const rows = ['"System","4","Services","0","136 K"', '"code.exe","4711","Console","1","1.220.136 K"'];
  const tasklist = `printf '%s\\r\\n' ${rows.map((row) => `'${row}'`).join(" ")}`;
  assert.is(
    await printed({ tasklist }, "process_list", { order: "rss" }),
    [
      "    PID SESSION            MEMORY COMMAND",
      "   4711 Console       1.220.136 K code.exe",
      "      4 Services            136 K System",
      "",
    ].join("\n"),
  );
});

test("disk_free shows the drive of a path", async () => {
  const powershell = "printf 'C:\\\\ 107374182400 53687091200\\r\\nD:\\\\ 1073741824 1073741824\\r\\n'";
  const head = "Filesystem       Size       Used      Avail       Use%\n";
  const c = "       C:\\     100.0G      50.0G      50.0G        50%\n";
  assert.is(await printed({ powershell }, "disk_free", { path: "c:\\Users" }), head + c);
  assert.is(
    await printed({ powershell }, "disk_free", {}),
    `${head}${c}       D:\\       1.0G       0.0G       1.0G         0%\n`,
  );
});

test.run();
