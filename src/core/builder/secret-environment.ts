// `@env X=secret:NAME` and `@env-file`: the values are fetched for each call, masked in all output, and never a part of
// the shown call.
import { parseEnv } from "node:util";
import { failed } from "../tool/base-tool.ts";
import type { Outcome } from "../tool/call.ts";
import type { Surroundings, UsedSecret } from "../tool/definition.ts";
import type { Confinement, StandIn } from "../tool/confinement.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolContext } from "../tool/tool.ts";
import { openYaml } from "../base/yaml-fields.ts";
import { parseSecretSource, readSecret, type Secret, type SecretSource } from "../base/secret-source.ts";
import { commandFolder } from "../base/command-folder.ts";
import { isSpecialVariable } from "../shell/environment.ts";
import { readConfigText, readUserConfig } from "../base/user-config.ts";

type SecretEnvironment =
  | {
      readonly environment: Readonly<Record<string, string>>;
      /** Set if values are for single hosts: the sandbox whose proxy knows them. */
      readonly confinement?: Confinement;
    }
  | { readonly outcome: Outcome };

/** A shorter value could be a part of any text. */
const STAND_IN_LENGTH_MIN = 8;
const TOO_SHORT: Secret = {
  kind: "missing",
  reason: "its value is too short to be told from other text",
  help: `a secret with \`for=\` has at least ${STAND_IN_LENGTH_MIN} characters`,
};

export async function secretEnvironment(
  { secrets = [], environmentFile, ...named }: Surroundings,
  context: ToolContext,
): Promise<SecretEnvironment> {
  const environment: Record<string, string> = {};
  const standIns: StandIn[] = [];
  const values: string[] = [];
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
    values.push(...Object.values(environment).filter((value) => !PLAIN_VALUE.test(value)));
  }
  for (const { variable, secret, hosts } of secrets) {
    const unheld = hosts && whyUnheld({ variable, secret, hosts }, context);
    if (unheld) return { outcome: failed(unheld) };
    const read = await namedSecret(secret, context);
    const found = hosts && read.kind === "secret" && read.value.length < STAND_IN_LENGTH_MIN ? TOO_SHORT : read;
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
    values.push(found.value);
    const text = hosts ? standInFor(found.value, context) : found.value;
    if (hosts) standIns.push({ text, value: found.value, hosts });
    environment[variable] = text;
  }
  await context.hide(values);
  if (standIns.length === 0 || !context.confinement) return { environment };
  // Without the sandbox there is no proxy either, so it is not one that may be missing.
  const { isBestEffort: _isBestEffort, isUnasked: _isUnasked, ...confinement } = context.confinement;
  return { environment, confinement: { ...confinement, standIns: [...(confinement.standIns ?? []), ...standIns] } };
}

/** Returns why the value could leave the hosts that it is for, as a failure. */
function whyUnheld({ secret, hosts = [] }: UsedSecret, { confinement, path }: ToolContext): Failure | undefined {
  if (confinement?.level === "strict") return undefined;
  return {
    kind: "unavailable",
    tool: path.at(-1) ?? "",
    reasons: [
      `the secret \`${secret}\` is for ${hosts.join(" and ")} alone, and this call runs ${confinement ? `at the sandbox level \`${confinement.level}\`` : "without a sandbox"}`,
    ],
    help: ["only the level `strict` has a proxy that puts the value into requests to one host"],
  };
}

/** As long as the value, so that lengths in answers stay true. */
function standInFor(value: string, { host }: ToolContext): string {
  let text = "";
  while (text.length < value.length) text += host.randomId();
  return text.slice(0, value.length);
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
