import { readModelSettings } from "../../src/features/models/model-settings.ts";
import { SECRET_FORMS } from "../../src/core/base/secret-source.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("base/model-settings");

const PATH = "/home/ana/.config/dottool/config.yaml";

function read(text: string): ReturnType<typeof readModelSettings> {
  return readModelSettings(memoryHost({ files: { [PATH]: text } }));
}

test("readModelSettings reads every kind, and takes the only provider as the default", () => {
  const settings = read(`
google_search: { key: other settings are not looked at }
secrets:
  WORK: "command:pass show 'work api'"
providers:
  default: claude
  claude: { kind: command, command: ["claude", "-p"] }
  llama:
    kind: command
    command: ~/bin/ollama run "{model}" --nowordwrap
    model: llama3.2:1b
    env: { TOKEN: env:OLLAMA_TOKEN }
  local: { kind: openai, url: "http://127.0.0.1:11434/v1/", model: llama3, key: "file:~/.keys/local", stream: false, tools: text, price: { input: 2, output: 8, cache_read: 0.5, cache_write: 2 } }
  work: &work { kind: anthropic, url: https://api.anthropic.com, model: claude-1, key: secret:WORK, max_tokens: 100, temperature: 0.5, version: 2023-06-01, tools: native, price: { input: 3, output: 15.5 } }
  again: *work
  echo: { kind: mock }
`);
  const work = {
    kind: "anthropic",
    url: "https://api.anthropic.com",
    streams: true,
    model: "claude-1",
    key: { kind: "command", argv: ["pass", "show", "work api"] },
    version: "2023-06-01",
    maxTokens: 100,
    temperature: 0.5,
    price: { input: 3, output: 15.5, cacheRead: 3, cacheWrite: 3.75 },
  };
  const sound = {
    claude: { kind: "command", argv: ["claude", "-p"], environment: new Map() },
    llama: {
      kind: "command",
      argv: ["/home/ana/bin/ollama", "run", "{model}", "--nowordwrap"],
      environment: new Map([["TOKEN", { kind: "environment", name: "OLLAMA_TOKEN" }]]),
      model: "llama3.2:1b",
    },
    local: {
      kind: "openai",
      url: "http://127.0.0.1:11434/v1",
      streams: false,
      model: "llama3",
      key: { kind: "file", path: "/home/ana/.keys/local" },
      toolsAsText: true,
      price: { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2 },
    },
    work,
    again: work,
    echo: { kind: "mock" },
  };
  assert.equal(settings, {
    path: PATH,
    default: "claude",
    problems: [],
    providers: new Map(Object.entries(sound).map(([name, provider]) => [name, { kind: "sound", provider }])),
  });
  assert.equal(read("providers: { echo: { kind: mock } }").default, "echo");
  assert.equal(read("providers: { echo: { kind: mock }, other: { kind: mock } }").default, undefined);
});

test("readModelSettings finds nothing where there is nothing", () => {
  const none = { path: PATH, providers: new Map(), problems: [] };
  assert.equal(
    [readModelSettings(memoryHost()), read(""), read("# only a comment\n"), read("google_search: { key: x }\n")],
    [none, none, none, none],
  );
});

