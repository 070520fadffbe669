// `bash: ls | wc` as a command: a shell that is named as a key of YAML would be looked for as a program `bash:`.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { languageOf } from "../../text/source-language.ts";
import { type CommandSource, annotationStart, commandProblem } from "../kinds/command-problems.ts";
import { spanWithin } from "../syntax/ast.ts";

const KEY = /^\s*((?:ba|z)?sh|pwsh|powershell|cmd):\s+/;

export function shellAsWord(source: CommandSource): readonly Diagnostic[] {
  const { text, span } = source.text;
  const [key, written] = KEY.exec(text) ?? [];
  if (key === undefined || written === undefined) return [];
  const file = span.source.text;
  const shell = written === "powershell" ? "pwsh" : written;
  const at = annotationStart(file, span.start);
  const [annotation = ""] = at === undefined ? [] : (/^@\w+/.exec(file.slice(at, at + 16)) ?? []);
  const above = `leave out \`${written}:\`, and add \`@shell ${shell}\` above`;
  const option = shell === "cmd" ? "/c" : shell === "pwsh" ? "-Command" : "-c";
  const start = key.search(/\S/);
  return [
    commandProblem(source, "unknown-shell", {
      message: `\`${written}:\` would be run as a program of that name`,
      start,
      end: start + written.length + 1,
      ...(annotation === "@command" && at !== undefined && !/^@shell\b/m.test(file)
        ? {
            fix: {
              title: above,
              edits: [
                { span: { source: span.source, start: at, end: at }, text: `@shell ${shell}\n` },
                { span: spanWithin(source.text, start, key.length), text: "" },
              ],
            },
          }
        : { help: helpFor(annotation, { above, written, shell, option, isYaml: languageOf(span.source) === "yaml" }) }),
    }),
  ];
}

interface Words {
  readonly above: string;
  readonly written: string;
  readonly shell: string;
  readonly option: string;
  readonly isYaml: boolean;
}

function helpFor(annotation: string, { above, written, shell, option, isYaml }: Words): readonly string[] {
  if (isYaml) return [`write \`${shell}:\` as the key, in place of \`run:\``];
  if (annotation === "@step") return [`leave out \`${written}:\`, and name it in the step: \`@step NAME ${shell}\``];
  const program = `or run that program: \`${annotation} ${shell} ${option} '…'\``;
  return [`${above}, which is for each command of the tool`, program];
}
