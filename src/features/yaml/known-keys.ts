// The keys of a map. What other programs call a key, and where else authors write it, becomes an entry of the format.
import { type Findings, replacing } from "../../core/language/findings.ts";
import type { Span } from "../../core/text/source.ts";
import { entryOf, type YamlEntry, type YamlMap } from "./node.ts";

export interface KnownKeys {
  /** The owner's name in messages: `a step`. */
  readonly owner: string;
  readonly keys: readonly string[];
  /** Other names that people write for a key, with blanks between them. */
  readonly alsoCalled?: Readonly<Record<string, string>>;
  /** Such names that are read as the key, with a warning. */
  readonly alsoRead?: Readonly<Record<string, string>>;
  /** Keys of which at most one may be given. */
  readonly oneOf?: readonly string[];
  /** Words that are no key here, with blanks between them, and what to write instead. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Keys with a map, whose keys may also stand beside it. */
  readonly lifts?: readonly string[];
  /** The keys that authors begin with, if there are many. */
  readonly first?: readonly string[];
  /** The values of each key. The compiler checks that readers follow it. */
  readonly values?: Readonly<
    Record<
      string,
      {
        readonly kind: {
          readonly is: string;
          readonly keys?: KnownKeys | readonly KnownKeys[];
          readonly words?: readonly string[];
        };
      }
    >
  >;
}

/** Reads other words for keys as these, with a warning, and moves the keys of `lifts` to their maps. */
export function meantMap(map: YamlMap, known: KnownKeys, findings: Findings): YamlMap {
  if (map.entries.every(({ key }) => known.keys.includes(key))) return map;
  const entries = map.entries.map((entry) => meantEntry(entry, { known, map, findings }));
  const isNamed = map.entries.some(({ key }, index) => key !== entries[index]?.key);
  const named = isNamed ? { ...map, entries } : map;
  return (known.lifts ?? []).reduce((whole, key) => lifted(whole, { key, known, findings }), named);
}

interface Naming {
  readonly known: KnownKeys;
  readonly map: YamlMap;
  readonly findings: Findings;
}

function meantEntry(entry: YamlEntry, { known, map, findings }: Naming): YamlEntry {
  const { key, keySpan } = entry;
  const isFree = (name: string): boolean =>
    map.entries.every((one) => one === entry || (one.key !== name && !meantKeys(one.key, known).includes(name)));
  const meant = meantKeys(key, known).find(isFree);
  if (meant === undefined) return entry;
  findings.warn("unknown-key", `\`${key}\` is read as \`${meant}\``, { at: keySpan, fix: replacing(keySpan, meant) });
  return { ...entry, key: meant };
}

/** Returns the keys that are also called so; none for a key of the map. */
export function meantKeys(key: string, { keys, alsoRead = {} }: KnownKeys): readonly string[] {
  return keys.includes(key) ? [] : keys.filter((one) => alsoRead[one]?.split(" ").includes(key));
}

interface Lift {
  /** The key of the inner map. */
  readonly key: string;
  readonly known: KnownKeys;
  readonly findings: Findings;
}

/** Moves entries that belong to the inner map `key` there. */
function lifted(map: YamlMap, { key, known, findings }: Lift): YamlMap {
  const inner = known.values?.[key]?.kind.keys as KnownKeys | undefined;
  const own = inner
    ? map.entries.filter((entry) => !known.keys.includes(entry.key) && namesIn(inner, entry).length > 0)
    : [];
  const [first] = own;
  const existing = entryOf(map, key);
  if (!inner || !first || (existing && existing.value.kind !== "map")) return map;
  const before = existing?.value.kind === "map" ? existing.value.entries : [];
  const twice = own.flatMap((entry) => {
    const other = before.find((one) => namesIn(inner, one)[0] === namesIn(inner, entry)[0]);
    return other ? [[entry, other] as const] : [];
  });
  for (const [entry, other] of twice)
    findings.error("conflicting-keys", `\`${entry.key}\` is given twice, also below \`${key}\``, {
      at: entry.keySpan,
      related: [{ span: other.keySpan, text: "" }],
      help: ["remove one of the two"],
    });
  const added = own.filter((entry) => twice.every(([one]) => one !== entry));
  const span: Span = existing?.value.span ?? { ...first.keySpan, end: own.at(-1)?.value.span.end ?? first.keySpan.end };
  const entry: YamlEntry = {
    key,
    keySpan: existing?.keySpan ?? first.keySpan,
    value: { kind: "map", entries: [...before, ...added], span },
  };
  return { ...map, entries: [...map.entries.filter((one) => one !== existing && !own.includes(one)), entry] };
}

function namesIn(known: KnownKeys, { key }: YamlEntry): readonly string[] {
  return known.keys.includes(key) ? [key] : meantKeys(key, known);
}
