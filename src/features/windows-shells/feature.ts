import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../core/base/bind-shell.ts";
import type {} from "../../core/language/kinds/windows-scripts.ts";

export const feature: Feature = {
  parts: {
    bindWindows: async () => (await import("./bind-values.ts")).bindWindows,
    windowsScripts: async () => (await import("./parse-script.ts")).windowsScripts,
  },
};
