// The fields of a definition that are texts or words, and those whose text has parts. A row describes one of them:
// its annotation, its key in YAML, and where it is shown. Readers, writers, the schema for editors, `show` and the
// documents follow from it; the compiler asks for the row of a new field.
import type { Json } from "../schema/json.ts";
import type { DefinitionHead } from "../tool/definition.ts";

export interface AnnotationKind {
  /** The form shown in messages, without the keyword. */
  readonly form: string;
  /** The key of the custom-tools YAML that says the same, behind those above it: `security.isolation`. */
  readonly key: string;
  /** The rule that its text matches, by which it is formatted. If absent, it is formatted as text. */
  readonly rule?: "words" | "depends" | "limits" | "requires" | "assignment" | "ask" | DeclaringKeyword;
  /** Deeper-indented lines below it are its body. */
  readonly takesBody?: true;
  /** Set if the annotation may be given several times. */
  readonly repeats?: true;
  /** `@command(windows)`. */
  readonly takesPlatform?: true;
  /** Makes the tool a wrap instead of an alias. */
  readonly makesWrap?: true;
  /** Its names in other programs, with blanks between them. */
  readonly alsoCalled?: string;
}

export type DeclaringKeyword = "param" | "property" | "namedType" | "returns";

interface Field extends AnnotationKind {
  readonly keyword: string;
  /** The description for authors: one sentence without a full stop. */
  readonly does: string;
  readonly example?: Json;
  /** The name of its row in `show`. */
  readonly shownAs?: string;
}

export interface TextField extends Field {
  /** A list of words, which may be in one annotation. */
  readonly rule?: "words";
  /** What the annotation says without text. If absent, it must have text. */
  readonly empty?: string;
  /** The text is three numbers, such as 1.2.0. */
  readonly isVersion?: true;
  /** The text may have `{NAME}` for values. */
  readonly hasValues?: true;
  /** Set if the value of its key is more than a text, and has a row of its own in features/yaml/custom-tools/keys.ts. */
  readonly hasOwnKey?: true;
}

/** A field whose text, in an annotation as below its key, fields/parts.ts reads and writes. */
export interface PartsField extends Field {
  /** What is between several that are written in one annotation. If absent, each has an annotation of its own. */
  readonly joinedBy?: string;
  readonly hasOwnKey?: never;
}

type Texts<Value> = string extends Value
  ? TextField & { readonly repeats?: never }
  : TextField & { readonly repeats: true };
/** The optional fields of any text, or of a list of any texts; other fields have readers and writers of their own. */
type OptionalText<Head> = {
  [Key in keyof Head]-?: undefined extends Head[Key]
    ? string extends Head[Key]
      ? Key
      : readonly string[] extends Head[Key]
        ? Key
        : never
    : never;
}[keyof Head];
export type TextFieldName = Exclude<OptionalText<DefinitionHead>, "annotations"> | "changelog" | "keywords";

/** In the order in which they are written. */
export const textFields = {
  version: {
    keyword: "version",
    form: "1.2.3",
    alsoCalled: "semver",
    key: "version",
    does: "its version",
    example: "1.0.0",
    isVersion: true,
    shownAs: "version",
  },
  cycodVersion: {
    keyword: "cycod-version",
    form: "1.2.3",
    key: "min-cycod-version",
    does: "the oldest CYCOD version that can read it",
    example: "1.0.0",
    isVersion: true,
  },
  category: {
    keyword: "category",
    form: "word",
    alsoCalled: "group",
    key: "metadata.category",
    does: "its category",
    hasOwnKey: true,
    shownAs: "category",
  },
  keywords: {
    keyword: "keywords",
    form: "words",
    rule: "words",
    repeats: true,
    key: "metadata.search-keywords",
    does: "more words to find it by",
    hasOwnKey: true,
    shownAs: "keywords",
  },
  confirm: {
    keyword: "confirm",
    form: "text",
    alsoCalled: "confirmation ask",
    key: "x-dottool.confirm",
    does: "what a person is asked before each call; `dottool --yes NAME …` says yes beforehand",
    empty: "its author wants each call to be confirmed",
    hasValues: true,
  },
  deprecated: {
    keyword: "deprecated",
    form: "text",
    key: "x-dottool.deprecated",
    does: "why it should no longer be used",
    empty: "",
    shownAs: "deprecated",
  },
  help: {
    keyword: "help",
    form: "text",
    takesBody: true,
    key: "x-dottool.help",
    does: "more help, for `show` and `--help`",
    empty: "",
    shownAs: "help",
  },
  changelog: {
    keyword: "changelog",
    form: "text",
    repeats: true,
    alsoCalled: "changes",
    key: "changelog",
    does: "what changed, and when",
    hasOwnKey: true,
    shownAs: "changes",
  },
  notes: {
    keyword: "note",
    form: "text",
    repeats: true,
    alsoCalled: "comment todo author license",
    key: "x-dottool.notes",
    does: "a note for readers of the file",
  },
} as const satisfies { readonly [Name in TextFieldName]: Texts<DefinitionHead[Name]> };

