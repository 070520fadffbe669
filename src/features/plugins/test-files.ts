// Files of tests beside plugins: `NAME.test.ts`.
import { dirname, join } from "node:path";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { trustedPlugins } from "./trusted-plugins.ts";

const ENDING = ".test.ts";

/** Tests run if they and all plugins beside them are trusted. */
export function trustedTests({ catalogue, host }: OpenedSession): ReturnType<typeof trustedPlugins> {
  const folders = new Map(catalogue().plugins.map(({ path, folder }) => [dirname(path), folder]));
  const files = [...folders].flatMap(([path, folder]) =>
    namesIn(path, host)
      .filter((name) => name.endsWith(ENDING) && host.instant.stat(join(path, name))?.kind === "file")
      .map((name) => ({ path: join(path, name), folder })),
  );
  const { diagnostics } = trustedPlugins(catalogue().plugins, host);
  const lost = new Map(diagnostics.map((one) => [dirname(one.plugin), one]));
  const found = trustedPlugins(files, host);
  return {
    trusted: found.trusted.filter(({ path }) => !lost.has(dirname(path))),
    diagnostics: [...found.diagnostics, ...found.trusted.flatMap(({ path }) => lost.get(dirname(path)) ?? [])],
  };
}

function namesIn(path: string, host: OpenedSession["host"]): readonly string[] {
  try {
    return host.instant.names(path);
  } catch {
    // Without a plugins folder, discovery has said so.
    return [];
  }
}

export function testFileOf(plugin: string): string {
  return plugin.replace(/\.ts$/, ENDING);
}
