// What is suggested and explained at each kind of place; the mark `|>` is the cursor.
import { assemble } from "../../src/core/session/assemble.ts";
import type { KnownAround } from "../../src/core/language/author-help.ts";
import { optionNames } from "../../src/core/language/fields/options.ts";
import { plainTypeNames } from "../../src/core/language/fields/types.ts";
import { annotationKinds } from "../../src/core/language/syntax/annotations.ts";
import { authorHelp } from "../../src/features/lsp/answers.ts";
import { languageDocs } from "../../src/generated/language-docs.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("lsp suggestions");

async function inProject(use: (around: KnownAround) => Promise<void>): Promise<void> {
  using project = testProject({
    ".tools/note.tool": "Shows.\n\n@name note\n@command cat -- n/{file}\n@param file {string} [required] Its name\n",
  });
  const { session } = await assemble({ cwd: project.folder, withoutPlugins: true });
  await session.registry.complete();
  await use({ registry: session.registry, secrets: ["github"] });
}

/** Text with the cursor, the texts that are suggested (`…` for more), and what they replace. */
const places: readonly (readonly [text: string, suggested: string, replaced: string, path?: string])[] = [
  ["@na|>", "@name @title @description …", "@na"],
  ["@name a\n@na|>", "@title @description @wrapped …", "@na"],
  ["@wrapped no|>", "Edit Read …", "no"],
  ["@wrapped web_fetch\n@with |>", "url format max_bytes", ""],
  ["@wrapped web_fetch\n@with format = r|>", "markdown text raw base64", "r"],
  ["@param x {st|>} [required] Text", "string integer number …", "st"],
  ["@type Edit {object} One\n@param x {array<E|>", "… Edit", "E"],
  ["@param x {string} [re|>]", "required optional default …", "re"],
  ['@param x {"one"|"two"} [default=|>]', "one two", ""],
  ["@param x {boolean} [default=t|>]", "true false", "t"],
  ["@command echo {|>\n@param x {string} Text", "x", ""],
  ["@step a uses n|>", "Edit Read …", "n"],
  ["@step a uses note\n    |>", "file", ""],
  ["@step a uses web_fetch\n    format = |>", "markdown text raw base64", ""],
  ["@step a r|>", "runs sh bash …", "r"],
  ["@step a runs [re|>", "when retry delay …", "re"],
  ["@step a runs\n    ls\n@step b runs [wait-for=|>", "a", ""],
  ["@step a runs\n    ls\n@step b runs [when={a.|>", "output stdout stderr exit-code ok json value", ""],
  ["@step a runs\n    ls\n@step b runs [when={a.output} c|>", "contains matches", "c"],
  ["@cleanup r|>", "runs sh bash …", "r"],
  ["@tags r|>", "read write run network", "r"],
  ["@sandbox |>", "none limits strict custom", ""],
  ["@shell p|>", "bash sh zsh …", "p"],
  ["@env TOKEN=secret:|>", "github", ""],
  ["@name x\n\nstray te|>", "", ""],
  ["@title Some w|>", "", ""],
  ["na|>", "name: description: …", "na", "a.yaml"],
  ["parameters:\n  x:\n    ty|>", "type: items: description: …", "ty", "a.yaml"],
  ["parameters:\n  x:\n    type: |>", "string number boolean …", "", "a.yaml"],
  ["steps:\n  - name: a\n    |>", "name: bash: cmd: …", "", "a.yaml"],
  ["steps:\n- use-tool: n|>", "Edit Read …", "n", "a.yaml"],
  ["bash: |\n  some te|>", "", "", "a.yaml"],
];

test("each place has its suggestions", async () => {
  await inProject(async (around) => {
    for (const [marked, expected, replaced, path = "x.tool"] of places) {
      const offset = marked.indexOf("|>");
      const text = marked.slice(0, offset) + marked.slice(offset + 2);
      const found = authorHelp.suggestions({ path, text }, offset, around);
      const all = found.map((one) => one.text).join(" ");
      const [start = "", end = ""] = expected.split("…").map((part) => part.trim());
      if (expected.includes("…")) assert.ok(all.startsWith(start) && all.endsWith(end), `${marked}: ${all}`);
      else assert.is(all, expected, marked);
      const [first] = found;
      if (first) assert.is(text.slice(first.span.start, offset), replaced, marked);
    }
  });
});

/** Text with the cursor, and the first line of what is explained. */
const words: readonly (readonly [text: string, explained: string | undefined, path?: string])[] = [
  ["@wr|>apped web_fetch", "`@wrapped TOOL`"],
  ["@wrapped no|>te", "**Note** `note`"],
  [
    "@wrapped web_fetch\n@with for|>mat = text",
    '`format` of `web_fetch` ("markdown"|"text"|"raw"|"base64", default markdown)',
  ],
  ["@name a\n@command echo {x|>}\n@param x {url} [required, secret] Text", "`x` of this tool (url, required, secret)"],
  [
    "@name a\n@command echo {x} {y|>}\n@param x {url} Text\n@param y {integer} [min=1] Text",
    "`y` of this tool (integer, at least 1)",
  ],
  ["@param x {u|>rl} Text", "`url`: http or https"],
  ["@param x {url} [requ|>ired] Text", "`required`: whether a caller must give it"],
  ["@step a ru|>ns [once]", "`runs`: one command, as in `@command`"],
  ["@title So|>me", undefined],
  ["steps:\n  - na|>me: x", "`name`: its name; other steps read its output as `{NAME.output}`", "a.yaml"],
  ["steps:\n  - use-tool: no|>te", "**Note** `note`", "a.yaml"],
];

test("each word is explained", async () => {
  await inProject(async (around) => {
    for (const [marked, expected, path = "x.tool"] of words) {
      const offset = marked.indexOf("|>");
      const found = authorHelp.explained(
        { path, text: marked.slice(0, offset) + marked.slice(offset + 2) },
        offset,
        around,
      );
      assert.is(found?.text.split("\n", 1)[0], expected, marked);
    }
  });
});

test("texts of others are shown without characters that hide or turn", async () => {
  using project = testProject({ ".tools/odd.tool": "Shows \u202e\u200b what.\n\n@name odd\n@command ls\n" });
  const { session } = await assemble({ cwd: project.folder, withoutPlugins: true });
  await session.registry.complete();
  const around = { registry: session.registry, secrets: [] };
  const found = authorHelp.explained({ path: "x.tool", text: "@wrapped odd" }, 10, around);
  assert.ok(found?.text.includes("Shows \\u{202e}\\u{200b} what"), found?.text);
});

test("every annotation, type and option has a description", () => {
  for (const keyword of annotationKinds.keys()) assert.ok(languageDocs.annotations[keyword], keyword);
  for (const type of plainTypeNames) assert.ok(languageDocs.types[type], type);
  for (const option of optionNames) assert.ok(languageDocs.parameterOptions[option], option);
});

test.run();
