// Every place that the tables call data is tried with values that would leave a mark, through the gate and with the
// real programs.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { honestRows, parameters } from "../builder/effects-rows.ts";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { withPolicy } from "./policy-fixture.ts";

const test = suite("places of data");

/** Values with which programs have been made to run, write or remove something. */
const values = [
  "$(touch mark)",
  "`touch mark`",
  "|touch mark",
  "!touch mark",
  ";touch mark;",
  "a\ntouch mark\n",
  "e touch mark",
  "w mark",
  "ext::sh -c touch% mark",
  "--pre=./mark.sh",
  "--output=mark",
  "-omark",
  "--to-command=./mark.sh",
  "-delete",
  "mark",
  "@mark.sh",
];
const commandRows = honestRows.filter(([lines, ...others]) => lines.startsWith("@command ") && others.length === 0);

function isHere([lines]: (typeof honestRows)[number]): boolean {
  const [program = ""] = lines.slice("@command ".length).split(/\s/);
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => existsSync(join(folder, program)));
}

function textOf(lines: string): string {
  const used = new Set([...lines.matchAll(/\{([a-z]+)/g)].map(([, name = ""]) => name));
  const declared = [...used].filter((name) => parameters[name] !== undefined);
  const params = declared.map((name) => `@param ${name} ${parameters[name] ?? ""} It`);
  return ["@wrapped run_command", lines, ...params, "@tags read"].join("\n");
}

function argumentFor({ schema }: Parameter, value: string): Json | undefined {
  switch (schema.type) {
    case "array":
      return [argumentFor({ name: "", description: "", required: true, schema: schema.items }, value) ?? value];
    case "string":
      return schema.choices?.[0] ?? value;
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "object":
      return undefined;
  }
}

/** Makes a repository with one commit. Without git, its rows are not tried. */
function makeRepository(folder: string): void {
  if (!isHere(["@command git"])) return;
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
  const commands = [
    ["init", "-q"],
    ["add", "keep"],
    [...identity, "commit", "-qm", "a"],
  ];
  for (const words of commands) execFileSync("git", words, { cwd: folder, stdio: "ignore" });
}

test("no value makes a program run, write or remove anything there", () => {
  const rows = commandRows.filter(isHere);
  const tools = Object.fromEntries(rows.map(([lines], index) => [`t${index}`, textOf(lines)]));
  return withPolicy(tools, async (bench) => {
    const opened = await bench.open("person");
    bench.write("mark.sh", "#!/bin/sh\n: > mark\n");
    bench.write("keep", "a\n");
    makeRepository(bench.folder);
    const before = bench.list(".");
    for (const [index, [lines]] of rows.entries()) {
      const tool = await opened.session.registry.resolve(`t${index}`);
      // Every value is tried in every eighth place.
      for (const value of someOf(values, 8, index)) {
        const given = (tool?.parameters ?? []).map((one) => [one.name, argumentFor(one, value)] as const);
        const args = Object.fromEntries(given.filter(([, argument]) => argument !== undefined)) as JsonObject;
        await opened.said(`t${index}`, args);
        assert.equal([lines, value, bench.list(".")], [lines, value, before]);
      }
    }
  });
});

test.run();
