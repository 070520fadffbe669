// The files of a tool folder that go into a bundle, and what does not: hidden files are left out, and whatever cannot be
// the same on another machine, or must not be given away, is a reason to make no bundle.
import { basename, join, sep } from "node:path";
import { TREE_BYTES_MAX, TREE_DEPTH_MAX, TREE_FILES_MAX } from "../../core/catalog/tool-tree.ts";
import { keyFilesByName } from "../../generated/guarded-files.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { FileKind, Host } from "../../core/tool/host.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import { isInside } from "../../core/session/payload.ts";
import { secretIn } from "../../core/text/secret-texts.ts";
import { hasCredentials } from "../../core/text/without-credentials.ts";
import { CONFIGURATION_NAME } from "../../core/catalog/discover.ts";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode, stringify } from "yaml";
import { soundsSecret } from "../../core/text/secret-names.ts";

export interface CollectedFiles {
  readonly files: readonly UnpackedFile[];
  /** What is not in the bundle, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Why no bundle can be made of the folder. */
export interface CollectProblem {
  readonly problem: string;
  readonly help: string;
}

class Unfit extends Error {
  readonly help: string;

  constructor(problem: string, help: string) {
    super(problem);
    this.help = help;
  }
}

const MAY_EXECUTE = 0o100;
const TEXT_BYTES_MAX = 1024 * 1024;
/** Names that Windows does not take, and those that a terminal would act on. */
const UNUSABLE_NAME = /[<>:"|?*\\\uFFFD\p{Cc}\p{Cf}]|[. ]$/u;

/** `folder` is absolute. */
export function collectFiles(folder: string, host: Host): CollectedFiles | CollectProblem {
  const collecting = new Collecting(folder, host);
  try {
    collecting.addFolder("", 0);
  } catch (error) {
    if (error instanceof Unfit) return { problem: error.message, help: error.help };
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { problem: `\`${folder}\` cannot be read: the system reports ${code}`, help: "look at it with `ls -la`" };
  }
  return collecting;
}

class Collecting implements CollectedFiles {
  readonly files: UnpackedFile[] = [];
  readonly leftOut: string[] = [];
  readonly #root: string;
  readonly #realRoot: string;
  readonly #host: Host;
  #bytes = 0;

  constructor(root: string, host: Host) {
    this.#root = root;
    this.#realRoot = host.instant.realPath(root);
    this.#host = host;
  }

  addFolder(path: string, depth: number): void {
    if (depth > TREE_DEPTH_MAX) throw new Unfit(`folders are nested more than ${TREE_DEPTH_MAX} deep`, MOVE_OUT);
    for (const { name, kind } of this.#host.instant.list(join(this.#root, path))) {
      const inside = path === "" ? name : `${path}/${name}`;
      if (UNUSABLE_NAME.test(name) || !isInside(inside))
        throw new Unfit(`the name \`${inside}\` cannot be used on every system`, "rename it");
      if (name.startsWith(".")) this.leftOut.push(`\`${inside}\`: hidden`);
      else this.#addEntry(inside, kind === "link" ? this.#behindLink(inside) : kind, depth);
    }
  }

  #addEntry(path: string, kind: FileKind | undefined, depth: number): void {
    if (kind === "folder") this.addFolder(path, depth + 1);
    else if (kind === "file") this.#addFile(path);
    else throw new Unfit(`\`${path}\` is a device, a pipe or a socket`, "remove it, or move it out of the folder");
  }

  /** Returns the kind of the target, which has to be a file in the folder. */
  #behindLink(path: string): FileKind {
    const whole = join(this.#root, path);
    const kind = this.#host.instant.stat(whole)?.kind;
    if (kind === undefined) throw new Unfit(`\`${path}\` is a link to nothing`, "remove it");
    const target = this.#host.instant.realPath(whole);
    if (!target.startsWith(this.#realRoot + sep))
      throw new Unfit(`\`${path}\` is a link to \`${target}\`, outside the folder`, "copy the file in its place");
    if (kind === "folder") throw new Unfit(`\`${path}\` is a link to a folder`, "copy the folder in its place");
    return kind;
  }

  #addFile(path: string): void {
    if (this.files.length >= TREE_FILES_MAX) throw new Unfit(`there are more than ${TREE_FILES_MAX} files`, MOVE_OUT);
    const holds = keyFilesByName.find(({ paths }) =>
      paths.split(", ").some((pattern) => isNamed(basename(path), pattern)),
    )?.holds;
    if (holds !== undefined) throw new Unfit(`\`${path}\` may be ${holds}`, MOVE_SECRET);
    const whole = join(this.#root, path);
    const left = TREE_BYTES_MAX - this.#bytes;
    const stat = this.#host.instant.stat(whole);
    if ((stat?.sizeBytes ?? 0) > left)
      throw new Unfit(`it has more than ${TREE_BYTES_MAX / 1024 / 1024} MiB`, MOVE_OUT);
    const read = this.#host.instant.readBytes(whole, left);
    const bytes = path === CONFIGURATION_NAME ? this.#defaults(read) : read;
    if (bytes.length === 0 && path === CONFIGURATION_NAME) return;
    this.#bytes += bytes.length;
    const secret = bytes.length > TEXT_BYTES_MAX ? undefined : secretIn(new TextDecoder().decode(bytes));
    if (secret) throw new Unfit(`\`${path}:${secret.line}\` has ${secret.is}`, MOVE_SECRET);
    this.files.push({ path, bytes, isExecutable: ((stat?.mode ?? 0) & MAY_EXECUTE) !== 0 });
  }

  #defaults(bytes: Uint8Array): Uint8Array {
    const defaults = configDefaults(new TextDecoder().decode(bytes));
    if (!defaults) throw new Unfit(`\`${CONFIGURATION_NAME}\` is not valid YAML`, "`dottool check` shows where");
    for (const { line, key } of defaults.leftOut)
      this.leftOut.push(`\`${CONFIGURATION_NAME}:${line}\` \`${key}\`: a secret; each user sets it`);
    return new TextEncoder().encode(defaults.text);
  }
}

const MOVE_OUT = "move out the files that its tools neither run nor import";
const MOVE_SECRET =
  "everyone who gets the output could read it: move it out of the folder, and let the tool read it from the environment";

/** `pattern` is a name, or an ending behind `*`. */
function isNamed(name: string, pattern: string): boolean {
  return pattern.startsWith("*") ? name.endsWith(pattern.slice(1)) : name === pattern;
}

// The `config.yaml` of a bundled folder: what the program does where its user says nothing else. Values of secrets are
// left out; where a secret comes from (`env:NAME`) may stay.

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
function configDefaults(text: string): ConfigDefaults | undefined {
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
  // Comments and aliases are left out, because they may hold or hide anything.
  const value: unknown = document.toJS();
  const isEmpty = value === null || Object.keys(value as object).length === 0;
  return { text: isEmpty ? "" : stringify(value), leftOut: found.map(({ line, key }) => ({ line, key })) };
}

function isSecret(value: unknown, path: readonly unknown[]): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  if (SOURCE.test(String(value))) return false;
  const isNamedSo = path.some((key) => typeof key === "string" && soundsSecret(key) && !COUNTS.test(key));
  return isNamedSo || secretIn(String(value)) !== undefined || hasCredentials(String(value));
}
