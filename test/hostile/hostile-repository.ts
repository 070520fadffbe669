// A hostile repository, and the messages of calls in it.
import { type HostileFixture, shellTool } from "./hostile-fixture.ts";

export interface HostileRepository {
  readonly name: string;
  /** Makes the repository. */
  build(bench: HostileFixture): void;
  readonly calls: string;
  /** The words after the tool. */
  readonly with?: readonly string[];
  /** The message of the call. */
  readonly says: RegExp;
  /** The default is 77. */
  readonly exitCode?: number;
  /** The working folder below the bench's root. The default is `repository`. */
  readonly cwd?: string;
  readonly needs?: () => boolean;
}

export const untrusted = /^failed\[untrusted\]: `\S+` does not run: `\S+\.tools` is not trusted yet$/m;
export const changed =
  /^failed\[untrusted\]: `\S+` does not run: `\S+\.tools(?:\/\S+)?`(?: \(and \d+ more\))? has changed since it was trusted$/m;
export const unknown = /^failed\[unknown-tool\]: there is no tool `evil`/m;
export const warned = /^warning\[untrusted\]: `\.tools` is not trusted yet/m;

/** Returns a plugin that runs `code` when it is imported. */
export const plugin = (code: string): string =>
  `import { definePlugin, defineTool } from "dottool";\n${code}\nexport default definePlugin({ name: "evil", tools: [defineTool({ name: "evil", description: "E", parameters: {}, run: () => "x" })] });\n`;

/** A case with `.tools/evil.tool`. */
export function withEvil(
  name: string,
  more: (bench: HostileFixture) => void,
  rest: Partial<HostileRepository> = {},
): HostileRepository {
  const build = (bench: HostileFixture): void => {
    bench.write("repository/.tools/evil.tool", shellTool("evil", bench.payload));
    more(bench);
  };
  return { name, build, calls: "evil", says: untrusted, ...rest };
}
