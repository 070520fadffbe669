// Erases the types of TypeScript, in separate threads. Results are cached by content, because the compiler takes 60 ms
// to load.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Turns } from "../../tool/turns.ts";
import type { ErasedTypes } from "../../tool/host-sandbox.ts";
import { keepMade, readIfWhole } from "../files/made-files.ts";
import { TypeScriptThread } from "./typescript-thread.ts";

/** The limit of threads; each takes some 60 MiB. */
const ERASING_AT_ONCE_MAX = 2;
const IDLE_MAX = 1;
const WAITING_MAX = 1_000;
/** Idle threads for the next text of any session of this process; a thread takes 150 ms to start. */
const idle: TypeScriptThread[] = [];

export class TypeEraser {
  readonly #folder: string;
  readonly #turns = new Turns(ERASING_AT_ONCE_MAX);

  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, "erased-types");
  }

  /** Replaces types by spaces, so that everything else stays in its line and column. */
  async erase(code: string, signal: AbortSignal): Promise<ErasedTypes> {
    const key = createHash("sha256").update(`amaro strip 1\0${code}`).digest("hex").slice(0, 32);
    const file = { folder: this.#folder, name: `${key}.js`, key };
    const known = readIfWhole(file);
    if (known !== undefined) return { kind: "erased", code: known };
    if (this.#turns.waiting >= WAITING_MAX) return { kind: "busy", waiting: this.#turns.waiting };
    if (!(await this.#turns.enter(signal))) return { kind: "unerased", because: "cancelled" };
    try {
      const erased = await this.#erase(code, signal);
      if (erased.kind === "erased") keepMade(file, erased.code);
      return erased;
    } finally {
      this.#turns.leave();
    }
  }

  async #erase(code: string, signal: AbortSignal): Promise<ErasedTypes> {
    const thread = takeThread();
    const erased = await thread.erase(code, signal);
    if (thread.isAlive && idle.length < IDLE_MAX) idle.push(thread);
    else thread.end();
    return erased;
  }
}

function takeThread(): TypeScriptThread {
  for (let thread = idle.pop(); thread; thread = idle.pop()) if (thread.isAlive) return thread;
  return new TypeScriptThread();
}
