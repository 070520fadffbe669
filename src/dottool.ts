// The names that `import { … } from "dottool"` provides to plugins and to embedding programs: the plugin API, and a
// session to call tools in. api/assemble.ts gives plugins the same values, and test/plugins/library.test.ts compares
// the names.

export * from "./plugins/api.ts";
export * from "./api/api.ts";
