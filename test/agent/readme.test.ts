import { readFileSync } from "node:fs";
import { readModelSettings } from "../../src/features/models/model-settings.ts";
import { CONVERSATIONS_MAX } from "../../src/features/agent/conversation.ts";
import { TURNS_MAX_DEFAULT } from "../../src/features/agent/limits.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("agent/readme");

test("the README of agents shows a configuration that works, and limits that hold", () => {
  const text = readFileSync(new URL("../../docs/agent.md", import.meta.url), "utf8");
  const yaml = text
    .split("\n")
    .filter((line) => /^ {4}(?!dottool)/.test(line))
    .join("\n");
  const {
    problems,
    providers,
    default: chosen,
  } = readModelSettings(memoryHost({ files: { "/home/ana/.config/dottool/config.yaml": yaml } }));
  assert.equal(
    [problems, chosen, [...providers].map(([name, { kind }]) => `${name} ${kind}`)],
    [[], "local", ["local sound", "old sound", "claude sound"]],
  );
  assert.equal(
    [text.includes(`last ${CONVERSATIONS_MAX} conversations`), text.includes(`--max-turns ${TURNS_MAX_DEFAULT}\``)],
    [true, true],
  );
});

test.run();
