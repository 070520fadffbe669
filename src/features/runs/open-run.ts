// A run that this process makes: its record is on the disk before it begins, its lock says that it is still running,
// and its end is stored even if the disk has become full.
import { withChecksum } from "../../core/store/checked-file.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { type Lock, tryLock } from "../../core/store/lock-file.ts";
import { replacingCredentials } from "../../core/text/without-credentials.ts";
import { END_FORMAT, RUN_FORMAT, type RunEnd, type RunRecord, runFile, runsFolder } from "./run-record.ts";

/** What an end takes at most, with a message that is cut. */
const SPARE_BYTES = 16 * 1024;
const MESSAGE_CHARACTERS_MAX = 2_000;
const MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface OpenRun {
  readonly id: string;
  /** Stores how the run ended. Throws the errors of the file system. */
  end(end: RunEnd): Promise<void>;
  /** Says that this process is done with the run. */
  close(): void;
}

/** Makes the folder of a run, which nobody lists before `beginRun` has stored what it is. */
export async function makeRunFolder(id: string, host: Host): Promise<void> {
  await host.files.makeFolder(runsFolder(host), { mode: FOLDER_MODE });
  await host.files.makeFolder(`${runsFolder(host)}/${id}`, { mode: FOLDER_MODE });
}

/** Returns undefined if another process has the run. Throws the errors of the file system. */
export function lockRun(id: string, host: Host): Lock | undefined {
  return tryLock(runFile(id, "lock", host), { host, isLasting: true });
}

/**
 * Begins a run, or one that has ended once more, under its lock. Returns undefined if another process has it. Throws the
 * errors of the file system.
 */
export async function beginRun(record: RunRecord, host: Host, held?: Lock): Promise<OpenRun | undefined> {
  const { id } = record;
  await makeRunFolder(id, host);
  const lock = held ?? lockRun(id, host);
  if (!lock) return undefined;
  const write = (file: "run.json" | "end.json" | "spare", content: Uint8Array | string): Promise<void> =>
    host.files.write(runFile(id, file, host), content, { mode: MODE });
  try {
    await write("spare", "\n".repeat(SPARE_BYTES));
    await write("run.json", withChecksum(RUN_FORMAT, JSON.stringify(record)));
    await host.files.remove(runFile(id, "end.json", host));
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    id,
    end: async (end) => {
      const content = withChecksum(END_FORMAT, JSON.stringify(shortened(end), replacingCredentials));
      try {
        await write("end.json", content);
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        await host.files.remove(runFile(id, "spare", host));
        await write("end.json", content);
      }
      await host.files.remove(runFile(id, "spare", host));
    },
    close: lock.release,
  };
}

function shortened({ message, ...end }: RunEnd): RunEnd {
  if (message === undefined) return end;
  return {
    ...end,
    message:
      message.length <= MESSAGE_CHARACTERS_MAX
        ? message
        : `${message.slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed()}…`,
  };
}
