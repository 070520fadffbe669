// Runs a program with `--help`: in the sandbox, without network, and with nothing that it can write.
import { processEnvironment } from "../../core/base/process-environment.ts";
import type { Host, SpawnRequest } from "../../core/tool/host.ts";
import type { AskHelp } from "./help-tools.ts";

const HELP_MS_MAX = 10_000;
const HELP_BYTES_MAX = 1024 * 1024;

/** Some programs print their help on standard error; what a program prints there and here is one text. */
export function helpAsker(
  host: Host,
  { cwd, signal, tell }: { readonly cwd: string; readonly signal: AbortSignal; tell(note: string): void },
): AskHelp {
  const strict = { level: "strict", folder: cwd, writes: [], reads: [], hosts: [] } as const;
  let confinement: SpawnRequest["confinement"] = strict;
  const ask: AskHelp = async (words) => {
    const chunks: Uint8Array[] = [];
    const stop = new AbortController();
    const late = host.sleep(HELP_MS_MAX, stop.signal).then(
      () => stop.abort(),
      () => undefined,
    );
    const result = await host.processes.run({
      argv: [...words, "--help"],
      cwd,
      environment: { ...processEnvironment(host, { declared: {}, inherits: true }), PAGER: "cat", NO_COLOR: "1" },
      confinement,
      signal: AbortSignal.any([stop.signal, signal]),
      outputBytesMax: HELP_BYTES_MAX,
      onOutput: (_stream, bytes) => void chunks.push(bytes),
    });
    stop.abort();
    await late;
    const text = chunks.map((chunk) => new TextDecoder().decode(chunk)).join("");
    if (result.kind === "not-started" && (result.reason === "sandbox" || result.reason === "hidden")) {
      tell(`\`${words.join(" ")}\` ran without a sandbox: ${result.detail}`);
      confinement = { unconfined: "typed" };
      return ask(words);
    }
    return result.kind === "not-started" || text.trim() === "" ? undefined : text;
  };
  return ask;
}
