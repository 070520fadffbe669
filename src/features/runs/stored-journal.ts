// The journal of the steps of a run in a file: lines that come while one is written are written together after it.
import type { Outcome } from "../../core/tool/call.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import { type JournalLine, journalText, type StoredSteps } from "./journal-file.ts";
import { runFile } from "./run-record.ts";
import type { StepJournal } from "../../core/tool/tool.ts";

export interface StoredJournalOptions {
  readonly id: string;
  readonly host: Host;
  /** What an earlier process stored. */
  readonly stored?: Pick<StoredSteps, "outcomes" | "unknown">;
  /** Makes the run, if this is the first line. Throws the errors of the file system. */
  ready(): Promise<void>;
  /** Warns that steps are not stored; called once. `code` is the system's. */
  onLost(code: string): void;
}

interface Batch {
  text: string;
  readonly written: Promise<void>;
}

export class StoredJournal {
  readonly #options: StoredJournalOptions;
  readonly #begun = new Set<string>();
  /** The lines that are written when those before them are. */
  #next: Batch | undefined;
  #last: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(options: StoredJournalOptions) {
    this.#options = options;
  }

  /** Returns the journal as the steps of a call see it; `masked` removes the secrets of the call. */
  ofCall(masked: (outcome: Outcome) => Outcome): Omit<StepJournal, "write" | "written"> {
    const { id, stored } = this.#options;
    return {
      run: id,
      isResumed: stored !== undefined,
      mayHaveRun: (place) => stored?.unknown.has(place) === true,
      outcomeOf: (place) => this.#options.stored?.outcomes.get(place),
      begin: (place) => this.#begin(place),
      end: (place, outcome) =>
        this.tryToAdd({ ...endOf(place, outcome, masked(outcome)), at: this.#options.host.timestamp() }),
      cleanUp: () => this.tryToAdd({ kind: "clean-up" }),
    };
  }

  async #begin(place: string): Promise<Failure | undefined> {
    if (this.#begun.has(place)) return { kind: "rejected", reason: `\`${place}\` must not run twice`, help: [] };
    this.#begun.add(place);
    try {
      await this.add({ kind: "begin", place });
      return undefined;
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      const { id, host } = this.#options;
      return {
        kind: "file",
        path: runFile(id, "steps.jsonl", host),
        action: "write",
        code,
        help: [`\`${place}\` must not run twice, so it does not begin before that is stored`],
      };
    }
  }

  /** Stores a line, or warns once that steps are not stored. */
  async tryToAdd(line: JournalLine): Promise<void> {
    try {
      await this.add(line);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      if (!this.#hasWarned) this.#options.onLost(code);
      this.#hasWarned = true;
    }
  }

  /** Throws the errors of the file system, to all whose lines were written together. */
  add(line: JournalLine): Promise<void> {
    if (!this.#next) {
      const next: Batch = { text: "", written: this.#last.then(() => this.#write(next)) };
      this.#next = next;
      this.#last = next.written.catch(() => undefined);
    }
    this.#next.text += journalText(line);
    return this.#next.written;
  }

  async #write(batch: Batch): Promise<void> {
    this.#next = undefined;
    const { id, host, ready } = this.#options;
    await ready();
    await host.files.append(runFile(id, "steps.jsonl", host), batch.text, { mode: 0o600 });
  }
}

/** A step whose outcome held a secret is stored without it, and runs again. */
function endOf(place: string, outcome: Outcome, masked: Outcome): Omit<JournalLine & { kind: "end" }, "at"> {
  const isWhole = masked === outcome || JSON.stringify(masked) === JSON.stringify(outcome);
  return { kind: "end", place, ...(isWhole ? { outcome } : {}) };
}
