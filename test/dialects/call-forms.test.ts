// Calls in the forms of open models: which are read, and what is never run.
import fc from "fast-check";
import { callsInForms, quotedForm } from "../../src/features/dialects/call-forms.ts";
import { parseTextCalls } from "../../src/features/dialects/text-reader.ts";
import { typedArguments } from "../../src/features/dialects/text-arguments.ts";
import { boolean, integer, string } from "../../src/core/schema/declare.ts";
import { assert, suite } from "../harness.ts";

const test = suite("dialects/call-forms");

const declared = { text: string(""), count: integer(""), loud: boolean("") };
const parameters = Object.entries(declared).map(([name, { parameter }]) => ({ name, ...parameter }));
const NAMES = ["say", "write"];
const isTool = (name: string): boolean => NAMES.includes(name);

/** Returns each call as a name and arguments, or as its problem. */
function read(text: string): readonly unknown[] {
  return (callsInForms(parseTextCalls(text), { isTool, instead: "call it otherwise" })?.calls ?? []).map((call) => {
    if (call.kind === "faulty") return call.problem;
    const typed = call.elements ? typedArguments(call.elements, parameters) : { arguments: call.arguments };
    return [call.name, "arguments" in typed ? typed.arguments : typed.problem];
  });
}

const DSML = "\uff5cDSML\uff5c";
const two = [["say", { text: "a", count: 2 }]];
/** The form of each model, as its template has it, with the same call. */
const forms: Readonly<Record<string, string>> = {
  harmony:
    '<|channel|>analysis<|message|>I have to say a.<|end|><|start|>assistant<|channel|>commentary to=functions.say <|constrain|>json<|message|>{"text":"a","count":2}<|call|>',
  "harmony, to first": '<|start|>assistant to=functions.say<|channel|>commentary json<|message|>{"text":"a","count":2}',
  functools: 'functools[{"name": "say", "arguments": {"text": "a", "count": 2}}]',
  Hermes: '<tool_call>\n{"name": "say", "arguments": {"text": "a", "count": 2}}\n</tool_call><|im_end|>',
  "Llama, tags": '<function=say>{"text": "a", "count": 2}</function>',
  "Llama, JSON": '<|python_tag|>{"name": "say", "parameters": {"text": "a", "count": 2}}<|eom_id|>',
  Mistral: '[TOOL_CALLS] [{"name": "say", "arguments": {"text": "a", "count": 2}}]</s>',
  "Mistral, newer": '[TOOL_CALLS]say[ARGS]{"text": "a", "count": 2}',
};
/** Forms that are refused, with the same call. */
const unread: Readonly<Record<string, string>> = {
  DSML: `<${DSML}function_calls>\n<${DSML}invoke name="say">\n<${DSML}parameter name="text" string="true">a</${DSML}parameter>\n<${DSML}parameter name="count" string="false">2</${DSML}parameter>\n</${DSML}invoke>\n</${DSML}function_calls>`,
  ReAct: 'Thought: I have to say it.\nAction: say\nAction Input: {"text": "a", "count": 2}',
  Qwen: "<tool_call>\n<function=say>\n<parameter=text>\na\n</parameter>\n<parameter=count>\n2\n</parameter>\n</function>\n</tool_call>",
  Cline: "<say>\n<text>a</text>\n<count>2</count>\n</say>",
  Anthropic:
    '<function_calls>\n<invoke name="say">\n<parameter name="text">a</parameter>\n<parameter name="count">2</parameter>\n</invoke>\n</function_calls>',
};
/** These are read only where they are the whole reply. */
const WHOLE = ["Llama, JSON"];

test("callsInForms reads the regular forms, alone and behind words", () => {
  for (const [name, text] of Object.entries(forms)) {
    assert.equal([name, read(text)], [name, two]);
    const behind = read(`I will say it.\n${text}`);
    if (WHOLE.includes(name)) assert.equal([name, behind.some((call) => Array.isArray(call))], [name, false]);
    else assert.equal([name, behind], [name, two]);
  }
});

test("callsInForms reads several calls in forms whose values have a certain end", () => {
  const both = [
    ["say", { text: "a" }],
    ["write", {}],
  ];
  for (const text of [
    '<tool_call>{"name":"say","arguments":{"text":"a"}}</tool_call>\n<tool_call>{"name":"write","arguments":{}}</tool_call>',
    '[TOOL_CALLS] [{"name":"say","arguments":{"text":"a"}},{"name":"write"}]',
  ])
    assert.equal([text, read(text)], [text, both]);
});

