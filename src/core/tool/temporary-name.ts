// The names of files that exist only during a write. They say which process writes, so that the next writer in the
// folder can remove what a killed one has left.
import type { ProcessIdentity } from "./host.ts";

const RANDOM_LENGTH = 16;
const NAME = /^\.dottool-(?:([0-9a-f]+)-([0-9a-f]+)-)?[0-9a-f]{16}\.(?:tmp|([0-9a-f]{8})\.old)$/;

interface TemporaryFile {
  /** The id of the process that writes it, and the mark of its system; absent in names of earlier versions. */
  readonly processId: number | undefined;
  readonly system: string | undefined;
  /** Present if it is the old content of a file that is written in place: says which one it is. */
  readonly keptOf: string | undefined;
}

/** Returns a short name, because names may have at most 255 bytes. */
export function temporaryName(identity: ProcessIdentity, random: string): string {
  return `.dottool-${identity.processId.toString(16)}-${systemMark(identity)}-${random.slice(0, RANDOM_LENGTH)}.tmp`;
}

/** Returns the name under which the old content of a file is kept; `hash` has at least 8 digits and is of its name. */
export function keptName(temporary: string, hash: string): string {
  return temporary.replace(/tmp$/, `${hash.slice(0, 8)}.old`);
}

export function readTemporaryName(name: string): TemporaryFile | undefined {
  const found = NAME.exec(name);
  if (!found) return undefined;
  const [, processId, system, keptOf] = found;
  return { processId: processId === undefined ? undefined : Number.parseInt(processId, 16), system, keptOf };
}

/** Process ids of equal marks can be compared; `0` is the mark of a system that does not tell. */
export function systemMark({ boot, namespace }: ProcessIdentity): string {
  const number = namespace?.replaceAll(/\D/g, "") ?? "";
  return boot === undefined || number === "" ? "0" : boot.replaceAll(/[^0-9a-f]/g, "").slice(0, 8) + number;
}
