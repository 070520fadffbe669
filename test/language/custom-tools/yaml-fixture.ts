// Definitions in YAML: read alone, or in a folder of tools that are called through the gate.
import "../../windows-shells.ts";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openTools } from "../../../src/dottool.ts";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import { hasErrors } from "../../../src/core/text/diagnostic.ts";
import type { ToolDefinition } from "../../../src/core/tool/definition.ts";
import type { JsonObject } from "../../../src/core/schema/json.ts";
import type { ToolResult } from "../../../src/core/tool/call.ts";

/** Returns a tool called `t` with a description; `lines` follow. */
export function tool(...lines: readonly string[]): string {
  return ["name: t", "description: Does something", ...lines, ""].join("\n");
}

/** Returns `code: message` of every diagnostic. */
export function saidOf(text: string): readonly string[] {
  return analyzeYamlFile({ path: "t.yaml", text }).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

/** Reads a definition. Throws if it has errors. */
export function definitionOf(text: string): ToolDefinition {
  const { value, diagnostics } = analyzeYamlFile({ path: "t.yaml", text });
  if (!value || hasErrors(diagnostics))
    throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  return value;
}

export interface YamlFixture {
  /** The absolute path, without links, of the folder in which calls run. */
  readonly folder: string;
  call(name: string, args?: JsonObject): Promise<ToolResult>;
  /** Returns the text of a result, or the failure in words. */
  said(name: string, args?: JsonObject): Promise<string>;
}

/** `files` are texts by path below the tool folder. Without an ending, `.yaml` is added. */
export async function withTools(
  files: Readonly<Record<string, string>>,
  use: (bench: YamlFixture) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-yaml-")));
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, ".tools", name.includes(".") ? name : `${name}.yaml`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const tools = await openTools({ cwd: folder, toolFolders: [join(folder, ".tools")] });
    const call = (name: string, args: JsonObject = {}): Promise<ToolResult> => tools.call(name, args);
    const said = async (name: string, args: JsonObject = {}): Promise<string> => {
      const result = await call(name, args);
      return result.status === "failed"
        ? tools.explain(result)
        : result.content.map((item) => (item.type === "text" ? item.text : JSON.stringify(item))).join("");
    };
    await use({ folder, call, said });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
