// `@env X=secret:NAME` and `@env-file`: the values are fetched for each call, masked in all output, and never a part of
// the shown call.
import { parseEnv } from "node:util";
import { failed } from "../tool/base-tool.ts";
import type { Outcome } from "../tool/call.ts";
import type { Surroundings } from "../tool/definition.ts";
import type { ToolContext } from "../tool/tool.ts";
import { openYaml } from "../base/yaml-fields.ts";
import { parseSecretSource, readSecret, type Secret, type SecretSource } from "../base/secret-source.ts";
import { commandFolder } from "../base/command-folder.ts";
import { isSpecialVariable } from "../shell/environment.ts";
import { readConfigText, readUserConfig } from "../base/user-config.ts";

type SecretEnvironment = { readonly environment: Readonly<Record<string, string>> } | { readonly outcome: Outcome };

export async function secretEnvironment(
  { secrets = [], environmentFile, ...named }: Surroundings,
  context: ToolContext,
): Promise<SecretEnvironment> {
  const environment: Record<string, string> = {};
  const shown = new Set<string>();
  if (environmentFile !== undefined) {
    const { host } = context;
    const passed = (named.passed ?? []).filter((name) => host.environment(name) !== undefined);
    const declared = [
      ...named.environment.map(({ name }) => name),
      ...secrets.map(({ variable }) => variable),
      ...passed,
    ];
    const read = variablesOfFile(environmentFile, new Set(declared), context);
    if ("outcome" in read) return read;
    Object.assign(environment, read.environment);
    for (const [name, value] of Object.entries(environment)) if (PLAIN_VALUE.test(value)) shown.add(name);
  }
  for (const { variable, secret } of secrets) {
    const found = await namedSecret(secret, context);
    if (found.kind === "cancelled") return { outcome: failed({ kind: "cancelled" }) };
    if (found.kind === "missing")
      return {
        outcome: failed({
          kind: "unavailable",
          tool: context.path.at(-1) ?? "",
          reasons: [`the secret \`${secret}\` is missing: ${found.reason}`],
          help: [found.help],
        }),
      };
    environment[variable] = found.value;
  }
  await context.hide(Object.entries(environment).flatMap(([name, value]) => (shown.has(name) ? [] : [value])));
  return { environment };
}

/** Variables in which programs look for their settings, which can name programs. */
const CHOOSES_FILES =
  /^(?:HOME|USERPROFILE|KUBECONFIG|XDG_\w+|GIT_(?:DIR|WORK_TREE|COMMON_DIR|TEMPLATE_DIR|PROXY_COMMAND)|\w+_(?:HOME|CONFIG|CONFIG_\w+|RC|RCFILE|PRELOAD))$/i;
/** Hidden, these would make results unreadable: numbers such as ports, and what a program is told of its surroundings. */
const PLAIN_VALUE =
  /^(?:\d{1,5}|true|false|yes|no|on|off|null|debug|info|warn|error|local|localhost|test|dev|development|staging|prod|production)$/i;

/** Variables that choose code or options are not for a file that is rarely looked at. */
function variablesOfFile(path: string, declared: ReadonlySet<string>, context: ToolContext): SecretEnvironment {
  const failure = (reason: string, help: string): SecretEnvironment => ({
    outcome: failed({ kind: "unavailable", tool: context.path.at(-1) ?? "", reasons: [reason], help: [help] }),
  });
  const whole = commandFolder(path, context);
  const read = readConfigText(whole, context.host);
  if (!read)
    return failure(
      `the file \`${path}\` with its variables is missing`,
      `create \`${whole}\`, with a line \`NAME=value\` for each`,
    );
  if (read.trouble !== undefined)
    return failure(`the file \`${path}\` with its variables ${read.trouble}`, "fix that first");
  const environment = Object.fromEntries(
    Object.entries(parseEnv(read.text)).flatMap(([name, value]) =>
      value === undefined || declared.has(name) ? [] : [[name, value] as const],
    ),
  );
  const special = Object.keys(environment).find((name) => isSpecialVariable(name) || CHOOSES_FILES.test(name));
  return special === undefined
    ? { environment }
    : failure(
        `\`${path}\` sets \`${special}\`, from which programs take code or options`,
        `remove it there, or set it in the definition, which wins: \`@env ${special}=…\``,
      );
}

/** Returns a secret from `secrets:` of the user's `config.yaml`, or else from the environment variable of that name. */
async function namedSecret(name: string, context: ToolContext): Promise<Secret> {
  const { path, text, trouble } = readUserConfig(context.host);
  if (trouble !== undefined) return { kind: "missing", reason: `\`${path}\` ${trouble}`, help: "fix that first" };
  const { root, problems } = openYaml(text);
  const [broken] = root ? [] : problems;
  if (broken && text.trim() !== "")
    return { kind: "missing", reason: `\`${path}:${broken.text}\``, help: "fix that first" };
  const fields = root?.names.includes("secrets") ? root.map("secrets") : undefined;
  const source: SecretSource | { readonly problem: string } = fields?.names.includes(name)
    ? parseSecretSource(fields.text(name) ?? "", context.host)
    : { kind: "environment", name };
  if ("problem" in source)
    return {
      kind: "missing",
      reason: `the secret \`${name}\` of \`${path}\` ${source.problem}`,
      help: "write its place, never its value",
    };
  const secret = await readSecret(source, context);
  if (secret.kind !== "missing" || source.kind !== "environment" || fields?.names.includes(name)) return secret;
  return {
    ...secret,
    help: `set ${name} in the environment of dottool, or add its place, such as \`${name}: pass:…\`, below \`secrets:\` in \`${path}\``,
  };
}
