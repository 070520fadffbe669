// `mcp: {background_after: 30s, tasks_only: [deploy]}`: after this time, and of these tools at once, a call goes on behind
// its request. Each list of tools asks for it, so this loads nothing.
import type { Offer } from "./offered.ts";
import { readUserConfig } from "../../core/base/user-config.ts";
import type { Session } from "../../core/run/session.ts";
import { shortTimeMs } from "../../core/tool/deadline.ts";

/** The tool with which clients that do not know tasks get the results of such calls. */
export const CHECK_RUN = "check_run";

/** Whether clients that do not know tasks get handles, and so are offered `check_run`. */
export async function offersHandles({ session, find }: Pick<Offer, "session" | "find">): Promise<boolean> {
  return (await backgroundAfterMs(session)) !== undefined && find(CHECK_RUN) === undefined;
}

/** Returns undefined where nothing, or nothing that can be used, is set. */
export async function backgroundAfterMs(session: Session): Promise<number | undefined> {
  const { host } = session;
  const isSet =
    (host.environment("MCP_BACKGROUND_AFTER") ?? "") !== "" || readUserConfig(host).text.includes("background_after");
  const text = isSet ? await session.setting("mcp.background_after").catch(() => undefined) : undefined;
  return text === undefined ? undefined : shortTimeMs(text);
}

/** Returns the names of the tools whose calls no client has to wait for. */
export async function taskOnlyNames(session: Session): Promise<ReadonlySet<string>> {
  const { host } = session;
  const isSet = (host.environment("MCP_TASKS_ONLY") ?? "") !== "" || readUserConfig(host).text.includes("tasks_only");
  const text = isSet ? await session.setting("mcp.tasks_only").catch(() => undefined) : undefined;
  return new Set(text?.split(/[\s,]+/));
}
