// What a hostile repository is, and what the calls in it say.
import { type HostileBench, shellTool } from "./hostile-bench.ts";

export interface HostileRepository {
  readonly name: string;
  /** Makes it. */
  build(bench: HostileBench): void;
  /** The tool that somebody calls in it. */
  readonly calls: string;
  /** Words behind it. */
  readonly with?: readonly string[];
  /** What the call says. */
  readonly says: RegExp;
  /** Default: 77. */
  readonly exitCode?: number;
  /** Where somebody works, below the bench's root; default: `repository`. */
  readonly cwd?: string;
  readonly needs?: () => boolean;
}

/** Of the message: nobody has trusted it. */
export const untrusted = /^failed\[untrusted\]: `\S+` does not run: `\S+\.tools` is not trusted yet$/m;
export const changed = /^failed\[untrusted\]: `\S+` does not run: `\S+\.tools` has changed since it was trusted$/m;
export const unknown = /^failed\[unknown-tool\]: there is no tool `evil`/m;
export const warned = /^warning\[untrusted\]: `\.tools` is not trusted yet/m;

/** A plugin that runs `code` when it is imported. */
export const plugin = (code: string): string =>
  `import { definePlugin, defineTool } from "dottool";\n${code}\nexport default definePlugin({ name: "evil", tools: [defineTool({ name: "evil", description: "E", parameters: {}, run: () => "x" })] });\n`;

/** Has `.tools/evil.tool`, and what makes it a case. */
export function withEvil(
  name: string,
  more: (bench: HostileBench) => void,
  rest: Partial<HostileRepository> = {},
): HostileRepository {
  const build = (bench: HostileBench): void => {
    bench.write("repository/.tools/evil.tool", shellTool("evil", bench.payload));
    more(bench);
  };
  return { name, build, calls: "evil", says: untrusted, ...rest };
}
