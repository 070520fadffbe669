// Transforms what Node cannot strip in plugins (enums, namespaces, parameter properties) to JavaScript with amaro,
// cached by content.
import { createHash } from "node:crypto";
import nodeModule from "node:module";
import { join } from "node:path";
import { amaroPlace } from "./amaro-place.ts";
import { type Amaro, isAmaroError, loadAmaro } from "./amaro.ts";
import { keepMade, readIfWhole } from "./made-files.ts";

/** Loose on purpose: a false match only costs a transform. The expression runs in linear time. */
const syntaxToTransform =
  /^[^\S\n\r\u2028\u2029]*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+[\w$]+\s*\{|^[^\S\n\r\u2028\u2029]*(?:export\s+)?(?:namespace|module)\s+[\w$.]+\s*\{|constructor\s*\([^)]{0,10000}\b(?:private|public|protected|readonly|override)\s|^[^\S\n\r\u2028\u2029]*(?:export\s+)?import\s+[\w$]+\s*=/m;

export function hasSyntaxToTransform(code: string): boolean {
  return syntaxToTransform.test(code);
}

export function transformTypeScript(code: string, path: string, cacheFolder: string): string {
  nodeModule.setSourceMapsSupport?.(true, { nodeModules: false, generatedCode: false });
  const key = createHash("sha256").update(`amaro 1\0${path}\0${code}`).digest("hex").slice(0, 32);
  const file = { folder: join(cacheFolder, "transformed-plugins"), name: `${key}.mjs`, key };
  const known = readIfWhole(file);
  if (known !== undefined) return known;
  const { code: javaScript, map } = transformed(code, path);
  const made = map
    ? `${javaScript}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}\n`
    : javaScript;
  keepMade(file, made);
  return made;
}

/** Returns an error with the place of what is not TypeScript in a text; undefined if it is. */
export function syntaxErrorIn(code: string, path: string): SyntaxError | undefined {
  try {
    transformed(code, path);
    return undefined;
  } catch (error) {
    if (!isAmaroError(error)) return undefined;
    const { message, startLine, startColumn } = error;
    return Object.assign(new SyntaxError(message), { stack: `${path}:${startLine}:${startColumn + 1}` });
  }
}

/** Transforms a text; a compiler that a text has broken is not used again. */
function transformed(code: string, filename: string): { readonly code: string; readonly map?: string } {
  try {
    return (amaro ??= loadAmaro(amaroPlace())).transformSync(code, { mode: "transform", sourceMap: true, filename });
  } catch (error) {
    if (!isAmaroError(error)) amaro = undefined;
    throw error;
  }
}

let amaro: Amaro | undefined;
