// The sandbox of a server that is started: `sandbox`, `hosts`, `reads` and `writes` of its settings. In it, the server
// has a home folder of its own, which stays: `npx` and `uvx` store there what they run.
import { join } from "node:path";
import { listedPaths } from "../../core/base/sandbox-settings.ts";
import type { YamlFields } from "../../core/base/yaml-fields.ts";
import { printable } from "../../core/text/display.ts";
import { hostPattern, type Confinement } from "../../core/tool/confinement.ts";
import type { Host } from "../../core/tool/host.ts";

export interface ServerSandbox {
  /** The folder is the working folder of the server. */
  readonly confinement: Confinement;
  /** Its own home folder, which is made when it starts. */
  readonly home: string;
}

type Places = Pick<Confinement, "reads" | "writes" | "hosts">;

/** `cwd` is the folder that it sees, if it sees one beside its own. */
export function serverSandbox(
  name: string,
  { cwd, reads, writes, hosts }: Places & { readonly cwd: string | undefined },
  { folders }: Host,
): ServerSandbox {
  const home = join(folders.cache, "server-homes", name);
  return { home, confinement: { level: "strict", folder: cwd ?? home, reads, writes: [home, ...writes], hosts } };
}

export const SANDBOX_KEYS = ["sandbox", "hosts", "reads", "writes"];

/** Returns undefined if the settings ask for no sandbox. Complains of what is wrong in them. */
export function readSandbox(fields: YamlFields, home: string): Places | undefined {
  const level = fields.names.includes("sandbox") ? fields.text("sandbox") : undefined;
  if (level !== undefined && level !== "strict" && level !== "none")
    fields.complain("sandbox", "`sandbox` of a server must be `strict` or `none`");
  const [first] = SANDBOX_KEYS.slice(1).filter((key) => fields.names.includes(key));
  if (level === "none" && first !== undefined)
    fields.complain(first, `\`${first}\` needs the sandbox; write \`sandbox: strict\`, or remove it`);
  if (level === "none" || (level === undefined && first === undefined)) return undefined;
  const named = fields.words("hosts") ?? [];
  const hosts = typeof named === "string" ? [named] : named;
  for (const host of hosts.filter((one) => !hostPattern.test(one)))
    fields.complain(
      "hosts",
      `\`hosts\` takes hosts such as \`api.github.com\`, \`*.github.com\`, \`github.com:22\` or \`*\`; got \`${printable(host.slice(0, 64))}\``,
    );
  return { reads: listedPaths("reads", fields, home), writes: listedPaths("writes", fields, home), hosts };
}