/** A provider `p` in one line, and its problems. Places count from the start of the line. */
const broken: readonly (readonly [line: string, ...problems: readonly string[]])[] = [
  ["p: {}", "2:4: `p` has no `kind`; write one of `command`, `openai`, `anthropic`, `mock`"],
  ["p: mock", "2:4: `p` must be a map: lines below it, or pairs in `{ }`"],
  ["p:", "2:3: `p` must be a map: lines below it, or pairs in `{ }`"],
  ["p: { kind: opnai }", "2:12: unknown provider kind `opnai`; did you mean `openai`?"],
  [
    "p: { kind: telepathy }",
    "2:12: unknown provider kind `telepathy`; the kinds are `command`, `openai`, `anthropic`, `mock`",
  ],
  ["p: { kind: 4 }", "2:12: `kind` must be text; put it in quotes"],
  ["p: { kind: mock, kind: mock }", "2:18: duplicate key `kind`"],
  ["p: { kind: mock, url: x }", "2:18: a provider of kind `mock` has no key `url`; it has `kind`"],
  ["'p q': { kind: mock }", "2:16: the name `p q` of a provider must be letters, digits, `-` and `_`"],
  [
    "p: { kind: openai, modle: m, max_tokens: 1.5, url: 'http://h/v1', stream: yes }",
    "2:20: a provider of kind `openai` has no key `modle`; did you mean `model`?",
    "2:42: `max_tokens` must be a whole number from 1 to 10000000",
    "2:75: `stream` must be `true` or `false`",
  ],
  [
    "p: { kind: openai, version: 2023-06-01, url: 'http://h' }",
    "2:20: a provider of kind `openai` has no key `version`; it has `kind`, `url`, `model`, `key`, `max_tokens`, `temperature`, `stream`, `tools`, `price`",
  ],
  ["p: { kind: openai }", '2:4: has no `url`; write it like `url: "https://api.example.com/v1"`'],
  [
    "p: { kind: openai, url: localhost }",
    '2:25: `url` is not a web address; write it like `url: "https://api.example.com/v1"`',
  ],
  [
    "p: { kind: openai, url: 'ftp://h/v1' }",
    '2:25: `url` is not a web address; write it like `url: "https://api.example.com/v1"`',
  ],
  ...["http://u:SECRET@h/v1", "http://h/v1?key=SECRET", "http://h/v1#SECRET"].map((url): readonly [string, string] => [
    `p: { kind: openai, url: '${url}' }`,
    "2:25: `url` has more than an address: remove what is before `@` or after `?` and `#`, and put the key under `key`",
  ]),
  ["p: { kind: anthropic, url: 'http://h', version: '1' }", "2:49: `version` must be a date like `2023-06-01`"],
  [
    "p: { kind: anthropic, url: 'http://h', temperature: 3, model: -m }",
    "2:53: `temperature` must be a number from 0 to 2",
    "2:63: `model` must be letters, digits and `. _ : / @ + -`, and begin with a letter or digit",
  ],
  [
    "p: { kind: openai, url: 'http://h', tools: no }",
    "2:44: `tools` must be `native` (the API accepts tools) or `text` (the prompt describes them)",
  ],
  ["p: { kind: openai, url: 'http://h', price: 3 }", "2:44: `price` must be a map: lines below it, or pairs in `{ }`"],
  [
    "p: { kind: openai, url: 'http://h', price: { input: -1, ouput: 2 } }",
    "2:44: `price` has no `output`; write it like `price: { input: 3, output: 15 }`, in dollars per million tokens",
    "2:53: `input` must be a number from 0 to 1000000",
    "2:57: a price has no key `ouput`; did you mean `output`?",
  ],
  ["p: { kind: command }", '2:4: has no `command`; write it like `command: ["claude", "-p"]`'],
  ["p: { kind: command, command: [] }", "2:30: `command` names no program"],
  ["p: { kind: command, command: [claude, 1] }", "2:39: each word of `command` must be text; put numbers in quotes"],
  [
    "p: { kind: command, command: cat | sh }",
    "2:30: `command` has `|`, which only a shell understands, and no shell runs here; quote the word to use the character itself",
  ],
  ["p: { kind: command, command: 'say \"hello' }", "2:30: `command` has an unclosed quote, or ends with a backslash"],
  [
    "p: { kind: command, command: ./claude -p }",
    "2:30: `command` starts with a relative path, which depends on the working directory; write a name that is on PATH, or an absolute path",
  ],
  ["p: { kind: command, command: '{model} x' }", "2:30: `{model}` cannot be in the program name"],
  [
    "p: { kind: command, command: claude, model: m }",
    "2:45: `model` has no effect, because `command` has no `{model}`; write `{model}` where the model goes",
  ],
  [
    "p: { kind: command, command: claude, env: { 'A=B': env:X } }",
    "2:52: a variable name must be letters, digits and `_`",
  ],
];

test("readModelSettings says where a provider is wrong, and leaves the others alone", () => {
  for (const [line, ...problems] of broken) {
    const settings = read(`providers:\n${line.replace(/^/, " ")}\n  # a comment\n other: { kind: mock }\n`);
    const [name = ""] = [...settings.providers.keys()];
    // The line above is indented by one more column.
    const wanted = problems.map(
      (problem) => `${PATH}:${problem.replace(/^2:(\d+)/, (_, column) => `2:${Number(column) + 1}`)}`,
    );
    assert.equal(
      [settings.providers.get(name), settings.providers.get("other")?.kind, settings.problems],
      [{ kind: "broken", problems: wanted }, "sound", []],
      line,
    );
    assert.not.match(JSON.stringify([...settings.providers]), "SECRET");
  }
});

const SAY_WHERE = `must name the place of the secret, not its value: ${SECRET_FORMS}`;

