// `dottool show`: shows everything about a tool.
import { eachPartsField, eachTextField } from "../../../core/language/text-fields.ts";
import { callLine } from "../../../core/run/call-line.ts";
import { obstaclesTo } from "../../../core/run/availability.ts";
import { unaskedVersions } from "../../../core/run/program-versions.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { failureHeadline } from "../../../core/run/failure-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/schema/json.ts";
import type { TerminalPort } from "../../../core/tool/terminal.ts";
import { remoteNameOf } from "../../../core/tool/remote-name.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import { type WordsCommand, writeJson } from "../../../cli/command.ts";
import { findTools } from "../../../cli/words/find-tools.ts";
import { printable } from "../../../core/text/display.ts";
import { printableLines, reflow, rows, textColumns, wrap } from "../../../cli/view/layout.ts";
import { listedTool } from "../../../core/session/listed-tool.ts";
import { jsonText } from "../../../cli/view/json-text.ts";
import { limitsText } from "../../../cli/view/limits-text.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { paintFor } from "../../../cli/view/paint.ts";
import { optionText, parameterFacts } from "../../../cli/view/parameter-text.ts";
import { toolFacts } from "../tool-facts.ts";
import { type StepFacts, stepFacts } from "../../graph/tool-graph.ts";

export const showCommand: WordsCommand = {
  kind: "words",
  usage: ["show NAME [--json]"],
  about:
    "Shows everything about a tool: what it does, its parameters, its effects, where it is defined, what it shadows, and its schema.",
  options: [{ name: "json", does: "print as JSON" }],
  words: [1, 1],
  completes: "tools",
  examples: [["dottool show glob", "all about the tool `glob`"]],
  run: async (input, context) => {
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const found = await findTools(input.words, opened, { ...context, isJson: input.has("json") });
    if (typeof found === "number") return found;
    for (const { name, tool } of found) {
      const rivals = opened.catalogue().entries.filter((entry) => entry.name === name);
      const untrusted = await opened.session.distrust?.(name);
      const unavailable = [
        ...(untrusted ? [{ reason: failureHeadline(untrusted) }] : []),
        ...(tool.obstacle ? [tool.obstacle] : []),
        ...(await obstaclesTo(tool.definition, opened.session)),
      ].map((one) => ("help" in one && typeof one.help === "string" ? `${one.reason}; ${one.help}` : one.reason));
      const steps = stepFacts(tool, opened.session.cwd);
      const facts = toolFacts(name, tool, {
        listed: listedTool(name, tool, opened),
        rivals,
        unavailable,
        unasked: unaskedVersions(tool.definition, opened.session),
        steps,
      });
      if (input.has("json")) writeJson(context.terminal, facts);
      else await writeFacts(context.terminal.output, tool, { facts, steps });
    }
    return exitCodes.done;
  },
};

interface Facts {
  readonly facts: JsonObject;
  readonly steps: readonly StepFacts[];
}

async function writeFacts(port: TerminalPort, tool: Tool, { facts, steps }: Facts): Promise<void> {
  const { bold } = await paintFor(port);
  const columns = textColumns(port.columns);
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", bold(title), ...lines];
  const name = String(facts["name"]);
  const lines = [
    `${bold(name)}: ${printableLines(String(facts["title"]))}`,
    ...(facts["description"] === ""
      ? []
      : ["", ...wrap(printableLines(reflow(String(facts["description"]))), columns)]),
    "",
    ...rows(factRows(facts), { columns, indent: 0, nameColumnsMax: 20 }),
    ...section("Parameters", rows(parameterRows(tool), { columns, indent: 2, nameColumnsMax: 28 })),
    ...tool.parameters.flatMap(({ name: parameter, help }) =>
      help === undefined ? [] : section(parameter, wrap(printableLines(reflow(help)), columns)),
    ),
    ...section("Steps", rows(steps.map(stepRow), { columns, indent: 2, nameColumnsMax: 28 })),
    ...section(
      "Examples",
      tool.definition.examples.map((example) => `  ${printableLines(callLine(name, example, tool))}`),
    ),
    // What has not been asked of its server is not known.
    ...section(
      "Schema",
      tool.obstacle
        ? []
        : jsonText(facts["schema"])
            .split("\n")
            .map((line) => `  ${line}`),
    ),
  ];
  port.write(`${lines.join("\n")}\n`);
}

