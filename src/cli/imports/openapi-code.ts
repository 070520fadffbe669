// The JavaScript that sends one operation.
import type { Credential } from "./openapi-credentials.ts";
import type { Operation } from "./openapi-document.ts";
import type { Input, Inputs, Place } from "./openapi-inputs.ts";

export function fetchCode({ method, address }: Operation, inputs: Inputs, credentials: readonly Credential[]): string {
  const at = (place: Place): readonly Input[] => inputs.inputs.filter((input) => input.place === place);
  const secret = (place: Credential["place"]): readonly Credential[] =>
    credentials.filter((one) => one.place === place);
  const query = [
    ...at("query").map((input) => pair(input)),
    ...secret("query").map(
      ({ name, parameter }) => `[${JSON.stringify(name)}, input[${JSON.stringify(parameter.name)}]]`,
    ),
  ];
  const headers = [
    ...at("header").map((input) => pair(input)),
    ...secret("header").map(({ name, before, parameter }) => {
      const value = `input[${JSON.stringify(parameter.name)}]`;
      const text = before === "" ? value : `${value} && ${JSON.stringify(before)} + ${value}`;
      return `[${JSON.stringify(name)}, ${text}]`;
    }),
    ...(inputs.mediaType === undefined ? [] : [`["content-type", ${JSON.stringify(inputs.mediaType)}]`]),
  ];
  const cookies = [
    ...at("cookie").map((input) => pair(input)),
    ...secret("cookie").map(
      ({ name, parameter }) => `[${JSON.stringify(name)}, input[${JSON.stringify(parameter.name)}]]`,
    ),
  ];
  const usesForm = query.length + cookies.length > 0 || inputs.mediaType === "application/x-www-form-urlencoded";
  const body = bodyText(at("body"), inputs);
  const lines = [
    "const given = (pairs) => pairs.filter(([, value]) => value !== undefined);",
    ...(usesForm
      ? [
          "const one = (value) => encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : value);",
          "const form = (pairs) => given(pairs).flatMap(([name, value]) => [value].flat().map((each) => `${encodeURIComponent(name)}=${one(each)}`));",
        ]
      : []),
    `let url = ${addressText(address, at("path"))};`,
    ...(query.length === 0
      ? []
      : [`const query = form([${query.join(", ")}]).join("&");`, 'if (query !== "") url += `?${query}`;']),
    `const headers = Object.fromEntries(given([${headers.join(", ")}]).map(([name, value]) => [name, String(value)]));`,
    ...(cookies.length === 0 ? [] : [`headers.cookie = form([${cookies.join(", ")}]).join("; ");`]),
    ...(body === undefined ? [] : [`const body = ${body};`]),
    `const answer = await fetch(url, { method: ${JSON.stringify(method.toUpperCase())}, headers${body === undefined ? "" : ", body"} });`,
    "const text = await answer.text();",
    "if (!answer.ok) throw new Error(`the answer has status ${answer.status}: ${text.slice(0, 2000)}`);",
    "return text;",
  ];
  return lines.join("\n");
}

function pair({ original, parameter }: Input): string {
  return `[${JSON.stringify(original)}, input[${JSON.stringify(parameter.name)}]]`;
}

/** A value in the path is one segment of it. */
function addressText(address: string, path: readonly Input[]): string {
  const names = new Map(path.map(({ original, parameter }) => [original, parameter.name]));
  const pieces = address.split(/(\{[^{}]+\})/).filter((piece) => piece !== "");
  return pieces
    .map((piece) => {
      const name = names.get(piece.slice(1, -1));
      return piece.startsWith("{") && name !== undefined
        ? `encodeURIComponent(input[${JSON.stringify(name)}])`
        : JSON.stringify(piece);
    })
    .join(" + ");
}

function bodyText(body: readonly Input[], { mediaType, isWhole }: Inputs): string | undefined {
  const [first] = body;
  if (mediaType === undefined || !first) return undefined;
  const whole = `input[${JSON.stringify(first.parameter.name)}]`;
  if (isWhole) return /^text\//.test(mediaType) ? whole : `JSON.stringify(${whole})`;
  const pairs = `[${body.map(pair).join(", ")}]`;
  return mediaType === "application/x-www-form-urlencoded"
    ? `form(${pairs}).join("&")`
    : `JSON.stringify(Object.fromEntries(given(${pairs})))`;
}
