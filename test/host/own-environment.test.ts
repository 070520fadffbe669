import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";

const test = suite("own-environment");

const module = fileURLToPath(new URL("../../src/core/host/processes/own-environment.ts", import.meta.url));
const runtime = "Deno" in globalThis ? ["eval", "--ext=ts"] : ["--input-type=module", "--eval"];

/** Returns what a process sees of itself after it has hidden its environment, and what its child finds in /proc. */
function hiding(environment: Readonly<Record<string, string>>): unknown {
  const code = `
    import { spawnSync } from "node:child_process";
    import { readFileSync } from "node:fs";
    import process from "node:process";
    import { hideOwnEnvironment } from ${JSON.stringify(module)};
    const all = () => JSON.stringify(Object.entries(process.env).sort());
    const before = all();
    const isHidden = hideOwnEnvironment();
    const shown = (text) => text.split("\\0").filter((entry) => entry !== "");
    const child = spawnSync("/bin/sh", ["-c", "tr '\\\\0' '\\\\n' < /proc/$PPID/environ | tr -s '\\\\n'; printf '%s' \\"$SECRET\\""], { encoding: "utf8" });
    const isSame = all() === before;
    process.stdout.write(JSON.stringify({ isHidden, isSame, secret: process.env.SECRET, shown: shown(readFileSync("/proc/self/environ", "latin1")), child: child.stdout.trim() }));
  `;
  return JSON.parse(spawnSync(process.execPath, [...runtime, code], { encoding: "utf8", env: environment }).stdout);
}

const isLinux = process.platform === "linux";

for (const [what, environment, shown] of [
  [
    "nothing but the variable of its run",
    { SECRET: "canary", PATH: "/usr/bin:/bin", HOME: "/nowhere", DOTTOOL_RUN_ID: "a:b" },
    ["DOTTOOL_RUN_ID=a:b"],
  ],
  [
    "nothing of many long values",
    {
      SECRET: "canary",
      PATH: "/usr/bin:/bin",
      HOME: "/nowhere",
      ...Object.fromEntries(Array.from({ length: 200 }, (_one, index) => [`V${index}`, "x=é\n".repeat(index)])),
    },
    [],
  ],
] as const)
  if (isLinux)
    test(`hideOwnEnvironment shows other processes ${what}, and the program and its children have all of it`, () => {
      assert.equal(hiding(environment), {
        isHidden: true,
        isSame: true,
        secret: "canary",
        shown,
        child: [...shown, "canary"].join("\n"),
      });
    });

test.run();
