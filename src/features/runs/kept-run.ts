// A call whose finished steps are kept, so that it can be resumed: its session, and what is stored when it has ended.
import type { Session } from "../../core/run/session.ts";
import type { Host } from "../../core/tool/host.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import { recordingApprover } from "./approvals.ts";
import type { StoredSteps } from "./journal-file.ts";
import { newRecord } from "./new-record.ts";
import { beginRun, type OpenRun } from "./open-run.ts";
import { pruneByDefault, removeRun } from "./prune.ts";
import { newRunId, type RunApproval, type RunEnd, type RunOptions } from "./run-record.ts";
import { StepOutputs } from "./step-output.ts";
import { StoredJournal } from "./stored-journal.ts";

export interface KeptRunOptions {
  readonly options: RunOptions;
  /** The run of an earlier process, or of this one, if it has begun. Absent: it begins with the first stored step. */
  readonly run?: OpenRun;
  readonly stored?: StoredSteps;
  /** Warns that `what`, a sentence, is true. `code` is the system's. */
  onLost(what: string, code: string): void;
}

export class KeptRun {
  readonly session: Session;
  readonly #options: KeptRunOptions;
  readonly #host: Host;
  readonly #approvals: RunApproval[] = [];
  readonly #journal: StoredJournal;
  readonly #outputs: StepOutputs;
  readonly #cutSteps: string[] = [];
  #run: OpenRun | undefined;
  #prepared: PreparedCall | undefined;
  #secrets: readonly string[] = [];

  constructor(session: Session, options: KeptRunOptions) {
    const { host, approver } = session;
    const { run, stored, onLost } = options;
    this.#options = options;
    this.#host = host;
    this.#run = run;
    const id = run?.id ?? newRunId(host);
    this.#journal = new StoredJournal({
      id,
      host,
      ...(stored ? { stored } : {}),
      ready: () => this.#begin(id, session),
      onLost: (code) => onLost("finished steps are not stored, so the call cannot be resumed", code),
    });
    this.#outputs = new StepOutputs({
      id,
      host,
      hasBegun: () => this.#run !== undefined,
      onLost: (code, step) => {
        this.#cutSteps.push(step);
        onLost("the output of a step is not stored as a whole", code);
      },
    });
    this.session = {
      ...session,
      approver: recordingApprover(approver, host, (approval) => this.#approve(approval)),
      openJournal: (prepared, masks) => {
        this.#prepared = prepared;
        return { ...this.#journal.ofCall(masks.outcome), ...this.#outputs.ofCall(masks) };
      },
    };
  }

  /** The id of the run, once something of it is stored. */
  get id(): string | undefined {
    return this.#run?.id;
  }

  /** The names of the arguments that are not stored. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** Stores how the call ended. What succeeded needs no record, unless `isKept`. Throws the errors of the file system. */
  async end(end: RunEnd, isKept: boolean): Promise<void> {
    if (!this.#run) return;
    const { id } = this.#run;
    const isNeeded = isKept || end.status !== "done";
    try {
      await this.#outputs.end();
      if (isNeeded) await this.#run.end(this.#cutSteps.length === 0 ? end : { ...end, cutSteps: this.#cutSteps });
    } finally {
      this.#run.close();
    }
    if (isNeeded) await pruneByDefault(this.#host);
    else await removeRun(id, this.#host);
  }

  async #approve(approval: RunApproval): Promise<void> {
    this.#approvals.push(approval);
    // An approval before the first step becomes a part of the record.
    if (this.#run) await this.#journal.tryToAdd({ kind: "approve", approval });
  }

  async #begin(id: string, session: Session): Promise<void> {
    if (this.#run || !this.#prepared) return;
    const given = { id, approvals: this.#approvals, options: this.#options.options };
    const record = await newRecord(this.#prepared, session, given);
    this.#secrets = record.secrets ?? [];
    this.#run = await beginRun(record, this.#host);
  }
}