function parameterRows(tool: Tool): readonly (readonly [string, string])[] {
  return tool.parameters.map((parameter) => {
    const facts = [...parameterFacts(parameter), ...(parameter.hidden ? ["hidden"] : [])];
    return [
      optionText(parameter),
      printableLines(
        [parameter.description, ...(facts.length === 0 ? [] : [`(${facts.join("; ")})`])]
          .filter((text) => text !== "")
          .join(" "),
      ),
    ];
  });
}

function stepRow({ name, does, facts, after, isCleanup }: StepFacts): readonly [string, string] {
  const order = isCleanup ? ["always, at the end"] : after.length === 0 ? [] : [`after ${after.join(" and ")}`];
  return [printableLines(name), printableLines([does, ...order, ...facts].join(", "))];
}

/** Rows on one line, because they contain names of files. */
const ofOneLine: ReadonlySet<string> = new Set(["defined in", "unavailable", "not checked", "shadows"]);

function factRows(facts: JsonObject): readonly (readonly [string, string])[] {
  const { origin, limits, commands } = facts;
  const { deprecated, category, keywords, version, changelog, help, ...others } = eachTextField(
    ({ shownAs = "", rule }, name): readonly [string, string] => [
      shownAs,
      shownAs === "" ? "" : textOf(facts[name]) || listText(facts[name], rule ? ", " : "\n"),
    ],
  );
  const { requires, depends, ...parts } = eachPartsField(({ shownAs = "" }, name): readonly [string, string] => [
    shownAs,
    shownAs === "" ? "" : textOf(facts[name]) || listText(facts[name]),
  ]);
  const effects = listText(facts["effects"]);
  const declared = listText(facts["declaredEffects"]);
  const candidates: readonly (readonly [string, string])[] = [
    deprecated,
    ["defined in", isJsonObject(origin) ? originText(origin, textOf(facts["name"])) : ""],
    ["made from", textOf(facts["madeFrom"]) || listText(facts["madeFrom"])],
    ...(Array.isArray(commands) ? commands.map((command: Json) => commandRow(command)) : []),
    [
      "effects",
      effects === ""
        ? "unknown, so treated as the worst case"
        : declared === effects || declared === ""
          ? effects
          : `${effects} (declared: ${declared})`,
    ],
    ["may run", listText(facts["mayRun"], "; ")],
    ["tags", listText(facts["tags"])],
    category,
    keywords,
    version,
    ["platforms", listText(facts["platforms"])],
    requires,
    depends,
    ["unavailable", listText(facts["unavailable"], "; ")],
    ["not checked", listText(facts["unasked"], "; ")],
    ["shadows", listText(facts["shadows"])],
    ["asks for", listText(facts["security"])],
    ["because", textOf(facts["justification"])],
    ["asks you", textOf(facts["interaction"])],
    ["limits", isJsonObject(limits) ? limitsText(limits) : ""],
    ["returns", textOf(facts["returns"])],
    ["tests", listText(facts["tests"])],
    ...Object.values<readonly [string, string]>(parts),
    ...Object.values(others),
    changelog,
    help,
  ];
  return candidates
    .filter(([, text]) => text !== "")
    .map(([name, text]) => [name, ofOneLine.has(name) ? printable(text) : printableLines(text)]);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function listText(value: Json | undefined, separator = ", "): string {
  return Array.isArray(value)
    ? value.map((item: Json) => (typeof item === "string" ? item : JSON.stringify(item))).join(separator)
    : "";
}

function originText(origin: JsonObject, name: string): string {
  const { scope, path, line } = origin;
  const place = typeof path === "string" ? `${path}${typeof line === "number" ? `:${line}` : ""} ` : "";
  if (scope === "mcp") return `the MCP server \`${remoteNameOf(name).server}\``;
  return `${place}(${scope === "base" ? "made in TypeScript" : textOf(scope)})`;
}

function commandRow(command: Json): readonly [string, string] {
  if (!isJsonObject(command)) return ["runs", ""];
  const { platform, shell, text } = command;
  return [
    typeof platform === "string" ? `runs on ${platform}` : "runs",
    `${textOf(text)}${typeof shell === "string" ? `  (${shell})` : ""}`,
  ];
}
