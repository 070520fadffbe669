// `dottool doctor --update` with a real registry; without the word, no registry is asked.
import { assert, suite } from "../harness.ts";
import { startRegistry } from "../packages/registry-fixture.ts";
import { testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/newest version");

test("doctor tells of a newer version when asked, and only then", async () => {
  const registry = await startRegistry();
  const project = testProject();
  const doctor = (...words: readonly string[]): Promise<ToolRun> =>
    project.run(["doctor", "--json", ...words], { environment: { npm_config_registry: registry.url } });
  const newest = ({ stdout }: ToolRun): unknown =>
    JSON.parse(stdout).findings.find(({ name }: { name: string }) => name === "newest version");
  const finding = { group: "Program", name: "newest version" };
  try {
    const fact = `\`${registry.url}\` has no package \`dottool\``;
    assert.equal(newest(await doctor("--update")), { ...finding, works: false, fact });
    await registry.publish({ name: "dottool", version: "0.0.1", files: {} });
    assert.match(JSON.stringify(newest(await doctor("--update"))), "this is the newest that");
    await registry.publish({ name: "dottool", version: "99.0.0", files: {} });
    assert.match(JSON.stringify(newest(await doctor("--update"))), "99.0.0 is published; this is 0.1.0");
    assert.is(newest(await doctor()), undefined);
  } finally {
    project.remove();
  }
});

test.run();
