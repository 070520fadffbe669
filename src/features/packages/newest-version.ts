// Whether a newer version of this program is published, for a person who asks.
import { version } from "../../generated/version.ts";
import type { Finding } from "../../cli/finding.ts";
import type { Host } from "../../core/tool/host.ts";
import { askPackage } from "./registry.ts";
import { Refusal } from "./refusal.ts";

/** Asks the registry of npm, as the user's `.npmrc` names it. */
export async function newestVersion(host: Host): Promise<Finding> {
  const finding = { group: "Program", name: "newest version" };
  try {
    const { tags, registry } = await askPackage("dottool", host);
    const newest = tags.get("latest");
    const { default: semver } = await import("semver");
    if (newest === undefined || !semver.gt(newest, version))
      return { ...finding, works: true, fact: `this is the newest that ${registry} has` };
    return {
      ...finding,
      works: false,
      fact: `${newest} is published; this is ${version}`,
      help: "replace it in the way it was installed: `npm install -g dottool`, or the install script",
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...finding, works: false, fact: error.message };
  }
}