const keys: readonly (readonly [key: string, problem: string])[] = [
  ["sk-SECRET", `\`key\` ${SAY_WHERE}`],
  ["SECRET:x", `\`key\` ${SAY_WHERE}`],
  ["vault:SECRET", "`key` has `vault:` without a place; write it like `vault:secret/PATH#FIELD`"],
  ["pass:--SECRET", "`key` has `pass:` without a place; write it like `pass:NAME`"],
  ["op://SECRET", "`key` has `op:` without a place; write it like `op://VAULT/ITEM/FIELD`"],
  ["env:sk-SECRET", "`key` has `env:` without a variable name; write it like `env:OPENAI_KEY`"],
  ["file:SECRET", "`key` has `file:` without an absolute path; write it like `file:~/.keys/openai`"],
  ["command:", "`key` has a `command:` that names no program"],
  [
    "command:bin/pass SECRET",
    "`key` has a `command:` that starts with a relative path, which depends on the working directory; write a name that is on PATH, or an absolute path",
  ],
  [
    "command:pass $SECRET",
    "`key` has a `command:` that has `$`, which only a shell understands, and no shell runs here; quote the word to use the character itself",
  ],
  ["secret:SECRET", `\`key\` names an unknown secret; add it below \`secrets:\`, as ${SECRET_FORMS}`],
  ["secret:LITERAL", `the secret \`LITERAL\` ${SAY_WHERE}`],
];

test("readModelSettings refuses a key in the file, and does not show it", () => {
  for (const [key, problem] of keys) {
    const settings = read(
      `secrets: { LITERAL: sk-SECRET }\nproviders:\n  p: { kind: openai, url: 'http://h', key: "${key}" }\n`,
    );
    assert.equal(settings.providers.get("p"), { kind: "broken", problems: [`${PATH}:3:44: ${problem}`] }, key);
    assert.not.match(JSON.stringify([...settings.providers]), "SECRET");
  }
});

const files: readonly (readonly [text: string, ...problems: readonly string[]])[] = [
  [
    "providers: [1\nb: }",
    "2:1: not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    "2:4: not valid YAML: Unexpected flow-map-end token in YAML stream",
  ],
  [
    'providers:\n  p: { key: "sk-SECRET }',
    "2:25: not valid YAML: a quote is not closed",
    "2:25: not valid YAML: Flow map in block collection must be sufficiently indented and end with a }",
  ],
  ["- providers", "1:1: must be a map, such as `providers:` with lines below it"],
  ["provider: { p: { kind: mock } }", "1:11: unknown setting `provider`; did you mean `providers`?"],
  ["providers: mock", "1:12: `providers` must be a map: lines below it, or pairs in `{ }`"],
  ["providers: { default: ecco, echo: { kind: mock } }", "1:23: there is no provider `ecco`; did you mean `echo`?"],
  ["providers: { default: [echo], echo: { kind: mock } }", "1:23: `default` must be text"],
  ["providers: { ? [a] : 1, echo: { kind: mock } }", "1:16: a key must be a string"],
];

test("readModelSettings says what is wrong with the file as a whole", () => {
  assert.equal(
    files.map(([text]) => [...read(text).problems]),
    files.map(([, ...problems]) => problems.map((problem) => `${PATH}:${problem}`)),
  );
  assert.not.match(JSON.stringify(files.map(([text]) => read(text).problems)), "SECRET");
});

test("readModelSettings uses no file that others may write or own, and none that cannot be read", () => {
  const host = memoryHost({ files: { [PATH]: "providers: { echo: { kind: mock } }" } });
  const stat = {
    kind: "file",
    sizeBytes: 1,
    mtimeMs: 0,
    ctimeMs: 0,
    mode: 0o644,
    isOwn: true,
    isOfRoot: false,
    inode: 1,
  } as const;
  const withFile = (changes: Partial<typeof host.instant>): readonly string[] => {
    const { problems, providers } = readModelSettings({ ...host, instant: { ...host.instant, ...changes } });
    assert.is(providers.size, 0);
    return problems;
  };
  assert.equal(
    [
      withFile({ stat: () => ({ ...stat, isOwn: false }) }),
      withFile({ stat: () => ({ ...stat, mode: 0o666 }) }),
      withFile({
        readBytes: () => {
          throw Object.assign(new Error("no"), { code: "EACCES" });
        },
      }),
      withFile({
        readBytes: () => {
          throw Object.assign(new Error("no"), { code: "EFBIG" });
        },
      }),
    ],
    [
      [`\`${PATH}\` belongs to another user`],
      [`\`${PATH}\` can be written by every user`],
      [`\`${PATH}\` cannot be read (EACCES)`],
      [`\`${PATH}\` has more than 1048576 bytes`],
    ],
  );
});

test.run();
