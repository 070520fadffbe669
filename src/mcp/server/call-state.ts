// What goes to a client and back while a call waits for its answer: signed, for a time, and good for one use.
import { join } from "node:path";
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import type { Host } from "../../tool/host.ts";

export interface CallState {
  /** It cannot be guessed, and differs each time. */
  readonly use: string;
  /** The id of the waiting call, in the server process that it waits in. */
  readonly call: string;
  /** A hash of the method, the name and the arguments: an answer to one call cannot answer another. */
  readonly request: string;
  /** Nothing has run, so any copy may begin the call: of the tool as it was when the person was asked. */
  readonly content?: string;
}

export interface CallStates {
  mint(state: Omit<CallState, "use">): Promise<string>;
  /** Throws where it was not made here, or by a copy with the same key, or is too old. */
  verify(text: string): Promise<CallState>;
  /** False: it has been used, here or by another copy on this machine. */
  use(state: CallState): boolean;
}

/** People take their time, but not for ever. */
export const STATE_SECONDS = 600;
/** More than these in ten minutes are not tidied up at once. */
const USED_MAX = 10_000;

export function openCallStates(host: Host, key: string): CallStates {
  const codec = createRequestStateCodec<CallState>({
    key: host.sha256(`dottool mcp state ${key}`),
    ttlSeconds: STATE_SECONDS,
  });
  const used = new Set<string>();
  const folder = join(host.folders.state, "mcp-used");
  return {
    mint: (state) => codec.mint({ ...state, use: host.randomId() }),
    verify: async (text) => (await codec.verify(text, undefined as never)) as CallState,
    use: ({ use }) => {
      if (used.has(use)) return false;
      used.add(use);
      if (used.size > USED_MAX) used.delete([...used][0] ?? "");
      return isFirst(use, folder, host);
    },
  };
}

/** Copies on one machine share the folder. Where it cannot be written to, this copy's own memory has to do. */
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
