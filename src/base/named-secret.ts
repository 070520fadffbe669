// A secret by its name: from the source in `secrets:` of the user's `config.yaml`, or else from the environment
// variable of that name.
import { openYaml } from "./yaml-fields.ts";
import { parseSecretSource, readSecret, type Secret, type SecretSource } from "./secret-source.ts";
import { readUserConfig } from "./user-config.ts";
import type { ToolContext } from "../tool/tool.ts";

export async function namedSecret(name: string, context: ToolContext): Promise<Secret> {
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
    help: `set ${name} in the environment of dottool, or add \`${name}: command:pass show …\` below \`secrets:\` in \`${path}\``,
  };
}
