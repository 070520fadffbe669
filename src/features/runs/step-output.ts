// What each step of a run writes, in files of its own as it comes, for people who look at the run: the end of it, if it
// is long. Resuming reads the journal, and not these.
import { Buffer } from "node:buffer";
import type { Masks } from "../../core/run/mask.ts";
import type { Json } from "../../core/schema/json.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { FileWriter, Host } from "../../core/tool/host.ts";
import type { StepJournal } from "../../core/tool/tool.ts";
import { stepOf } from "./journal-file.ts";
import { runFile } from "./run-record.ts";

/** Two files take turns, so at least so much of the end is there. */
const FILE_BYTES_MAX = 512 * 1024;
/** A page gets it once a second. */
const SHOWN_BYTES_MAX = 256 * 1024;
const HEAD_BYTES_MAX = 1024;
const LINE_END = 10;
const files = [0, 1] as const;

interface StepOutputsOptions {
  readonly id: string;
  readonly host: Host;
  /** Whether the run is stored by now. Until then, output waits in memory. */
  hasBegun(): boolean;
  /** Warns that output is not stored. `code` is the system's. */
  onLost(code: string, step: string): void;
}

export class StepOutputs {
  readonly #options: StepOutputsOptions;
  readonly #steps = new Map<string, StepOutput>();
  readonly #ends: Promise<void>[] = [];

  constructor(options: StepOutputsOptions) {
    this.#options = options;
  }

  /** Takes the output of a call; `masks` removes its secrets from each step or item on its own. */
  ofCall({ stored }: Pick<Masks, "stored">): Pick<StepJournal, "write" | "written"> {
    const open = (place: string) => {
      const step = this.#stepOf(place);
      return stored({ write: (_stream, bytes: Uint8Array) => step.write(place, bytes), end: async () => step.flush() });
    };
    const places = new Map<string, ReturnType<typeof open>>();
    const at = (place: string): ReturnType<typeof open> => {
      const output = places.get(place) ?? open(place);
      places.set(place, output);
      return output;
    };
    return {
      write: (place, stream, bytes) => void at(place).write(stream, bytes),
      written: (place, output) => {
        if (!places.has(place)) at(place).write("stdout", Buffer.from(output()));
        this.#ends.push(at(place).end());
        places.delete(place);
      },
    };
  }

  /** Settles when all is written. */
  async end(): Promise<void> {
    await Promise.all(this.#ends);
    await Promise.all([...this.#steps.values()].map((step) => step.end()));
  }

  #stepOf(place: string): StepOutput {
    const name = stepOf(place);
    const step = this.#steps.get(name) ?? new StepOutput(name, this.#options);
    this.#steps.set(name, step);
    return step;
  }
}

class StepOutput {
  readonly #name: string;
  readonly #options: StepOutputsOptions;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** The offset of the first byte that waits. */
  #from = 0;
  #last: { readonly place: string; readonly byte: number | undefined };
  #file: { readonly writer: FileWriter; readonly from: number; to: number } | undefined;
  #opened = 0;
  #writing: Promise<void> | undefined;
  #isLost = false;

  constructor(name: string, options: StepOutputsOptions) {
    this.#name = name;
    this.#options = options;
    this.#last = { place: name, byte: LINE_END };
  }

  /** Items that run at the same time take turns, each below a heading. */
  write(place: string, bytes: Uint8Array): void {
    if (this.#isLost || bytes.length === 0) return;
    if (place !== this.#last.place) this.#add(Buffer.from(`${this.#last.byte === LINE_END ? "" : "\n"}── ${place}\n`));
    this.#last = { place, byte: bytes.at(-1) };
    this.#add(bytes);
    this.flush();
  }

  flush(): void {
    if (this.#waiting.length === 0 || !this.#options.hasBegun()) return;
    this.#writing ??= this.#writeAll();
  }

  async end(): Promise<void> {
    this.flush();
    await this.#writing;
    await this.#file?.writer.close();
  }

  /** Drops the oldest, so that no step waits for the disk. */
  #add(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    while (this.#waitingBytes - (this.#waiting[0]?.length ?? 0) > FILE_BYTES_MAX) {
      const dropped = this.#waiting.shift()?.length ?? 0;
      this.#waitingBytes -= dropped;
      this.#from += dropped;
    }
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const all = Buffer.concat(this.#waiting.splice(0));
        const bytes = all.subarray(-FILE_BYTES_MAX);
        this.#from += all.length;
        this.#waitingBytes = 0;
        await this.#writeAt(this.#from - bytes.length, bytes);
      }
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      this.#isLost = true;
      this.#options.onLost(code, this.#name);
    } finally {
      // At once: what comes next finds nobody who writes.
      this.#writing = undefined;
    }
  }

  async #writeAt(from: number, bytes: Uint8Array): Promise<void> {
    const file = this.#file;
    if (!file || file.to !== from || from - file.from >= FILE_BYTES_MAX) {
      const { id, host } = this.#options;
      const path = runFile(id, `step.${this.#name}.${this.#opened++ % files.length}`, host);
      await file?.writer.close();
      await host.files.remove(path);
      const writer = await host.files.create(path, { mode: 0o600 });
      this.#file = { writer, from, to: from };
      await writer.write(Buffer.from(`${JSON.stringify({ step: this.#name, from })}\n`));
    }
    await this.#file?.writer.write(bytes);
    if (this.#file) this.#file.to = from + bytes.length;
  }
}

/** `from` is the number of bytes before these, which are not kept. */
export interface StoredOutput {
  readonly from: number;
  readonly bytes: Uint8Array;
}

export function textOf({ bytes }: StoredOutput): string {
  return new TextDecoder().decode(bytes);
}

/** As JSON: its end. */
export function pageOutput({ from, bytes }: StoredOutput): { readonly output: string; readonly bytesBefore: number } {
  const shown = bytes.subarray(-SHOWN_BYTES_MAX);
  return { output: textOf({ from, bytes: shown }), bytesBefore: from + bytes.length - shown.length };
}

/** Before a step runs again. Throws the errors of the file system. */
export async function removeOutput(id: string, step: string, host: Host): Promise<void> {
  for (const one of files) await host.files.remove(runFile(id, `step.${step}.${one}`, host));
}

/** Returns what is stored of the output of a step. Undefined: nothing. */
export function outputOfStep(id: string, step: string, host: Host): StoredOutput | undefined {
  const parts = files.flatMap((one) => readPart(runFile(id, `step.${step}.${one}`, host), step, host) ?? []);
  const [first, second] = parts.toSorted((one, other) => one.from - other.from);
  if (!first || !second) return first;
  if (first.from + first.bytes.length !== second.from) return second;
  return { from: first.from, bytes: Buffer.concat([first.bytes, second.bytes]) };
}

function readPart(path: string, step: string, host: Host): StoredOutput | undefined {
  try {
    const bytes = host.instant.readBytes(path, HEAD_BYTES_MAX + 2 * FILE_BYTES_MAX);
    const end = bytes.indexOf(LINE_END);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Record<string, Json>;
    // Some file systems take two names that differ in case for the same.
    return head["step"] === step ? { from: Number(head["from"]), bytes: bytes.subarray(end + 1) } : undefined;
  } catch (error) {
    if (codeOf(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
