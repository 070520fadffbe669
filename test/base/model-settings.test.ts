import { readModelSettings } from "../../src/base/model-settings.ts";
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

/** A provider `p` in one line, and what is wrong with it; places count from the start of the line. */
const broken: readonly (readonly [line: string, ...problems: readonly string[]])[] = [
  ["p: {}", "2:4: `p` has no `kind`; write one of `command`, `openai`, `anthropic`, `mock`"],
  ["p: mock", "2:4: `p` has to be a map: lines below it, or pairs in `{ }`"],
  ["p:", "2:3: `p` has to be a map: lines below it, or pairs in `{ }`"],
  ["p: { kind: opnai }", "2:12: there is no kind of provider `opnai`; did you mean `openai`?"],
  [
    "p: { kind: telepathy }",
    "2:12: there is no kind of provider `telepathy`; there are `command`, `openai`, `anthropic`, `mock`",
  ],
  ["p: { kind: 4 }", "2:12: `kind` has to be text; put it in quotes"],
  ["p: { kind: mock, kind: mock }", "2:18: `kind` is there twice"],
  ["p: { kind: mock, url: x }", "2:18: a provider of kind `mock` has no `url`; it has `kind`"],
  ["'p q': { kind: mock }", "2:16: the name `p q` of a provider has to be letters, digits, `-` and `_`"],
  [
    "p: { kind: openai, modle: m, max_tokens: 1.5, url: 'http://h/v1', stream: yes }",
    "2:20: a provider of kind `openai` has no `modle`; did you mean `model`?",
    "2:42: `max_tokens` has to be a whole number from 1 to 10000000",
    "2:75: `stream` has to be `true` or `false`",
  ],
  [
    "p: { kind: openai, version: 2023-06-01, url: 'http://h' }",
    "2:20: a provider of kind `openai` has no `version`; it has `kind`, `url`, `model`, `key`, `max_tokens`, `temperature`, `stream`, `tools`, `price`",
  ],
  ["p: { kind: openai }", '2:4: has no `url`; write it like `url: "https://api.example.com/v1"`'],
  [
    "p: { kind: openai, url: localhost }",
    '2:25: `url` is no address of the web; write it like `url: "https://api.example.com/v1"`',
  ],
  [
    "p: { kind: openai, url: 'ftp://h/v1' }",
    '2:25: `url` is no address of the web; write it like `url: "https://api.example.com/v1"`',
  ],
  ...["http://u:SECRET@h/v1", "http://h/v1?key=SECRET", "http://h/v1#SECRET"].map((url): readonly [string, string] => [
    `p: { kind: openai, url: '${url}' }`,
    "2:25: `url` holds more than an address: leave out what stands before `@` or behind `?` and `#`, and put the key under `key`",
  ]),
  ["p: { kind: anthropic, url: 'http://h', version: '1' }", "2:49: `version` has to be a date like `2023-06-01`"],
  [
    "p: { kind: anthropic, url: 'http://h', temperature: 3, model: -m }",
    "2:53: `temperature` has to be a number from 0 to 2",
    "2:63: `model` has to be letters, digits and `. _ : / @ + -`, and begin with a letter or digit",
  ],
  [
    "p: { kind: openai, url: 'http://h', tools: no }",
    "2:44: `tools` has to be `native` (the API takes tools) or `text` (they stand in the prompt)",
  ],
  [
    "p: { kind: openai, url: 'http://h', price: 3 }",
    "2:44: `price` has to be a map: lines below it, or pairs in `{ }`",
  ],
  [
    "p: { kind: openai, url: 'http://h', price: { input: -1, ouput: 2 } }",
    "2:44: `price` has no `output`; write it like `price: { input: 3, output: 15 }`, in dollars for a million tokens",
    "2:53: `input` has to be a number from 0 to 1000000",
    "2:57: a price has no `ouput`; did you mean `output`?",
  ],
  ["p: { kind: command }", '2:4: has no `command`; write it like `command: ["claude", "-p"]`'],
  ["p: { kind: command, command: [] }", "2:30: `command` names no program"],
  ["p: { kind: command, command: [claude, 1] }", "2:39: each word of `command` has to be text; put numbers in quotes"],
  [
    "p: { kind: command, command: cat | sh }",
    "2:30: `command` has `|`, which needs a shell, and no shell reads it; for the character itself put the word in quotes",
  ],
  ["p: { kind: command, command: 'say \"hello' }", "2:30: `command` has a quote or a backslash that nothing ends"],
  [
    "p: { kind: command, command: ./claude -p }",
    "2:30: `command` starts with a relative path, which means another program in each folder; write a name that is on PATH, or the whole path",
  ],
  ["p: { kind: command, command: '{model} x' }", "2:30: `{model}` cannot be in the name of the program"],
  ["p: { kind: command, command: claude, model: m }", "2:45: `command` takes no model; write `{model}` where it goes"],
  [
    "p: { kind: command, command: claude, env: { 'A=B': env:X } }",
    "2:52: the name of a variable has to be letters, digits and `_`",
  ],
];

