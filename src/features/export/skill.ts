// A folder that teaches agents to run the tools: what every session reads first is short, and leads to the rest.
// The format: https://agentskills.io/specification
import { Buffer } from "node:buffer";
import { apiName } from "../../core/tool/api-name.ts";
import { ownProgramName } from "../../core/text/program-name.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import { type ExportedTool, type ExportFacts, cutText, effectsText } from "./facts.ts";

/** The limit of the specification. */
const DESCRIPTION_CHARACTERS_MAX = 1_024;

/** `folder` is the skill's, with a final `/`, or empty if it is the root, where `tools/` is. */
export function skillFiles(facts: ExportFacts, folder: string): readonly UnpackedFile[] {
  const { name, tools } = facts;
  const root = folder.replaceAll(/[^/]+/g, "..");
  return [
    text(`${folder}SKILL.md`, skillText(facts)),
    ...tools.map((tool) => text(`${folder}references/${fileName(tool)}`, referenceText(tool, facts))),
    { ...text(`${folder}scripts/${name}`, posixScript(name, `../${root}tools`)), isExecutable: true },
    text(`${folder}scripts/${name}.cmd`, `@dottool --tools "%~dp0..\\${root.replaceAll("/", "\\")}tools" %*\r\n`),
  ];
}

function posixScript(name: string, tools: string): string {
  return `#!/bin/sh
# Runs a tool: ${name} TOOL [ARGUMENT…]
here=$(cd "$(dirname "$0")" && pwd -P) || exit
command -v dottool >/dev/null || { echo "dottool is not installed, or not on PATH" >&2; exit 127; }
exec dottool --tools "$here/${tools}" "$@"
`;
}

function skillText(facts: ExportFacts): string {
  const { name } = facts;
  return `---
name: ${name}
description: ${JSON.stringify(descriptionOf(facts))}
---

# ${name}

Run a tool with the script in this folder, from the folder that you work in:

    scripts/${name} TOOL --PARAMETER VALUE …

On Windows the script is \`scripts\\${name}.cmd\`. Read a tool's reference before its first call.

${toolTable(facts, "")}

- \`scripts/${name} call TOOL --json '{"PARAMETER": "VALUE"}'\` takes the arguments as JSON.
- \`scripts/${name} explain TOOL …\` shows what a call would do, without running it.
- The exit code is 0 if the tool did its work. Otherwise standard error says what is wrong, and how to go on.
`;
}

/** Returns a table in Markdown. `folder` is the skill's, as seen from the text, with a final `/`, or empty. */
export function toolTable({ tools }: ExportFacts, folder: string): string {
  const row = (tool: ExportedTool): string =>
    `| \`${tool.name}\` | ${cell(tool.summary)} | [parameters](${folder}references/${fileName(tool)}) |`;
  return ["| Tool | What it does | Reference |", "| --- | --- | --- |", ...tools.map(row)].join("\n");
}

/** Agents choose a skill by this text, so it names the tools. */
function descriptionOf({ description, tools }: ExportFacts): string {
  const does = tools.map(({ name, summary }) => `${name} (${summary.replace(/\.$/, "")})`).join("; ");
  const whole = `${description.replace(/[.\s]*$/, "")}. Use it when a task fits one of its tools: ${does}`;
  return cutText(whole, DESCRIPTION_CHARACTERS_MAX);
}

function referenceText({ name, help, tool }: ExportedTool, facts: ExportFacts): string {
  const fence = "`".repeat(Math.max(3, ...[...help.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const own = help.replace(new RegExp(`(?<![\\w./~@-])${ownProgramName()}(?= )`, "g"), `scripts/${facts.name}`);
  return `# ${name}\n\n${fence}text\n${own.trimEnd()}\n${fence}\n\n${effectsText(tool.effects)}\n`;
}

/** A tool may be \`owner/name\`, and another one \`owner__name\`. */
function fileName({ name }: ExportedTool): string {
  return `${apiName(name)}.md`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

function text(path: string, content: string): UnpackedFile {
  return { path, bytes: Buffer.from(content), isExecutable: false };
}
