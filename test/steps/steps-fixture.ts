// Definitions of tools with steps in a folder of their own, opened once and called in this process: real processes and
// the real gate.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { assemble, type Assembled } from "../../src/core/session/assemble.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { ToolResult } from "../../src/core/tool/call.ts";
import type { ToolEvent } from "../../src/core/tool/tool.ts";

export interface StepsFixture {
  readonly folder: string;
  call(tool: string, args?: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
  /** Returns the text of a result, or the words of its failure. */
  said(tool: string, args?: JsonObject): Promise<string>;
  readonly events: ToolEvent[];
  readonly opened: Assembled;
  read(path: string): string | undefined;
}

/** Returns a definition of a tool called `name` with steps and nothing else. */
export function stepsTool(name: string, text: string): string {
  return `Do steps.\n\n@title ${name}\n@name ${name}\n${text}\n`;
}

/** `tools` has the text after `@name`, by name; `files` are other files. */
export async function withSteps(
  tools: Readonly<Record<string, string>>,
  body: (bench: StepsFixture) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-steps-")));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  try {
    for (const [name, text] of Object.entries(tools))
      write(`.tools/${name}.tool`, stepsTool(name.replace(/^.*\//, ""), text));
    for (const [path, text] of Object.entries(files)) write(path, text);
    // The machine's user has other caches and settings.
    for (const name of ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]) process.env[name] = join(folder, name);
    const events: ToolEvent[] = [];
    const opened = await assemble({
      cwd: folder,
      toolFolders: [join(folder, ".tools")],
      globalFolder: join(folder, "etc"),
      onEvent: (event) => void events.push(event),
    });
    let calls = 0;
    const call: StepsFixture["call"] = (tool, args = {}, signal = new AbortController().signal) =>
      callTool({ id: String(++calls), tool, arguments: args }, opened.session, signal);
    const said: StepsFixture["said"] = async (tool, args) => {
      const result = await call(tool, args);
      return result.status === "ok" ? contentText(result) : failureText(result.failure, { audience: "person", tool });
    };
    const read = (path: string): string | undefined =>
      existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;
    await body({ folder, call, said, events, opened, read });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function contentText({ content }: ToolResult): string {
  return content
    .map((item) =>
      item.type === "text" ? item.text : item.type === "json" ? JSON.stringify(item.value) : `(${item.type})`,
    )
    .join("\n");
}
