import { configProblems } from "../../src/core/base/config-problems.ts";
import { assert, suite } from "../harness.ts";

const test = suite("configProblems");

test("configProblems says what nobody reads, and what has another type", () => {
  const text = [
    "web_serch: { engine: brave }",
    "colour: red",
    "google_search: text",
    "web_search: { engine: [brave], urls: x, key: 5 }",
    "web: { allow_hosts: [a, b] }",
    "providers: 3",
    "",
  ].join("\n");
  assert.equal(configProblems(text), [
    { section: "web_search", text: "1:12: unknown setting `web_serch`; did you mean `web_search`?" },
    {
      section: undefined,
      text: "2:9: unknown setting `colour`; the settings are `google_search`, `web_search`, `web`, `mcp`, `forge`, `queue`, `sigstore`, `sandbox`, `providers`, `secrets`, `mcp_servers`, `policy`, `audit`, `resident`",
    },
    { section: "google_search", text: "3:16: `google_search` must be a map: lines below it, or pairs in `{ }`" },
    { section: "web_search", text: "4:32: `web_search` has no key `urls`; did you mean `url`?" },
    { section: "web_search", text: "4:23: `engine` must be text" },
    { section: "web_search", text: "4:46: `key` must be text; put it in quotes" },
  ]);
});

test("configProblems says which approvals over MCP there are", () => {
  assert.equal(configProblems("mcp: { approval: aks }\n"), [
    { section: "mcp", text: "1:18: `approval` must be `trusted` or `ask`" },
  ]);
  assert.equal(configProblems("mcp:\n  approval: ask\n"), []);
});

test("configProblems takes true and false for `forge`", () => {
  assert.equal(configProblems("forge: { allow: yes }\n"), [
    { section: "forge", text: "1:17: `allow` must be `true` or `false`" },
  ]);
  assert.equal(configProblems("forge: { allow: true }\n"), []);
});

test("configProblems has nothing to say of sound settings, and of what is no YAML", () => {
  assert.equal(configProblems('web: { allow_hosts: "a b" }\ngoogle_search: { key: x }\n'), []);
  assert.equal(configProblems("a: [\n"), []);
  assert.equal(configProblems(""), []);
});

test("configProblems says what is wrong with `sandbox`", () => {
  const text = (more: string): readonly string[] =>
    configProblems(`sandbox: { ${more} }\n`).map((problem) => problem.text.replace(/^\d+:\d+: /, ""));
  assert.equal(text("level: strict, read_tools: limits, best_effort: true, reads: [~/.cargo, /opt], custom: [a]"), []);
  assert.equal(text("level: strickt, read_tools: custom, best_effort: yes, reads: [a], custom: docker"), [
    "`level` must be one of `none`, `limits`, `strict`, `custom`",
    "`a` in `reads` must begin with `/` or `~/`",
    "`custom` must be a list of words, such as `[docker, run, --rm, -i, IMAGE]`",
    "`best_effort` must be `true` or `false`",
  ]);
  assert.equal(text("level: custom"), ["the level `custom` needs `custom`, the words before the command"]);
});

test.run();
