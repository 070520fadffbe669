// The findings of `doctor`, as data.
import { join, sep } from "node:path";
import { obstaclesTo } from "../../core/run/availability.ts";
import { featureRows } from "../../core/tool/feature.ts";
import { version } from "../../generated/version.ts";
import type { SettingName } from "../../core/tool/tool.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { versionText } from "../../core/tool/bundle-marker.ts";
import { installText } from "./program-packages.ts";
import { commandsHere, isBundled, programFindings } from "./program-findings.ts";
import { reachableTools } from "../../core/catalog/reachable-tools.ts";
import { baseToolNames } from "../../core/tool/base-tool-names.ts";
import { variableOf } from "../../core/session/settings.ts";
import { untrustedFolders, untrustedWords } from "../../core/session/untrusted-folders.ts";
import type { Finding } from "../../cli/finding.ts";
import type { Platform } from "../../core/tool/command.ts";

export async function examine(opened: OpenedSession, terminal: Terminal): Promise<readonly Finding[]> {
  await opened.session.registry.complete();
  const own = ownNeeds(opened);
  return [
    { group: "Program", name: versionText(version, opened.host.bundle), works: true, fact: terminal.runtime },
    ...folderFindings(opened),
    ...(await definitionFindings(opened)),
    ...shellFindings(opened, own),
    ...programFindings(opened),
    ...(await dependencyFindings(opened)),
    ...(await settingFindings(opened)).map((finding) => ({ ...finding, ...unneeded(finding.name, own) })),
    ...(await import("./provider-findings.ts"))
      .providerFindings(opened.host)
      .map((finding) => ({ ...finding, ...unneeded(finding.name, own) })),
    ...(await (await import("./policy-findings.ts")).policyFindings(opened)),
    ...limitFindings(opened),
    ...(await findingsOfFeatures(opened)),
    ...terminalFindings(terminal),
  ];
}

interface Needs {
  readonly shells: ReadonlySet<string>;
  /** The tools that one's own use, over any number of steps. */
  readonly tools: ReadonlySet<string>;
}

/** Returns what the tools that did not come with dottool need. */
function ownNeeds({ host, session, catalogue }: OpenedSession): Needs {
  const shells = new Set<string>();
  const tools = new Set<string>();
  for (const name of session.registry.names()) {
    const definition = session.registry.find(name)?.definition;
    if (!definition || definition.origin.kind === "base" || isBundled(definition)) continue;
    for (const below of reachableTools(name, catalogue()).names) tools.add(below);
    for (const command of commandsHere(definition, host.platform))
      if (command.kind !== "direct") shells.add(command.shell);
  }
  return { shells, tools };
}

/** For a finding about a tool that comes with dottool. */
function unneeded(tool: string, { tools }: Needs): Pick<Finding, "isUnneeded"> {
  return baseToolNames().includes(tool) && !tools.has(tool) ? { isUnneeded: true } : {};
}

function folderFindings({ host, ...opened }: OpenedSession): readonly Finding[] {
  const catalogue = opened.catalogue();
  const distrusted = untrustedFolders({ host, ...opened });
  const found = catalogue.folders.map(({ scope, path, shownPath }): Finding => {
    const problem = catalogue.folderDiagnostics.find(({ message }) => message.startsWith(`\`${shownPath}\` `));
    if (problem)
      return {
        group: "Tool folders",
        name: `${scope}: ${path}`,
        works: false,
        fact: problem.message.slice(shownPath.length + 3),
        ...(problem.help[0] === undefined ? {} : { help: problem.help[0] }),
      };
    const count = catalogue.entries.filter(
      (entry) => entry.scope === scope && (catalogue.absolutePathOf(entry) ?? "").startsWith(path),
    ).length;
    const untrusted = distrusted.find((one) => path === one.path || path.startsWith(one.path + sep));
    if (untrusted)
      return { group: "Tool folders", name: `${scope}: ${path}`, works: false, ...untrustedWords(untrusted) };
    const isThere = host.instant.stat(path) !== undefined;
    return {
      group: "Tool folders",
      name: `${scope}: ${path}`,
      works: true,
      fact: isThere ? (count === 1 ? "1 definition" : `${count} definitions`) : "does not exist (optional)",
    };
  });
  const hasProject = catalogue.folders.some((folder) => folder.scope === "project");
  const project: readonly Finding[] = hasProject
    ? []
    : [
        {
          group: "Tool folders",
          name: "project",
          works: true,
          fact: "no `.tools` here or above; `dottool init` creates one",
        },
      ];
  return [...project, ...found, cacheFinding(host)];
}

