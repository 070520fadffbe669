// What names in YAML look like, that each is given once, and that each is used.
import type { Span } from "../../core/text/source.ts";
import { foreignName, foreignNameIn } from "../../core/language/fields/ascii-names.ts";
import type { Findings } from "../../core/language/findings.ts";
import type { Declaration, MappedText } from "../../core/language/syntax/ast.ts";

const begin = "a name has letters from a to z, digits, `_` and `-`";
const short = [/^[A-Za-z_][A-Za-z0-9_-]*$/, `${begin}, and begins with a letter or \`_\``] as const;
const long = [
  /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  `${begin}, begins with a letter or \`_\`, and has at most 64 characters`,
] as const;

const forms = {
  "parameter name": long,
  "argument name": long,
  "step name": short,
  "variable name": short,
  "type name": short,
  "property name": [short[0], ""],
  "name for an environment variable": [/^[A-Za-z_]\w*$/, "use letters, digits and `_`"],
  "name for a command-line option": [long[0], "use letters, digits, `_` and `-`"],
} as const;

interface Found extends Pick<MappedText, "text" | "span"> {
  /** What is said in place of the form. */
  readonly help?: string | undefined;
}

/** Reports a name of another form. */
export function isName(noun: keyof typeof forms, { text, span, help }: Found, findings: Findings): boolean {
  const [form, means] = forms[noun];
  if (form.test(text)) return true;
  const foreign = form === long[0] ? foreignNameIn(text) : undefined;
  if (foreign?.name === text) {
    const { message, ...more } = foreignName(text, span);
    findings.error("invalid-name", message, { at: span, ...more });
    return false;
  }
  const advice = help ?? means;
  findings.error("invalid-name", `\`${text.slice(0, 64)}\` is not a valid ${noun}`, {
    at: span,
    help: advice === "" ? [] : [advice],
  });
  return false;
}

interface Naming {
  readonly parameters: readonly Declaration[];
  readonly message: (name: string, isParameter: boolean) => string;
  readonly help: (name: string) => string;
}

/** Reports names of steps and their outputs that are already used. */
export function checkUnique(
  names: readonly { readonly value: string; readonly span: Span }[],
  { parameters, message, help }: Naming,
  findings: Findings,
): void {
  const seen = new Map<string, Span>(parameters.map(({ parameter, span }) => [parameter.name, span]));
  for (const { value, span } of names) {
    const known = seen.get(value);
    if (!known) seen.set(value, span);
    else
      findings.error(
        "duplicate-step",
        message(
          value,
          parameters.some(({ parameter }) => parameter.name === value),
        ),
        {
          at: span,
          related: [{ span: known, text: "first used here" }],
          help: [help(value)],
        },
      );
  }
}
