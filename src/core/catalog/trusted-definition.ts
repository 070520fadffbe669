// A definition of which only texts have changed since a person trusted it: until a person has seen the new ones, it is
// the definition that was trusted, for every caller. So what runs is what was trusted, and no model reads a text that
// nobody has seen; this comparison only decides whether a call asks.
import type { JsonObject } from "../schema/json.ts";
import type { Host } from "../tool/host.ts";
import type { LoadDefinitionReader } from "./definition-reader.ts";
import { parsedFile } from "./load-changed.ts";
import type { LoadedFile } from "./loaded-definition.ts";
import { isAccepted } from "./partly-trusted.ts";
import { shownPathIn } from "./tool-folders.ts";
import { insidePathOf } from "./trust.ts";
import type { PartTrust } from "./trust-state.ts";

interface ReadingOptions {
  readonly host: Host;
  readonly loadDefinitionReader: LoadDefinitionReader;
}

/** Returns what was trusted of the file, if it does what the file does. `part` is what is trusted of its folder. */
export async function trustedDefinition(
  { file, folder, cached }: LoadedFile,
  { accepted, texts = {} }: PartTrust,
  { host, loadDefinitionReader }: ReadingOptions,
): Promise<LoadedFile["trusted"]> {
  const path = insidePathOf(folder, file.path);
  const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
  if (text === undefined || isAccepted(path, cached.sha256, accepted)) return undefined;
  const sha256 = host.sha256(new TextEncoder().encode(text));
  if (!isAccepted(path, sha256, accepted)) return undefined;
  const source = { path: shownPathIn(folder, file.path), text };
  const { summary, definition } = parsedFile({ file, folder }, source, await loadDefinitionReader(source.path));
  const present = cached.definition;
  if (definition === undefined || present === undefined || whatRuns(definition) !== whatRuns(present)) return undefined;
  return { sha256, text, summary, definition };
}

/** Returns the stored definition without its texts for readers, its tests, and the places in its file. */
function whatRuns(stored: string): string {
  const withoutPlaces = (key: string, value: unknown): unknown => (key === "span" ? undefined : value);
  const { title: _title, description: _text, examples: _examples, tests: _tests, ...rest } = JSON.parse(stored);
  const parameters = (rest.parameters as readonly JsonObject[]).map(({ description: _own, ...parameter }) => parameter);
  return JSON.stringify({ ...rest, parameters: JSON.stringify(parameters) }, withoutPlaces);
}
