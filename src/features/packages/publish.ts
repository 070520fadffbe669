// Publishing a package: exactly the files that were checked go out, in one request.
import type { Host } from "../../core/tool/host.ts";
import type { FetchedPackage } from "./fetch.ts";
import { MANIFEST_NAME, parseManifest } from "./manifest.ts";
import { Refusal } from "./refusal.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { readRegistrySettings } from "./registry-settings.ts";

const ANSWER_BYTES_MAX = 1024 * 1024;

/** Returns the registry that has it now. Throws a `Refusal` if the registry does not take it. */
export async function publishPackage(
  { manifest, files }: FetchedPackage,
  tag: string,
  host: Host,
): Promise<{ readonly registry: string; readonly integrity: string }> {
  const { name, version } = manifest;
  const settings = readRegistrySettings(host);
  const [registry, packages] = [await settings.registryOf(name), await host.packages()];
  const archive = packages.pack(files);
  const integrity = packages.integrityOf(archive);
  const fileName = `${name}-${version}.tgz`;
  const text = files.find(({ path }) => path === MANIFEST_NAME)?.bytes ?? new Uint8Array();
  const dist = {
    integrity,
    shasum: packages.sha1Of(archive),
    tarball: `${withoutCredentials(registry)}${name}/-/${fileName}`,
  };
  const answer = await packages.askRegistry({
    url: registry + name.replace("/", "%2f"),
    settings: settings.options,
    bytesMax: ANSWER_BYTES_MAX,
    method: "PUT",
    headers: { "content-type": "application/json" },
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
  });
  if (answer.kind === "answer") return { registry: withoutCredentials(registry), integrity };
  const isTaken = answer.code === "E409" || /previously published|already present/i.test(answer.reason);
  if (isTaken)
    throw new Refusal("denied", `\`${registry}\` has \`${name}@${version}\` already`, [
      "a version is published once; raise `version` in the `package.json`",
    ]);
  const help = /^E40[13]$/.test(answer.code) ? ["`npm login` stores a login that dottool uses, too"] : [];
  throw new Refusal("failed", `\`${registry}\` does not take \`${name}@${version}\`: ${answer.reason}`, help);
}
