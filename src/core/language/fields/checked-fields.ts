// The fields whose annotations have values of a certain form, each with its reader and its writer. The compiler asks
// for the row of a new limit, and of anything new that a tool asks for.
import type { DeclaredLimits, DeclaredSecurity, DefinitionHead, SchemaPart } from "../../tool/definition.ts";
import { sandboxLevels } from "../../tool/confinement.ts";
import { platformNames } from "../../tool/command.ts";
import type { Spanned } from "../../text/source.ts";
import { type Analysis, nearestOf, replacing } from "../analysis.ts";
import type { Annotation, Declaration } from "../syntax/ast.ts";
import { durationText } from "../write/quantity-text.ts";
import { wordsText } from "../write/tool-lines.ts";
import { acceptedPermission } from "./asks.ts";
import { durationMs, limitsText, readChoice, readNamedLimits, readRetry } from "./limits.ts";
import { readWords } from "./names.ts";
import { unknownPlatform } from "./platforms.ts";
import { checkReach, isHost, namesParameters, reachOf } from "./sandbox.ts";
import { requiredText } from "./texts.ts";

type Read<Value> = (first: Annotation, analysis: Analysis, parameters: readonly Declaration[]) => Value | undefined;

interface CheckedField<Value> {
  readonly keyword: string;
  /** Returns undefined if a problem was reported. */
  readonly read: Read<Value>;
  /** Returns the text of the annotation. */
  write(value: Value): string;
}

type Checked = Pick<DefinitionHead, "platforms" | "security" | "schemaOmits" | "limits">;
/** Fields, and fields within them. */
type Values = Omit<Checked, "security"> & {
  readonly [Field in keyof DeclaredSecurity as `security.${Field}`]: DeclaredSecurity[Field];
} & { readonly [Field in "timeoutMs" | "retries" as `limits.${Field}`]: DeclaredLimits[Field] };

const schemaParts: readonly SchemaPart[] = ["descriptions", "defaults", "examples"];

const checkedFields: { readonly [Path in keyof Values]-?: CheckedField<NonNullable<Values[Path]>> } = {
  platforms: someOf(platformNames, "platforms", (word, analysis) => {
    if (word.value !== "unix") return unknownPlatform(word, platformNames, analysis);
    analysis.error("unknown-platform", "`unix` is not allowed here: it stands for two platforms", {
      at: word.span,
      fix: replacing(word.span, "linux macos"),
    });
  }),
  "security.privilege": oneOf(["same-as-user", "reduced", "elevated"], "privilege"),
  "security.isolation": oneOf(["none", "process", "container"], "isolation"),
  "security.permissions": words("permissions", acceptedPermission),
  "security.justification": { keyword: "justification", read: requiredText, write: String },
  "security.sandbox": oneOf(sandboxLevels, "sandbox", "strict"),
  "security.hosts": words("network", isHost),
  "security.writes": words("writes", (word, analysis, parameters) => namesParameters(word, parameters, analysis)),
  schemaOmits: someOf(schemaParts, "schema-omits", ({ value, span }, analysis) => {
    analysis.unknown("malformed-annotation", "a schema can leave out `descriptions`, `defaults` and `examples`", {
      at: span,
      meant: nearestOf(value, schemaParts),
    });
  }),
  "limits.timeoutMs": {
    keyword: "timeout",
    read: ({ text }, analysis) => durationMs(text, analysis),
    write: durationText,
  },
  limits: { keyword: "limit", read: (_first, analysis) => readNamedLimits(analysis), write: limitsText },
  "limits.retries": {
    keyword: "retry",
    read: readRetry,
    write: ({ attempts, delayMs }) => `${attempts}${delayMs > 0 ? ` delay=${durationText(delayMs)}` : ""}`,
  },
};

/** `unsaid` is what an annotation without text says. */
function oneOf<Word extends string>(choices: readonly Word[], keyword: string, unsaid?: Word): CheckedField<Word> {
  const read: Read<Word> = (first, analysis) =>
    first.text.text === "" && unsaid !== undefined ? unsaid : readChoice(first, choices, analysis);
  return { keyword, read, write: String };
}

type Accepts = (word: Spanned<string>, analysis: Analysis, parameters: readonly Declaration[]) => boolean;

function words(keyword: string, accepts: Accepts): CheckedField<readonly string[]> {
  const read: Read<readonly string[]> = (_first, analysis, parameters) =>
    readWords(keyword, analysis).flatMap((word) => (accepts(word, analysis, parameters) ? [word.value] : []));
  return { keyword, read, write: wordsText };
}

/** Some of these words, in this order. */
function someOf<Word extends string>(
  known: readonly Word[],
  keyword: string,
  refuse: (word: Spanned<string>, analysis: Analysis) => void,
): CheckedField<readonly Word[]> {
  const read: Read<readonly Word[]> = (_first, analysis) => {
    const found = readWords(keyword, analysis);
    for (const word of found) if (!known.some((one) => one === word.value)) refuse(word, analysis);
    return known.filter((one) => found.some(({ value }) => value === one));
  };
  return { keyword, read, write: wordsText };
}

type Found = Record<string, Readonly<Record<string, unknown>> | undefined>;
const rows = Object.entries(checkedFields).map(
  ([path, row]) => [path.split("."), row as CheckedField<unknown>] as const,
);

export function readCheckedFields(analysis: Analysis, parameters: readonly Declaration[]): Checked {
  const found: Found = { limits: {} };
  for (const [[field = "", inner], { keyword, read }] of rows) {
    const first = analysis.first(keyword);
    const value = first && read(first, analysis, parameters);
    if (value === undefined) continue;
    const own = (inner === undefined ? value : { [inner]: value }) as Found[string];
    found[field] = Array.isArray(own) ? own : { ...found[field], ...own };
  }
  const { security, ...others } = found as unknown as Checked;
  if (!security) return others;
  checkReach(security, analysis);
  return { ...others, security: reachOf({ ...security, permissions: security.permissions ?? [] }) };
}

/** Returns the keyword and the text of each annotation that says the field or a part of it. */
export function checkedTexts(definition: Checked, field: keyof Checked): readonly (readonly [string, string])[] {
  const whole = definition[field] as Found[string];
  return rows.flatMap(([[outer, inner], { keyword, write }]) => {
    const value = inner === undefined ? whole : whole?.[inner];
    return outer !== field || value === undefined ? [] : [[keyword, write(value)] as const];
  });
}
