// The filter of addresses.
import fc from "fast-check";
import {
  hasCredentials,
  valueWithoutCredentials,
  withoutCredentials,
} from "../../src/core/text/without-credentials.ts";
import { assert, suite } from "../harness.ts";

const test = suite("without-credentials");

const rows: readonly (readonly [text: string, left: string])[] = [
  ["http://ana:secret@host.example/a", "http://host.example/a"],
  ["https://secret@host.example/a b", "https://host.example/a b"],
  ["redis://:secret@host:6379/1", "redis://host:6379/1"],
  ["`https://a:b@c/` and `https://d:e@f/`", "`https://c/` and `https://f/`"],
  ["https://a:b%40c@d/", "https://d/"],
  ["https://a:b@c@d/", "https://d/"],
  ["git+ssh://git@host/x.git#main", "git+ssh://git@host/x.git#main"],
  ["git+ssh://git:secret@host/x.git", "git+ssh://git@host/x.git"],
  ["https://host/?a=1&api_key=secret&b=2", "https://host/?a=1&api_key=•••&b=2"],
  ["https://host/?X-Amz-Signature=secret", "https://host/?X-Amz-Signature=•••"],
  ["https://host/#access_token=secret", "https://host/#access_token=•••"],
  ["https://host/?sig=secret", "https://host/?sig=•••"],
  ["http://ana:S$CRET1@127.0.0.1/x.tgz", "http://127.0.0.1/x.tgz"],
  ["see http://ana:S'CR{T<1@host/x", "see http://host/x"],
  ["https://ana:pre${TOKEN}@host/", "https://host/"],
  ["https://host/?pwd=secret", "https://host/?pwd=•••"],
  ["https://host/?token={abc&b=1", "https://host/?token=•••&b=1"],
  ["https://host/?token=a;b'c", "https://host/?token=•••"],
  ["'https://host/?token=secret'", "'https://host/?token=•••'"],
  ["https://host/?api%5Fkey=secret", "https://host/?api%5Fkey=•••"],
  ["ssh://ghp_S3CRET@host/x", "ssh://host/x"],
  ["ssh://TOKEN@host/x", "ssh://host/x"],
  ["amqps://u:p@h1,u2:p2@h2/x", "amqps://h1,h2/x"],
  ["mongodb://u:p@[::1]:27017,u2:1,p2@h2:1/x", "mongodb://[::1]:27017,h2:1/x"],
  ['https://ana:se"cret@host/', "https://host/"],
];

const LEGAL = [..."abzAZ019-._~!$&'()*+,;=%:{}<>|^[]"];
const password = fc
  .array(fc.constantFrom(...LEGAL, "S3CRET", "${A}", "%41"), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""))
  .filter((text) => !/^(?:\$\w+|\$?\{\w[\w.-]*\})$/.test(text));

test("withoutCredentials leaves nothing of a password, whatever it is made of", () => {
  fc.assert(
    fc.property(password, fc.constantFrom("https", "git+https", "amqps", "redis", "ftp"), (secret, scheme) => {
      for (const before of ["", "see ", '{"url":"'])
        assert.is(withoutCredentials(`${before}${scheme}://ana:${secret}@host/x`), `${before}${scheme}://host/x`);
      assert.is(withoutCredentials(`git+ssh://git:${secret}@host/x`), "git+ssh://git@host/x");
    }),
  );
});

test("withoutCredentials leaves nothing of a secret in a query, whatever it is made of", () => {
  const value = password.map((text) => `${text.replaceAll("&", "")}:S3CRET`);
  fc.assert(
    fc.property(value, (secret) => {
      assert.is(withoutCredentials(`see https://host/?token=${secret}&a=1`), "see https://host/?token=•••&a=1");
    }),
  );
});

test("withoutCredentials takes users, passwords and secrets of queries out of addresses", () => {
  assert.equal(
    rows.map(([text]) => [text, withoutCredentials(text)]),
    rows,
  );
});

test("withoutCredentials leaves other texts as they are", () => {
  for (const text of [
    "https://host/@team/words?page=2",
    "mail ana@host.example, see https://host/",
    "https://${USER}:${TOKEN}@host/",
    "https://host/?api_key={key}",
    "https://x-access-token:${TOKEN}@host/ and https://{user}@host/",
    "https://ana:{password}@host/",
    "ssh://ana@host/x",
    "https://host/?token=%7Bkey%7D",
    "https://host/?api_key=$KEY",
    "https://host/?monkey=1&author=ana",
    "api_key=value without an address",
  ])
    assert.equal([text, hasCredentials(text), withoutCredentials(text)], [text, false, text]);
});

test("valueWithoutCredentials takes them out of each text of a value, also of one that holds itself or is deep", () => {
  const own: unknown[] = ["https://ana:S3CRET@host/"];
  own.push(own, JSON.parse('{"__proto__": ["https://ana:S3CRET@host/"]}'));
  const left = valueWithoutCredentials(own);
  assert.is(left[0], "https://host/");
  assert.is(left[1], left);
  assert.equal(JSON.stringify(left[2]), '{"__proto__":["https://host/"]}');
  assert.is.not(
    JSON.stringify(
      valueWithoutCredentials(JSON.parse(`${"[".repeat(5_000)}"https://ana:S3CRET@host/"${"]".repeat(5_000)}`)),
    ).includes("S3CRET"),
    true,
  );
});

test.run();
