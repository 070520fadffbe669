// The keys and tokens of an API as parameters that are read from the environment.
import type { JsonObject } from "../../core/schema/json.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { parameterNameOf } from "./imported-tool.ts";
import { listOf, objectOf, type Operation, resolved } from "./openapi-document.ts";

export interface Credential {
  readonly place: "header" | "query" | "cookie";
  /** The name of the header, of the key in the query or of the cookie. */
  readonly name: string;
  /** What stands before the secret: `Bearer `. */
  readonly before: string;
  readonly parameter: Parameter;
}

/** The first of several ways to log in is taken. */
export function credentialsOf({ operation, root }: Operation): readonly Credential[] {
  const ways = listOf(operation["security"] ?? root["security"]).map(objectOf);
  const [way] = ways;
  const isOptional = ways.some((one) => Object.keys(one).length === 0);
  const schemes = objectOf(objectOf(root["components"])["securitySchemes"]);
  const title = String(objectOf(root["info"])["title"] ?? "api");
  return Object.keys(way ?? {}).flatMap(
    (key) => credentialOf(key, resolved(schemes[key], root), { title, isOptional }) ?? [],
  );
}

function credentialOf(
  key: string,
  scheme: JsonObject,
  { title, isOptional }: { readonly title: string; readonly isOptional: boolean },
): Credential | undefined {
  const type = String(scheme["type"]);
  const isBasic = type === "http" && String(scheme["scheme"]).toLowerCase() === "basic";
  const name = parameterNameOf(key);
  const service = title.replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  const variable = `${service}_${name}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]/g, "_")
    .replace(/^(?=\d)/, "_")
    .slice(0, 64);
  const what = isBasic ? "`USER:PASSWORD` in base64" : type === "apiKey" ? "The key" : "The token";
  const parameter: Parameter = {
    name,
    description: `${what}, read from \`${variable}\``,
    schema: { type: "string" },
    required: !isOptional,
    secret: true,
    environment: variable,
  };
  const place = String(scheme["in"]);
  if (type === "apiKey")
    return {
      place: place === "query" || place === "cookie" ? place : "header",
      name: String(scheme["name"] ?? key),
      before: "",
      parameter,
    };
  if (!["http", "oauth2", "openIdConnect"].includes(type)) return undefined;
  return { place: "header", name: "authorization", before: isBasic ? "Basic " : "Bearer ", parameter };
}
