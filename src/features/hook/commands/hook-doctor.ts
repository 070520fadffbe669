// `dottool hook doctor CLIENT`: whether the installed client asks dottool, what it would be answered, and what is known
// of whether this client obeys.
import { dirname, join } from "node:path";
import { processEnvironment } from "../../../core/base/process-environment.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import type { Host } from "../../../core/tool/host.ts";
import type { CommandContext } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { type ClientName, hookFormats } from "../formats.ts";
import { knownClients } from "../known-clients.ts";
import { hookSettings } from "../settings.ts";

const RUN_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
const SETTINGS_BYTES_MAX = 16 * 1024 * 1024;

interface Place {
  readonly host: Host;
  readonly cwd: string;
}

const OWN = /\bdottool(?:\.exe)?["']?,?[\s[]*["']?hook\b/;

/** The exit code says whether the client asks dottool and dottool answers. */
export async function doctorHook(client: ClientName, context: CommandContext): Promise<number> {
  const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
  if (typeof opened === "number") return opened;
  const { host, cwd } = opened;
  const place = { host, cwd };
  const { title, version } = hookFormats[client];
  const { call, obeys, holes = [] } = knownClients[client];
  const lines: string[] = [];
  const find = (program: string): string | undefined => host.processes.find(program, host.environment("PATH") ?? "");
  const program = find(client);
  const said = program === undefined ? "" : (await outputOf([program, "--version"], "", place)).trim();
  const own = /\d+(?:\.\d+)+/.exec(said)?.[0] ?? "of an unknown version";
  lines.push(program === undefined ? `${title} is not in a folder of PATH` : `${title} ${own} at ${program}`);
  const places = [false, true].map((isProject) => hookSettings(client, { host, cwd, isProject }).path);
  const texts = places.map((path) => textOf(path, host));
  for (const [index, path] of places.entries())
    lines.push(`${OWN.test(texts[index] ?? "") ? "asks dottool" : "does not ask dottool"}: ${path}`);
  const hooked = texts.find((text) => OWN.test(text));
  const [path = ""] = places;
  const isTrusted =
    client !== "codex" || textOf(join(dirname(path), "config.toml"), host).includes("hooks.json:pre_tool_use:");
  if (hooked !== undefined && !isTrusted)
    lines.push(
      "Codex has no record that you trust the hook, and runs every tool without it: start `codex`, and type `/hooks`",
    );
  const dottool = find("dottool");
  let answers = 0;
  if (dottool === undefined) lines.push("`dottool` is not in a folder of PATH, so every tool of the client is stopped");
  else
    for (const line of ["git reset --hard", "git status"]) {
      const words = [dottool, "hook", client, ...(hooked?.includes("--contained") ? ["--contained"] : [])];
      const answer = (await outputOf(words, JSON.stringify(call(line, cwd)), place)).trim();
      if (answer !== "" || line !== "git reset --hard") answers++;
      lines.push(`\`${line}\`: ${["", "{}"].includes(answer) ? "no objection" : answer}`);
    }
  lines.push(`tried with ${title} ${version}: ${obeys}`, ...holes);
  context.terminal.output.write(lines.map((line) => `${printable(line)}\n`).join(""));
  return program !== undefined && hooked !== undefined && isTrusted && answers === 2
    ? exitCodes.done
    : exitCodes.failed;
}

function textOf(path: string, host: Host): string {
  try {
    return new TextDecoder().decode(host.instant.readBytes(path, SETTINGS_BYTES_MAX));
  } catch {
    return "";
  }
}

async function outputOf(argv: readonly string[], stdin: string, { host, cwd }: Place): Promise<string> {
  let text = "";
  const stop = new AbortController();
  const late = host.sleep(RUN_MS_MAX, stop.signal).then(
    () => stop.abort(),
    () => undefined,
  );
  await host.processes.run({
    argv,
    cwd,
    stdin,
    environment: processEnvironment(host, { declared: {}, inherits: true }),
    confinement: { unconfined: "typed" },
    signal: stop.signal,
    outputBytesMax: OUTPUT_BYTES_MAX,
    onOutput: (stream, bytes) => void (text += stream === "stdout" ? new TextDecoder().decode(bytes) : ""),
  });
  stop.abort();
  await late;
  return text;
}
