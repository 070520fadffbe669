// Whom a provenance is believed: the authorities and logs of sigstore that were known when this dottool was released,
// and those of a private instance that the user names in `config.yaml`.
import { isAbsolute, join } from "node:path";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toTrustMaterial, type TrustMaterial } from "@sigstore/verify";
import { readUserConfig } from "../../core/base/user-config.ts";
import { trustedRoot } from "../../generated/trusted-root.ts";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { Refusal } from "./refusal.ts";
import { jsonOf } from "./registry-settings.ts";

const ROOT_BYTES_MAX = 1024 * 1024;
const MEDIA_TYPE = "application/vnd.dev.sigstore.trustedroot";

/** Throws a `Refusal` if the file that the user names cannot be used. */
export async function readTrustedRoots(host: Host): Promise<TrustMaterial> {
  const path = await ownRootPath(host);
  const roots = [trustedRoot, ...(path === undefined ? [] : [rootAt(path, host)])].map((json) =>
    TrustedRoot.fromJSON(json),
  );
  try {
    return toTrustMaterial({
      mediaType: MEDIA_TYPE,
      tlogs: roots.flatMap(({ tlogs }) => tlogs),
      certificateAuthorities: roots.flatMap(({ certificateAuthorities }) => certificateAuthorities),
      ctlogs: roots.flatMap(({ ctlogs }) => ctlogs),
      timestampAuthorities: roots.flatMap(({ timestampAuthorities }) => timestampAuthorities),
    });
  } catch {
    throw unusable(path ?? "", "has a key or certificate that cannot be read");
  }
}

async function ownRootPath(host: Host): Promise<string | undefined> {
  const { text, path, trouble } = readUserConfig(host);
  if (trouble !== undefined) throw new Refusal("failed", `\`${path}\` ${trouble}`);
  if (!text.includes("sigstore")) return undefined;
  const { openYaml } = await import("../../core/base/yaml-fields.ts");
  const { root, problems } = openYaml(text);
  const named = root?.map("sigstore")?.text("trusted_root");
  const [problem] = problems;
  if (problem) throw new Refusal("failed", `${path}:${problem.text}`);
  if (named === undefined) return undefined;
  const full = named.startsWith("~/") ? join(host.folders.home, named.slice(2)) : named;
  if (isAbsolute(full)) return full;
  throw new Refusal("failed", `\`trusted_root\` in \`${path}\` must begin with \`/\` or \`~/\``);
}

function rootAt(path: string, host: Host): Json {
  let json: Json;
  try {
    json = jsonOf(host.instant.readBytes(path, ROOT_BYTES_MAX));
  } catch (error) {
    throw unusable(path, `cannot be read (${codeOf(error) ?? "error"})`);
  }
  if (isJsonObject(json) && String(json["mediaType"]).startsWith(MEDIA_TYPE)) return json;
  throw unusable(path, "is not a trusted root of sigstore");
}

function unusable(path: string, fact: string): Refusal {
  return new Refusal("failed", `\`${path}\`, the \`trusted_root\` of your \`config.yaml\`, ${fact}`, [
    "it is the `trusted_root.json` of a sigstore instance, as its TUF repository has it",
  ]);
}
