// Statements of SQL in which a value is data: the forms that are known to be harmless, as statements that load a library
// or run a program differ between databases.

/** Matches the start of a statement that only reads, changes or describes tables; of mongosh, one about a collection. */
const ABOUT_TABLES =
  /^\s*(?:(?:select|insert|update|delete|with|values|explain|replace|merge|copy|truncate|describe|desc|show|grant|revoke)\b|(?:create|drop|alter)\s+(?:(?:or\s+replace|temp|temporary|unique|materialized)\s+)*(?:table|index|view)\b|(?:\w+\()?db\.)/i;
const WITH_TEXT = /^\s*(?:select|insert|update|delete|with|values|explain|replace|merge|copy)\b/i;

/** Matches what is before a string that is compared, stored or, in `COPY`, a file. */
const BEFORE_TEXT =
  /(?:[=<>,(|]|\b(?:like|ilike|and|or|between|select|when|then|else|from|join|to|date|timestamp|interval))\s*$/i;

/** Keywords and functions before a parenthesis, none of which opens or runs anything. */
const CALL =
  /^(?:copy|values|in|and|or|not|where|select|from|on|as|any|some|all|exists|by|over|with|join|set|when|then|else|case|having|between|like|union|except|intersect|returning|char|varchar|decimal|numeric|count|sum|min|max|avg|lower|upper|trim|ltrim|rtrim|length|coalesce|ifnull|nullif|concat|round|abs|cast|date|datetime|strftime|now|substr|substring|replace)$/i;

/** Returns the text with its closed strings replaced. */
export function withoutStrings(text: string): string {
  return text.replaceAll(/"[^"]*"|'[^']*'/g, "_");
}

/** Whether the statement at the end of the text is about tables, so that a plain name in it loads and runs nothing. */
export function isAboutTables(before: string): boolean {
  return ABOUT_TABLES.test(lastStatement(before));
}

/** Whether the string that is open at the end of `before` is data of a statement within `whole`. */
export function isTextOfQuery(before: string, whole: string): boolean {
  const open = lastStatement(before);
  // Text in double quotes may name a function.
  const closed = withoutStrings(whole.replaceAll(/"[^"]*"|'[^']*'/g, (one) => one.replace(/^'[^]*/, ",")));
  const calls = closed.replaceAll(/\binto\s+[\w.]+\s*\(/gi, "").matchAll(/([\w.]+)\s*\(/g);
  return (
    WITH_TEXT.test(open) &&
    BEFORE_TEXT.test(open.replace(/["'][^"']*$/, "")) &&
    !/\/\*|--|[#$]/.test(closed) &&
    [...calls].every(([, name = ""]) => CALL.test(name))
  );
}

function lastStatement(text: string): string {
  const open = withoutStrings(text);
  return open.slice(open.lastIndexOf(";") + 1);
}
