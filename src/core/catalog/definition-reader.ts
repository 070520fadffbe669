// The definition reader: stages 3 and 4 of src/README.md. It is loaded when the first text has to be parsed, so a warm
// call does not load it.
import type { Annotation, ToolFile } from "../language/syntax/ast.ts";
import type { Checked } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { Scope, ToolDefinition } from "../tool/definition.ts";
import type { SoundPart } from "../language/fields/sound-part.ts";
import { loadPart, needPart } from "../tool/feature.ts";
import { isYamlPath } from "../text/source-language.ts";

export interface ReadDefinition extends Checked<ToolDefinition> {
  /** The name in the text, even if the definition has errors. */
  readonly writtenName?: { readonly name: string; readonly start: number; readonly end: number };
}

export interface ReadPlace {
  readonly scope: Scope;
  /** The sub-folder of the tool folder in which the file is. */
  readonly owner?: string | undefined;
  /** Absolute. */
  readonly folder?: string | undefined;
  /** Set if tests and examples are not to be read, because they are wrong. */
  readonly leavesOutTests?: true;
}

export interface DefinitionReader {
  read(source: SourceFile, place: ReadPlace): ReadDefinition;
  /** Reads what is sound in a text with errors; undefined if nothing is, as in YAML. */
  readSoundPart(source: SourceFile, place: ReadPlace): Promise<SoundPart | undefined>;
}

declare module "../tool/feature.ts" {
  interface Parts {
    /** Reads definitions in YAML. */
    yamlReader: DefinitionReader;
  }
}

/** Loads the reader for the file at this path, whose ending tells its language. */
export type LoadDefinitionReader = (path: string) => Promise<DefinitionReader>;

export const loadDefinitionReader: LoadDefinitionReader = async (path) => {
  const [reader] = await Promise.all([
    isYamlPath(path) ? needPart("yamlReader") : loadToolReader(),
    loadPart("windowsScripts"),
  ]);
  return reader;
};

async function loadToolReader(): Promise<DefinitionReader> {
  const [{ parseToolFile }, { analyzeToolFile }] = await Promise.all([
    import("../language/syntax/parse.ts"),
    import("../language/analyze.ts"),
  ]);
  return {
    read: (source, { scope, owner, leavesOutTests }) => {
      const file = parseToolFile(source);
      const read = leavesOutTests ? { ...file, annotations: file.annotations.filter(isForCalls) } : file;
      const checked = analyzeToolFile(read, { scope, ...(owner === undefined ? {} : { owner }) });
      return { ...checked, ...writtenNameOf(file) };
    },
    readSoundPart: async (source, { scope, owner }) =>
      (await import("../language/fields/sound-part.ts")).soundPart(parseToolFile(source), {
        scope,
        ...(owner === undefined ? {} : { owner }),
      }),
  };
}

function isForCalls({ keyword }: Annotation): boolean {
  return keyword !== "test" && keyword !== "example";
}

const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function writtenNameOf(file: ToolFile): Pick<ReadDefinition, "writtenName"> {
  const annotation = file.annotations.find((one) => one.keyword === "name");
  if (!annotation || !namePattern.test(annotation.text.text)) return {};
  const { span, text } = annotation.text;
  return { writtenName: { name: text, start: span.start, end: span.end } };
}
