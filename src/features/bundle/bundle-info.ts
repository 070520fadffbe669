// `--bundle-info`: what is in an executable that `dottool bundle` made, checked before it is shown.
import { filesOf } from "../../core/session/read-bundle.ts";
import { assemble } from "../../core/session/assemble.ts";
import { version } from "../../generated/version.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import { versionText } from "../../core/tool/bundle-marker.ts";
import { placeOf } from "./release.ts";
import type { Terminal } from "../../core/tool/terminal.ts";

/** Returns an exit code. */
export async function writeBundleInfo(terminal: Terminal): Promise<number> {
  const { host } = await assemble({ cwd: terminal.workingFolder(), withoutPlugins: true });
  const { bundle } = host;
  if (!bundle) {
    terminal.errors.write(
      "failed[bundle]: this executable contains no bundle\n  = `dottool bundle -o NAME` makes one\n",
    );
    return exitCodes.missing;
  }
  const files = await filesOf(bundle, host);
  const place = placeOf(host);
  const lines = [
    versionText(version, bundle),
    `SHA-256 of the files: ${bundle.sha256}`,
    ...(place ? [`updates from: ${printable(place.from)}`, `signed with the key: ${place.key}`] : []),
    "",
    ...files.map(({ path, bytes }) => `${host.sha256(bytes)}  ${printable(path)}`),
  ];
  terminal.output.write(`${lines.join("\n")}\n`);
  return exitCodes.done;
}
