// `dottool add`: adds packages of tools to a project, or to the user's own.
import { addPackages } from "../install.ts";
import { type PackageRequest, requestOf } from "../source.ts";
import { loginHelp } from "../registry.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { CommandContext, CommandInput, WordsCommand } from "../../../cli/command.ts";
import { hasCredentials, withoutCredentials } from "../../../core/text/without-credentials.ts";
import { printable } from "../../../core/text/display.ts";
import { changePackages, type PackagesSession, userOption } from "../packages-session.ts";
import { writeAdded } from "../added-packages.ts";

export const addCommand: WordsCommand = {
  kind: "words",
  usage: ["add PACKAGE… [--user] [--json]"],
  about:
    "Adds packages, and the packages that they need, to the project. Records in `dottool.lock` exactly what was added and what it may do. " +
    "PACKAGE is a name in a registry, with or without a version range; a folder with a `package.json`; a `.tgz` file or its address; or a git repository. " +
    "The tools of a package are called OWNER/NAME, and run in the sandbox until you approve the package. Its install scripts never run.",
  options: [userOption, { name: "json", does: "print as JSON" }],
  words: [1, 100],
  examples: [
    ["dottool add @team/text", "the latest version in the registry that npm uses"],
    ["dottool add @team/text@^1.2.0", "the latest version that fits; `team/text@^1.2.0` is the same"],
    ["dottool add ./text-tools", "a folder, or an archive from `npm pack`"],
    ["dottool add git+https://github.com/team/text.git#v1.2.0", "one commit of a git repository"],
  ],
  run: (input, context) =>
    changePackages("add", { input, context }, (session) => addWords(session, { input, context })),
};

export async function addWords(
  session: PackagesSession,
  asked: { readonly input: CommandInput; readonly context: CommandContext },
): Promise<number> {
  const { host, opened } = session;
  const requests = asked.input.words.map((word) => requestOf(word, { cwd: opened.cwd, host }));
  await writeAdded(await addPackages(requests, session), session, asked);
  const { errors } = asked.context.terminal;
  for (const request of requests) if ("url" in request) errors.write(loginNote(request));
  return exitCodes.done;
}

/** Says what the next installation needs of an address whose login no lock has. */
function loginNote({ kind, url }: Extract<PackageRequest, { readonly url: string }>): string {
  if (!hasCredentials(url)) return "";
  const help = kind === "git" ? "git's credentials, such as `~/.netrc`, can have it" : loginHelp(url);
  const lines = [`note[package]: \`dottool.lock\` has \`${withoutCredentials(url)}\` without its login`, `  = ${help}`];
  return lines.map((line) => `${printable(line)}\n`).join("");
}
