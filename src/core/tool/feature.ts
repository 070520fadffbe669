// What the core knows of features. A feature is a folder below src/features/ with one row in its index.ts; the rest of
// the program works without it. A room that takes rows of features adds them to these types where it reads them.

/** What the core asks features for by name, each declared by the file that uses it: `parts` of one feature has it. */
// biome-ignore lint/suspicious/noEmptyInterface: the files that use parts add to it
export interface Parts {}

export type PartName = keyof Parts;

/** What a feature brings. It loads each thing when that is first used. */
export interface Feature {
  readonly parts?: { readonly [Name in PartName]?: () => Promise<Parts[Name]> };
}

/** What is known of a feature before it is loaded. */
export interface FeatureRow {
  readonly name: string;
  /** The features whose files it imports. */
  readonly uses?: readonly string[];
  readonly parts?: readonly PartName[];
  load(): Promise<{ readonly feature: Feature }>;
}

let rows: readonly FeatureRow[] = [];

/** Sets the features of this program, once, before anything else. */
export function useFeatures(features: readonly FeatureRow[]): void {
  rows = features;
}

export function featureRows(): readonly FeatureRow[] {
  return rows;
}

export function hasPart(name: PartName): boolean {
  return rows.some(({ parts = [] }) => parts.includes(name));
}

/** Returns a part, or undefined if the feature that has it is not in this program. */
export async function loadPart<Name extends PartName>(name: Name): Promise<Parts[Name] | undefined> {
  const row = rows.find(({ parts = [] }) => parts.includes(name));
  if (!row) return undefined;
  const { feature } = await row.load();
  const part = await feature.parts?.[name]?.();
  loaded.set(name, part);
  return part;
}

const loaded = new Map<PartName, unknown>();

/** Returns a part that has been loaded, for callers that cannot wait. */
export function loadedPart<Name extends PartName>(name: Name): Parts[Name] {
  if (!loaded.has(name)) throw new Error(`the part \`${name}\` is not loaded yet`);
  return loaded.get(name) as Parts[Name];
}

/** Returns a part without which the caller cannot work. Throws if the program lacks it. */
export async function needPart<Name extends PartName>(name: Name): Promise<Parts[Name]> {
  const part = await loadPart(name);
  if (part === undefined) throw new Error(`this program was built without the part \`${name}\``);
  return part;
}
