// `dottool audit`: what installed packages may do, and what is wrong with them.
import { type Audit, type AuditedPackage, auditPackages, type Unasked } from "../audit.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type WordsCommand, writeJson } from "../../../cli/command.ts";
import { readPackages, userOption } from "../packages-session.ts";
import { powersLines, provenanceLines, signatureLines } from "../package-text.ts";

export const auditCommand: WordsCommand = {
  kind: "words",
  usage: ["audit [--user] [--json]"],
  about:
    "Lists the packages of the project with what their tools may do, and what is wrong with them: files that were changed on this machine, definitions with errors, more powers than `dottool.lock` says, " +
    "versions that their registry has deprecated, withdrawn or replaced, and vulnerabilities that it knows. Exits with 1 if anything is wrong. It also says what a registry cannot tell: many know no vulnerabilities. The log of calls, which `audit:` in `config.yaml` turns off, is another thing: `dottool doctor` says where it is.",
  options: [userOption, { name: "json", does: "print as JSON" }],
  words: [0, 0],
  examples: [["dottool audit", "the packages of this project"]],
  run: (input, context) =>
    readPackages({ input, context }, async (session) => {
      const audit = await auditPackages(session);
      const { output, errors } = context.terminal;
      if (input.has("json")) writeJson(context.terminal, audit);
      else {
        output.write(audit.packages.map(packageText).join(""));
        errors.write(audit.unasked.map(unaskedText).join(""));
        errors.write(summaryText(audit));
      }
      return isSound(audit) ? exitCodes.done : exitCodes.failed;
    }),
};

function isSound({ packages, unasked }: Audit): boolean {
  return packages.every(({ problems }) => problems.length === 0) && unasked.every(({ isLasting }) => isLasting);
}

function packageText(audited: AuditedPackage): string {
  const { name, version, source, state, may, problems } = audited;
  const lines = [
    `${name}@${version} from ${source} (${state})`,
    ...powersLines(may).map((line) => `  ${line}`),
    ...signatureLines(audited).map((line) => `  ${line}`),
    ...provenanceLines(audited).map((line) => `  ${line}`),
    ...problems.flatMap(({ fact, help }) => [`  problem: ${fact}`, ...(help === undefined ? [] : [`    = ${help}`])]),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function unaskedText({ registry, what, reason, isLasting }: Unasked): string {
  if (isLasting)
    return `note[package]: ${printable(`\`${registry}\` has no audit endpoint, so vulnerabilities are not known`)}\n`;
  const fact = `\`${registry}\` could not be asked for ${what}: ${reason}`;
  return `warning[package]: ${printable(fact)}\n`;
}

function summaryText({ packages }: Audit): string {
  if (packages.length === 0)
    return "there are no packages; `dottool add` adds one\n  = the log of calls is another thing: `dottool log` prints it\n";
  const count = packages.reduce((sum, { problems }) => sum + problems.length, 0);
  const checked = packages.length === 1 ? "1 package" : `${packages.length} packages`;
  return `${checked}: ${count === 0 ? "no problems" : count === 1 ? "1 problem" : `${count} problems`}\n`;
}
