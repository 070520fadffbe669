// `@allow`: what the JavaScript of a tool may reach out of the sandbox with.
import { didYouMean } from "../../text/suggest.ts";
import { type Allowance, allowedFunctions } from "../../tool/definition.ts";
import type { Analysis } from "../analysis.ts";
import { type MappedText, spanWithin } from "../syntax/ast.ts";
import type { Findings } from "../findings.ts";

const HOST =
  /^(?=[^:]{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[0-9]{1,5})?$/;
const TOOL = /^(?:mcp:[\w-]+\/[\w./-]+|(?:[A-Za-z_][\w-]*\/)?[A-Za-z_][\w-]*)$/;

export function readAllowances(analysis: Analysis): readonly Allowance[] {
  return distinctAllowances(analysis.all("allow").flatMap(({ text }) => allowanceIn(text, analysis)));
}

/** Returns each allowance once. */
export function distinctAllowances(allowances: readonly Allowance[]): readonly Allowance[] {
  return [...new Map(allowances.map((one) => [allowanceText(one), one])).values()];
}

/** Returns nothing if a problem was reported. */
export function allowanceIn(written: MappedText, findings: Findings): readonly Allowance[] {
  const [, name, gap = "", place] = /^(\S+)(\s+)?(\S+)?\s*$/.exec(written.text) ?? [];
  if (name === undefined) {
    findings.error("malformed-annotation", "an allowance is a function, and a host or a tool behind it", {
      at: written.span,
      label: "expected one such as `fetch api.example.com`",
    });
    return [];
  }
  const part = (text: string, start: number): MappedText => ({
    text,
    span: spanWithin(written, start, start + text.length),
    offsetAt: (index) => written.offsetAt(start + index),
  });
  return allowanceOf(
    { name: part(name, 0), place: place === undefined ? undefined : part(place, name.length + gap.length) },
    findings,
  );
}

interface WrittenAllowance {
  readonly name: MappedText;
  readonly place: MappedText | undefined;
}

/** Returns nothing if a problem was reported. */
function allowanceOf({ name, place }: WrittenAllowance, findings: Findings): readonly Allowance[] {
  const wanted = allowedFunctions.find((known) => known === name.text);
  const refuse = (message: string, at: MappedText, label: string): readonly Allowance[] => {
    findings.error("malformed-annotation", message, { at: at.span, label });
    return [];
  };
  switch (wanted) {
    case undefined:
      return refuse(
        `the sandbox has no function \`${name.text}\`${didYouMean(name.text, allowedFunctions)}`,
        name,
        `expected ${allowedFunctions.map((one) => `\`${one}\``).join(", ")}`,
      );
    case "crypto":
    case "fs.readFile":
      return place
        ? refuse(
            `\`${wanted}\` takes no place`,
            place,
            wanted === "crypto" ? "remove it" : "it reads below the working folder; remove it",
          )
        : [{ function: wanted }];
    case "fetch":
      if (!place) return refuse("`fetch` needs a host", name, "expected a host, as in `fetch api.example.com`");
      return HOST.test(place.text)
        ? [{ function: wanted, host: place.text }]
        : refuse(
            `\`${place.text}\` is not a host`,
            place,
            "expected a name in small letters, and `:PORT` if it is another",
          );
    case "tools.call":
      if (!place) return refuse("`tools.call` needs a tool", name, "expected a tool, as in `tools.call read_file`");
      return TOOL.test(place.text)
        ? [{ function: wanted, tool: { value: place.text, span: place.span } }]
        : refuse(`\`${place.text}\` is not the name of a tool`, place, "expected a name such as `read_file`");
  }
}

export function allowanceText(allowance: Allowance): string {
  switch (allowance.function) {
    case "crypto":
    case "fs.readFile":
      return allowance.function;
    case "fetch":
      return `fetch ${allowance.host}`;
    case "tools.call":
      return `tools.call ${allowance.tool.value}`;
  }
}
