// `dottool doctor`: shows what works on this machine, and how to fix the rest.
import { inOwnName } from "../../../core/text/program-name.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { TerminalPort } from "../../../core/tool/terminal.ts";
import { type WordsCommand, writeJson } from "../../../cli/command.ts";
import { examine } from "../findings.ts";
import { printable } from "../../../core/text/display.ts";
import type { Host } from "../../../core/tool/host.ts";
import { needPart } from "../../../core/tool/feature.ts";
import type { Finding } from "../../../cli/finding.ts";
import { rows, textColumns } from "../../../cli/view/layout.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { paintFor } from "../../../cli/view/paint.ts";

declare module "../../../core/tool/feature.ts" {
  interface Parts {
    /** Asks the registry of npm whether a newer version is published. */
    newestVersion: (host: Host) => Promise<Finding>;
  }
}

export const doctorCommand: WordsCommand = {
  kind: "words",
  usage: ["doctor [--update] [--json]"],
  about:
    "Checks the machine: the program itself, folders, shells, the programs that tools need, settings, the terminal. Shows what works, and how to fix what does not. Runs no programs, and changes nothing except one file in the cache folder.",
  options: [
    { name: "update", does: "ask for a newer version, too: the registry of npm, or the place of updates of a bundle" },
    { name: "json", does: "print as JSON" },
  ],
  words: [0, 0],
  examples: [["dottool doctor", "show what works here"]],
  run: async (input, context) => {
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const part = opened.host.bundle ? "newestBundle" : "newestVersion";
    const newest = input.has("update") ? await needPart(part) : undefined;
    const found = await examine(opened, context.terminal);
    const findings = newest ? [await newest(opened.host), ...found] : found;
    if (input.has("json")) writeJson(context.terminal, { findings });
    else await writeFindings(findings, context.terminal.output);
    return exitCodes.done;
  },
};

async function writeFindings(findings: readonly Finding[], port: TerminalPort): Promise<void> {
  const { bold, green, yellow, dim } = await paintFor(port);
  const columns = textColumns(port.columns);
  const mark = ({ works, isUnneeded }: Finding): string =>
    works === "unasked" ? dim("? ") : works ? green("ok") : isUnneeded ? dim("--") : yellow("no");
  const lines: string[] = [];
  for (const group of new Set(findings.map((finding) => finding.group))) {
    const inGroup = findings.filter((finding) => finding.group === group);
    lines.push(...(lines.length === 0 ? [] : [""]), bold(group));
    const texts = inGroup.map(
      ({ name, fact, help }) =>
        [printable(name), [fact, ...(help === undefined ? [] : [`= ${help}`])].map(printable).join("\n")] as const,
    );
    let at = -1;
    // A mark is `  ok  `.
    for (const line of rows(texts, { columns, indent: 6, nameColumnsMax: 40 })) {
      // A line that starts with a name starts a finding.
      const finding = /^ {6}\S/.test(line) ? inGroup[++at] : undefined;
      lines.push(finding ? `  ${mark(finding)}${line.slice(4)}` : /^ *= /.test(line) ? dim(line) : line);
    }
  }
  lines.push("", summaryOf(findings));
  port.write(inOwnName(`${lines.join("\n")}\n`));
}

function summaryOf(findings: readonly Finding[]): string {
  const missing = findings.filter(({ works, isUnneeded }) => works === false && !isUnneeded).length;
  const unneeded = findings.filter(({ works, isUnneeded }) => works === false && isUnneeded).length;
  const unasked = findings.filter(({ works }) => works === "unasked").length;
  const facts = [
    ...(missing === 0 ? [] : [`${missing === 1 ? "1 item does" : `${missing} items do`} not work here`]),
    ...(unasked === 0
      ? []
      : [`${unasked === 1 ? "1 check" : `${unasked} checks`} skipped, because that would run a program`]),
  ];
  const rest =
    unneeded === 0
      ? ""
      : `; ${unneeded === 1 ? "1 item marked `--` is" : `${unneeded} items marked \`--\` are`} missing, and no tool of yours needs ${unneeded === 1 ? "it" : "them"}`;
  return `${facts.length === 0 ? "everything works" : `${facts.join("; ")}; everything else works`}${rest}`;
}
