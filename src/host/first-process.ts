// As the first process of a container, a program has the orphans of all others for its children, and who does not wait
// for them leaves them as zombies for ever (pid_namespaces(7)). Node waits for its own children alone, and a shell for
// any: wait(2) gives it whoever has ended. So the first process becomes a shell, which starts this program again and
// passes signals on.
import { accessSync, constants } from "node:fs";
import process from "node:process";

const FIRST = 1;
const SHELL = "/bin/sh";

/**
 * Signals that have been sent before the shell's traps stand are lost, as the system drops those that the first process
 * does not listen for. A shell gives what it starts in the background no input, unless through another descriptor, and
 * ignores INT and QUIT in it, which Node takes back as it starts. `wait` ends for a trap too; the second one has the
 * true status where the shell has kept it, and 127 where it has not.
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

/**
 * Does not return where this is the first process and there is a shell; this one goes on by itself where there is none.
 */
export function leaveFirstPlace(): void {
  // Bytes that are no UTF-8 could not be passed on as they are.
  if (
    process.pid !== FIRST ||
    typeof process.execve !== "function" ||
    process.argv.some((word) => word.includes("\uFFFD"))
  )
    return;
  const words = process.argv.slice(2);
  const own = process.getBuiltinModule("node:sea").isSea()
    ? [process.execPath]
    : [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
  try {
    // Without a shell, `execve` would end this program instead of throwing.
    accessSync(SHELL, constants.X_OK);
    process.execve(SHELL, ["sh", "-c", script, "dottool", ...own, ...words], process.env);
  } catch {
    return;
  }
}