function cacheFinding(host: OpenedSession["host"]): Finding {
  const path = join(host.folders.cache, "doctor");
  const finding = { group: "Tool folders", name: `cache: ${host.folders.cache}` };
  try {
    host.instant.replace(path, host.timestamp());
    return { ...finding, works: true, fact: "writable, so parsed definitions are cached" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "error";
    return {
      ...finding,
      works: false,
      fact: `not writable (${code}), so definitions are parsed at every start`,
      help: "make it writable, or set XDG_CACHE_HOME to a folder that is",
    };
  }
}

async function definitionFindings(opened: OpenedSession): Promise<readonly Finding[]> {
  const diagnostics = await opened.diagnostics();
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const fact = errors === 0 ? "no errors" : errors === 1 ? "1 error" : `${errors} errors`;
  return [
    {
      group: "Tool folders",
      name: "definitions",
      works: errors === 0,
      fact,
      ...(errors === 0 ? {} : { help: "dottool check" }),
    },
  ];
}

function shellFindings({ host }: OpenedSession, own: Needs): readonly Finding[] {
  const shells = host.platform === "windows" ? ["cmd", "pwsh", "bash"] : ["sh", "bash", "zsh", "pwsh"];
  return shells.map((shell): Finding => {
    const path = host.processes.find(shell, host.environment("PATH") ?? "");
    return path === undefined
      ? {
          group: "Shells",
          name: shell,
          works: false,
          ...(own.shells.has(shell) ? {} : { isUnneeded: true }),
          fact: `tools with \`@shell ${shell}\` cannot run`,
          help: installText(shell, host.platform),
        }
      : { group: "Shells", name: shell, works: true, fact: path };
  });
}

/** Finds tools that other tools depend on and that are missing or have another version. */
async function dependencyFindings({ session }: OpenedSession): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const name of session.registry.names()) {
    const definition = session.registry.find(name)?.definition;
    if (!definition || definition.depends.length === 0) continue;
    // A definition that needs only its tools.
    const obstacles = await obstaclesTo({ ...definition, platforms: [session.host.platform], requires: [] }, session);
    findings.push(
      ...obstacles.map(
        ({ reason, help }): Finding => ({
          group: "Tools",
          name,
          works: false,
          fact: reason,
          ...(help === undefined ? {} : { help }),
        }),
      ),
    );
  }
  return findings;
}

interface WebService {
  readonly tool: string;
  readonly settings: readonly SettingName[];
}

const services: readonly WebService[] = [
  { tool: "google_search", settings: ["google_search.key", "google_search.engine"] },
  { tool: "web_search", settings: ["web_search.engine"] },
];

async function settingFindings({ session, host }: OpenedSession): Promise<readonly Finding[]> {
  const { path, text } = (await import("../../core/base/user-config.ts")).readUserConfig(host);
  const problems = (await import("../../core/base/config-problems.ts"))
    .configProblems(text)
    .filter(({ section }) => section !== "providers" && section !== "policy");
  const findings = problems.map(
    (problem): Finding => ({
      group: "Settings",
      name: "config.yaml",
      works: false,
      fact: `${path}:${problem.text}`,
      help: "fix it there",
    }),
  );
  const isBroken = (setting: SettingName): boolean =>
    problems.some(({ section }) => section === setting.split(".", 1)[0]);
  try {
    if (!isBroken("web.allow_hosts")) await session.setting("web.allow_hosts");
  } catch (error) {
    const isRefusing = (await session.guard?.current())?.problems.some((problem) => problem.startsWith(`${path}:`));
    const help = `fix it; ${isRefusing ? "every call is refused" : "none of its settings applies"} until then`;
    return [
      {
        group: "Settings",
        name: "config.yaml",
        works: false,
        fact: error instanceof Error ? error.message : String(error),
        help,
      },
    ];
  }
  for (const { tool, settings } of services) {
    if (settings.some(isBroken)) continue;
    const missing: SettingName[] = [];
    for (const name of settings) if (((await session.setting(name)) ?? "") === "") missing.push(name);
    if (missing.length === 0) findings.push({ group: "Settings", name: tool, works: true, fact: "is set up" });
    else
      findings.push({
        group: "Settings",
        name: tool,
        works: false,
        fact: `needs ${missing.join(" and ")}`,
        help: `set ${missing.map(variableOf).join(" and ")}, or write ${missing.join(" and ")} in your config.yaml`,
      });
  }
  return findings;
}

function limitFindings({ host }: OpenedSession): readonly Finding[] {
  return limitCommandSupport(host.platform).map(({ name, works, fact }) => ({ group: "Limits", name, works, fact }));
}

function terminalFindings({ output, errors, input }: Terminal): readonly Finding[] {
  const streams = [
    ["standard input", input.isTerminal ? "a terminal: tools can ask you" : "not a terminal: tools cannot ask you"],
    ["standard output", output.isTerminal ? `a terminal, ${output.columns} columns` : "not a terminal"],
    ["standard error", errors.isTerminal ? "a terminal: progress is shown" : "not a terminal: no progress is shown"],
  ] as const;
  return [
    ...streams.map(([name, fact]): Finding => ({ group: "Terminal", name, works: true, fact })),
    { group: "Terminal", name: "colors", works: true, fact: output.hasColor ? "on" : "off" },
  ];
}

async function findingsOfFeatures(opened: OpenedSession): Promise<readonly Finding[]> {
  const rows = featureRows().filter(({ findings }) => findings);
  const found = await Promise.all(rows.map(async (row) => (await row.load()).feature.findings?.(opened) ?? []));
  return found.flat();
}

// Which limits of processes work on a platform.

interface LimitSupport {
  readonly name: string;
  readonly works: boolean;
  readonly fact: string;
}

export function limitCommandSupport(platform: Platform): readonly LimitSupport[] {
  const cpu = platform !== "windows";
  const memory = platform === "linux";
  return [
    { name: "@timeout, @limit output", works: true, fact: "work everywhere" },
    { name: "@limit cpu", works: cpu, fact: cpu ? "works" : "does not work on Windows; calls with it are refused" },
    {
      name: "@limit memory",
      works: memory,
      fact: memory
        ? "works"
        : `does not work on ${platform === "macos" ? "macOS" : "Windows"}; calls with it are refused`,
    },
  ];
}
