// `dottool forge`: what a person does with the tools that models made.
import { type ForgePlace, revokeOrTell } from "../forge-place.ts";
import { isInsideRun } from "../../../core/catalog/trust.ts";
import type { ForgedRecord } from "../record.ts";
import { namedTools } from "../registry.ts";
import { storedTools } from "../store.ts";
import { currentConfidence } from "../uses.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { didYouMean } from "../../../core/text/suggest.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";
import { padEnd, printableLines } from "../../../cli/view/layout.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { refuseInside } from "../../../cli/commands/trust.ts";

const actions = ["list", "show", "test", "keep", "revoke", "from"] as const;
type Action = (typeof actions)[number];

export const forgeCommand: WordsCommand = {
  kind: "words",
  usage: [
    "forge list [--json]",
    "forge show|test|revoke NAME",
    "forge keep NAME [--yes]",
    "forge from SESSION [NAME] [--keep] [--yes]",
  ],
  about:
    "Shows the tools that models made with `forge_tool`, and keeps the good ones. A tool belongs to its session until it has proved itself or you keep it. `keep` shows the definition, asks, and writes it to the project as a `.tool` file. " +
    "`test` runs the test cases again, and lets a tool run again that had failed in use. NAME is a name, or an id where several tools have the same name. " +
    "`from` proposes a tool that repeats the calls behind the result of a `dottool agent` conversation. SESSION is the id of the conversation, or `last` for the last one in this folder. `--keep` keeps the proposed tool as `keep` does. " +
    "Models make tools only where `--allow-forge` or `forge: {allow: true}` in config.yaml lets them.",
  options: [
    { name: "json", does: "list as JSON" },
    { name: "yes", does: "keep without asking" },
    { name: "keep", does: "with `from`: write what is proposed" },
  ],
  words: [0, 3],
  examples: [
    ["dottool forge list", "the tools that models made"],
    ["dottool forge keep add_numbers", "make one of them your own"],
    ["dottool forge from last count_lines", "a tool from the last conversation here"],
  ],
  run: async (input, context) => {
    const [word = "", name, file, ...rest] = input.words;
    const action = actions.find((one) => one === word);
    const wrong = (message: string): number => reportUsage(context.terminal, message, "forge");
    if (word === "") return wrong(`\`forge\` needs one of ${actions.join(", ")}`);
    if (word === "export" || word === "import")
      return wrong("a forged tool is given to others as a file: `dottool forge keep NAME` writes it");
    if (!action) return wrong(`\`forge\` has no \`${word}\`${didYouMean(word, actions)}; it has ${actions.join(", ")}`);
    const words = action === "list" ? [name] : action === "from" ? [] : [file];
    if (words.some((one) => one !== undefined) || rest.length > 0)
      return wrong(`\`forge ${action}\` takes ${action === "list" ? "no words" : "one word"}`);
    if (action !== "list" && name === undefined)
      return wrong(`\`forge ${action}\` needs ${action === "from" ? "a SESSION" : "a NAME"}`);
    if (action !== "from" && input.has("keep"))
      return wrong(`\`--keep\` belongs to \`forge from\`; write \`dottool forge keep NAME\``);
    const opened = await openSession(context, { isQuiet: true });
    if (typeof opened === "number") return opened;
    if ((["test", "keep", "revoke"].includes(action) || input.has("keep")) && isInsideRun(opened.host))
      return refuseInside(`forge ${action}`, context.terminal);
    return run(action, { name: name ?? "", file, input }, { opened, context });
  },
};

interface Asked {
  readonly name: string;
  readonly file: string | undefined;
  readonly input: CommandInput;
}

async function run(action: Action, { name, file, input }: Asked, place: ForgePlace): Promise<number> {
  const { opened, context } = place;
  if (action === "list") return list(input.has("json"), place);
  if (action === "from") {
    const { fromSession } = await import("../recorded/forge-from.ts");
    return fromSession({ session: name, name: file, isKept: input.has("keep"), isSure: input.has("yes") }, place);
  }
  const found = namedTools(name, opened.host);
  const [record] = found;
  if (!record) return noTool(name, place);
  if (found.length > 1 && action !== "show") return severalTools(name, found, context);
  switch (action) {
    case "show":
      return show(found, context);
    case "test":
      return (await import("./forge-test.ts")).testTool(record, place);
    case "keep":
      return (await import("./forge-keep.ts")).keepTool(record, input.has("yes"), place);
    case "revoke":
      if (!(await revokeOrTell(record, "a person revoked it", place))) return exitCodes.failed;
      context.terminal.output.write(`revoked ${record.id}\n`);
      return exitCodes.done;
  }
}

function list(isJson: boolean, { opened, context: { terminal } }: ForgePlace): number {
  const { records, unusable } = storedTools(opened.host);
  for (const { path, trouble } of unusable)
    terminal.errors.write(`warning[forge]: \`${printable(path)}\` ${printable(trouble)}\n`);
  if (isJson) {
    writeJson(terminal, {
      tools: records.map((record) => ({ ...record, confidence: currentConfidence(record) })),
    });
    return exitCodes.done;
  }
  if (records.length === 0) {
    terminal.output.write("there are no forged tools\n");
    return exitCodes.done;
  }
  const rows = [
    ["NAME", "TIER", "STATE", "CONFIDENCE", "USES", "EFFECTS"],
    ...records.map((record) => [
      record.name,
      record.tier,
      record.state,
      String(currentConfidence(record)),
      usesText(record),
      record.effects.join(" ") || "unknown",
    ]),
  ];
  const widths = (rows[0] ?? []).map((_head, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const row of rows)
    terminal.output.write(
      `${row
        .map((cell, column) => padEnd(cell, widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
  return exitCodes.done;
}

function usesText({ uses }: ForgedRecord): string {
  return uses.failed === 0 ? String(uses.succeeded) : `${uses.succeeded}, ${uses.failed} failed`;
}

function show(records: readonly ForgedRecord[], { terminal }: CommandContext): number {
  for (const record of records)
    terminal.output.write(
      printableLines(
        [
          `# ${record.id}`,
          `# tier ${record.tier}, ${record.state}${record.why === undefined ? "" : `: ${record.why}`}`,
          `# confidence ${currentConfidence(record)}; uses: ${usesText(record)}; effects: ${record.effects.join(" ") || "unknown"}`,
          `# ${record.verdict.reasoning}`,
          "",
          record.text,
        ].join("\n"),
      ),
    );
  return exitCodes.done;
}

function noTool(name: string, { opened, context: { terminal } }: ForgePlace): number {
  const known = storedTools(opened.host).records.map((record) => record.name);
  terminal.errors.write(
    `failed[unknown-tool]: there is no forged tool \`${printable(name)}\`${didYouMean(name, known)}\n  = \`dottool forge list\` shows all\n`,
  );
  return exitCodes.missing;
}

function severalTools(name: string, found: readonly ForgedRecord[], { terminal }: CommandContext): number {
  terminal.errors.write(
    `failed[unknown-tool]: ${found.length} forged tools are called \`${printable(name)}\`\n${found.map(({ id, tier }) => `  ${id}  ${tier}\n`).join("")}  = give the id of one of them\n`,
  );
  return exitCodes.missing;
}