/** The fields with readers and writers of their own, because their keys in YAML are no texts. */
type OwnField =
  | "name"
  | "title"
  | "description"
  | "parameters"
  | "returns"
  | "declaredEffects"
  | "tags"
  | "platforms"
  | "security"
  | "limits"
  | "schemaOmits"
  | "examples"
  | "tests"
  | "annotations"
  | "origin";
export type PartsFieldName = Exclude<keyof DefinitionHead, TextFieldName | OwnField>;

export const partsFields = {
  requires: {
    keyword: "requires",
    form: "PROGRAM >= VERSION",
    rule: "requires",
    repeats: true,
    joinedBy: ", ",
    alsoCalled: "require needs",
    key: "x-dottool.requires",
    does: "programs that must be installed",
    example: ["git >= 2.30"],
    shownAs: "requires",
  },
  depends: {
    keyword: "depends",
    form: "TOOL@VERSION",
    rule: "depends",
    repeats: true,
    joinedBy: " ",
    alsoCalled: "dependency dependencies uses",
    key: "x-dottool.depends",
    does: "tools that must be available",
    example: ["official/summarize@^1.0.0"],
    shownAs: "depends on",
  },
  asks: {
    keyword: "ask",
    form: "TEXT → ARGUMENTS",
    rule: "ask",
    repeats: true,
    key: "x-dottool.asks",
    does: "what a person would say, and the arguments of the call that it should lead to, or `none`; for `dottool eval`",
    example: ['which files are in src? → {"FOLDER": "src"}'],
  },
} as const satisfies {
  readonly [Name in PartsFieldName]: PartsField &
    (undefined extends DefinitionHead[Name] ? { readonly repeats?: never } : { readonly repeats: true });
};

export type TextValues = Partial<Pick<DefinitionHead, TextFieldName>>;
export type TextValue = string | readonly string[];

const textFieldList = Object.entries<TextField>(textFields) as readonly [TextFieldName, TextField][];

/** Returns what `make` makes of each field. */
export function eachTextField<Made>(
  make: (field: TextField, name: TextFieldName) => Made,
): Readonly<Record<TextFieldName, Made>> {
  return Object.fromEntries(textFieldList.map(([name, field]) => [name, make(field, name)])) as Record<
    TextFieldName,
    Made
  >;
}

export function eachPartsField<Made>(
  make: (field: PartsField, name: PartsFieldName) => Made,
): Readonly<Record<PartsFieldName, Made>> {
  const fields = Object.entries<PartsField>(partsFields) as [PartsFieldName, PartsField][];
  return Object.fromEntries(fields.map(([name, field]) => [name, make(field, name)])) as Record<PartsFieldName, Made>;
}

/** Returns the fields that `read` finds: a list for one that repeats, and a text for any other. */
export function readTextFields(
  read: (field: TextField, name: TextFieldName) => TextValue | undefined,
): Readonly<Partial<Record<TextFieldName, TextValue>>> & TextValues {
  const found: Partial<Record<TextFieldName, TextValue>> = {};
  for (const [name, field] of textFieldList) {
    const value = read(field, name);
    if (value !== undefined) found[name] = value;
  }
  return found as Readonly<typeof found> & TextValues;
}
