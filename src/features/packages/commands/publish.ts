// `dottool publish`: sends a package to the registry, after its definitions and tests, and its files for secrets, were
// checked.
import { dirname, join, resolve } from "node:path";
import { type CheckedCandidate, checkTogether } from "../candidates.ts";
import { fetchPackage, type FetchedPackage } from "../fetch.ts";
import { publishPackage } from "../publish.ts";
import { PACKAGE_KEYWORD } from "../search.ts";
import { secretsInside } from "../secrets-inside.ts";
import { candidatesOf, meetNeeds, type Plan, plannedFromFetched } from "../plan.ts";
import { storedFiles } from "../store.ts";
import type { Host } from "../../../core/tool/host.ts";
import { parseManifest } from "../manifest.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { changePackages, type PackagesSession } from "../packages-session.ts";
import { refusedByPerson } from "../../../cli/session/yes-or-no.ts";
import { leftOutText, powersLines } from "../package-text.ts";

export const publishCommand: WordsCommand = {
  kind: "words",
  usage: ["publish [DIR] [--tag TAG] [--dry-run|--yes]"],
  about:
    "Publishes a folder with a `package.json` to the registry that npm uses, with npm's login. Shows every file that goes out and what the tools may do, and asks. " +
    "Refuses definitions with errors, tests that fail, and files that look like secrets or have some in them.",
  options: [
    { name: "tag", value: "TAG", does: "the tag of the version; the default is `latest`" },
    { name: "dry-run", does: "check and show, and publish nothing" },
    { name: "yes", does: "publish without a question, as in CI" },
  ],
  words: [0, 1],
  examples: [
    ["dottool publish --dry-run", "what would go out of this folder"],
    ["dottool publish .tools/team", "the package in this folder"],
  ],
  run: (input, context) => {
    const tag = input.value("tag") ?? "latest";
    if (!/^[a-z][a-z0-9-]*$/.test(tag))
      return Promise.resolve(reportUsage(context.terminal, `\`${tag}\` is not a tag, such as \`next\``, "publish"));
    return changePackages("publish", { input, context }, (session) => publish({ input, context, session, tag }));
  },
};

interface Publication {
  readonly input: CommandInput;
  readonly context: CommandContext;
  readonly session: PackagesSession;
  readonly tag: string;
}

async function publish({ input, context, session, tag }: Publication): Promise<number> {
  const { host, opened } = session;
  const { output, errors } = context.terminal;
  const folder = resolve(opened.cwd, input.words[0] ?? ".");
  const found = await fetchPackage({ kind: "folder", path: folder }, session);
  const { name, version } = found.manifest;
  const secrets = secretsInside(found.files, host);
  if (secrets.length > 0) {
    const lines = secrets.map((line) => `  ${printable(line)}\n`).join("");
    errors.write(
      `failed[package]: \`${printable(`${name}@${version}`)}\` has what looks like secrets, and nothing takes back what is published\n${lines}  = remove them, or leave the files out with \`files\` in the \`package.json\`\n`,
    );
    return exitCodes.denied;
  }
  const checked = await checkedPackage(found, { context, session });
  if (typeof checked === "number") return checked;
  output.write(shownText(found, [`tools: ${checked.toolNames.join(", ")}`, ...powersLines(checked.may)]));
  errors.write(leftOutText({ name, version, leftOut: checked.leftOut }));
  if (!hasKeyword(found))
    errors.write(`warning[package]: without the keyword \`${PACKAGE_KEYWORD}\`, \`dottool search\` does not find it\n`);
  if (input.has("dry-run")) return exitCodes.done;
  const refused = await refusedByPerson(
    { text: `publish ${printable(`${name}@${version}`)}?`, does: "publishes", notDone: "not published" },
    { input, context },
  );
  if (refused !== undefined) return refused;
  const { registry, integrity } = await publishPackage(found, tag, host);
  errors.write(`${printable(`published ${name}@${version} at ${registry} (${integrity})`)}\n`);
  return exitCodes.done;
}

/**
 * Checks and tests what goes out, in a folder where its tools have the names that they will have. Returns the exit code
 * of what fails, which has shown it.
 */
async function checkedPackage(
  found: FetchedPackage,
  { context, session }: Pick<Publication, "context" | "session">,
): Promise<CheckedCandidate | number> {
  const { host } = session;
  const { name } = found.manifest;
  const root = await host.files.makeTemporaryFolder("dottool-publish-");
  const [folder, needed] = [join(root, "package"), join(root, "needed")];
  try {
    // A person who adds the package gets what it needs in the same way.
    const plan: Plan = new Map([[name, await plannedFromFetched(found, true, session)]]);
    await meetNeeds(plan, session);
    await writeTools(found, folder, host);
    for (const { manifest, locked } of plan.values())
      if (manifest.name !== name)
        await writeTools({ manifest, files: storedFiles(locked.content, host) }, needed, host);
    const { terminal, options } = context;
    // Paths are then shown without that of this folder.
    const workingFolder = (): string => folder;
    const folders = [...options.toolFolders, ...(plan.size > 1 ? [needed] : [])];
    const quiet = {
      ...context,
      terminal: { ...terminal, output: terminal.errors, workingFolder },
      options: { ...options, toolFolders: folders },
    };
    const own = { ...quiet, options: { ...options, toolFolders: [...folders, folder] } };
    const { checkCommand } = await import("../../check/commands/check.ts");
    const failed = await checkCommand.run(wordsOnly([folder]), quiet);
    if (failed !== exitCodes.done) return failed;
    const all = await checkTogether(candidatesOf(plan), host);
    const checked = all.find((one) => one.name === name);
    if (!checked) throw new Error("a package was checked without a result");
    const { testCommand } = await import("../../check/commands/test.ts");
    const tested = await testCommand.run(wordsOnly(checked.toolNames), own);
    return tested === exitCodes.done ? checked : tested;
  } finally {
    await host.files.remove(root);
  }
}

/** Writes a package so that its tools have the names that they will have. */
async function writeTools(
  { manifest, files }: Pick<FetchedPackage, "manifest" | "files">,
  folder: string,
  host: Host,
): Promise<void> {
  const start = manifest.tools === "" ? "" : `${manifest.tools}/`;
  for (const { path, bytes } of files) {
    const inside = path.startsWith(start) ? join(manifest.owner, path.slice(start.length)) : path;
    await host.files.makeFolder(dirname(join(folder, inside)));
    await host.files.write(join(folder, inside), bytes);
  }
}

function wordsOnly(words: readonly string[]): CommandInput {
  return { words, has: () => false, value: () => undefined, values: () => [] };
}

function shownText({ manifest, files }: FetchedPackage, lines: readonly string[]): string {
  const sizes = files.map(({ path, bytes }) => `  ${String(bytes.length).padStart(8)}  ${path}`);
  return [`${manifest.name}@${manifest.version}`, ...lines.map((line) => `  ${line}`), "  bytes     file", ...sizes]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function hasKeyword({ files }: FetchedPackage): boolean {
  const text = new TextDecoder().decode(files.find(({ path }) => path === "package.json")?.bytes);
  const { keywords } = parseManifest(text, "package.json");
  return Array.isArray(keywords) && keywords.some((keyword) => keyword === PACKAGE_KEYWORD);
}
