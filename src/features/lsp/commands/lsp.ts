// `dottool lsp`: what editors ask about definitions, over the Language Server Protocol.
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { WordsCommand } from "../../../cli/command.ts";

export const lspCommand: WordsCommand = {
  kind: "words",
  usage: ["lsp [--stdio]"],
  about:
    "Serves the Language Server Protocol on standard input and output, for editors: diagnostics and fixes while you type, completion, hover, definitions, references, renaming of parameters, formatting. " +
    "It starts nothing that a definition names, and loads no plugins.",
  options: [{ name: "stdio", does: "what editors add; it is the only way" }],
  words: [0, 0],
  examples: [["dottool lsp", "started by an editor: see docs/editors.md"]],
  run: async (_input, context) => {
    const [{ openConnection }, { serve }] = await Promise.all([
      import("../host/open-connection.ts"),
      import("../server.ts"),
    ]);
    context.terminal.expectSignal?.();
    const { connection, ended } = openConnection(context.terminal.signal);
    serve(connection, context);
    return (await ended) ? exitCodes.done : exitCodes.failed;
  },
};
