// The first process of a container is the parent of all orphans, which stay zombies unless it waits for them
// (pid_namespaces(7)). Node waits only for its own children, but a shell for any: wait(2) returns every child that has
// ended. So the first process becomes a shell, which starts this program again and passes signals on.
import { accessSync, constants } from "node:fs";
import process from "node:process";

const FIRST = 1;
const SHELL = "/bin/sh";

/**
 * Signals before the shell has set its traps are lost, because the system drops signals that the first process does not
 * listen for. A shell gives its background processes no input, except through another descriptor, and lets them ignore
 * INT and QUIT, which Node reverts at its start. `wait` also ends for a trap; the second one returns the true status if
 * the shell still has it, else 127.
 */
const script = `child=
for name in HUP INT QUIT TERM USR1 USR2 CONT WINCH TSTP; do trap "[ -z \\"\\$child\\" ] || kill -$name \\"\\$child\\" 2>/dev/null" "$name"; done
exec 9<&0
"$@" <&9 9<&- &
child=$!
exec 9<&- </dev/null
while :; do
  wait "$child"
  status=$?
  kill -0 "$child" 2>/dev/null && continue
  wait "$child" 2>/dev/null
  again=$?
  [ $again -eq 127 ] || status=$again
  exit $status
done
`;

/** Returns the words that start this program. */
export function ownProgram(): readonly string[] {
  const script = process.argv[1] ?? "";
  if ("Deno" in globalThis) return [process.execPath, "run", "-A", script];
  return process.getBuiltinModule("node:sea").isSea()
    ? [process.execPath]
    : [process.execPath, ...process.execArgv, script];
}

/** Does not return if this is the first process and there is a shell; without a shell this process continues itself. */
export function leaveFirstPlace(): void {
  // Bytes that are not UTF-8 could not be passed on unchanged.
  if (
    process.pid !== FIRST ||
    typeof process.execve !== "function" ||
    process.argv.some((word) => word.includes("\uFFFD"))
  )
    return;
  const words = process.argv.slice(2);
  try {
    // Without a shell, `execve` would end this program instead of throwing.
    accessSync(SHELL, constants.X_OK);
    process.execve(SHELL, ["sh", "-c", script, "dottool", ...ownProgram(), ...words], process.env);
  } catch {
    return;
  }
}
