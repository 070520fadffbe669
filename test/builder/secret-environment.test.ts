// `@env X=secret:NAME` takes a secret from the environment, a file or a key store, and puts it into the process and
// nowhere else.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { SECRET_FORMS } from "../../src/core/base/secret-source.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, type ToolRun, type ToolRunOptions } from "../test-project.ts";

const test = suite("secretEnvironment");

/** The program is started for a secret from the environment, and for one that is missing. */
const started: readonly (string | undefined)[] = ["say_FROM_ENV", "say_nowhere"];

function startLine(bench: TestProject, words: readonly string[], options?: ToolRunOptions): Promise<ToolRun> {
  return started.includes(words[0]) ? bench.run(words, options) : bench.here(words, options);
}

const tool = (name: string, secret: string): string =>
  `Say.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@shell sh\n@command printf '%s %s' "$KEY" "$(printf %s "$KEY" | wc -c)"\n@env KEY=secret:${secret}\n`;
const config =
  "secrets:\n  stored: file:~/key\n  asked: command:printf sesame-open\n  loose: file:~/loose\n  literal: sk-12345\n";

async function withSecrets(body: (bench: TestProject) => Promise<void>): Promise<void> {
  using bench = testProject({
    ...Object.fromEntries(
      ["stored", "asked", "loose", "literal", "FROM_ENV", "nowhere"].map((secret) => [
        `.tools/say_${secret}.tool`,
        tool(`say_${secret}`, secret),
      ]),
    ),
    ".tools/steps.tool":
      'Steps.\n\n@title Steps\n@name steps\n@env KEY=secret:stored\n@step a sh\n    printf %s "$KEY"\n@step b runs\n    echo got {a}\n@output {b}\n',
    "home/.config/dottool/config.yaml": config,
    "home/key": "open-sesame\nnotes\n",
    "home/loose": "open-sesame\n",
  });
  chmodSync(join(bench.folder, "home/key"), 0o600);
  await body(bench);
}

test("a secret reaches the process from wherever it is, and is masked in what comes back", () =>
  withSecrets(async (bench) => {
    const said = async (name: string): Promise<string> =>
      (await startLine(bench, [name], { environment: { FROM_ENV: "open-sesame" } })).stdout;
    assert.equal(await Promise.all(["say_stored", "say_asked", "say_FROM_ENV", "steps"].map(said)), [
      "••• 11",
      "••• 11",
      "••• 11",
      "got •••\n",
    ]);
  }));

test("`@env NAME` passes a variable on as it is, in wraps, steps and YAML, unless it holds a secret", async () => {
  const print = "    printf '%s' \"$AWS_PROFILE-$REGION\"";
  using bench = testProject({
    ".tools/wrap.tool": `Say.\n\n@title Say\n@name wrap\n@wrapped run_command\n@shell sh\n@script\n${print}\n@env AWS_PROFILE\n@env REGION=eu\n`,
    ".tools/step.tool": `Say.\n\n@title Say\n@name step\n@env AWS_PROFILE\n@step a sh\n${print}\n`,
    ".tools/yaml.yaml": `name: yaml\ndescription: Say\nbash: printf '%s' "$AWS_PROFILE-$REGION"\nx-dottool: { pass-environment: [AWS_PROFILE, REGION] }\n`,
    ".tools/token.tool": `Say.\n\n@title Say\n@name token\n@wrapped run_command\n@command printenv GH_TOKEN\n@env GH_TOKEN\n`,
    ".tools/twice.tool": `Say.\n\n@title Say\n@name twice\n@wrapped run_command\n@command env\n@env A\n@env A=b\n`,
  });
  const said = async (name: string): Promise<string> => {
    const { stdout, stderr } = await bench.run([name], {
      environment: { AWS_PROFILE: "prod", REGION: "us", GH_TOKEN: "ghp_1234567890" },
    });
    return stdout + stderr;
  };
  assert.equal(await Promise.all(["wrap", "step", "yaml", "token"].map(said)), [
    "prod-eu",
    "prod-us\n",
    "prod-us",
    "failed[rejected]: the variable `GH_TOKEN` holds a secret, so it is not passed on as it is\n  = in the definition: `@env GH_TOKEN=secret:GH_TOKEN`, which hides it in the output\n",
  ]);
  assert.match(await said("twice"), /^error\[duplicate-annotation\]: `A` is set twice\n/);
  const { stdout } = await bench.run(["explain", "wrap"], { environment: { AWS_PROFILE: "prod" } });
  assert.match(stdout, /^environment +REGION=eu, and your environment, \d+ variables/m);
});

test("a secret that is missing is named, with what to do", () =>
  withSecrets(async (bench) => {
    const said = async (name: string): Promise<string> =>
      (await startLine(bench, [name])).stderr.replaceAll(bench.folder, "<bench>");
    assert.equal(await Promise.all(["say_nowhere", "say_loose", "say_literal"].map(said)), [
      "failed[unavailable]: `say_nowhere` cannot run here\n  the secret `nowhere` is missing: the variable nowhere is not set\n  = set nowhere in the environment of dottool, or add its place, such as `nowhere: pass:…`, below `secrets:` in `<bench>/home/.config/dottool/config.yaml`\n",
      "failed[unavailable]: `say_loose` cannot run here\n  the secret `loose` is missing: other users can read or change `<bench>/home/loose`\n  = chmod 600 '<bench>/home/loose'\n",
      `failed[unavailable]: \`say_literal\` cannot run here\n  the secret \`literal\` is missing: the secret \`literal\` of \`<bench>/home/.config/dottool/config.yaml\` must name the place of the secret, not its value: ${SECRET_FORMS}\n  = write its place, never its value\n`,
    ]);
  }));

test("what a call would do is shown without the secret, and without fetching it", () =>
  withSecrets(async (bench) => {
    const { stdout, exitCode } = await bench.run(["explain", "--json", "say_nowhere"]);
    assert.equal([exitCode, stdout.includes("•••"), stdout.includes("sesame")], [0, true, false]);
  }));

test.run();
