// What `doctor` says about the models in `config.yaml`: whether each could be asked. No key is read, and no key store
// is asked.
import { type ConfiguredProvider, type Provider, readModelSettings } from "../models/model-settings.ts";
import { fileTrouble, type SecretSource, sourceText } from "../../core/base/secret-source.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Finding } from "../../cli/finding.ts";

type State = Pick<Finding, "works" | "fact" | "help">;

export function providerFindings(host: Host): readonly Finding[] {
  const { path, providers, problems, default: preferred } = readModelSettings(host);
  const group = "Models";
  const ofFile = problems.map(
    (fact): Finding => ({ group, name: "config.yaml", works: false, fact, help: "fix it there" }),
  );
  if (providers.size === 0 && problems.length === 0)
    return [
      {
        group,
        name: "ask_model",
        works: false,
        fact: "no model is configured",
        help: `add one under \`providers:\` in ${path}; \`dottool ask_model hello\` shows how`,
      },
    ];
  return [
    ...ofFile,
    ...[...providers].map(
      ([name, configured]): Finding => ({
        group,
        name: name === preferred ? `${name} (default)` : name,
        ...stateOf(configured, host),
      }),
    ),
  ];
}

function stateOf(configured: ConfiguredProvider, host: Host): State {
  if (configured.kind === "broken") return { works: false, fact: configured.problems.join("; "), help: "fix it there" };
  const { provider } = configured;
  const own = ownState(provider, host);
  const keys = keysOf(provider).map((source) => keyState(source, host));
  const worst =
    [own, ...keys].find(({ works }) => works === false) ?? keys.find(({ works }) => works === "unasked") ?? own;
  return {
    works: worst.works,
    fact: [own, ...keys].map(({ fact }) => fact).join(", "),
    ...(worst.help === undefined ? {} : { help: worst.help }),
  };
}

function ownState(provider: Provider, host: Host): State {
  switch (provider.kind) {
    case "command": {
      const [program = ""] = provider.argv;
      const found = host.processes.find(program, host.environment("PATH") ?? "");
      return found === undefined
        ? { works: false, fact: `there is no program \`${program}\``, help: "install it, or give its path" }
        : { works: true, fact: found };
    }
    case "openai":
    case "anthropic":
      return { works: true, fact: `${provider.url}${provider.model === undefined ? "" : `, model ${provider.model}`}` };
    case "mock":
      return { works: true, fact: "answers with the prompt" };
  }
}

function keysOf(provider: Provider): readonly SecretSource[] {
  switch (provider.kind) {
    case "command":
      return [...provider.environment.values()];
    case "openai":
    case "anthropic":
      return provider.key === undefined ? [] : [provider.key];
    case "mock":
      return [];
  }
}

function keyState(source: SecretSource, host: Host): State {
  const place = sourceText(source);
  switch (source.kind) {
    case "environment":
      return (host.environment(source.name) ?? "").trim() === ""
        ? { works: false, fact: `${place} is not set`, help: `set ${source.name} in the environment of dottool` }
        : { works: true, fact: `its key is in ${place}` };
    case "file": {
      const trouble = fileTrouble(source.path, host);
      return trouble
        ? { works: false, fact: trouble.reason, help: trouble.help }
        : { works: true, fact: `its key is in ${place}` };
    }
    case "command": {
      const [program = ""] = source.argv;
      if (host.processes.find(program, host.environment("PATH") ?? "") === undefined)
        return {
          works: false,
          fact: `there is no program \`${program}\` to ask for its key`,
          help: "install it, or give its path",
        };
      return { works: "unasked", fact: `${place} was not run to get its key` };
    }
  }
}
