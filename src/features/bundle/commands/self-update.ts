// `NAME self-update`: a bundle replaces itself by the newest release at the place that was built into it.
import { dirname, join } from "node:path";
import { isInsideRun } from "../../../core/catalog/trust.ts";
import { quoteWord } from "../../../core/base/quote.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { Bundle } from "../../../core/tool/host-bundle.ts";
import type { Host } from "../../../core/tool/host.ts";
import { temporaryName } from "../../../core/tool/temporary-name.ts";
import type { WordsCommand } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { tellingRefusals } from "../../packages/packages-session.ts";
import { Refusal } from "../../packages/refusal.ts";
import { readExecutableAt } from "../base-executable.ts";
import { newestRelease } from "../newest-release.ts";
import { placeOf } from "../release.ts";
import { failedWith } from "../shared-folder.ts";

export const selfUpdateCommand: WordsCommand = {
  kind: "words",
  usage: ["self-update"],
  about:
    "Replaces this executable by the newest release at the place that `dottool bundle --update-from` built into it, if the team's key has signed that. The old one stays beside it, as NAME.old. If anything goes wrong, nothing has changed.",
  options: [],
  words: [0, 0],
  examples: [["dottool self-update", "get the newest version of a bundle"]],
  run: async (_input, context) => {
    const { terminal } = context;
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    const { host } = opened;
    const { bundle, executable } = host;
    if (!bundle || executable === undefined)
      return failedWith(context, [
        "missing",
        "this is not a bundle, which alone replaces itself",
        "replace it in the way it was installed: `npm install -g dottool`, or the install script",
      ]);
    const place = placeOf(host);
    if (!place)
      return failedWith(context, [
        "missing",
        `\`${bundle.name}\` was made without a place of updates`,
        "copy it again from where you got it; `bundle --update-from PLACE --sign KEY` makes one that updates itself",
      ]);
    return tellingRefusals(
      context,
      async () => {
        if (isInsideRun(host))
          throw new Refusal("denied", "a tool started `self-update`, and only a person may update");
        const path = await host.files.realPath(executable);
        const newest = await newestRelease(place, { host, signal: terminal.signal });
        if (!newest.isNewer) {
          terminal.output.write(`${bundle.name} ${newest.version} is the newest that ${printable(place.from)} has\n`);
          return exitCodes.done;
        }
        await tellingTrouble(path, host, () => requireOwn(path, host));
        const bytes = await newest.fetch();
        await tellingTrouble(path, host, async () =>
          host.files.write(path, bytes, { replaces: await requireOwn(path, host), formerPath: `${path}.old` }),
        );
        terminal.output.write(
          `${bundle.name} ${newest.version} is in place of ${bundle.version}; the old one is \`${printable(path)}.old\`\n`,
        );
        return exitCodes.done;
      },
      "self-update",
    );
  },
};

/** Says what to type where a file cannot be written. */
async function tellingTrouble<Value>(path: string, host: Host, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof Refusal || code === undefined) throw error;
    if (code === "ESTALE") throw replacedMeanwhile(path);
    throw new Refusal("failed", `\`${path}\` cannot be replaced (${code}); nothing has changed`, [
      `${permission(code, path, host)}copy it to a folder of yours, and update it there`,
    ]);
  }
}

/** Returns what to type first if it is a missing permission. */
function permission(code: string, path: string, { platform, instant }: Host): string {
  if ((code !== "EACCES" && code !== "EPERM") || platform === "windows") return "";
  const protectedPath = [dirname(path), path].find((one) => ((instant.stat(one)?.mode ?? 0) & OWNER_WRITES) === 0);
  if (protectedPath === undefined || instant.stat(protectedPath)?.isOwn !== true)
    return `\`sudo ${quoteWord(path)} self-update\`, or `;
  return `\`chmod u+w ${quoteWord(protectedPath)}\` and update again, or `;
}

const OWNER_WRITES = 0o200;

function replacedMeanwhile(path: string): Refusal {
  return new Refusal("failed", `\`${path}\` was replaced while this program ran`, [
    "another update has just replaced it; run it again to see",
  ]);
}

/** Returns the bytes of the file that this program was started from, if that can be replaced and kept. */
async function requireOwn(path: string, host: Host): Promise<Uint8Array> {
  // Before the download, which may take long.
  const probe = join(dirname(path), temporaryName(host.shared.identity(), host.randomId()));
  await (await host.files.create(probe, { mode: 0o600 })).close();
  await host.files.remove(probe);
  const own = await readExecutableAt(path, host);
  if ("problem" in own || own.bundle?.sha256 !== host.bundle?.sha256) throw replacedMeanwhile(path);
  const isLink = host.instant.isLink(`${path}.old`);
  const old = isLink === undefined ? undefined : await readExecutableAt(`${path}.old`, host);
  if (isLink === true || (old && ("problem" in old || !(await isEarlier(old.bundle, host)))))
    throw new Refusal(
      "failed",
      `\`${path}.old\` is in the way: it is not an earlier version of \`${host.bundle?.name}\``,
      [`move it away, such as with \`mv ${quoteWord(`${path}.old`)} ${quoteWord(`${path}.other`)}\``],
    );
  return own.bytes;
}

async function isEarlier(old: Bundle | undefined, { bundle }: Host): Promise<boolean> {
  const { default: semver } = await import("semver");
  const [before, now] = [old, bundle].map((one) => semver.valid(one?.version) ?? "0.0.0") as [string, string];
  return old?.name === bundle?.name && semver.lte(before, now);
}
