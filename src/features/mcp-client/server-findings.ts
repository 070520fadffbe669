// What `doctor` says about the MCP servers in `config.yaml`: whether each could be started or asked. No server is
// started or asked, and no secret is read.
import { fileTrouble, sourceText } from "../../core/base/secret-source.ts";
import { pinTrouble, readPins } from "./pin.ts";
import {
  type ConfiguredServer,
  type ConfiguredText,
  type McpServer,
  type ProcessServer,
  readServerSettings,
} from "./server-settings.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Finding } from "../../cli/finding.ts";

type State = Pick<Finding, "works" | "fact" | "help">;

export function serverFindings(host: Host): readonly Finding[] {
  const { servers } = readServerSettings(host);
  return [...servers].map(
    ([name, configured]): Finding => ({ group: "MCP servers", name, ...stateOf(configured, host) }),
  );
}

function stateOf(configured: ConfiguredServer, host: Host): State {
  if (configured.kind === "broken") return { works: false, fact: configured.problems.join("; "), help: "fix it there" };
  const { server } = configured;
  const missing = [
    placeState(server, host),
    ...[...textsOf(server).values()].map((text) => secretState(text, host)),
  ].find((state) => state?.works === false);
  if (missing) return missing;
  const pinned = readPins(server.name, host).tools.size;
  const place = server.kind === "web" ? server.url : `${server.argv.join(" ")}${wallOf(server)}`;
  const trouble = pinTrouble(server.name, host);
  if (trouble !== undefined) return { works: false, fact: trouble, help: `dottool pin ${server.name}` };
  if (pinned === 0)
    return { works: "unasked", fact: `${place}, no tools pinned yet`, help: `dottool pin ${server.name}` };
  return { works: true, fact: `${place}, ${pinned === 1 ? "1 tool" : `${pinned} tools`} pinned` };
}

function wallOf({ sandbox }: ProcessServer): string {
  if (!sandbox) return "";
  const { hosts, reads, writes } = sandbox.confinement;
  const named = Object.entries({ hosts, reads, writes: writes.filter((path) => path !== sandbox.home) })
    .filter(([, list]) => list.length > 0)
    .map(([key, list]) => `${key} ${list.join(" ")}`);
  return `, in the sandbox${named.length === 0 ? "" : ` (${named.join("; ")})`}`;
}

function textsOf(server: McpServer): ReadonlyMap<string, ConfiguredText> {
  return server.kind === "web" ? server.headers : server.environment;
}

function placeState(server: McpServer, host: Host): State | undefined {
  if (server.kind === "web") return undefined;
  const [program = ""] = server.argv;
  if (host.processes.find(program, host.environment("PATH") ?? "") === undefined)
    return { works: false, fact: `there is no program \`${program}\``, help: "install it, or give its path" };
  const lacking = server.sandbox?.confinement.reads.find((path) => !host.instant.stat(path));
  if (lacking !== undefined)
    return { works: false, fact: `\`${lacking}\` in \`reads\` does not exist`, help: "create it, or remove it there" };
  // The folder of its own is made when it starts.
  return server.cwd === server.sandbox?.home || host.instant.stat(server.cwd)?.kind === "folder"
    ? undefined
    : { works: false, fact: `\`${server.cwd}\` is not a directory`, help: "create it, or write another `cwd`" };
}

function secretState(text: ConfiguredText, host: Host): State | undefined {
  if (text.kind === "plain") return undefined;
  const { source } = text;
  switch (source.kind) {
    case "environment":
      return (host.environment(source.name) ?? "").trim() === ""
        ? {
            works: false,
            fact: `${sourceText(source)} is not set`,
            help: `set ${source.name} in the environment of dottool`,
          }
        : undefined;
    case "file": {
      const trouble = fileTrouble(source.path, host);
      return trouble && { works: false, fact: trouble.reason, help: trouble.help };
    }
    case "command": {
      const [program = ""] = source.argv;
      return host.processes.find(program, host.environment("PATH") ?? "") === undefined
        ? {
            works: false,
            fact: `there is no program \`${program}\` to ask for a secret`,
            help: "install it, or give its path",
          }
        : undefined;
    }
  }
}
