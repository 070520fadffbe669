// Packages for tests, as folders and as archives; also archives that no honest program would make.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

export interface TarEntry {
  readonly path: string;
  readonly text?: string;
  /** As in a tar header: 0 file, 1 hard link, 2 link, 3 device, 5 folder. The default is a file. */
  readonly type?: string;
  readonly target?: string;
}

const BLOCK_BYTES = 512;

export function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(entryOf), Buffer.alloc(2 * BLOCK_BYTES)]);
}

export function archiveOf(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

function entryOf({ path, text = "", type = "0", target = "" }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const content = Buffer.from(text);
  const put = (value: string, offset: number): void => void header.write(value, offset, "utf8");
  put(path, 0);
  put("0000644\0", 100);
  put("0000000\0", 108);
  put("0000000\0", 116);
  put(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  put("00000000000\0", 136);
  put("        ", 148);
  put(type, 156);
  put(target, 157);
  put("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = (BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES;
  return Buffer.concat([header, content, Buffer.alloc(padding)]);
}

export interface PackageText {
  readonly name?: string;
  readonly version?: string;
  readonly dottool?: unknown;
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Returns the files of a package with a tool `shout`, which writes its words in capitals. */
export function packageFiles({
  name = "words",
  version = "1.0.0",
  dottool = {},
  files = { "shout.tool": shout },
}: PackageText = {}): Readonly<Record<string, string>> {
  return { "package.json": JSON.stringify({ name, version, dottool }), ...files };
}

export const shout =
  "Says it loudly.\n\n@title Shout\n@param words {string} [required] What\n@shell sh\n@command printf '%s' {words} | tr a-z A-Z\n";

/** Reads any file that it may. */
export const peek = "Shows a file.\n\n@title Peek\n@param path {string} [required] Which\n@command cat -- {path}\n";

export function packageArchive(text: PackageText = {}): Buffer {
  return archiveOf(
    Object.entries(packageFiles(text)).map(([path, content]) => ({ path: `package/${path}`, text: content })),
  );
}

export function writePackage(folder: string, text: PackageText = {}): void {
  for (const [path, content] of Object.entries(packageFiles(text))) {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
  }
}
