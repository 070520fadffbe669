// The hidden `__resident-lost`: what a launcher becomes when the resident process is gone in the middle of a call.
import { endLostProcesses } from "../../host/resident/lost-processes.ts";
import { exitCodes } from "../../run/exit-code.ts";
import type { RawCommand } from "../command.ts";

export const lostCallCommand: RawCommand = {
  kind: "raw",
  usage: ["__resident-lost [PID RUN]…"],
  about: "Ends what the call has started, and says so.",
  options: [],
  examples: [],
  run: async (words, { terminal }) => {
    await endLostProcesses(words);
    terminal.errors.write(
      "failed[resident]: the resident process ended in the middle of this call, and the call with it; what it had done by then is done\n" +
        "  = the next call does not need it; `dottool resident start` starts another one\n",
    );
    return exitCodes.bug;
  },
};
