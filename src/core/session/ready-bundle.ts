// The tools inside the executable, ready to be used: unpacked at the first start, and again when the unpacked files are
// not what is inside.
import { join } from "node:path";
import { trustStateOf } from "../catalog/trust.ts";
import type { Host } from "../tool/host.ts";
import type { BundleConfig, HostBundle, OwnConfig } from "../tool/host-bundle.ts";
import { CONFIGURATION_NAME } from "../catalog/discover.ts";

const CONFIG_BYTES_MAX = 1024 * 1024;

/**
 * Returns the host with the bundle's configuration. Throws `{code: "EBUNDLE"}` if the executable is damaged, and a file
 * error if its files cannot be written anywhere.
 */
export async function withReadyBundle(host: Host): Promise<Host> {
  const { bundle } = host;
  if (!bundle) return host;
  if (isUnpacked(host)) bundle.noteUse();
  else await unpack(host, bundle);
  const config = configIn(host, bundle.folder);
  return { ...host, bundle: { ...bundle, ...(config ? { config } : {}) } };
}

/** Leaves what another start puts there at the same time, and replaces what is wrong. */
async function unpack(host: Host, bundle: HostBundle): Promise<void> {
  const files = await (await import("./read-bundle.ts")).filesOf(bundle, host);
  for (const replaces of [false, true]) {
    await bundle.unpack(files, { replaces });
    if (isUnpacked(host)) return;
  }
  throw Object.assign(new Error("cannot unpack its tools: the folder for them changes at the same time"), {
    code: "EBUNDLE",
  });
}

function isUnpacked(host: Host): boolean {
  return trustStateOf({ scope: "bundle", path: host.bundle?.folder ?? "" }, host).isTrusted;
}

function configIn(host: Host, folder: string): BundleConfig | undefined {
  const path = join(folder, CONFIGURATION_NAME);
  if (!host.instant.stat(path)) return undefined;
  // Where it cannot be read, the error ends the program: its rules would be missing.
  const text = new TextDecoder().decode(host.instant.readBytes(path, CONFIG_BYTES_MAX));
  return { path, text, completing: (own) => completed(own, text) };
}

/** The rules of both files count, so these sections do not replace each other: core/catalog/project-rules.ts adds them. */
const NEVER_DEFAULTS = ["policy", "audit"];

/** Adds the sections that the user's file does not have. The bundle's file is in the block style of `yaml`. */
function completed<Own extends OwnConfig>(own: Own, defaults: string): Own {
  if (own.trouble !== undefined || /^\s*\{/m.test(own.text)) return own;
  const ownNames = [...own.text.matchAll(/^["']?(\w+)["']?\s*:/gm)].map(([, name]) => name ?? "");
  const sections = defaults
    .split(/^(?=\w)/m)
    .filter((section) => ![...ownNames, ...NEVER_DEFAULTS].includes(section.slice(0, section.indexOf(":"))));
  if (sections.length === 0) return own;
  const start = own.text === "" || own.text.endsWith("\n") ? own.text : `${own.text}\n`;
  // Its path stays: what is missing is added there.
  return { ...own, text: start + sections.join("") };
}
