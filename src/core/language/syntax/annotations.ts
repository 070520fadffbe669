// Every annotation: its form, its key in YAML, how often it may be given, and its other names. Those that are texts, or
// have a text with parts, are rows of ../text-fields.ts.
import { type AnnotationKind, eachPartsField, eachTextField } from "../text-fields.ts";

/** The others. */
const kinds: Readonly<Record<string, AnnotationKind>> = {
  name: { form: "NAME", key: "name", alsoCalled: "id tool" },
  title: { form: "text", key: "x-dottool.title", alsoCalled: "label displayName" },
  description: { form: "text", key: "description", takesBody: true, alsoCalled: "desc describe summary about doc" },
  wrapped: { form: "TOOL", key: "x-dottool.wraps", alsoCalled: "wraps wrap base extends alias" },
  command: {
    form: "template",
    key: "run",
    takesBody: true,
    repeats: true,
    takesPlatform: true,
    makesWrap: true,
    alsoCalled: "cmd run exec runs",
  },
  shell: {
    form: "bash, sh, zsh, pwsh, cmd, none, or a program such as python3",
    key: "shell",
    repeats: true,
    takesPlatform: true,
    makesWrap: true,
  },
  script: {
    form: "with the script indented on the lines below",
    key: "script",
    takesBody: true,
    repeats: true,
    takesPlatform: true,
    makesWrap: true,
  },
  with: {
    form: "PARAM = template",
    key: "x-dottool.with",
    rule: "assignment",
    repeats: true,
    makesWrap: true,
    alsoCalled: "set preset",
  },
  default: {
    form: "PARAM = value",
    key: "x-dottool.defaults",
    rule: "assignment",
    repeats: true,
    alsoCalled: "defaults",
  },
  param: {
    form: "NAME {TYPE} [OPTIONS] text",
    key: "parameters",
    rule: "param",
    repeats: true,
    makesWrap: true,
    alsoCalled: "parameter arg argument input params parameters args arguments inputs",
  },
  type: { form: "NAME {object} text", key: "x-dottool.types", rule: "namedType", repeats: true, alsoCalled: "typedef" },
  property: {
    form: "TYPE.NAME {TYPE} [OPTIONS] text",
    key: "x-dottool.types",
    rule: "property",
    repeats: true,
    alsoCalled: "prop field",
  },
  returns: { form: "{TYPE} text", key: "x-dottool.returns", rule: "returns", alsoCalled: "return result" },
  example: { form: "JSON arguments", key: "x-dottool.examples", repeats: true, alsoCalled: "examples usage" },
  tags: { form: "words", key: "tags", rule: "words", repeats: true, alsoCalled: "effects" },
  platforms: { form: "linux macos windows", key: "platforms", rule: "words", repeats: true, alsoCalled: "os" },
  cwd: {
    form: "template",
    key: "working-directory",
    makesWrap: true,
    alsoCalled: "dir directory workdir working-directory",
  },
  env: {
    form: "NAME=template, or NAME to pass it on",
    key: "environment.variables",
    rule: "assignment",
    repeats: true,
    makesWrap: true,
    alsoCalled: "environment",
  },
  "env-file": { form: "PATH", key: "x-dottool.env-file", makesWrap: true, alsoCalled: "envfile dotenv" },
  "env-inherit": { form: "yes or no", key: "environment.inherit", makesWrap: true },
  stdin: { form: "template", key: "input", takesBody: true, makesWrap: true },
  timeout: { form: "60s", key: "timeout", alsoCalled: "deadline" },
  limit: { form: "output=10MiB memory=512MiB cpu=10s", key: "x-dottool.limits", rule: "limits", repeats: true },
  retry: { form: "3 delay=1s", key: "x-dottool.limits.retry", alsoCalled: "retries" },
  fallback: { form: "template", key: "x-dottool.fallback", makesWrap: true },
  "ignore-errors": { form: "", key: "ignore-errors", makesWrap: true, alsoCalled: "continue-on-error" },
  step: { form: "NAME KIND [OPTIONS]", key: "steps", takesBody: true, repeats: true, takesPlatform: true },
  output: { form: "template", key: "x-dottool.output", takesBody: true },
  cleanup: { form: "KIND", key: "x-dottool.cleanup", takesBody: true, repeats: true, alsoCalled: "finally teardown" },
  code: {
    form: "with JavaScript indented on the lines below",
    key: "x-dottool.javascript",
    takesBody: true,
    alsoCalled: "javascript js",
  },
  allow: {
    form: "crypto, fs.readFile, fetch HOST or tools.call TOOL",
    key: "x-dottool.allow",
    repeats: true,
    alsoCalled: "allowlist",
  },
  interactive: { form: "timeout=30s ANSWER", key: "interactive", makesWrap: true },
  privilege: { form: "same-as-user, reduced or elevated", key: "security.execution-privilege" },
  isolation: { form: "none, process or container", key: "security.isolation" },
  permissions: {
    form: "filesystem:write:PATH network:external:HOST",
    key: "security.required-permissions",
    rule: "words",
    repeats: true,
  },
  justification: { form: "text", key: "security.justification" },
  sandbox: { form: "none, limits, strict or custom", key: "x-dottool.sandbox.level" },
  network: { form: "HOST…", key: "x-dottool.sandbox.network", rule: "words", repeats: true, alsoCalled: "hosts" },
  writes: { form: "PATH…", key: "x-dottool.sandbox.writes", rule: "words", repeats: true },
  "schema-omits": { form: "descriptions defaults examples", key: "function-calling", rule: "words" },
  test: { form: "NAME, with the test indented on the lines below", key: "tests", takesBody: true, repeats: true },
};

export const annotationKinds: ReadonlyMap<string, AnnotationKind> = new Map([
  ...Object.entries(kinds),
  ...Object.values({ ...eachPartsField(named), ...eachTextField(named) }),
]);

function named<Kind extends AnnotationKind & { readonly keyword: string }>(field: Kind): [string, AnnotationKind] {
  return [field.keyword, field];
}

/** What is between the text of an ask and its arguments. */
export const askArrow = /\s*(?:→|->)\s*(?=\{|none\s*$)/;

/** Whether a keyword is free for other programs: `@x-anything`. */
export function isFreeKeyword(keyword: string): boolean {
  return keyword.startsWith("x-");
}

const byOtherNames: ReadonlyMap<string, string> = new Map(
  [...annotationKinds].flatMap(([keyword, kind]) =>
    [keyword, ...(kind.alsoCalled?.split(" ") ?? [])].map((name): [string, string] => [name.toLowerCase(), keyword]),
  ),
);

/** Returns the keyword of an annotation that is written under this or another name. */
export function keywordOf(written: string): string | undefined {
  return annotationKinds.has(written) ? written : byOtherNames.get(written.toLowerCase());
}
