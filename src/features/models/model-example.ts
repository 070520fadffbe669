// An example of configured models, for help and for failures. test/cli/providers.test.ts checks that it is a valid
// configuration.

/** An example to paste. YAML accepts that all of it is indented. */
export const PROVIDERS_EXAMPLE = `    providers:
      default: claude
      claude: { kind: command, command: ["claude", "-p"] }
      local: { kind: openai, url: "http://127.0.0.1:11434/v1", model: llama3 }
      anthropic:
        kind: anthropic
        url: https://api.anthropic.com
        model: MODEL
        key: env:ANTHROPIC_API_KEY`;

/** The example for uses that need a model which calls tools. A command cannot. */
export const API_PROVIDERS_EXAMPLE = PROVIDERS_EXAMPLE.replace("default: claude", "default: local").replace(
  /^ *claude: .*\n/m,
  "",
);
