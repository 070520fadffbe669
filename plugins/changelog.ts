// The changes between two versions, read from a project's CHANGELOG.md: a plugin with a file of its own beside it, a
// package and an enum.
import { choice, definePlugin, defineTool, failed, path, string } from "dottool";
import semver from "semver";
import { parseChangelog } from "./changelog/parse.ts";

enum Form {
  Text = "text",
  Json = "json",
}

const changes = defineTool({
  name: "changes",
  title: "Changes Since",
  description:
    "Lists what changed since a version, newest first, from the CHANGELOG.md of a project. Headings must name versions, as in `## 1.2.0`.",
  effects: ["read"],
  parameters: {
    since: string("The version that is known already, for example 1.2.0", { required: true }),
    file: path("The change log", { default: "CHANGELOG.md" }),
    form: choice([Form.Text, Form.Json], "text for people, json for programs", { default: Form.Text }),
  },
  examples: [{ since: "0.0.1" }],
  run: async ({ since, file, form }, context) => {
    const known = semver.coerce(since);
    if (!known) return failed(`\`${since}\` is not a version`, ["versions look like 1.2.0"]);
    const read = await context.invoke("read_file", { file_path: file });
    if (read.status === "failed") return read;
    const text = read.content.map((piece) => (piece.type === "text" ? piece.text : "")).join("");
    const newer = parseChangelog(text).filter(({ version }) => semver.gt(version, known));
    if (form === Form.Json) return newer.map(({ version, lines }) => ({ version, lines }));
    return (
      newer.map(({ version, lines }) => [version, ...lines.map((line) => `  ${line}`)].join("\n")).join("\n") ||
      `nothing is newer than ${known.version}`
    );
  },
});

export default definePlugin({ name: "changelog", tools: [changes] });
