// The names that `import { … } from "dottool"` provides to plugins and to embedding programs: the plugin API, and a
// session to call tools in. core/session/assemble.ts gives plugins the same values, and test/plugins/library.test.ts compares
// the names.

import { useFeatures } from "./core/tool/feature.ts";
import { features } from "./features/index.ts";

useFeatures(features);

export * from "./features/plugins/api.ts";
export * from "./features/embedding/api.ts";
