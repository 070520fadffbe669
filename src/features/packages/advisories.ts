// Known vulnerabilities of packages, as the registry's own audit endpoint gives them, which `npm audit` asks, too.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { jsonOf } from "./registry-json.ts";
import { readRegistrySettings } from "./registry-settings.ts";

export interface Advisory {
  readonly title: string;
  /** As the registry calls it: `low`, `moderate`, `high`, `critical`. */
  readonly severity: string;
  readonly url: string;
  /** The versions that have it. */
  readonly range: string;
}

export type Advisories =
  /** By the name of the package. */
  | { readonly kind: "known"; readonly of: ReadonlyMap<string, readonly Advisory[]> }
  /** `isNone`: the registry has no such endpoint; otherwise it may answer another time. */
  | { readonly kind: "unknown"; readonly isNone: boolean; readonly reason: string };

const ENDPOINT = "-/npm/v1/security/advisories/bulk";
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** How registries without it answer. */
const NONE = ["E400", "E404", "E405", "E410", "E501"];

/** `versions` are the versions of each package. */
export async function askAdvisories(
  registry: string,
  versions: Readonly<Record<string, readonly string[]>>,
  host: Host,
): Promise<Advisories> {
  const answer = await (await host.packages()).askRegistry({
    url: registry + ENDPOINT,
    settings: readRegistrySettings(host).options,
    bytesMax: ANSWER_BYTES_MAX,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(versions),
  });
  if (answer.kind === "failed") return { kind: "unknown", isNone: NONE.includes(answer.code), reason: answer.reason };
  const json = jsonOf(answer.bytes);
  if (!isJsonObject(json)) return { kind: "unknown", isNone: true, reason: "its answer is not one of npm's" };
  return {
    kind: "known",
    of: new Map(
      Object.entries(json).map(([name, found]) => [name, Array.isArray(found) ? found.flatMap(advisoryOf) : []]),
    ),
  };
}

function advisoryOf(json: Json): readonly Advisory[] {
  if (!isJsonObject(json)) return [];
  const { title, severity, url = "", vulnerable_versions: range } = json;
  const isSound = [title, severity, url, range].every((one) => typeof one === "string");
  return isSound ? [{ title, severity, url, range } as Advisory] : [];
}
