/** Everything that can be thrown, with the message about it. */
export const thrownThings: readonly (readonly [source: string, message: string])[] = [
  ['new Error("boom")', "boom"],
  ['"text"', "text"],
  ["null", "null"],
  ["undefined", "undefined"],
  ['Symbol("s")', "Symbol(s)"],
  ["{ toString() { throw 1; } }", "it threw a value that cannot be shown"],
  ["Object.create(null)", "it threw a value that cannot be shown"],
  ["new Proxy({}, { get() { throw 2; }, getPrototypeOf() { throw 3; } })", "it threw a value that cannot be shown"],
  [
    "Object.defineProperties(new Error(), { message: { get() { throw 4; } }, stack: { get() { throw 5; } }, name: { get() { throw 6; } } })",
    "it threw a value that cannot be shown",
  ],
  ["Object.assign(new Error(), { message: {}, stack: 7, name: 8 })", "it threw a value that cannot be shown"],
];
