// The state that a client holds while a call waits for its answer: signed, limited in time, and good for one use.
import { join } from "node:path";
import type { Host } from "../../core/tool/host.ts";
import { isSameText } from "../web/http-guard.ts";

export interface CallState {
  /** A random value that cannot be guessed. */
  readonly use: string;
  /** The id of the waiting call, within the server process where it waits. */
  readonly call: string;
  /** A hash of the method, the name and the arguments: an answer to one call cannot answer another. */
  readonly request: string;
  /**
   * The content of the tool when the person was asked. It is set if nothing has run yet, so that any copy of the server
   * may begin the call.
   */
  readonly content?: string;
}

export interface CallStates {
  mint(state: Omit<CallState, "use">): string;
  /** Returns undefined if it is too old, or was not made by this server or a copy with the same key. */
  verify(text: string): CallState | undefined;
  /** Uses up a state. Returns false if it has been used, here or by another copy on this machine. */
  use(state: CallState): boolean;
}

/** The time that a person has for an answer. */
export const STATE_SECONDS = 600;
/** The limit of remembered uses. With more in ten minutes, not all are removed at once. */
const USED_MAX = 10_000;

export function openCallStates(host: Host, key: string): CallStates {
  const sign = (body: string): string => host.hash("sha256", `dottool mcp state ${body}`, key);
  const nowMs = (): number => Date.parse(host.timestamp());
  const used = new Set<string>();
  const folder = join(host.folders.state, "mcp-used");
  return {
    mint: (state) => {
      const made = { state: { ...state, use: host.randomId() }, untilMs: nowMs() + STATE_SECONDS * 1000 };
      const body = Buffer.from(JSON.stringify(made)).toString("base64url");
      return `${body}.${sign(body)}`;
    },
    verify: (text) => {
      const [body = "", signature = ""] = text.split(".", 2);
      if (text !== `${body}.${signature}` || !isSameText(signature, sign(body))) return undefined;
      // What is signed was made above.
      const made = JSON.parse(Buffer.from(body, "base64url").toString()) as { state: CallState; untilMs: number };
      return made.untilMs > nowMs() ? made.state : undefined;
    },
    use: ({ use }) => {
      if (used.has(use)) return false;
      used.add(use);
      if (used.size > USED_MAX) used.delete([...used][0] ?? "");
      return isFirst(use, folder, host);
    },
  };
}

/**
 * Whether this is the first use. Copies on one machine share the folder; if it is not writable, this copy uses its
 * memory alone.
 */
function isFirst(use: string, folder: string, host: Host): boolean {
  try {
    removeOld(folder, host);
    return host.shared.create(join(folder, use), "");
  } catch {
    return true;
  }
}

function removeOld(folder: string, host: Host): void {
  if (!host.instant.stat(folder)) return;
  const oldestMs = Date.parse(host.timestamp()) - 2 * STATE_SECONDS * 1000;
  for (const name of host.instant.names(folder).slice(0, USED_MAX)) {
    const path = join(folder, name);
    if ((host.instant.stat(path)?.mtimeMs ?? oldestMs) < oldestMs) host.instant.remove(path);
  }
}
