import { openModel } from "../../src/features/agent/open-model.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("agent/open-model");

const PATH = "/home/ana/.config/dottool/config.yaml";
const providers = `providers:
  default: local
  local: { kind: openai, url: "http://127.0.0.1:9/v1", model: big-1 }
  claude-code: { kind: command, command: ["claude", "-p"] }
  bare: { kind: openai, url: "http://127.0.0.1:9/v1" }
  keyed: { kind: anthropic, url: "http://127.0.0.1:9/v1", model: big-2, key: env:KEY }
  keyless: { kind: openai, url: "http://127.0.0.1:9/v1", model: big-1, key: env:NO_SUCH_VARIABLE }
`;

async function opened(wanted: string | undefined, config = providers): Promise<unknown> {
  const host = memoryHost({ files: { [PATH]: config }, environment: { KEY: "sk-1234" } });
  const found = await openModel(wanted, host, new AbortController().signal);
  return "failure" in found ? found.failure : [found.model.name, found.model.model, found.model.key, found.secrets];
}

const unavailable = (reason: string, ...help: readonly string[]): unknown => ({
  kind: "unavailable",
  tool: "agent",
  reasons: [reason],
  help,
});

test("openModel takes the default, a provider, or a provider and one of its models", async () => {
  const asked = [undefined, "local", "bare/meta/llama:1", "keyed", "keyed/other"];
  const found = await Promise.all(asked.map((wanted) => opened(wanted)));
  const keyless = { kind: "key" };
  const key = { kind: "key", value: "sk-1234", from: "the variable KEY" };
  assert.equal(found, [
    ["local", "big-1", keyless, []],
    ["local", "big-1", keyless, []],
    ["bare", "meta/llama:1", keyless, []],
    ["keyed", "big-2", key, ["sk-1234"]],
    ["keyed", "other", key, ["sk-1234"]],
  ]);
});

test("openModel says why a model cannot be asked, and what to do", async () => {
  assert.equal(
    await opened("lokal"),
    unavailable(
      "there is no provider `lokal`; did you mean `local`?",
      `providers in \`${PATH}\`: \`local\`, \`claude-code\`, \`bare\`, \`keyed\`, \`keyless\``,
    ),
  );
  assert.equal(
    await opened("lokal/x"),
    unavailable(
      "there is no provider `lokal`; did you mean `local`?",
      `providers in \`${PATH}\`: \`local\`, \`claude-code\`, \`bare\`, \`keyed\`, \`keyless\``,
    ),
  );
  assert.equal(
    await opened("claude-code"),
    unavailable(
      "`claude-code` is of kind `command`, which cannot call tools",
      "pass `--model NAME`; the providers that can: `local`, `bare`, `keyed`, `keyless`",
    ),
  );
  assert.equal(
    await opened(undefined, "providers: { echo: { kind: mock } }"),
    unavailable(
      "`echo` is of kind `mock`, which cannot call tools",
      `add a provider of kind \`openai\` or \`anthropic\` to \`${PATH}\``,
    ),
  );
  assert.equal(
    await opened(undefined, "providers: { a: { kind: mock }, b: { kind: mock } }"),
    unavailable(
      "there are several providers, and no default",
      `pass \`--model\` (\`a\`, \`b\`), or write \`default: a\` below \`providers:\` in \`${PATH}\``,
    ),
  );
  assert.equal(
    await opened("bare"),
    unavailable("`bare` has no model", `write \`--model bare/MODEL\`, or \`model: NAME\` for \`bare\` in \`${PATH}\``),
  );
  assert.equal(
    await opened("bare/-m"),
    unavailable("`-m` is not a model name", "use letters, digits and `. _ : / @ + -`, starting with a letter or digit"),
  );
  assert.equal(
    await opened("keyless"),
    unavailable(
      "the key of `keyless` is missing: the variable NO_SUCH_VARIABLE is not set",
      "set NO_SUCH_VARIABLE in the environment of dottool",
      `or name another place for it in \`${PATH}\``,
    ),
  );
});

test.run();