test("callsInForms runs no call that a reply quotes or explains", () => {
  for (const [name, text] of Object.entries({ ...forms, ...unread })) {
    const calls = (reply: string): readonly unknown[] => read(reply).filter((call) => Array.isArray(call));
    for (const reply of [
      `${text}\nSo a call looks.`,
      `\`\`\`xml\n${text}\n\`\`\`\nSo a call looks.`,
      `So a call looks:\n\`\`\`\n${text}\n\`\`\``,
      `~~~~\n${text}\n~~~~`,
      text
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n"),
      `<think>${text}</think>`,
      `Example:\n\n${text
        .split("\n")
        .map((line) => `    ${line}`)
        .join("\n")}`,
      `<!-- ${text} -->`,
      `<!--\n${text}\n-->`,
      `I will not run ${text}`,
    ])
      assert.equal([name, reply, calls(reply)], [name, reply, []]);
  }
  for (const text of [
    "Use `<tool_call>` for it.",
    "It says “<tool_call>”.",
    "The answer is [see(the=1)].",
    '{"name": "package", "parameters": 1}',
    "<p>Done.</p>",
    "Action: none was needed.",
    "```js\nsay({name: 1})\n```",
  ])
    assert.equal([text, read(text)], [text, []]);
});

test("quotedForm names the form of a call in code, in a comment and in a quotation, and of no other", () => {
  for (const name of ["Hermes", "ReAct", "Mistral", "harmony"]) {
    const text = { ...forms, ...unread }[name] ?? "";
    const quoted = [
      `\`\`\`\n${text}\n\`\`\``,
      `So:\n\n    ${text.replaceAll("\n", "\n    ")}`,
      `<!--\n${text}\n-->`,
      `> ${text.replaceAll("\n", "\n> ")}`,
    ];
    for (const one of quoted) assert.is(quotedForm(one) === undefined, false, one);
    assert.is(quotedForm(text), undefined);
  }
  assert.is(quotedForm("Use `git log`, or:\n\n    git show"), undefined);
});

test("callsInForms refuses by the name of the form what it does not run", () => {
  const rows: readonly (readonly [text: string, why: string])[] = [
    [
      '<tool_call>{"name":"say"',
      "the call in the form `<tool_call>` cannot be read: the JSON ends here, before the closing `}` (line 1, column 25)",
    ],
    ["<tool_call>say\n<arg_key>text</arg_key></tool_call>", "`<tool_call>` is not how a call begins here"],
    [
      "<\uff5ctool\u2581calls\u2581begin\uff5c>",
      "`<\uff5ctool\u2581calls\u2581begin\uff5c>` is not how a call begins here",
    ],
    [unread["ReAct"] ?? "", "calls in the form `Action: …, Action Input: …` are not read"],
    [unread["DSML"] ?? "", `\`<${DSML}function_calls>\` is not how a call begins here`],
    [unread["Qwen"] ?? "", "`<tool_call>` is not how a call begins here"],
    [unread["Cline"] ?? "", "calls in the form `<name><parameter>…` are not read"],
    [unread["Anthropic"] ?? "", "`<function_calls>` is not how a call begins here"],
    [
      `I will not run ${forms["Hermes"]}`,
      "the call in the form `<tool_call>` cannot be read: it begins in the middle of a line, where it may be an example",
    ],
    [
      'I say it: {"name":"say","arguments":{"text":"a"}}',
      "the call is JSON without a form that says that it is a call",
    ],
    [
      'So:\n```json\n{"name":"say","arguments":{"text":"a"}}\n```',
      "the call is in a code block, where it may be an example",
    ],
    [
      '```xml\n<tool>{"tool_name":"say","arguments":{}}</tool>\n```',
      "the call is in a code block, where it may be an example",
    ],
    ["[say(text='a')]", "calls in the form `[name(…)]` are not read"],
    ["```tool_code\nsay(text='a')\n```", "calls in the form `tool_code` are not read"],
  ];
  for (const [text, why] of rows)
    assert.equal(
      [
        text,
        callsInForms({ ...parseTextCalls(text), quoted: 0 }, { isTool, instead: "call it otherwise" })?.calls.map(
          (call) => call.kind === "faulty" && call.problem,
        ),
      ],
      [text, [`${why}, so nothing of it was run; call it otherwise`]],
    );
});

test("without names of tools, callsInForms refuses Python as well, and leaves elements alone", () => {
  const kinds = (text: string): unknown => callsInForms(parseTextCalls(text))?.calls.map(({ kind }) => kind);
  assert.equal([kinds("[say(text='a')]"), kinds("<p>a</p>")], [["faulty"], undefined]);
});

test("no value of a call becomes a call, whatever tags are in it", () => {
  const PIECES = [
    "</parameter>",
    "<parameter=text>",
    "</function>",
    "<function=say>",
    "</tool_call>",
    "<tool_call>",
    '<parameter name="text">',
    "</invoke>",
    '<invoke name="say">',
    "</function_calls>",
    "<function_calls>",
    "</write>",
    "<say>",
    "</say>",
    "\n",
    "x",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), (pieces) => {
      const value = pieces.join("");
      for (const text of [
        `<function=write>\n<parameter=text>\n${value}\n</parameter>\n</function>`,
        `<function_calls><invoke name="write"><parameter name="text">${value}</parameter></invoke></function_calls>`,
        `<write><text>${value}</text></write>`,
      ])
        for (const call of read(text))
          assert.is(Array.isArray(call) && call[0] !== "write", false, JSON.stringify([text, call]));
    }),
    { numRuns: 2_000 },
  );
});

test.run();
