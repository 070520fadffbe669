// The layout. properties.test.ts tests with many texts that it is stable and keeps every meaning.
import { formatToolFile } from "../../src/core/language/syntax/format.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { assert, suite } from "../harness.ts";

const test = suite("formatToolFile");

function formatted(text: string): string {
  return formatToolFile(parseToolFile({ path: "t.tool", text }));
}

test("formatToolFile sets blanks, options and indents", () => {
  const text =
    "\ufeff\n  Words.  \r\n\tmore\r\n\r\n\r\n@name\t  x\r\n@param   a   {  array< string > }  [required  flags,reject=/a, b/]   Some   words\r\n\t\tgo on\r\n@tags read , write\r\n@with  a=b\r\n@env  A  =  b\r\n@requires rg>=13,jq\r\n@depends a,b@^1\r\n\r\n\r\n\r\n@script\r\n  one  \r\n\r\n\t  two\r\n@test   t  in .\r\n        with {}  \r\n        expect exit-code 0";
  assert.is(
    formatted(text),
    "Words.\n\tmore\n\n@name x\n@param a {array<string>} [required, flags, reject=/a, b/] Some   words\n    go on\n@tags read write\n@with a = b\n@env A=b\n@requires rg >=13, jq\n@depends a b@^1\n\n@script\n      one  \n\n    \t  two\n@test t  in .\n    with {}\n    expect exit-code 0\n",
  );
});

test("formatToolFile keeps order, groups and line breaks", () => {
  const text = "@tags read\n@name x\n\n@note one\n    two\n@wrapped y\n";
  assert.is(formatted(text), text);
});

test("formatToolFile lays out what it cannot read as text", () => {
  const text =
    "@name x\n@param  {string   a\n   more\n\n\nstray  text\n  more\n@param{x}   y\n  z\n@unknown   v\n@limit  x\n";
  assert.is(
    formatted(text),
    "@name x\n@param {string   a\n    more\n\nstray  text\nmore\n@param{x}   y\n    z\n@unknown v\n@limit x\n",
  );
});

test("formatToolFile joins the continuations of what takes a body", () => {
  assert.is(formatted("@command find .\n-name x\n      y"), "@command find . -name x\n    y\n");
});

test("formatToolFile leaves nothing of nothing", () => {
  assert.equal([formatted(""), formatted("\n \n"), formatted("Words")], ["", "", "Words\n"]);
});

test.run();
