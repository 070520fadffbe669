// One JSON line for every call, in the user's state folder. It never delays or fails a call. Every call loads it, so it
// is small.
import { withoutCredentials } from "../text/without-credentials.ts";
import { join } from "node:path";
import type { JsonObject } from "../schema/json.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { tryLock } from "../store/lock-file.ts";

export const AUDIT_FILE = "audit.jsonl";
/** The number of older files that are kept: `audit.1.jsonl` and so on. */
export const AUDIT_FILES_KEPT = 4;
export const AUDIT_BYTES_MAX = 10 * 1024 * 1024;
const TEXT_CHARACTERS_MAX = 1_000;
const LINE_CHARACTERS_MAX = 16_000;

export type AuditEntry = JsonObject & { readonly arguments: JsonObject };

interface AuditOptions {
  readonly host: Host;
  warn(text: string): void;
}

export class AuditLog {
  /** Takes lines for `append` later, where many calls are logged at once. */
  later: ((line: string) => void) | undefined;
  readonly #options: AuditOptions;
  #hasWarned = false;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  write(entry: AuditEntry): void {
    this.#attempt(() => {
      const line = `${lineOf(entry)}\n`;
      if (this.later) this.later(line);
      else this.append(line);
    });
  }

  append(lines: string): void {
    const { host } = this.#options;
    const path = join(host.folders.state, AUDIT_FILE);
    this.#attempt(() => {
      const sizeBytes = host.shared.append(path, lines);
      if (sizeBytes > AUDIT_BYTES_MAX) rotate(path, host);
    });
  }

  /** Whatever goes wrong with the log is a warning, once. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      const path = join(this.#options.host.folders.state, AUDIT_FILE);
      if (!this.#hasWarned)
        this.#options.warn(
          `warning[audit]: calls are not logged: \`${path}\` cannot be written to (${codeOf(error) ?? "error"})\n`,
        );
      this.#hasWarned = true;
    }
  }
}

/** Returns a line that is never longer than the system writes at once. */
function lineOf(entry: AuditEntry): string {
  const line = JSON.stringify(entry, shortened);
  if (line.length <= LINE_CHARACTERS_MAX) return line;
  const args = JSON.stringify(entry.arguments, shortened);
  return JSON.stringify({
    ...entry,
    arguments: `${args.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()}… (${args.length} characters)`,
  });
}

function shortened(_key: string, value: unknown): unknown {
  // A program that embeds dottool may pass any value.
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "string") return value;
  const text = withoutCredentials(value);
  return text.length > TEXT_CHARACTERS_MAX
    ? `${text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()}… (${text.length} characters)`
    : text;
}

/** Two processes may find the log too long at once: the second one does nothing. */
function rotate(path: string, host: Host): void {
  const lock = tryLock(`${path}.lock`, { host });
  try {
    if (!lock) return;
    if ((host.instant.stat(path)?.sizeBytes ?? 0) <= AUDIT_BYTES_MAX) return;
    const numbered = (number: number): string => path.replace(/jsonl$/, `${number}.jsonl`);
    for (let number = AUDIT_FILES_KEPT - 1; number >= 1; number--)
      if (host.instant.stat(numbered(number))) host.shared.rename(numbered(number), numbered(number + 1));
    host.shared.rename(path, numbered(1));
  } finally {
    lock?.release();
  }
}
