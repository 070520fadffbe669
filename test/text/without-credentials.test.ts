// The filter of addresses.
import { hasCredentials, withoutCredentials } from "../../src/text/without-credentials.ts";
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
];

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
    "https://host/?api_key=$KEY",
    "https://host/?monkey=1&author=ana",
    "api_key=value without an address",
  ])
    assert.equal([text, hasCredentials(text), withoutCredentials(text)], [text, false, text]);
});

test.run();
