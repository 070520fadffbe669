// Runs inside the sandbox's machine before and around the untrusted code: it passes values as JSON, collects the log,
// and reports how the code ended. It takes the functions of the language that it needs beforehand, because the code may
// change all of them. Still it is not trusted: code that breaks the driver damages its own answer, and nothing outside.
import type { Json } from "../../core/schema/json.ts";

/** What the driver gets, as JSON. */
export type GuestInput =
  | {
      /** The arguments of the program, which is an async function. */
      readonly arguments: readonly Json[];
      /** The functions that it may call: `["fs", "readFile"]` is `fs.readFile(…)`. */
      readonly functions: readonly (readonly string[])[];
      /** A fixed clock, in milliseconds since 1970, and a seed. */
      readonly repeatable?: { readonly nowMs: number; readonly seed: number };
    }
  /** Expressions for one `value` each, instead of a program. */
  | { readonly transforms: readonly { readonly expression: string; readonly value: Json }[] };

/** The marks of an answer. Its text is JSON: the value, or an object as below. */
export const GUEST_VALUE = "value";
export const GUEST_THROWN = "thrown";
const GUEST_NO_JSON = "no-json";
export const GUEST_TRANSFORM = "transform";

export interface GuestThrown {
  /** If empty, the code threw something else than an error, and `message` shows it. */
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export interface GuestNoJson {
  /** The kind of the value, such as "a function" or "NaN". If empty, `message` says why there is no JSON. */
  readonly what: string;
  /** The property with the value. If empty, it is the value itself. */
  readonly key: string;
  readonly message: string;
}

/** The first transform that failed, and why. */
export type GuestTransform =
  | { readonly index: number; readonly problem: "syntax" | "thrown"; readonly error: GuestThrown }
  | { readonly index: number; readonly problem: "no-json"; readonly error: GuestNoJson };

/** An expression in strict mode without free names. Only texts leave it. */
export const guestDriver = `(function () {
  "use strict";
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const { toString } = Function.prototype;
  const MapOf = Map, SetOf = Set, PromiseOf = Promise, ErrorOf = Error, StringOf = String, FunctionOf = Function;
  const CHARACTERS_MAX = 65536;
  const ERROR_CHARACTERS_MAX = 4000;

  const cut = (text, charactersMax) => (text.length > charactersMax ? apply(slice, text, [0, charactersMax]) : text);

  const show = (value) => {
    if (typeof value === "string") return value;
    try {
      if (typeof value === "bigint") return StringOf(value) + "n";
      if (typeof value === "function") return cut(apply(toString, value, []), 80);
      if (typeof value !== "object" || value === null) return StringOf(value);
      if (value instanceof ErrorOf) return StringOf(value.name) + ": " + StringOf(value.message);
      const text = stringify(value);
      return typeof text === "string" ? text : "[object]";
    } catch {
      return "[object]";
    }
  };

  const isError = (value) => {
    try {
      return value instanceof ErrorOf;
    } catch {
      return false;
    }
  };

  const describe = (error) => {
    const read = (key) => {
      try {
        const value = error[key];
        return typeof value === "string" ? cut(value, ERROR_CHARACTERS_MAX) : "";
      } catch {
        return "";
      }
    };
    if (!isError(error)) return { name: "", message: cut(show(error), ERROR_CHARACTERS_MAX), stack: "" };
    return { name: read("name") || "Error", message: read("message"), stack: read("stack") };
  };

  // JSON.stringify leaves out or bends what JSON cannot carry; here that is a fault with a place.
  let fault;
  const refuse = (what, key) => {
    fault = { what, key: cut(StringOf(key), 200), message: "" };
    throw fault;
  };
  const checked = (key, value) => {
    switch (typeof value) {
      case "number":
        if (value !== value || value === Infinity || value === -Infinity) refuse(StringOf(value), key);
        return value;
      case "bigint":
        return refuse("a BigInt", key);
      case "function":
        return refuse("a function", key);
      case "symbol":
        return refuse("a symbol", key);
      case "object":
        if (value instanceof MapOf) refuse("a Map", key);
        if (value instanceof SetOf) refuse("a Set", key);
        if (value instanceof PromiseOf) refuse("an unawaited promise", key);
        return value;
      default:
        return value;
    }
  };
  const toJson = (value) => {
    fault = undefined;
    if (value === undefined) refuse("undefined", "");
    const text = stringify(value, checked);
    // A \`toJSON\` may still give nothing.
    return typeof text === "string" ? text : refuse("undefined", "");
  };
  const noJson = (error) => fault || { what: "", key: "", message: cut(show(error), ERROR_CHARACTERS_MAX) };

  // An answer of \`fetch\` as programs know it.
  const withBody = (answer) => {
    const { body } = answer;
    answer.text = async () => body;
    answer.json = async () => parse(body);
    return answer;
  };

  const transformAll = (transforms, done) => {
    let texts = "";
    for (let index = 0; index < transforms.length; index++) {
      let problem = "syntax";
      try {
        const transform = new FunctionOf("value", '"use strict"; return (\\n' + transforms[index].expression + "\\n)");
        problem = "thrown";
        const value = transform(transforms[index].value);
        problem = "no-json";
        texts += (index === 0 ? "" : ",") + toJson(value);
      } catch (error) {
        return done("${GUEST_TRANSFORM}", stringify({ index, problem, error: problem === "no-json" ? noJson(error) : describe(error) }));
      }
    }
    done("${GUEST_VALUE}", "[" + texts + "]");
  };

  // Nothing but undefined is returned or awaited: every object has the \`then\` that the code may have given to all of
  // them.
  const runProgram = async (program, values, done) => {
    let value;
    try {
      value = await apply(program, undefined, values);
    } catch (error) {
      return done("${GUEST_THROWN}", stringify(describe(error)));
    }
    let text;
    try {
      text = toJson(value);
    } catch (error) {
      return done("${GUEST_NO_JSON}", stringify(noJson(error)));
    }
    done("${GUEST_VALUE}", text);
  };

  // The clock stands still, and chance follows from the seed (mulberry32).
  const repeat = ({ nowMs, seed }) => {
    const RealDate = Date;
    const { construct, defineProperty } = Reflect;
    const FixedDate = function Date(...values) {
      if (!new.target) return StringOf(new RealDate(nowMs));
      return construct(RealDate, values.length === 0 ? [nowMs] : values, new.target);
    };
    FixedDate.prototype = RealDate.prototype;
    FixedDate.prototype.constructor = FixedDate;
    FixedDate.now = () => nowMs;
    FixedDate.parse = RealDate.parse;
    FixedDate.UTC = RealDate.UTC;
    globalThis.Date = FixedDate;
    defineProperty(globalThis, "performance", { value: { now: () => 0 }, configurable: true });
    const { imul } = Math;
    let state = seed;
    Math.random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  };

  return function (log, call, done) {
    const write = (...values) => {
      let line = "";
      for (let index = 0; index < values.length; index++) line += (index === 0 ? "" : " ") + cut(show(values[index]), CHARACTERS_MAX);
      log(cut(line, CHARACTERS_MAX));
    };
    globalThis.console = { log: write, info: write, warn: write, error: write, debug: write };

    const offer = (path) => {
      let name = "";
      let holder = globalThis;
      for (let index = 0; index < path.length; index++) {
        name += (index === 0 ? "" : ".") + path[index];
        if (index < path.length - 1) holder = holder[path[index]] ??= {};
      }
      holder[path[path.length - 1]] = async (...values) => {
        let text;
        try {
          text = toJson(values);
        } catch (error) {
          throw new TypeError(fault ? name + " was given " + fault.what + ", which is not JSON" : show(error));
        }
        const answer = parse(await call(name, text));
        return name === "fetch" ? withBody(answer) : answer;
      };
    };

    return async (program, inputText) => {
      const input = parse(inputText);
      if (input.transforms) return transformAll(input.transforms, done);
      for (let index = 0; index < input.functions.length; index++) offer(input.functions[index]);
      if (input.repeatable) repeat(input.repeatable);
      await runProgram(program, input.arguments, done);
    };
  };
})()`;
