// The names of the tools that make tools and run them, for files that load neither.

export const FORGE_TOOL = "forge_tool";
export const RUN_FORGED = "run_forged";
export const forgeNames = [FORGE_TOOL, RUN_FORGED] as const;
