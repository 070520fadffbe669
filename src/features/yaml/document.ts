// Parses text into YAML nodes. Only this file uses the `yaml` package, which is loaded only when a YAML definition is
// parsed.
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  type YAMLMap,
} from "yaml";
import type { SourceFile, Span } from "../../core/text/source.ts";
import type { Findings } from "../../core/language/findings.ts";
import { mappedText } from "../../core/language/syntax/mapped-text.ts";
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from "./node.ts";
import { type ScalarStyle, scalarText } from "./scalar-text.ts";
import { type YamlSyntaxError, syntaxProblems } from "./syntax-problems.ts";

/** The limit of nodes in one file, with every alias expanded. A definition has a few hundred. */
const NODES_MAX = 20_000;
const DEPTH_MAX = 64;

/** Reads a YAML document. Returns undefined if the file is empty, or if a problem was reported. */
export function readYaml(source: SourceFile, findings: Findings): YamlNode | undefined {
  const parsed = parsedDocument(source.text);
  if (!parsed)
    return void findings.error("too-deep", `this is nested deeper than ${DEPTH_MAX} levels`, {
      at: findings.startOfFile(),
    });
  // Its warnings are about tags and directives that would otherwise be ignored.
  if (parsed.errors.length + parsed.warnings.length > 0) {
    findings.add(syntaxProblems(source, [...parsed.errors, ...parsed.warnings].map(toError)));
    return undefined;
  }
  const root = parsed.contents as Node | null;
  return root ? new Reading(source, findings).whole(root) : undefined;
}

/** Matches the engine's stack errors, which the parser reports as mistakes of the text. */
const STACK = /call stack|stack overflow/i;

/** Parses a text. Returns undefined if it is nested deeper than the parser's stack allows. */
function parsedDocument(text: string): Document.Parsed | undefined {
  try {
    // Keys are checked here, where the place of the first one is known.
    const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: "error" });
    return document.errors.some(({ message }) => STACK.test(message)) ? undefined : document;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function toError({ code, message, pos }: Document.Parsed["errors" | "warnings"][number]): YamlSyntaxError {
  return { code, message, start: pos[0], end: Math.max(pos[0] + 1, pos[1]) };
}

class Reading {
  readonly #source: SourceFile;
  /**
   * The anchors so far. A name means the last node before it, and the parser's own look-up walks through the whole
   * document each time.
   */
  readonly #anchors = new Map<string, unknown>();
  readonly #findings: Findings;
  #nodes = 0;
  #isOver = false;

  constructor(source: SourceFile, findings: Findings) {
    this.#source = source;
    this.#findings = findings;
  }

  whole(root: Node): YamlNode | undefined {
    const node = this.#node(root, 0);
    return this.#isOver ? undefined : node;
  }

  #node(node: unknown, depth: number): YamlNode {
    if (isAlias(node)) return this.#alias(node, depth);
    const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    const span = this.#span(node);
    if (this.#isOver || ++this.#nodes > NODES_MAX || depth > DEPTH_MAX) {
      this.#stop(depth > DEPTH_MAX ? "too-deep" : "too-large", span);
      return this.#nothing(span);
    }
    if (isScalar(node)) return this.#scalar(node, span);
    if (isSeq(node)) return { kind: "list", items: node.items.map((item) => this.#node(item, depth + 1)), span };
    return isMap(node) ? { kind: "map", entries: this.#entries(node, depth), span } : this.#nothing(span);
  }

  #stop(code: "too-deep" | "too-large", at: Span): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const message =
      code === "too-deep"
        ? `this is nested deeper than ${DEPTH_MAX} levels`
        : `this has more than ${NODES_MAX.toLocaleString("en")} values, counting those that \`*\` repeats`;
    this.#findings.error(code, message, { at: { ...at, end: Math.min(at.end, at.start + 1) } });
  }

  #alias(alias: Alias, depth: number): YamlNode {
    const target = this.#anchors.get(alias.source);
    if (target !== undefined) return this.#node(target, depth + 1);
    const span = this.#span(alias);
    this.#isOver = true;
    this.#findings.error("broken-yaml", `there is no anchor \`&${alias.source}\``, {
      at: span,
      help: [`write \`&${alias.source}\` before a value further up`],
    });
    return this.#nothing(span);
  }

  #scalar(node: Scalar, span: Span): YamlScalar {
    const { value } = node;
    const written = this.#source.text.slice(span.start, span.end);
    const style: ScalarStyle =
      node.type === Scalar.QUOTE_DOUBLE
        ? "double"
        : node.type === Scalar.QUOTE_SINGLE
          ? "single"
          : node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED
            ? "block"
            : "plain";
    const text = typeof value === "string" ? value : written;
    // A value that no other type accepts, such as a tagged date, is its text as written.
    const plain = typeof value === "number" || typeof value === "boolean" || value === null ? value : text;
    return { kind: "scalar", value: plain, text: scalarText(this.#source, { value: text, style, range: span }), span };
  }

  #entries(map: YAMLMap, depth: number): readonly YamlEntry[] {
    const own = new Map<string, YamlEntry>();
    const merged: YamlMap[] = [];
    for (const { key, value } of map.items) {
      const keyNode = this.#node(key, depth + 1);
      if (keyNode.kind !== "scalar" || keyNode.value === null) {
        if (!this.#isOver) this.#notAKey(keyNode, map);
        continue;
      }
      const name = keyNode.text.text;
      const node =
        value === null ? this.#nothing({ ...keyNode.span, start: keyNode.span.end }) : this.#node(value, depth + 1);
      if (name === "<<" && this.#source.text.startsWith("<<", keyNode.span.start)) {
        merged.push(...this.#mergedMaps(node, keyNode.span));
        continue;
      }
      const first = own.get(name);
      if (first)
        this.#findings.error("duplicate-key", `duplicate key \`${name}\``, {
          at: keyNode.span,
          related: [{ span: first.keySpan, text: "first given here" }],
        });
      else own.set(name, { key: name, keySpan: keyNode.text.span, value: node });
    }
    // Keys that are written here come first, then those of the first merged map.
    for (const entry of merged.flatMap(({ entries }) => entries)) if (!own.has(entry.key)) own.set(entry.key, entry);
    return [...own.values()];
  }

  #mergedMaps(node: YamlNode, at: Span): readonly YamlMap[] {
    const maps = node.kind === "list" ? node.items : [node];
    const found = maps.filter((one) => one.kind === "map");
    if (found.length < maps.length && !this.#isOver)
      this.#findings.error("wrong-value", "`<<` can only merge maps", {
        at,
        label: "expected `*NAME` of a map, or a list of those",
      });
    return found;
  }

  #notAKey({ span }: YamlNode, map: YAMLMap): void {
    const braced = map.flow ? /^\{([A-Za-z_][\w-]*)\}$/.exec(this.#source.text.slice(span.start, span.end)) : null;
    this.#findings.error("broken-yaml", "a key must be a word", {
      at: span,
      help: braced ? ["put the text with braces in quotes"] : [],
    });
  }

  #nothing(span: Span): YamlScalar {
    return {
      kind: "scalar",
      value: null,
      text: mappedText(this.#source, [{ start: span.start, end: span.start }]),
      span,
    };
  }

  #span(node: unknown): Span {
    const [start = 0, end = start] = (node as Node | null)?.range ?? [];
    return { source: this.#source, start, end };
  }
}
