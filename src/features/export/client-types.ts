// The types of the tools for a program in TypeScript that embeds dottool: a call with a wrong name or argument does not
// compile.
import { effectsText } from "./facts.ts";
import { commentText, objectType, typeOf } from "../dialects/typescript.ts";
import { modelDescription } from "../dialects/model-description.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { type Making, textFile } from "./making.ts";

const JSON_TYPE = "Json";

export function typeFiles({ facts }: Making): readonly UnpackedFile[] {
  const { name, version, tools } = facts;
  const returning = tools.filter(({ tool }) => tool.definition.returns);
  return [
    textFile(
      "",
      `// The tools of ${name} ${version}. Written by \`dottool export\`: change the definitions that it was made of, and
// export them again.
//   const tools: Tools = await openTools({ cwd: ".", toolFolders: ["the folder of the definitions"] });
import type { ${JSON_TYPE}, OpenTools, ToolResult } from "dottool";

/** The arguments of each tool. */
export interface ToolArguments {
${tools.map(({ tool }) => member(tool, argumentsType(tool))).join("")}}

/** The data of a result, of the tools that declare it. */
export interface ToolReturns {
${returning.map(({ tool }) => member(tool, returnType(tool))).join("")}}

/** A session with these tools. */
export interface Tools extends Omit<OpenTools, "call"> {
  call<Name extends keyof ToolArguments>(
    tool: Name,
    args: ToolArguments[Name],
    options?: { readonly signal?: AbortSignal },
  ): Promise<ToolResult>;
}
`,
    ),
  ];
}

function member({ definition, effects }: Tool, type: string): string {
  return `  /** ${commentText(modelDescription(definition))} @remarks ${effectsText(effects)} */
  ${JSON.stringify(definition.name.value)}: ${type};
`;
}

function argumentsType({ parameters }: Tool): string {
  const offered = parameters.filter(({ hidden }) => !hidden);
  return offered.length === 0 ? "Record<string, never>" : objectType(offered, { any: JSON_TYPE });
}

function returnType({ definition: { returns } }: Tool): string {
  return returns ? typeOf(returns.schema, { any: JSON_TYPE }) : JSON_TYPE;
}
