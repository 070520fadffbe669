// The script that sends a file with curl, because the sandbox for JavaScript reads texts alone.
import type { Parameter } from "../../schema/parameter.ts";
import type { ImportedTool, Part } from "./imported-tool.ts";
import type { Credential } from "./openapi-credentials.ts";
import type { Operation } from "./openapi-document.ts";
import type { Input, Inputs } from "./openapi-inputs.ts";

/** What needs no encoding in a path, and cannot lead elsewhere. */
const SEGMENT = { source: "[A-Za-z0-9_~-][A-Za-z0-9._~-]*", flags: "" };
/** How curl sends a value without looking for a file in it. */
const OPTIONS: Readonly<Partial<Record<Input["place"], string>>> = { query: "--url-query", body: "--form-string" };
const PLAIN = /^[\w.:/@{}~%?=&+,-]+$/;

export function uploadScript(
  { method, address }: Operation,
  { inputs, mediaType = "" }: Inputs,
  credentials: readonly Credential[],
): Pick<ImportedTool, "runs" | "parameters"> | { readonly problem: string } {
  const unsent =
    inputs.find((input) => !isSent(input))?.original ??
    credentials.find(({ place, name }) => place !== "header" || !PLAIN.test(name))?.name;
  if (unsent !== undefined) return { problem: `\`${unsent}\` cannot be sent with a file` };
  if (!PLAIN.test(address)) return { problem: `\`${address}\` cannot stand in a script` };
  const file = inputs.find(({ place }) => place === "file");
  const isForm = mediaType === "multipart/form-data";
  const parts: readonly Part[] = [
    `curl --fail-with-body --silent --show-error --request ${method.toUpperCase()}`,
    // Not as a word, which every user of the machine could see.
    ...credentials.flatMap(({ name, before, parameter }): readonly Part[] => [
      ` --header @<(printf '${name}: ${before}%s' "`,
      { parameter: parameter.name },
      '")',
    ]),
    ...inputs.flatMap(({ place, parameter }): readonly Part[] =>
      OPTIONS[place] === undefined ? [] : [" ", { parameter: parameter.name }],
    ),
    isForm
      ? ` --form '${file?.original ?? ""}=@-;filename=upload'`
      : ` --header 'content-type: ${mediaType}' --data-binary @-`,
    ' "',
    ...addressParts(address, inputs),
    '" < ',
    { parameter: file?.parameter.name ?? "" },
  ];
  return {
    runs: { kind: "script", shell: "bash", parts },
    parameters: [...inputs.map(sentParameter), ...credentials.map(({ parameter }) => parameter)],
  };
}

function isSent({ place, original, parameter: { schema } }: Input): boolean {
  if (place === "header" || place === "cookie" || schema.type === "array" || schema.type === "object") return false;
  return place === "path" || /^[\w.-]+$/.test(original);
}

function sentParameter({ place, original, parameter }: Input): Parameter {
  const option = OPTIONS[place];
  if (option !== undefined) return { ...parameter, flag: `${option} ${original}={value}` };
  const { schema } = parameter;
  return place === "path" && schema.type === "string" && !schema.choices
    ? { ...parameter, schema: { type: "string", pattern: SEGMENT } }
    : parameter;
}

function addressParts(address: string, inputs: readonly Input[]): readonly Part[] {
  return address
    .split(/(\{[^{}]+\})/)
    .filter((piece) => piece !== "")
    .map((piece) => {
      const found = inputs.find(({ place, original }) => place === "path" && piece === `{${original}}`);
      return found ? { parameter: found.parameter.name } : piece;
    });
}
