// Opens the queue that the command line or the environment names.
import { createSettings } from "../../core/session/settings.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import type { Host } from "../../core/tool/host.ts";
import type { WorkQueue } from "../../core/tool/host-queues.ts";
import { type CommandContext, reportUsage } from "../../cli/command.ts";

/** Others can read the words of a process, so an address with a password belongs here. */
export const QUEUE_VARIABLE = "DOTTOOL_QUEUE";

interface Named {
  /** As it was typed. */
  readonly address: string | undefined;
  readonly host: Host;
  readonly command: "batch" | "worker";
}

/** Returns an exit code if there is no queue; the reason has been printed. */
export async function openQueue(
  { address, host, command }: Named,
  { terminal }: CommandContext,
): Promise<WorkQueue | number> {
  const named = address ?? (await createSettings(host)("queue.address")) ?? "";
  if (named === "")
    return reportUsage(
      terminal,
      `\`${command}\` needs the queue: \`--queue redis://HOST\`, or the address in ${QUEUE_VARIABLE}`,
      command,
    );
  const opened = await (await host.queues()).open(named, {
    onTrouble: (text) => void terminal.errors.write(`${command}: ${printable(text)}\n`),
  });
  if ("queue" in opened) return opened.queue;
  terminal.errors.write(
    `failed[queue]: ${printable(opened.problem)}\n${opened.help.map((line) => `  = ${printable(line)}\n`).join("")}`,
  );
  return exitCodes.failed;
}
