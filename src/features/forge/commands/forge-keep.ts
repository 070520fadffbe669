// `dottool forge keep`: a tool that a model made becomes a file that a person owns.
import { type ForgePlace, revokeOrTell, tellUnlogged } from "../forge-place.ts";
import { join } from "node:path";
import { shownPathOf } from "../../../core/catalog/load.ts";
import { runToolTests } from "../../check/run-tool-tests.ts";
import type { TestProblem } from "../../check/test-result.ts";
import { readForgedText } from "../definition.ts";
import type { ForgedRecord } from "../record.ts";
import { logEvent } from "../store.ts";
import { formatToolFile } from "../../../core/language/syntax/format.ts";
import { parseToolFile } from "../../../core/language/syntax/parse.ts";
import { toolText } from "../../../core/language/write/tool-text.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { withTool } from "../../../core/run/with-tool.ts";
import { printable } from "../../../core/text/display.ts";
import { showByPages } from "../../../cli/view/asked-call.ts";
import { isTrustedNow, keepingTrust } from "../../../cli/session/keep-trust.ts";
import { folderFor } from "../../new/commands/new.ts";
import { canAsk } from "../../../cli/session/trust-prompt.ts";
import { writeBelowOrTell } from "../../../cli/view/write-or-tell.ts";

export async function keepTool(record: ForgedRecord, isSure: boolean, place: ForgePlace): Promise<number> {
  const { opened, context } = place;
  const { terminal } = context;
  if (record.state !== "active")
    return refuse(
      `\`${record.id}\` is ${record.state}: ${record.why ?? ""}`,
      `\`dottool forge test ${record.name}\` tests it again`,
      place,
    );
  const file = await newFile(record.name, place);
  if (typeof file === "number") return file;
  const kept = await keptText(record.text, place);
  if ("problem" in kept)
    return refuse(`\`${record.id}\` cannot be kept: ${kept.problem}`, "have it forged anew", place);
  if (!(await isAgreed([...reviewOf(file, kept.text), ...kept.notes], isSure, place))) return exitCodes.failed;
  if (!(await writeKept({ ...file, text: kept.text }, place))) return exitCodes.failed;
  tellUnlogged(logEvent(opened.host, "keep", { id: record.id, path: file.path }), terminal);
  terminal.output.write(`wrote ${printable(file.shownPath)}\n`);
  const isGone = await revokeOrTell(record, "it is a file now", place);
  tellTrust(record.name, file, place);
  return isGone ? exitCodes.done : exitCodes.failed;
}

export function refuse(message: string, help: string, { context: { terminal } }: ForgePlace): number {
  terminal.errors.write(`failed[forge]: ${printable(message)}\n  = ${help}\n`);
  return exitCodes.failed;
}

interface KeptFile {
  /** Absolute. */
  readonly path: string;
  readonly shownPath: string;
}

/** Returns the file for a new tool, or an exit code if there is one of that name. */
export async function newFile(name: string, place: ForgePlace): Promise<KeptFile | number> {
  const { opened, context } = place;
  const path = join(folderFor(opened, context), `${name}.tool`);
  await opened.session.registry.complete();
  const { instant } = opened.host;
  return instant.stat(path) || instant.isLink(path) || opened.session.registry.names().includes(name)
    ? refuse(`there is a tool \`${name}\` already`, "rename or remove it first", place)
    : { path, shownPath: shownPathOf(path, opened.cwd) };
}

export function reviewOf({ shownPath }: KeptFile, text: string): readonly string[] {
  const lines = text.trimEnd().split("\n");
  return [`new file ${shownPath}`, ...lines.map((line) => `+ ${line}`.trimEnd())];
}

/** Shows a definition, and asks a person whether to keep it. */
export async function isAgreed(review: readonly string[], isSure: boolean, place: ForgePlace): Promise<boolean> {
  const { terminal } = place.context;
  if (isSure) {
    terminal.errors.write(`${review.map(printable).join("\n")}\n`);
    return true;
  }
  if (!canAsk(terminal, place.opened.host)) {
    terminal.output.write(`${review.map(printable).join("\n")}\n`);
    refuse("cannot ask without a terminal whether to keep it", "add `--yes` if you have read it", place);
    return false;
  }
  if (!(await showByPages(review.map(printable), { input: terminal.input, errors: terminal.errors }))) return false;
  const answer = await terminal.input.ask("keep this tool? [y/N] ");
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}

/** Returns whether it is written; if not, the reason has been printed. */
export function writeKept(
  { text, ...file }: KeptFile & { readonly text: string },
  place: ForgePlace,
): Promise<boolean> {
  const { opened, context } = place;
  const write = (): Promise<boolean> => writeBelowOrTell({ ...file, text }, opened.host, context);
  return keepingTrust({ path: file.path, text }, write, { ...context, host: opened.host });
}

export function tellTrust(name: string, { path }: KeptFile, { opened, context }: ForgePlace): void {
  if (!isTrustedNow(path, opened.host))
    context.terminal.errors.write(`\`dottool ${name}\` asks once whether you trust it\n`);
}

/** Whether a test could not even begin. */
function isOfMachine({ kind }: TestProblem): boolean {
  return kind === "folder";
}

type Kept = { readonly text: string; readonly notes: readonly string[] } | { readonly problem: string };

/**
 * Returns the formatted definition. A test case that needs files of the project cannot pass in the empty folder that
 * `dottool test` gives it, and is left out.
 */
async function keptText(text: string, { opened, context }: ForgePlace): Promise<Kept> {
  const read = readForgedText(text);
  if ("problems" in read) return { problem: read.problems[0]?.message ?? "it is not a definition" };
  const { definition } = read;
  const { value: tool, diagnostics } = opened.build(definition);
  if (!tool) return { problem: diagnostics[0]?.message ?? "it cannot be built" };
  const results = await runToolTests(withTool(opened.session, tool), [definition.name.value], {
    signal: context.terminal.signal,
  });
  const disturbed = results.flatMap((one) => (one.kind === "failed" ? one.problems : [])).find(isOfMachine);
  if (disturbed) return { problem: `its tests cannot run: ${disturbed.actual}` };
  const failing = new Set(results.filter(({ kind }) => kind !== "passed").map(({ test }) => test));
  const tests = definition.tests.filter(({ name }) => !failing.has(name));
  const written = toolText({ ...definition, tests });
  return {
    text: formatToolFile(parseToolFile({ path: "kept.tool", text: written })),
    notes: [...failing].map((name) => `left out: the test \`${name}\`, which needs more than an empty folder`),
  };
}
