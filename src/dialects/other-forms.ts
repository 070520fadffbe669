// Finds a call that a model wrote in another form than `<tool>…</tool>`, as it was trained to: with an attribute, as
// `<tool_call>`, `[TOOL_CALLS]` or `<function=…>`, or unfinished. It is never run, and always answered.
import type { FaultyCall } from "./model-call.ts";
import { CALL_FORM } from "./text-call.ts";
import type { TextReply } from "./text.ts";

const FORM =
  /(?<!["'\u2018-\u201e\u00ab\u00bb\u2039\u203a])(?:<tool(?:\s[^<>\n]{0,200})?(?:>|$)|<(?:tool_calls?|function_calls?|tool_use|invoke)\b[^<>\n]{0,200}>|<function=[^<>\n]{0,200}>|\[TOOL_CALLS\]|<\|(?:tool|python)[^<>\n]{0,200}\|?>|<\uff5ctool)/;
/** A reply that is one object or array, with the fields that calls of APIs have. */
const BARE = /^(?:```\w*\s*\n)?[{[][^]*"(?:tool_name|arguments|parameters)"\s*:/;
/** A field of the form itself, which nothing else has. */
const FIELD = /"tool_name"\s*:|<tool_name>/;
const NAME = /(?:\bname|function)\s*=\s*["']?([\w./-]{1,129})/;
const CODE = /```[^]*?(?:```|(?![^]))|`[^`\n]*`|^[ \t]*>.*$/gm;

/** Returns the call that is to be answered, if there is one beside those that were read. */
export function callInOtherForm({ calls, text, quoted }: TextReply): FaultyCall | undefined {
  const found = FORM.exec(text.replace(CODE, "").trimEnd())?.[0];
  if (found === undefined && (calls.length > 0 || quoted > 0 || !(BARE.test(text.trim()) || FIELD.test(text))))
    return undefined;
  const name = found === undefined ? undefined : NAME.exec(found)?.[1];
  const form = name === undefined ? CALL_FORM : CALL_FORM.replace("NAME", name);
  return { kind: "faulty", ...(name === undefined ? {} : { name }), problem: `${why(found)}; a call is ${form}` };
}

function why(found: string | undefined): string {
  if (found === undefined) return "the reply looks like a call in another form, so nothing of it was run";
  if (/^<tool\s*>?$/.test(found)) return "there is no call after `<tool>`, so nothing was run";
  return `\`${found}\` is not how a call begins here, so nothing of it was run`;
}
