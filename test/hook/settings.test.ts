// Hooks in the settings of other agents: put in, found again, and taken out without a trace.
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { clientNames } from "../../src/features/hook/formats.ts";
import { hookSettings } from "../../src/features/hook/settings.ts";
import { amount, seed } from "../amount.ts";
import { assert, present, suite } from "../harness.ts";

const test = suite("hookSettings");
const host = createNodeHost();
const settings = hookSettings("claude", { host, cwd: "/work", isProject: true });
const entry = { matcher: "*", hooks: [{ type: "command", command: "dottool hook claude || exit 2", timeout: 60 }] };

const texts: readonly string[] = [
  "{}",
  '{\n  "model": "opus"\n}\n',
  '{\r\n\t"model": "opus"\r\n}\r\n',
  "",
  "\n",
  '{\n  "hooks": {\n    "Stop": []\n  }\n}',
  '{\n    "hooks": {\n        "Stop": [\n            {\n                "hooks": []\n            }\n        ]\n    },\n    "model": "opus"\n}',
  '{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n        "hooks": []\n      }\n    ]\n  }\n}\n',
];

test("what is put in is found again, and taken out without a trace", () => {
  for (const text of texts) {
    const added = settings.added(text);
    assert.ok(added !== text, text);
    assert.is(settings.added(added), added, "a second time changes nothing");
    assert.is(settings.removed(added), text.trim() === "" ? undefined : text, text);
    assert.is(settings.removed(text), text);
  }
});

test("a list that was empty before goes with the hook", () => {
  const rows = [
    ['{"hooks": {}}', "{}"],
    ['{"hooks": {"PreToolUse": []}}', "{}"],
    ['{"hooks": {"PreToolUse": [ ], "Stop": []}}', '{\n  "hooks": {\n    "Stop": []\n  }\n}'],
  ] as const;
  assert.equal(
    rows.map(([text]) => settings.removed(settings.added(text))),
    rows.map(([, left]) => left),
  );
});

function parsed(text: string): { hooks?: { PreToolUse?: unknown[] } } {
  return JSON.parse(text) as ReturnType<typeof parsed>;
}

test("blanks are written as in most files", () => {
  assert.is(
    settings.removed(settings.added('{"model": "opus", "hooks": { "Stop": [] }}')),
    '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}',
  );
});

test("nothing else changes its meaning", () => {
  for (const text of texts) {
    const [before, after] = [parsed(text.trim() === "" ? "{}" : text), parsed(settings.added(text))];
    const list = present(after.hooks?.PreToolUse);
    assert.equal(list.at(-1), entry, text);
    const meant = { ...before, hooks: { ...before.hooks, PreToolUse: [...(before.hooks?.PreToolUse ?? []), entry] } };
    assert.equal(after, meant, text);
  }
});

test("so it is with any settings, however they are written", () => {
  let state = seed;
  const random = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % count;
  };
  const value = (depth: number): unknown => {
    switch (random(depth > 3 ? 4 : 6)) {
      case 0:
        return random(1_000) / 8;
      case 1:
        return ["", "a,b", '}"]', "// no", "\u{1f600}\n"][random(5)];
      case 2:
        return null;
      case 3:
        return true;
      case 4:
        return Array.from({ length: random(4) }, () => value(depth + 1));
      default:
        return Object.fromEntries(Array.from({ length: random(4) }, (_, index) => [`k${index}`, value(depth + 1)]));
    }
  };
  for (let count = 0; count < amount(300, 20_000); count++) {
    const hooks = [
      undefined,
      undefined,
      { Stop: value(2) },
      { PreToolUse: [{ matcher: "x", hooks: [] }, { a: value(3) }] },
    ][random(4)];
    const root = { ...(random(2) === 0 ? { first: value(0) } : {}), ...(hooks ? { hooks } : {}), last: value(0) };
    const text = JSON.stringify(root, undefined, [1, 2, 4, "\t"][random(4)]);
    const added = settings.added(text);
    const list = (hooks as { PreToolUse?: unknown[] } | undefined)?.PreToolUse ?? [];
    assert.equal(JSON.parse(added), { ...root, hooks: { ...hooks, PreToolUse: [...list, entry] } });
    assert.is(settings.removed(added), text);
  }
});

test("a file that is no JSON, or not as the client expects, is refused", () => {
  const broken = [
    '{"model": "opus", // mine\n}',
    '{"model": "opus",}',
    '{"model": "a", "model": "b"}',
    '{"size": 12345678901234567890}',
    "\ufeff{}",
    "{",
    "[",
    '{"a": }',
    '{"a": 1 "b": 2}',
    "{a: 1}",
    "{'a': 1}",
    '{"a": 01}',
    '{"a": "\n"}',
    '{"a": 1}}',
    "[]",
    '{"hooks": []}',
    '{"hooks": {"PreToolUse": {}}}',
    '{"hooks": {}, "hooks": {}}',
    "[".repeat(10_000),
    "/*",
  ];
  const taken = broken.filter((text) => {
    try {
      settings.added(text);
      return true;
    } catch {
      return false;
    }
  });
  assert.equal(taken, []);
});

test("a new file holds the hook alone, and goes with it", () => {
  for (const client of clientNames) {
    const own = hookSettings(client, { host, cwd: "/work", isProject: true });
    const text = own.added(undefined);
    assert.is(own.removed(text), undefined, client);
    assert.is(own.added(text), text);
    assert.match(text, client === "opencode" ? '["hook", "opencode"]' : `dottool hook ${client}`);
  }
});

test("settings are where the clients read them", () => {
  const places = (isProject: boolean): readonly string[] =>
    clientNames.map(
      (client) =>
        hookSettings(client, {
          host: { ...host, folders: { ...host.folders, home: "/home/ana" }, environment: () => undefined },
          cwd: "/work",
          isProject,
        }).path,
    );
  assert.equal(places(false), [
    "/home/ana/.claude/settings.json",
    "/home/ana/.gemini/settings.json",
    "/home/ana/.codex/hooks.json",
    "/home/ana/.config/opencode/plugins/dottool.js",
    "/home/ana/.copilot/hooks/dottool.json",
  ]);
  assert.equal(places(true), [
    "/work/.claude/settings.json",
    "/work/.gemini/settings.json",
    "/work/.codex/hooks.json",
    "/work/.opencode/plugins/dottool.js",
    "/work/.github/hooks/dottool.json",
  ]);
});

test.run();
