import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../core/run/suggest.ts";

export const feature: Feature = {
  parts: {
    repairs: () => import("./with-suggestion.ts"),
  },
};
