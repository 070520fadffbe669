// YAML definitions: recognizes the format of a file by its keys, and has its reader.
import type { SourceFile } from "../../core/text/source.ts";
import { allWorded } from "../../core/language/yaml-words.ts";
import type { Checked } from "../../core/text/diagnostic.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import type { AnalyzeOptions } from "../../core/language/analyze.ts";
import { analyzeCustomTool } from "./custom-tools/analyze.ts";
import { Findings } from "../../core/language/findings.ts";
import { analyzeForgeTool, isForgeTool } from "./forge-tool/analyze.ts";
import { analyzeMetaTool, isMetaTool } from "./meta-tools/analyze.ts";
import { withOpenValues } from "../../core/language/checks/open-values.ts";
import { readYaml } from "./document.ts";
import { entryOf, type YamlMap } from "./node.ts";

export interface YamlFormat {
  readonly name: string;
  recognizes(root: YamlMap): boolean;
  /** Returns undefined if there is no definition; `findings` says why. */
  analyze(root: YamlMap, options: AnalyzeOptions, findings: Findings): ToolDefinition | undefined;
}

/** The formats. The first that recognizes a file reads it. */
const formats: readonly YamlFormat[] = [
  { name: "forge", recognizes: isForgeTool, analyze: analyzeForgeTool },
  { name: "meta-tools", recognizes: isMetaTool, analyze: analyzeMetaTool },
  { name: "custom-tools", recognizes: () => true, analyze: analyzeCustomTool },
];

export function formatOf(root: YamlMap): YamlFormat | undefined {
  return formats.find((format) => format.recognizes(root));
}

interface ReadYamlTool extends Checked<ToolDefinition> {
  /** The name as written, also if the definition has errors. */
  readonly writtenName?: { readonly name: string; readonly start: number; readonly end: number };
}

export function analyzeYamlFile(source: SourceFile, options: AnalyzeOptions = {}): ReadYamlTool {
  const findings = new Findings(source);
  const root = readYaml(source, findings);
  if (root?.kind !== "map") {
    if (findings.diagnostics().length === 0)
      findings.error("wrong-value", "a definition must be a map of keys and values", {
        at: root ? { ...root.span, end: Math.min(root.span.end, root.span.start + 1) } : findings.startOfFile(),
        help: ["write `name:`, `description:` and `bash:` with a command"],
      });
    return { diagnostics: findings.diagnostics() };
  }
  const value = formatOf(root)?.analyze(root, options, findings);
  return {
    ...(value ? { value: withOpenValues(value) } : {}),
    diagnostics: allWorded(findings.diagnostics()),
    ...writtenNameOf(root),
  };
}

function writtenNameOf(root: YamlMap): Pick<ReadYamlTool, "writtenName"> {
  const value = entryOf(root, "name")?.value;
  if (value?.kind !== "scalar" || !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(value.text.text)) return {};
  const { text, span } = value.text;
  return { writtenName: { name: text, start: span.start, end: span.end } };
}
