// What `import { … } from "dottool"` gives: the plugin API, and for embedding programs a session to call tools in.

export * from "./plugins/api.ts";
export { openTools, type OpenTools, type OpenToolsOptions } from "./embed.ts";
