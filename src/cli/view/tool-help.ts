// `dottool NAME --help`: shows what a tool does, and its parameters.
import { inOwnName } from "../../core/text/program-name.ts";
import { callLine } from "../../core/run/call-line.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import { globalOptions } from "../words/global-options.ts";
import { isMadeOfSteps } from "../words/read-call.ts";
import type { ToolRegistry } from "../../core/tool/registry.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { printableLines, reflow, rows, textColumns, wrap } from "./layout.ts";
import { paintFor } from "./paint.ts";
import { optionText, parameterFacts, placeText } from "./parameter-text.ts";
import { shadowedFlags, stepFlagRows } from "../words/step-flags.ts";
import { arrayParameter, optionList, positionalParameters, rawParameter } from "../../core/run/find-parameter.ts";

const OPTIONS_SHOWN_MAX = 3;

interface ToolHelp {
  readonly name: string;
  readonly tool: Tool;
  readonly registry: Pick<ToolRegistry, "find">;
}

export async function writeToolHelp(port: TerminalPort, { name, tool, registry }: ToolHelp): Promise<void> {
  const { bold } = await paintFor(port);
  const columns = textColumns(port.columns);
  const { definition } = tool;
  const paragraphs = (text: string): readonly string[] => wrap(printableLines(reflow(text)), columns);
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", bold(title), ...lines];
  const ofSteps = isMadeOfSteps(tool, registry);
  const flagRows = ofSteps ? stepFlagRows(tool) : [];
  const lines = [
    ...paragraphs(definition.description === "" ? definition.title : definition.description),
    ...(definition.deprecated === undefined ? [] : ["", ...paragraphs(`Deprecated: ${definition.deprecated}`)]),
    ...section(
      "Usage",
      usageLines(name, tool).flatMap((line) => wrap(`  ${line}`, columns)),
    ),
    ...section("Parameters", rows(parameterRows(tool), { columns, indent: 2, nameColumnsMax: 28 })),
    ...section("Options of every tool of steps", rows(flagRows, { columns, indent: 2, nameColumnsMax: 28 })),
    ...section(
      "Names with two meanings",
      [
        ...namesakeLines(name, tool),
        ...(ofSteps ? shadowedFlags(tool) : []).map(
          (flag) => `\`${flag}\` is a parameter of this tool, not the option.`,
        ),
      ].flatMap((line) => wrap(`  ${line}`, columns)),
    ),
    ...section(
      "Examples",
      definition.examples.map((example) => `  ${printableLines(callLine(name, example, tool))}`),
    ),
    ...tool.parameters.flatMap(({ name: parameter, help, hidden }) =>
      help === undefined || hidden ? [] : section(parameter, paragraphs(help)),
    ),
    ...(definition.help === undefined ? [] : ["", ...paragraphs(definition.help)]),
  ];
  port.write(inOwnName(`${lines.join("\n")}\n`));
}

function usageLines(name: string, tool: Tool): readonly string[] {
  const raw = rawParameter(tool.parameters);
  // After `dottool NAME` every word belongs to the array, `--json` too.
  if (raw)
    return [
      `dottool ${name} ${raw.required ? "" : "["}${placeText(raw)}${raw.required ? "" : "]"}`,
      `dottool call ${name} --json '{"${raw.name}": […]}'`,
    ];
  const { before, optional: open, behind } = positionalParameters(tool.parameters);
  const array = arrayParameter(tool.parameters);
  const offered = tool.parameters.filter(
    (parameter) => !parameter.hidden && ![...before, ...open, ...behind, array].includes(parameter),
  );
  const required = offered.filter((parameter) => parameter.required).map(optionText);
  const optional = offered.filter((parameter) => !parameter.required).map((parameter) => `[${optionText(parameter)}]`);
  const list = optionList(tool.parameters);
  const words = [
    ...before.map(wordOf),
    ...open.map((parameter) => `[${wordOf(parameter)}]`),
    ...(array && array !== list ? [array.required ? placeText(array) : `[${placeText(array)}]`] : []),
    ...behind.map(wordOf),
    ...required,
    ...(optional.length > OPTIONS_SHOWN_MAX ? ["[OPTION…]"] : optional),
  ];
  return [["dottool", name, ...words].join(" "), ...(list ? [`dottool ${name} -OPTION… [${placeText(list)}]`] : [])];
}

function wordOf({ name }: Parameter): string {
  return name.toUpperCase();
}

/** Explains parameters that have the name of an option of dottool. */
function namesakeLines(name: string, tool: Tool): readonly string[] {
  const has = (wanted: string): boolean =>
    !rawParameter(tool.parameters) &&
    tool.parameters.some((parameter) => !parameter.hidden && parameter.name === wanted);
  const shared = globalOptions.filter(({ name: option }) => option !== "help" && has(option));
  const shown = shared.map(({ name: option }) => `\`--${option}\``).join(", ");
  return [
    ...(shared.length === 0
      ? []
      : [
          `${shown} ${shared.length === 1 ? "belongs" : "belong"} to this tool after its name, to dottool before it: \`dottool --${shared[0]?.name} ${name}\`.`,
        ]),
    ...(has("json")
      ? [
          `After \`dottool call ${name}\`, \`--json\` is all the arguments as JSON, and the parameter is \`json=VALUE\`.`,
        ]
      : []),
    ...(has("help") ? ["`--help` as the first word shows this, and the parameter is `--help=VALUE`."] : []),
  ];
}

function parameterRows(tool: Tool): readonly (readonly [string, string])[] {
  return tool.parameters
    .filter((parameter) => !parameter.hidden)
    .map((parameter) => [
      optionText(parameter),
      printableLines(
        [parameter.description, factsText(parameterFacts(parameter))].filter((text) => text !== "").join(" "),
      ),
    ]);
}

function factsText(facts: readonly string[]): string {
  return facts.length === 0 ? "" : `(${facts.join("; ")})`;
}
