// Checks the target of a file that a call will write, before anything runs.
import { dirname, resolve } from "node:path";
import { printable } from "../../core/text/display.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal } from "../../core/tool/terminal.ts";

/** Returns undefined if a file can be written there. `noun` is its content, for the message. */
export async function targetProblem(
  path: string,
  noun: string,
  { host, terminal }: { readonly host: Host; readonly terminal: Terminal },
): Promise<string | undefined> {
  const absolute = resolve(terminal.workingFolder(), path);
  const [own, folder] = await Promise.all([host.files.stat(absolute), host.files.stat(dirname(absolute))]);
  if (own?.kind === "folder") return `\`${printable(path)}\` is a folder`;
  // The target is replaced in one step when the output is complete, and only a file can be replaced.
  if (own && own.kind !== "file") return `\`${printable(path)}\` is a device or a pipe, not a file`;
  return folder?.kind === "folder" ? undefined : `there is no folder for the ${noun} \`${printable(path)}\``;
}

/** Compares the files behind links, too. */
export async function isSameFile(
  one: string,
  other: string,
  { host, terminal }: { readonly host: Host; readonly terminal: Terminal },
): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map(async (path) => {
      const absolute = resolve(terminal.workingFolder(), path);
      return (await host.files.stat(absolute))
        ? host.files.realPath(absolute)
        : resolve(
            await host.files.realPath(dirname(absolute)),
            absolute.slice(dirname(absolute).length).replace(/^[\\/]+/, ""),
          );
    }),
  );
  return first === second;
}
