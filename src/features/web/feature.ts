import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  baseTools: async () => {
    const loaded = await Promise.all([
      import("./google-search.ts").then(({ googleSearch }) => googleSearch),
      import("./web-fetch.ts").then(({ webFetch }) => webFetch),
      import("./web-search.ts").then(({ webSearch }) => webSearch),
    ]);
    return loaded;
  },
  parts: {
    listen: async () => (await import("./host/web-server.ts")).listen,
    createWeb: async () => (await import("./host/web.ts")).createWeb,
  },
};
