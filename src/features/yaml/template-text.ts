// Texts with `{NAME}` for values.
import type { Template } from "../../core/tool/template.ts";
import { type Findings, replacing } from "../../core/language/findings.ts";
import { type MappedText, spanWithin } from "../../core/language/syntax/ast.ts";
import type { DeclaredEnvironment } from "../../core/language/kinds/command-problems.ts";
import { parseReferringTemplate, type ReferenceScope } from "../../core/language/syntax/references.ts";

export interface TemplateContext {
  readonly scope: ReferenceScope;
  readonly findings: Findings;
  /** For commands: the variables that the definition names. */
  readonly environment?: DeclaredEnvironment;
}

/** Where no `{NAME}` is known. */
export function plainContext(findings: Findings): TemplateContext {
  return { scope: { parameters: [], steps: [], hasItem: false }, findings };
}

export function readTemplateText(text: MappedText, { scope, findings }: TemplateContext): Template | undefined {
  if (refusesRaw(text, findings)) return undefined;
  const { value, diagnostics } = parseReferringTemplate(text, scope);
  findings.add(diagnostics);
  return value;
}

/** Refuses values that the older system would put into the program text unchanged. Returns whether there are any. */
export function refusesRaw(text: MappedText, findings: Findings): boolean {
  const found = [...text.text.matchAll(/\{RAW:([A-Za-z_][\w-]*)\}/g)];
  for (const match of found) {
    const [mark, name = ""] = match;
    const span = spanWithin(text, match.index, match.index + mark.length);
    findings.error(
      "unsafe-placeholder",
      `\`${mark}\` would put a value into the program text, where it could run any command`,
      {
        at: span,
        help: ["for a list of options, declare an array"],
        fix: replacing(span, `{${name}}`, `write \`{${name}}\`, which stays one word`),
      },
    );
  }
  return found.length > 0;
}
