// A command of Claude Code (`.claude/commands/NAME.md`) as a tool: its text is the prompt for a model of `config.yaml`,
// its `!`-commands and `@`-files are steps before that.
import type { Parameter } from "../../core/schema/parameter.ts";
import {
  type ImportedSource,
  type ImportedStep,
  merged,
  type Part,
  type SourceText,
  stringParameter,
} from "./imported-tool.ts";
import { mapOf, parsedYaml, scalarOf, type SourceMap } from "./source-data.ts";

export function readClaudeCommand({ text, fileName }: SourceText): ImportedSource {
  const { settings, body } = fencedHead(text);
  const name = fileName.replace(/\.md$/, "");
  const steps: ImportedStep[] = [];
  const parameters = new Map<string, Parameter>();
  const hint =
    scalarOf(settings["argument-hint"]) ??
    (Array.isArray(settings["argument-hint"]) ? settings["argument-hint"].join(" ") : "");
  const parts = partsOf(body.replaceAll("\r\n", "\n").trim(), { steps, parameters, hint });
  const described = scalarOf(settings["description"]) ?? firstSaid(body, name);
  const unread = ["allowed-tools", "model", "hooks", "agent", "context"].filter((key) => settings[key] !== undefined);
  return {
    format: "Claude Code command",
    tools: [
      {
        name,
        candidates: [
          {
            name,
            description: described === "" ? `Run the command \`/${name}\`.` : described,
            parameters: [...parameters.values()],
            runs: { kind: "steps", steps: [...steps, { name: "answer", does: { kind: "prompt", parts } }] },
            notes: [
              "the prompt goes to the model of your `config.yaml`, which has no tools here; in Claude Code it has",
              ...(unread.length === 0 ? [] : [`not carried over: ${unread.map((key) => `\`${key}\``).join(", ")}`]),
            ],
          },
        ],
      },
    ],
    notes: [],
  };
}

/** What Markdown for Claude Code sets between lines of dashes, and its text. Throws `Unreadable`. */
export function fencedHead(text: string): { readonly settings: SourceMap; readonly body: string } {
  const [, head = "", body = text] = /^---\r?\n([^]*?)\r?\n---\r?\n?([^]*)$/.exec(text) ?? [];
  return { settings: mapOf(head === "" ? {} : parsedYaml(lenient(head))), body };
}

/** Returns the first line, or the one behind it if that is a heading which only repeats the name. */
function firstSaid(body: string, name: string): string {
  const [first = "", second = ""] = body.split("\n").flatMap((line) => line.trim() || []);
  const heading = /^#+\s*(.*)$/.exec(first)?.[1];
  if (heading === undefined) return first;
  const isName = plainName(heading).replace(/command$/, "") === plainName(name);
  return isName && /^\p{L}/u.test(second) ? second : heading;
}

function plainName(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Values such as `[file] [--fast]` or `Bash(git:*), Read` are texts for Claude Code, not YAML. */
function lenient(head: string): string {
  return head
    .split(/\r?\n/)
    .map((line) => {
      const [, key, value] = /^([\w-]+):\s+(\S.*)$/.exec(line) ?? [];
      const isPlain = value === undefined || /^["'|>]/.test(value) || /^\[[^[\]]*\]$/.test(value);
      return isPlain ? line : `${key}: ${JSON.stringify(value)}`;
    })
    .join("\n");
}

interface Gathered {
  readonly steps: ImportedStep[];
  readonly parameters: Map<string, Parameter>;
  readonly hint: string;
}

/** `$ARGUMENTS`, `$1`, a command in backquotes after `!`, and a file after `@`. */
const MARK = /(\$ARGUMENTS\b|\$[1-9]\b|!`[^`\n]+`|(?<=^|\s)@[\w./-]*\w)/;

function partsOf(text: string, { steps, parameters, hint }: Gathered): readonly Part[] {
  const parts = text.split(MARK).map((piece): Part => {
    if (piece.startsWith("!`")) {
      const name = `command${steps.length + 1}`;
      const script = argumentsIn(piece.slice(2, -1), { steps, parameters, hint });
      steps.push({ name, does: { kind: "script", shell: "bash", parts: script } });
      return { parameter: name };
    }
    if (/^@[\w./-]*\w$/.test(piece) && /[./]/.test(piece)) {
      const name = `file${steps.length + 1}`;
      steps.push({ name, does: { kind: "reads", path: piece.slice(1) } });
      return { parameter: name };
    }
    return argumentOf(piece, { steps, parameters, hint });
  });
  return merged(parts);
}

function argumentsIn(text: string, gathered: Gathered): readonly Part[] {
  return merged(text.split(/(\$ARGUMENTS\b|\$[1-9]\b)/).map((piece) => argumentOf(piece, gathered)));
}

function argumentOf(piece: string, { parameters, hint }: Gathered): Part {
  const [, number] = /^\$([1-9])$/.exec(piece) ?? [];
  if (piece !== "$ARGUMENTS" && number === undefined) return piece;
  const name = number === undefined ? "arguments" : `argument${number}`;
  parameters.set(
    name,
    stringParameter(name, number === undefined ? hint.replaceAll(/\s+/g, " ") : "", { default: "" }),
  );
  return { parameter: name };
}
