// Warnings about tools that are missing or do not run: those of plugins that did not load, and of untrusted folders.
import { printable } from "../../core/text/display.ts";
import { positionOf, type Span } from "../../core/text/source.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { isWholly, type UntrustedFolder, untrustedWords } from "../../core/session/untrusted-folders.ts";

/** Returns lines for standard error; empty if all is well. */
export async function lostPluginsText(opened: OpenedSession, folders: readonly UntrustedFolder[]): Promise<string> {
  const untrusted = untrustedText(folders);
  if (opened.catalogue().plugins.length === 0) return untrusted;
  const broken = (await opened.pluginDiagnostics()).filter(({ severity }) => severity === "error");
  const count = broken.length;
  if (count === 0) return untrusted;
  const places = broken.flatMap(({ at }) => (at ? [placeText(at.span)] : []));
  const first = places[0] === undefined ? "" : count === 1 ? ` (${places[0]})` : ` (one is ${places[0]})`;
  return `${untrusted}warning[broken-plugin]: ${count === 1 ? "1 plugin" : `${count} plugins`} did not load${first}, so ${count === 1 ? "its" : "their"} tools are missing; \`dottool check\` says why\n`;
}

function placeText({ source, start }: Span): string {
  const { line, column } = positionOf(source, start);
  return `\`${printable(source.path)}:${line}:${column}\``;
}

/** Returns one line for each folder. */
function untrustedText(folders: readonly UntrustedFolder[]): string {
  const lines = folders.map((folder) => {
    const { fact, help } = untrustedWords(folder);
    const loss = isWholly(folder)
      ? "its tools do not run and its plugins do not load"
      : "tools and plugins that need the change do not run";
    return `warning[untrusted]: \`${printable(folder.shownPath)}\` ${printable(fact)}, so ${loss}; ${printable(help)}\n`;
  });
  return [...new Set(lines)].join("");
}
