// The `config.yaml` of a bundled folder: what the program does where its user says nothing else. Values of secrets are
// left out; where a secret comes from (`env:NAME`) may stay.
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode, stringify } from "yaml";
import { soundsSecret } from "../base/secret-names.ts";
import { secretIn } from "../text/secret-texts.ts";

interface ConfigDefaults {
  /** In the block style. Empty if nothing is left. */
  readonly text: string;
  readonly leftOut: readonly LeftOutKey[];
}

interface LeftOutKey {
  /** 1-based. */
  readonly line: number;
  /** The path of the key, with dots. */
  readonly key: string;
}

/** A reference to a secret, and not the secret. */
const SOURCE = /^\s*(?:env|file|command|secret):/;
/** Numbers that count the tokens of a model. */
const COUNTS = /^max_tokens$/;

/** Returns undefined if it is not valid YAML with names at the top. */
export function configDefaults(text: string): ConfigDefaults | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "error" });
  if (document.errors.length > 0) return undefined;
  if (document.contents === null) return { text: "", leftOut: [] };
  if (!isMap(document.contents)) return undefined;
  const found: (LeftOutKey & { readonly path: readonly unknown[] })[] = [];
  const visit = (node: unknown, path: readonly unknown[]): void => {
    if (isMap(node)) for (const { key, value } of node.items) visit(value, [...path, isScalar(key) ? key.value : key]);
    else if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    else if (isScalar(node) && isSecret(node.value, path))
      found.push({ line: lines.linePos((node as YamlNode).range?.[0] ?? 0).line, key: path.join("."), path });
  };
  visit(document.contents, []);
  // Later items of a list first, so that the others keep their places.
  for (const { path } of found.toReversed()) document.deleteIn(path);
  // Without comments and aliases, which may hold or hide anything.
  const value: unknown = document.toJS();
  const isEmpty = value === null || Object.keys(value as object).length === 0;
  return { text: isEmpty ? "" : stringify(value), leftOut: found.map(({ line, key }) => ({ line, key })) };
}

function isSecret(value: unknown, path: readonly unknown[]): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  if (SOURCE.test(String(value))) return false;
  const isNamedSo = path.some((key) => typeof key === "string" && soundsSecret(key) && !COUNTS.test(key));
  return isNamedSo || secretIn(String(value)) !== undefined;
}
