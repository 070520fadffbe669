// Every annotation: its form, how often it may be given, and its other names.

export interface AnnotationKind {
  /** The form shown in messages, without the keyword. */
  readonly form: string;
  /** Deeper-indented lines below it are its body. */
  readonly takesBody?: true;
  /** Set if the annotation may be given several times. */
  readonly repeats?: true;
  /** `@command(windows)`. */
  readonly takesPlatform?: true;
  /** Makes the tool a wrap instead of an alias. */
  readonly makesWrap?: true;
  /** Its names in other programs. */
  readonly alsoCalled?: readonly string[];
}

export const annotationKinds: ReadonlyMap<string, AnnotationKind> = new Map<string, AnnotationKind>([
  ["name", { form: "NAME", alsoCalled: ["id", "tool"] }],
  ["title", { form: "text", alsoCalled: ["label", "displayName"] }],
  ["wrapped", { form: "TOOL", alsoCalled: ["wraps", "wrap", "base", "extends", "alias"] }],
  [
    "command",
    {
      form: "template",
      takesBody: true,
      repeats: true,
      takesPlatform: true,
      makesWrap: true,
      alsoCalled: ["cmd", "run", "exec", "runs"],
    },
  ],
  ["shell", { form: "bash, sh, zsh, pwsh, cmd or none", repeats: true, takesPlatform: true, makesWrap: true }],
  [
    "script",
    {
      form: "with the script indented on the lines below",
      takesBody: true,
      repeats: true,
      takesPlatform: true,
      makesWrap: true,
    },
  ],
  ["with", { form: "PARAM = template", repeats: true, makesWrap: true, alsoCalled: ["set", "preset"] }],
  ["default", { form: "PARAM = value", repeats: true, alsoCalled: ["defaults"] }],
  [
    "param",
    {
      form: "NAME {TYPE} [OPTIONS] text",
      repeats: true,
      makesWrap: true,
      alsoCalled: ["parameter", "arg", "argument", "params", "input"],
    },
  ],
  ["type", { form: "NAME {object} text", repeats: true, alsoCalled: ["typedef"] }],
  ["property", { form: "TYPE.NAME {TYPE} [OPTIONS] text", repeats: true, alsoCalled: ["prop", "field"] }],
  ["returns", { form: "{TYPE} text", alsoCalled: ["return", "result"] }],
  ["example", { form: "JSON arguments", repeats: true, alsoCalled: ["examples", "usage"] }],
  ["tags", { form: "words", repeats: true, alsoCalled: ["effects"] }],
  ["category", { form: "word", alsoCalled: ["group"] }],
  ["keywords", { form: "words", repeats: true }],
  ["version", { form: "1.2.3", alsoCalled: ["semver"] }],
  ["requires", { form: "PROGRAM >= VERSION", repeats: true, alsoCalled: ["require", "needs"] }],
  ["depends", { form: "TOOL@VERSION", repeats: true, alsoCalled: ["dependency", "dependencies", "uses"] }],
  ["platforms", { form: "linux macos windows", repeats: true, alsoCalled: ["os"] }],
  ["cwd", { form: "template", makesWrap: true, alsoCalled: ["dir", "directory", "workdir", "working-directory"] }],
  [
    "env",
    { form: "NAME=template, or NAME to pass it on", repeats: true, makesWrap: true, alsoCalled: ["environment"] },
  ],
  ["env-inherit", { form: "yes or no", makesWrap: true }],
  ["stdin", { form: "template", takesBody: true, makesWrap: true }],
  ["timeout", { form: "60s", alsoCalled: ["deadline"] }],
  ["limit", { form: "output=10MiB memory=512MiB cpu=10s", repeats: true }],
  ["retry", { form: "3 delay=1s", alsoCalled: ["retries"] }],
  ["fallback", { form: "template", makesWrap: true }],
  ["ignore-errors", { form: "", makesWrap: true, alsoCalled: ["continue-on-error"] }],
  ["step", { form: "NAME KIND [OPTIONS]", takesBody: true, repeats: true, takesPlatform: true }],
  ["output", { form: "template", takesBody: true }],
  ["cleanup", { form: "KIND", takesBody: true, repeats: true, alsoCalled: ["finally", "teardown"] }],
  ["code", { form: "with JavaScript indented on the lines below", takesBody: true, alsoCalled: ["javascript", "js"] }],
  ["allow", { form: "crypto, fs.readFile, fetch HOST or tools.call TOOL", repeats: true, alsoCalled: ["allowlist"] }],
  ["interactive", { form: "timeout=30s ANSWER", makesWrap: true }],
  ["privilege", { form: "same-as-user, reduced or elevated" }],
  ["isolation", { form: "none, process or container" }],
  ["permissions", { form: "filesystem:write:PATH network:external:HOST", repeats: true }],
  ["justification", { form: "text" }],
  ["sandbox", { form: "none, limits, strict or custom" }],
  ["network", { form: "HOST…", repeats: true, alsoCalled: ["hosts"] }],
  ["writes", { form: "PATH…", repeats: true }],
  ["schema-omits", { form: "descriptions defaults examples" }],
  ["cycod-version", { form: "1.2.3" }],
  ["test", { form: "NAME, with the test indented on the lines below", takesBody: true, repeats: true }],
  ["confirm", { form: "text", alsoCalled: ["confirmation", "ask"] }],
  ["deprecated", { form: "text" }],
  ["help", { form: "text", takesBody: true }],
  ["changelog", { form: "text", repeats: true, alsoCalled: ["changes"] }],
  ["note", { form: "text", repeats: true, alsoCalled: ["comment", "todo", "author", "license"] }],
]);

/** Whether a keyword is free for other programs: `@x-anything`. */
export function isFreeKeyword(keyword: string): boolean {
  return keyword.startsWith("x-");
}

/** Whether a line that begins with it is meant as an annotation, under this or another name. */
export function isKnownAnnotation(keyword: string): boolean {
  return (
    annotationKinds.has(keyword) ||
    [...annotationKinds.values()].some(({ alsoCalled }) => alsoCalled?.includes(keyword))
  );
}

export function takesBody(keyword: string): boolean {
  return annotationKinds.get(keyword)?.takesBody === true;
}
