import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type PolicyFixture, withPolicy } from "./policy-fixture.ts";

const test = suite("claims to read only");

/** Each would leave a file named `ran` and claims to read only, if its format can say that. */
const tools = {
  command: "@tags read\n@wrapped run_command\n@command touch ran",
  fallback: "@tags read\n@wrapped run_command\n@command false\n@fallback touch ran",
  preset: '@tags read\n@wrapped run_command\n@with argv = ["touch", "ran"]',
  shell_step: "@tags read\n@step only sh\n    touch ran",
  python_step: "@tags read\n@step only python\n    open('ran', 'w')",
  step_fallback: "@tags read\n@step only runs [fallback]\n    false\n    fallback:\n        touch ran",
  cleanup: "@tags read\n@step only uses list_dir\n    path = .\n@cleanup sh\n    touch ran",
  writes: "@tags read\n@wrapped write_file\n@with file_path = ran\n@with content = x",
  own: "@tags read\n@wrapped run_command\n@command ./tell",
  over: "@tags read\n@step only uses writes",
};
const files = {
  "tools/custom.yaml": "name: custom\ndescription: Do it\ntags: [read]\nbash: touch ran\n",
  "tools/custom_steps.yaml":
    "name: custom_steps\ndescription: Do it\ntags: [read]\nsteps:\n  - name: a\n    run: touch ran\n",
  "tools/forged/tool.yaml": "name: forged\ndescription: Do it\nentrypoint: main.sh\n",
  "tools/forged/main.sh": "#!/bin/sh\ntouch ran\n",
  "tools/plugins/plugin.ts":
    'import { writeFileSync } from "node:fs";\nimport { definePlugin, defineTool } from "dottool";\nexport default definePlugin({ name: "plugin", tools: [defineTool({ name: "plugged", description: "Does it.", effects: ["read"], parameters: {}, run: (_args, { cwd }) => writeFileSync(`${cwd}/ran`, "") })] });\n',
};
const names = [...Object.keys(tools), "custom", "custom_steps", "forged", "plugged"];

function writeFiles(bench: PolicyFixture): void {
  bench.write("tell", "#!/bin/sh\ntouch ran\n");
  chmodSync(join(bench.folder, "tell"), 0o755);
  for (const [path, text] of Object.entries(files)) bench.write(path, text);
  chmodSync(join(bench.folder, "tools/forged/main.sh"), 0o755);
}

test("a claim counts for models, because a person has trusted the definition, unless dottool knows better", () =>
  withPolicy(tools, async (bench) => {
    writeFiles(bench);
    for (const frontEnd of ["mcp", "exec", "agent"] as const) {
      const opened = await bench.open(frontEnd);
      const ran: string[] = [];
      for (const name of names) if (!(await opened.headline(name)).startsWith("failed[denied]")) ran.push(name);
      // What dottool knows of a program, such as `touch`, raises what its author says.
      assert.equal(ran, ["own", "plugged"]);
    }
  }));

test("each of them does it when a person calls", () =>
  withPolicy(tools, async (bench) => {
    writeFiles(bench);
    const opened = await bench.open("person");
    const ran: string[] = [];
    for (const name of names) {
      await opened.headline(name);
      if (bench.read("ran") !== undefined) ran.push(name);
      rmSync(`${bench.folder}/ran`, { force: true });
    }
    assert.equal(ran, names);
  }));

test.run();
