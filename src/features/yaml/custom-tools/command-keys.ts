// The keys that name a command or another action, and the shells.

import { scriptPrograms } from "../../../core/shell/script-programs.ts";

/** The keys that name a command; exactly one is given. */
export const commandKeys = ["bash", "cmd", "pwsh", "run", "script"] as const;

export const shells = ["bash", "sh", "zsh", "pwsh", "cmd"] as const;

/** What may read a `script`. */
export const scriptReaders: readonly string[] = [...shells, ...scriptPrograms];

/** The keys that name an action; exactly one is given. */
export const actionKinds = [...commandKeys, "use-tool", "prompt", "javascript", "python"] as const;
