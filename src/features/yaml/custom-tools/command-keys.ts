// The keys that name a command or another action, and the shells.

/** The keys that name a command; exactly one is given. */
export const commandKeys = ["bash", "cmd", "pwsh", "run", "script"] as const;

export const shells = ["bash", "sh", "zsh", "pwsh", "cmd"] as const;

/** The keys that name an action; exactly one is given. */
export const actionKinds = [...commandKeys, "use-tool", "prompt", "javascript", "python"] as const;
