// `dottool bundle --update-from … --sign … --release …`: the place that a bundle asks for updates, and the files that
// belong there.
import type { KeyObject } from "node:crypto";
import { join, resolve } from "node:path";
import { type CommandContext, type CommandInput, reportUsage } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import { hasCredentials } from "../../core/text/without-credentials.ts";
import type { Host } from "../../core/tool/host.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { isPackageName } from "../packages/manifest.ts";
import { tellingRefusals } from "../packages/packages-session.ts";
import { Refusal } from "../packages/refusal.ts";
import { newSigningKey, publicHalf, readSigningKey } from "./host/signing.ts";
import type { MadeBundle } from "./make-bundle.ts";
import { executableName, FACTS_BYTES_MAX, factsName, NPM, placeFile, readFacts, signedFacts } from "./release.ts";

interface Updates {
  /** As `--update-from` has it; a folder as an absolute path. */
  readonly from: string;
  readonly key: KeyObject;
  /** The folder of `--release`, as it was typed and absolute. */
  readonly folder: { readonly shown: string; readonly path: string } | undefined;
  /** What they add to the files of the bundle. */
  readonly files: readonly UnpackedFile[];
}

/** Writes a new private key. Returns an exit code. */
export async function writeNewKey(word: string, context: CommandContext): Promise<number> {
  const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
  if (typeof opened === "number") return opened;
  const path = resolve(context.terminal.workingFolder(), word);
  return tellingRefusals(
    context,
    async () => {
      if (!opened.host.shared.create(path, newSigningKey()))
        return reportUsage(
          context.terminal,
          `\`${word}\` exists; \`--new-key\` takes the name of a new file`,
          "bundle",
        );
      context.terminal.output.write(
        `wrote ${printable(word)}: keep it secret, and keep it, because programs that are out take no release that another key has signed\n`,
      );
      return exitCodes.done;
    },
    "bundle",
  );
}

/** Returns undefined if no place was named. Throws a `Refusal`. */
export function updatesOf(input: CommandInput, terminal: Terminal, host: Host): Updates | undefined {
  const [from, sign, release] = ["update-from", "sign", "release"].map((option) => input.value(option));
  if (from === undefined) return undefined;
  const path = (word: string): string => resolve(terminal.workingFolder(), word);
  if (sign === undefined || !host.instant.stat(path(sign)))
    throw new Refusal(
      "missing",
      sign === undefined ? "updates need a key that signs them" : `there is no \`${sign}\``,
      [`\`dottool bundle --new-key ${sign ?? "team.key"}\` makes a key, for \`--sign ${sign ?? "team.key"}\``],
    );
  const key = readSigningKey(host.instant.readBytes(path(sign), KEY_BYTES_MAX));
  if (!key)
    throw new Refusal("definitions", `\`${sign}\` is not a private Ed25519 key in PEM without a passphrase`, [
      "`dottool bundle --new-key FILE` makes one",
    ]);
  const place = isAddress(from) ? from : path(from);
  if (place !== from && host.instant.stat(place)?.kind !== "folder")
    throw new Refusal("missing", `\`${from}\` is not an address, a folder or the name of a package`, [
      "such as `https://tools.example.com/ourtools`, `/srv/tools` or `npm:@team/ourtools`",
    ]);
  const files = [placeFile({ from: place, key: publicHalf(key) })];
  return {
    from: place,
    key,
    folder: release === undefined ? undefined : { shown: release, path: path(release) },
    files,
  };
}

const KEY_BYTES_MAX = 64 * 1024;

function isAddress(from: string): boolean {
  if (from.startsWith(NPM)) return isPackageName(from.slice(NPM.length));
  if (!/^https?:\/\/[^/]/i.test(from) || !URL.canParse(from)) return false;
  if (!hasCredentials(from) && !/[?#]/.test(from)) return true;
  throw new Refusal("denied", "everyone who gets the bundle could read the login in `--update-from`", [
    "leave it and what is behind `?` out; the `.npmrc` of each user can have a login for that host",
  ]);
}

type Released = MadeBundle & { readonly name: string; readonly platform: string };

/**
 * Writes the files into the folder, if there is one, and returns what to say. Throws a `Refusal` if the bundle could
 * not be told from another one.
 */
export async function writeRelease(
  { bytes, ...bundle }: Released,
  { from, key, folder }: Updates,
  host: Host,
): Promise<string> {
  const { name, platform, version = "" } = bundle;
  const { default: semver } = await import("semver");
  if (semver.valid(version) !== version)
    throw new Refusal("definitions", "a bundle with updates needs a version", [
      'write `{"version": "1.0.0"}` in `package.json` of the folder of its tools, and raise it for each release',
    ]);
  if (folder === undefined) return "";
  const release = { name, version, platform, sizeBytes: bytes.length, sha256: host.sha256(bytes) };
  const isPackage = from.startsWith(NPM);
  const [target, shown] = [folder.path, folder.shown].map((one) =>
    isPackage ? join(one, `${name}-${platform}`) : one,
  ) as [string, string];
  const [executable, facts] = [executableName(release), factsName(release)];
  const there = host.instant.stat(join(target, executable));
  if (there && host.sha256(host.instant.readBytes(join(target, executable), there.sizeBytes)) !== release.sha256)
    throw new Refusal("definitions", `\`${join(target, executable)}\` exists, with other content`, [
      "raise `version` in `package.json` of the folder of the tools: who has this version would not get the new one",
    ]);
  const former = host.instant.stat(join(target, facts)) && host.instant.readBytes(join(target, facts), FACTS_BYTES_MAX);
  const released = former && readFacts(former, publicHalf(key));
  if (former && !released)
    throw new Refusal("denied", `\`${join(target, facts)}\` is signed with another key`, [
      "programs that are out would refuse this release: sign it with that key, or remove the file",
    ]);
  if (released && semver.gt(released.version, version))
    throw new Refusal("definitions", `\`${join(target, facts)}\` has ${released.version}, and this is ${version}`, [
      `programs of ${released.version} would refuse it: raise \`version\` in \`package.json\` of the folder of the tools`,
    ]);
  await host.files.makeFolder(target);
  await host.files.write(join(target, executable), bytes, { mode: 0o755 });
  if (isPackage) {
    const called = { name: `${from.slice(NPM.length)}-${platform}`, version, files: [executable, facts] };
    await host.files.write(join(target, "package.json"), `${JSON.stringify(called, undefined, 2)}\n`);
  }
  // Last, because programs read it first.
  await host.files.write(join(target, facts), signedFacts(release, key));
  return isPackage
    ? `release: \`npm publish ${printable(shown)}\`\n`
    : `release: ${executable} and ${facts} in ${printable(shown)}\n`;
}
