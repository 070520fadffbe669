// A text that was sent in another form, or nearly fits: another type, another case, one letter off, a character that no
// program accepts.
import { isJsonObject, type Json } from "../schema/json.ts";
import type { StringSchema } from "../schema/parameter.ts";
import { nearestNames } from "../text/suggest.ts";

/** The limit of texts that are changed to fit. No reader would check a longer one. */
const CHANGED_CHARACTERS_MAX = 1_000;
const CHOICE_START_MIN = 2;

interface RepairedText {
  readonly value: Json;
  /** Set for a part of what was sent. */
  readonly isPart?: true;
}

/** Returns candidates, the best one first. Some may not fit the schema. */
export function repairedTexts(schema: StringSchema, given: unknown): readonly RepairedText[] {
  const texts = textsOf(given).map((text) => sendable(text));
  if (schema.format === "json")
    return [...texts, ...texts.map((text) => JSON.stringify(text))].map((value) => ({ value }));
  if (schema.choices)
    return texts.flatMap((text) => choicesFor(text, schema.choices ?? [])).map((value) => ({ value }));
  // A text that the author refuses is not offered in another spelling.
  const isFixed = (text: string): boolean =>
    text.length > CHANGED_CHARACTERS_MAX || text.trim() === "" || text.startsWith("-") || schema.reject !== undefined;
  const whole = texts
    .flatMap((text) => [text, ...(isFixed(text) ? [] : variantsOf(text, schema))])
    .map((value) => ({ value }));
  const { maximumLength } = schema;
  const cut =
    maximumLength === undefined
      ? []
      : texts.map(
          (text): RepairedText => ({
            value: [...text.slice(0, 2 * maximumLength)].slice(0, maximumLength).join(""),
            isPart: true,
          }),
        );
  return [...whole, ...cut];
}

function textsOf(given: unknown): readonly string[] {
  if (typeof given === "string") return [given];
  if (typeof given === "number" || typeof given === "boolean" || typeof given === "bigint") return [String(given)];
  if (given instanceof Date) return Number.isNaN(given.getTime()) ? [] : [given.toISOString()];
  if (Array.isArray(given)) {
    const items = given as readonly unknown[];
    // The item of a list may be the list itself.
    if (items.length === 1) return Array.isArray(items[0]) ? [] : textsOf(items[0]);
    // Joined only if two words cannot be mistaken for one.
    return items.length > 1 && items.every((item) => typeof item === "string" && /^[\w./:=@%+,-]+$/.test(item))
      ? [items.join(" ")]
      : [];
  }
  return isJsonObject(given) ? jsonOf(given) : [];
}

/** Returns the JSON of an object, which may contain itself or values without JSON. */
function jsonOf(given: object): readonly string[] {
  try {
    return [JSON.stringify(given)];
  } catch {
    return [];
  }
}

/** Returns a text that a program can get: without NUL and without half characters. */
function sendable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function choicesFor(text: string, choices: readonly string[]): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const near = nearestNames(text.trim(), choices);
  const alike = choices.filter((choice) => choice.toLowerCase() === wanted);
  const begins = choices.filter(
    (choice) =>
      (wanted.length >= CHOICE_START_MIN && choice.toLowerCase().startsWith(wanted)) ||
      (choice.length >= CHOICE_START_MIN && wanted.startsWith(choice.toLowerCase())),
  );
  return [...alike, ...(begins.length === 1 ? begins : []), ...near];
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
    bare.replaceAll(/\s+/g, "-"),
    bare.replaceAll(/\s+/g, "_"),
    bare.replaceAll(/\s+/g, ""),
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
