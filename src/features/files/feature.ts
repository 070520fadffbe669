import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../core/run/ask-for-call.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  baseTools: async () => {
    const loaded = await Promise.all([
      import("./edit-file.ts").then(({ editFile }) => editFile),
      import("./find-files.ts").then(({ findFiles }) => findFiles),
      import("./list-dir.ts").then(({ listDir }) => listDir),
      import("./read-file.ts").then(({ readFile }) => readFile),
      import("./search-text.ts").then(({ searchText }) => searchText),
      import("./write-file.ts").then(({ writeFile }) => writeFile),
    ]);
    return loaded;
  },
  parts: {
    editPreview: async () => (await import("./edit-file.ts")).editPreview,
  },
};
