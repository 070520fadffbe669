// Loaded before the program: stops the process once its one thread for files is there, so that strace counts the calls
// of the program alone.
import { stat } from "node:fs/promises";
import process from "node:process";

await stat("/");
process.kill(process.pid, "SIGSTOP");
