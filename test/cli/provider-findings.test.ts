import { providerFindings } from "../../src/features/check/provider-findings.ts";
import { withModels } from "../base/model-context.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cli/provider-findings");

const config = `
secrets: { STORE: "command:cat key" }
providers:
  default: cat
  cat: { kind: command, command: cat, env: { TOKEN: env:API_KEY } }
  none: { kind: command, command: nosuchmodel }
  variable: { kind: openai, url: "https://h.example/v1", model: m, key: env:API_KEY }
  unset: { kind: openai, url: "https://h.example/v1", key: env:OTHER_KEY }
  file: { kind: anthropic, url: "https://h.example", model: m, key: file:~/key }
  open: { kind: anthropic, url: "https://h.example", model: m, key: file:~/open }
  store: { kind: anthropic, url: "https://h.example", model: m, key: secret:STORE }
  lost: { kind: anthropic, url: "https://h.example", model: m, key: command:nosuchstore show }
  odd: { kind: mok }
  echo: { kind: mock }
`;

test("providerFindings says whether each model could be asked, and shows no key", async () => {
  await withModels(config, async (bench) => {
    bench.write("key", "sk-SECRET");
    bench.write("open", "sk-SECRET", 0o644);
    const { host } = bench.context({ environment: { API_KEY: "sk-SECRET" } });
    const findings = providerFindings({
      ...host,
      processes: { ...host.processes, find: (program) => (program === "cat" ? "/bin/cat" : undefined) },
    });
    const seen = JSON.parse(JSON.stringify(findings).replaceAll(bench.folder, "<home>")) as typeof findings;
    const install = "install it, or give its path";
    assert.equal(
      seen.map(({ name, works, fact, help }) => [name, works, fact, ...(help === undefined ? [] : [help])]),
      [
        ["cat (default)", true, "/bin/cat, its key is in the variable API_KEY"],
        ["none", false, "there is no program `nosuchmodel`", install],
        ["variable", true, "https://h.example/v1, model m, its key is in the variable API_KEY"],
        [
          "unset",
          false,
          "https://h.example/v1, the variable OTHER_KEY is not set",
          "set OTHER_KEY in the environment of dottool",
        ],
        ["file", true, "https://h.example, model m, its key is in the file `<home>/key`"],
        [
          "open",
          false,
          "https://h.example, model m, other users can read or change `<home>/open`",
          "chmod 600 '<home>/open'",
        ],
        ["store", "unasked", "https://h.example, model m, the command `cat key` was not run to get its key"],
        ["lost", false, "https://h.example, model m, there is no program `nosuchstore` to ask for its key", install],
        [
          "odd",
          false,
          "<home>/config/config.yaml:13:16: unknown provider kind `mok`; did you mean `mock`?",
          "fix it there",
        ],
        ["echo", true, "answers with the prompt"],
      ],
    );
    assert.not.match(JSON.stringify(findings), "SECRET");
  });
});

test.run();
