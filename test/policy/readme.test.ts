import { readFileSync } from "node:fs";
import { decisionsOf } from "../../src/features/explain/decisions.ts";
import { prepareCall } from "../../src/core/run/prepare.ts";
import { assert, suite } from "../harness.ts";
import { withPolicy } from "./policy-bench.ts";

const test = suite("readme");

test("the rules of the README are rules, and do what it says", async () => {
  const [, rules = ""] =
    /```yaml\n(.*?)```/s.exec(readFileSync(new URL("../../docs/policy.md", import.meta.url), "utf8")) ?? [];
  await withPolicy({}, async (bench) => {
    bench.rules(rules);
    const opened = await bench.open("person");
    assert.is(
      await opened.said("run_command", { command: "git push" }),
      "failed[denied]: policy denies `run_command`\n  <bench>/config/dottool/config.yaml:2:5: open a pull request instead",
    );
    assert.is(
      await opened.headline("write_file", { file_path: "a", content: "" }),
      "failed[denied]: `write_file` was not approved",
    );
    assert.is(await opened.headline("list_dir", {}), "ok");
    const decided = async (url: string): Promise<string | undefined> => {
      const step = await prepareCall({ id: "1", tool: "web_fetch", arguments: { url } }, opened.session);
      return "prepared" in step
        ? (await decisionsOf(step.prepared, opened.session)).find(({ frontEnd }) => frontEnd === "mcp")?.decision
        : undefined;
    };
    assert.equal(
      [
        await decided("https://docs.example.com@127.0.0.1/"),
        await decided("https://docs.example.com/x"),
        await decided("HTTPS://docs.example.com:443/x"),
      ],
      ["ask", "allow", "allow"],
    );
  });
});

test.run();
