// The names under which sandboxed code can use values.

const NAME = /^[A-Za-z_$][\w$]*$/;
/** Reserved words of an async function in strict mode. */
const RESERVED = new Set(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);

/** `input` is taken. */
export function isVariableName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name) && name !== "input";
}
