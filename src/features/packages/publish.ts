// Publishing a package: exactly the files that were checked go out, in one request.
import type { Host } from "../../core/tool/host.ts";
import type { FetchedPackage } from "./fetch.ts";
import { MANIFEST_NAME, parseManifest } from "./manifest.ts";
import { Refusal } from "./refusal.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { integrityOf, pack, sha1Of } from "./host/archives.ts";
import { ask, documentOf, registryOf } from "./registry-settings.ts";

/** Returns the registry that has it now. Throws a `Refusal` if the registry does not take it. */
export async function publishPackage(
  { manifest, files }: FetchedPackage,
  tag: string,
  host: Host,
): Promise<{ readonly registry: string; readonly integrity: string }> {
  const { name, version } = manifest;
  const registry = registryOf(name, host);
  const archive = pack(files);
  const integrity = integrityOf(archive);
  const fileName = `${name}-${version}.tgz`;
  const text = files.find(({ path }) => path === MANIFEST_NAME)?.bytes ?? new Uint8Array();
  const dist = {
    integrity,
    shasum: sha1Of(archive),
    tarball: `${withoutCredentials(registry)}${name}/-/${fileName}`,
  };
  const request = {
    url: documentOf(name, registry),
    method: "PUT" as const,
    body: JSON.stringify({
      _id: name,
      name,
      access: null,
      "dist-tags": { [tag]: version },
      versions: {
        [version]: { ...parseManifest(new TextDecoder().decode(text), name), _id: `${name}@${version}`, dist },
      },
      _attachments: {
        [fileName]: {
          content_type: "application/octet-stream",
          data: Buffer.from(archive).toString("base64"),
          length: archive.length,
        },
      },
    }),
  };
  const answer = await ask(request, host);
  if (answer.kind === "answer") return { registry: withoutCredentials(registry), integrity };
  const isTaken = answer.code === "E409" || /previously published|already present/i.test(answer.reason);
  if (isTaken)
    throw new Refusal("denied", `\`${registry}\` has \`${name}@${version}\` already`, [
      "a version is published once; raise `version` in the `package.json`",
    ]);
  const help = /^E40[13]$/.test(answer.code) ? ["`npm login` stores a login that dottool uses, too"] : [];
  throw new Refusal("failed", `\`${registry}\` does not take \`${name}@${version}\`: ${answer.reason}`, help);
}
