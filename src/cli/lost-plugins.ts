// Plugins that did not load: their tools are missing wherever tools are named, and only `check` says why.
import type { OpenedSession } from "./open-session.ts";

/** A line for standard error; empty where all have loaded. */
export async function lostPluginsText(opened: OpenedSession): Promise<string> {
  if (opened.catalogue().plugins.length === 0) return "";
  const count = (await opened.pluginDiagnostics()).filter(({ severity }) => severity === "error").length;
  if (count === 0) return "";
  return `warning[broken-plugin]: ${count === 1 ? "1 plugin" : `${count} plugins`} did not load, so ${count === 1 ? "its" : "their"} tools are missing; \`dottool check\` says why\n`;
}
