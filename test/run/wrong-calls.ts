// The rows of wrong-calls.txt.
import { readFileSync } from "node:fs";

interface Call {
  readonly tool: string;
  readonly arguments: unknown;
}

export interface WrongCall {
  readonly line: string;
  readonly sent: Call;
  /** `names` are those that the answer has to name. Undefined if no call may be suggested. */
  readonly meant: (Call & { readonly names: readonly string[] }) | undefined;
}

export const wrongCalls: readonly WrongCall[] = readFileSync(new URL("wrong-calls.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.includes(" => ") && !line.startsWith("#"))
  .map((line) => {
    const [sent = "", answer = ""] = line.split(" => ");
    const [meant = "", names = ""] = answer.split(" ; ");
    return {
      line,
      sent: callIn(sent),
      meant: meant === "?" ? undefined : { ...callIn(meant), names: names.split(" ").filter((name) => name !== "") },
    };
  });

function callIn(text: string): Call {
  const [, tool = "", json = ""] = /^(\S+) (.*)$/.exec(text) ?? [];
  return { tool, arguments: JSON.parse(json) };
}
