// A text that was sent in another form, or nearly fits: another type, another case, a character that no program accepts.
import type { StringSchema } from "../../core/schema/parameter.ts";
import { isSlip } from "./repair-names.ts";
import { folded } from "./suggestion.ts";

/** The limit of texts that are changed to fit. No reader would check a longer one. */
const CHANGED_CHARACTERS_MAX = 1_000;
const CHOICE_START_MIN = 2;

/** Returns candidates, the best one first. Some may not fit the schema. Objects and lists never become text. */
export function repairedTexts(schema: StringSchema, given: unknown): readonly string[] {
  if (schema.format === "json") return jsonTexts(given);
  const sent = textOf(given);
  if (sent === undefined) return [];
  // What no program can get: NUL and half characters.
  const text = sent.replaceAll("\0", "").toWellFormed();
  if (schema.choices) return choicesFor(text, schema.choices);
  // A text that the author refuses is not offered in another spelling.
  const isFixed =
    text.length > CHANGED_CHARACTERS_MAX || text.trim() === "" || text.startsWith("-") || schema.reject !== undefined;
  return [text, ...(isFixed ? [] : variantsOf(text, schema))];
}

/** Here the parameter itself is the text of JSON. */
function jsonTexts(given: unknown): readonly string[] {
  try {
    return [...(typeof given === "string" ? [given] : []), JSON.stringify(given)].filter((text) => text !== undefined);
  } catch {
    return [];
  }
}

function textOf(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  if (typeof given === "number" || typeof given === "boolean" || typeof given === "bigint") return String(given);
  return given instanceof Date && !Number.isNaN(given.getTime()) ? given.toISOString() : undefined;
}

/** The choice in other letters, its beginning, or with a slip. Another word for it is not known here. */
function choicesFor(text: string, choices: readonly string[]): readonly string[] {
  const wanted = folded(text);
  const only = (found: readonly string[]): readonly string[] => (found.length === 1 ? found : []);
  return [
    ...only(choices.filter((choice) => folded(choice) === wanted)),
    ...only(choices.filter((choice) => wanted.length >= CHOICE_START_MIN && folded(choice).startsWith(wanted))),
    ...only(choices.filter((choice) => isSlip(wanted, folded(choice)))),
  ];
}

function variantsOf(text: string, { format }: StringSchema): readonly string[] {
  const bare = text.trim().replace(/^(["'`])(.*)\1$/s, "$2");
  const dated = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/.exec(bare);
  const reversed = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(bare);
  const two = (digits = ""): string => digits.padStart(2, "0");
  return [
    bare,
    ...(format === "url" ? addressesOf(bare) : []),
    bare.toLowerCase(),
    bare.toUpperCase(),
    bare.toLowerCase().replaceAll(/[\s_]+/g, "-"),
    bare.toLowerCase().replaceAll(/[\s-]+/g, "_"),
    ...(dated ? [`${dated[1]}-${two(dated[2])}-${two(dated[3])}`] : []),
    ...(reversed ? [`${reversed[3]}-${two(reversed[2])}-${two(reversed[1])}`] : []),
    ...(/^\d{4}-\d{2}-\d{2}T/.test(bare) ? [bare.slice(0, 10)] : []),
    bare.replace(/^[#@$v]/, ""),
    ...(/^\d+\.\d/.test(bare) ? [`v${bare}`] : []),
    ...(/^[\da-f]{3,8}$/i.test(bare) ? [`#${bare}`] : []),
  ];
}

/**
 * Adds the missing scheme, or its slashes. An address with another scheme, such as `file:` or `mailto:`, is not a web
 * address in any spelling.
 */
function addressesOf(text: string): readonly string[] {
  const [, scheme, rest = ""] = /^(https?):\/*(.*)$/is.exec(text) ?? [];
  const bare = text.replace(/^\/\//, "");
  // `example.com:8080` has a port, `javascript:1` a scheme.
  const hasScheme =
    /^[a-z][a-z\d+.-]*:/i.test(bare) && !/^(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)+):\d+(?:[/?#]|$)/i.test(bare);
  const address =
    scheme !== undefined
      ? `${scheme.toLowerCase()}://${rest}`
      : hasScheme || !/^[\p{L}\d[]/u.test(bare)
        ? ""
        : `https://${bare}`;
  if (!URL.canParse(address)) return [];
  const { username, password, hostname } = new URL(address);
  return username === "" && password === "" && hostname !== "http" && hostname !== "https" ? [address] : [];
}
