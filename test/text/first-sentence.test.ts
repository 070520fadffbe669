import { firstSentence } from "../../src/core/text/first-sentence.ts";
import { assert, suite } from "../harness.ts";

const test = suite("firstSentence");

test("firstSentence ends where a new sentence can begin, and is cut where it is long", () => {
  const texts = [
    "Find files. More.",
    "Find e.g. files. Then more",
    "Version 1.2 of e.g. it. Élan",
    "No stop\nhere",
    "Really? Yes",
    "And so on... Or not. More",
    "Two.\n\nParagraphs.",
    "",
    `${"x".repeat(159)}😀`,
  ];
  assert.equal(texts.map(firstSentence), [
    "Find files",
    "Find e.g. files",
    "Version 1.2 of e.g. it",
    "No stop here",
    "Really",
    "And so on... Or not",
    "Two",
    "",
    `${"x".repeat(159)}…`,
  ]);
});

test.run();