test("readModelSettings says where a provider is wrong, and leaves the others alone", () => {
  for (const [line, ...problems] of broken) {
    const settings = read(`providers:\n${line.replace(/^/, " ")}\n  # a comment\n other: { kind: mock }\n`);
    const [name = ""] = [...settings.providers.keys()];
    // The line above stands one column further right.
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

const SAY_WHERE =
  "has to say where the secret is, not what it is: `env:NAME` (a variable of the environment), `file:PATH` (a file that only you can read) or `command:…` (of a key store, such as `command:pass show api`)";

const keys: readonly (readonly [key: string, problem: string])[] = [
  ["sk-SECRET", `\`key\` ${SAY_WHERE}`],
  ["SECRET:x", `\`key\` ${SAY_WHERE}`],
  ["env:sk-SECRET", "`key` has `env:` without the name of a variable behind it; write it like `env:OPENAI_KEY`"],
  ["file:SECRET", "`key` has `file:` without a whole path behind it; write it like `file:~/.keys/openai`"],
  ["command:", "`key` has `command:` with a command that names no program"],
  [
    "command:bin/pass SECRET",
    "`key` has `command:` with a command that starts with a relative path, which means another program in each folder; write a name that is on PATH, or the whole path",
  ],
  [
    "command:pass $SECRET",
    "`key` has `command:` with a command that has `$`, which needs a shell, and no shell reads it; for the character itself put the word in quotes",
  ],
  [
    "secret:SECRET",
    "`key` names a secret that is not there; write it below `secrets:`, as `env:NAME` (a variable of the environment), `file:PATH` (a file that only you can read) or `command:…` (of a key store, such as `command:pass show api`)",
  ],
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
    "2:1: is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    "2:4: is no YAML: Unexpected flow-map-end token in YAML stream",
  ],
  [
    'providers:\n  p: { key: "sk-SECRET }',
    "2:25: is no YAML: a quote is not closed",
    "2:25: is no YAML: Flow map in block collection must be sufficiently indented and end with a }",
  ],
  ["- providers", "1:1: has to be a map, such as `providers:` with lines below it"],
  ["provider: { p: { kind: mock } }", "1:11: there is no `provider`; did you mean `providers`?"],
  ["providers: mock", "1:12: `providers` has to be a map: lines below it, or pairs in `{ }`"],
  ["providers: { default: ecco, echo: { kind: mock } }", "1:23: there is no provider `ecco`; did you mean `echo`?"],
  ["providers: { default: [echo], echo: { kind: mock } }", "1:23: `default` has to be text"],
  ["providers: { ? [a] : 1, echo: { kind: mock } }", "1:16: a key has to be a word"],
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
      [`\`${PATH}\` can be written by everybody`],
      [`\`${PATH}\` cannot be read (EACCES)`],
      [`\`${PATH}\` has more than 1048576 bytes`],
    ],
  );
});

test.run();
