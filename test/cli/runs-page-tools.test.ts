// Tools on the page of `dottool runs --ui`: their forms, what is wrong at its field, and what the person is asked.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { nameless, type Page, withBrowser, withPage } from "./page-fixture.ts";

const all = suite("cli runs page tools");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

const FORM = `Notes what it is given. <b>Not bold.</b>

@name note
@title Note
@type Place {object} A place
@property Place.street {string} The street
@property Place.number {integer} [optional] The number
@param text {string} [required] What to note
@param kind {"idea"|"task"} [default=idea] Its kind
@param count {integer} [min=1, max=9, default=2] How often
@param loud {boolean} Whether it is loud
@param sure {boolean} [default=true] Whether it is sure
@param names {array<string>} Who should know
@param place {Place} Where
@param file {path} A file to look at
@param token {string} [secret] A token
@wrapped run_command
@shell sh
@command printf '%s|' {text} {kind} {count} {loud} {sure} {names} {file} > noted; echo {place} >> noted; test {token} = right && echo well
`;

const CONFIRMED = `Ships.

@name ship
@title Ship
@param where {string} [required] Where
@confirm Ship it?
@wrapped run_command
@shell sh
@command echo {where} >> shipped
`;

async function withTools(
  body: (bench: TestProject, page: Page) => Promise<void>,
  isAtTerminal: boolean,
): Promise<void> {
  using bench = testProject({ ".tools/note.tool": FORM, ".tools/ship.tool": CONFIRMED });
  bench.trust();
  await withPage(bench, (page) => body(bench, page), { isAtTerminal });
}

test("a form has the schema of its tool, and a start is checked as a call is", () =>
  withTools(async (bench, { ask }) => {
    const { status, body } = await ask("/tools/note");
    assert.equal([status, body["name"], body["paths"]], [200, "note", ["file"]]);
    assert.equal(await ask("/tools/note", { arguments: { text: 1, count: 12, place: { number: 1 } } }), {
      status: 400,
      body: {
        message: "some values are not accepted",
        issues: [
          { path: "text", message: "expected string, got the number 1" },
          { path: "count", message: "expected at most 9, got 12" },
          { path: "place.street", message: "expected string, got nothing" },
        ],
      },
    });
    const started = await ask("/tools/note", { arguments: { text: "a", token: "right" } });
    assert.is(started.status, 200);
    const id = String(started.body["id"]);
    assert.is((await bench.run(["runs", "wait", id])).exitCode, 0);
    assert.is((await bench.run(["runs", "follow", id])).stdout, "well\n");
    const stored = readFileSync(join(bench.folder, "home/.local/state/dottool/runs", id, "run.json"), "utf8");
    assert.not.match(stored, /"right"/);
  }, false));

interface Asked {
  readonly id: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly mayLast: boolean;
}

const shipped = (bench: TestProject): string =>
  existsSync(join(bench.folder, "shipped")) ? readFileSync(join(bench.folder, "shipped"), "utf8") : "";

test("what the terminal would ask is asked, and an answer counts once, for the call that was shown", () =>
  withTools(async (bench, { ask }) => {
    const call = { arguments: { where: "home\u202e" } };
    const first = await ask("/tools/ship", call);
    const question = first.body["question"] as Asked;
    assert.equal([first.status, question.mayLast], [409, false]);
    assert.equal(question.facts.find(([name]) => name === "rule")?.[1], "the author of `ship`: Ship it?");
    // What cannot be seen is spelled out.
    assert.match(JSON.stringify(question.facts), /home.{1,3}u202e/);
    const answer = { id: question.id, approval: "once" };
    // Of another call, made up, and used up.
    assert.is((await ask("/tools/ship", { arguments: { where: "away" }, answer })).status, 409);
    assert.is((await ask("/tools/ship", { ...call, answer })).status, 409);
    assert.is((await ask("/tools/ship", { ...call, answer: { id: "0".repeat(32), approval: "once" } })).status, 409);
    assert.is(shipped(bench), "");
    const again = (await ask("/tools/ship", call)).body["question"] as Asked;
    const started = await ask("/tools/ship", { ...call, answer: { id: again.id, approval: "once" } });
    assert.is(started.status, 200);
    assert.is((await bench.run(["runs", "wait", String(started.body["id"])])).exitCode, 0);
    assert.is(shipped(bench), "home\u202e\n");
  }, true));

test("without a terminal nobody can be asked, so nothing starts that would be asked about", () =>
  withTools(async (bench, { ask }) => {
    const { status, body } = await ask("/tools/ship", { arguments: { where: "home" } });
    assert.equal([status, "question" in body], [409, false]);
    assert.match(String(body["message"]), /start `dottool runs --ui` at a terminal to be asked on this page$/);
    assert.is(shipped(bench), "");
  }, false));

test("what does not exist, and bodies of another form, are refused", () =>
  withTools(async (_bench, { ask, origin }) => {
    const none = await ask("/tools/nota");
    assert.equal([none.status, String(none.body["message"]).includes("`note`")], [404, true]);
    assert.is((await ask("/tools/..%2f..%2fnote")).status, 404);
    assert.is((await ask("/tools/%ff")).status, 404);
    assert.is((await ask("/tools/note", { arguments: [] })).status, 400);
    assert.is((await ask("/tools/note", {})).status, 400);
    assert.is((await fetch(`${origin}/tools/note`, { method: "POST", body: "{}" })).status, 401);
    assert.is(
      (await ask("/tools/note", { arguments: { text: "x".repeat(1024 * 1024) } }).catch(() => ({ status: 413 })))
        .status,
      413,
    );
    assert.equal(((await ask("/files?folder=.tools/")).body as { names: unknown }).names, ["note.tool", "ship.tool"]);
    assert.equal(((await ask("/files?folder=none/")).body as { names: unknown }).names, []);
  }, false));

test("a run goes on from the page with its secrets, from a step, and with changes only when these are accepted", () =>
  withTools(async (bench, { ask }) => {
    const deploy = (last: string): string =>
      `Deploys.\n\n@name deploy\n@title Deploy\n@param token {string} [required, secret] A token\n@step a sh\n    echo a >> log\n@step b sh\n    ${last}\n`;
    bench.write(".tools/deploy.tool", deploy("echo b >> log; test {token} = no"));
    const id = (await bench.run(["--detach", "deploy", "--token", "f00dcafe77"])).stdout.trim();
    await bench.run(["runs", "wait", id]);
    const resume = (sent: object): ReturnType<typeof ask> => ask(`/runs/${id}/resume`, sent);
    const secrets = { token: "f00dcafe77" };
    const bare = await resume({});
    assert.equal([bare.status, bare.body["isChanged"]], [409, false]);
    assert.match(String(bare.body["message"]), /secrets are not stored: `token`/);
    bench.write(".tools/deploy.tool", deploy("echo {token} > used"));
    bench.trust();
    const changed = await resume({ secrets });
    assert.equal([changed.status, changed.body["isChanged"]], [409, true]);
    assert.match(String(changed.body["message"]), /`deploy` has changed since the run began/);
    assert.is((await resume({ secrets, accepts: true, from: "c" })).status, 409);
    assert.is((await resume({ secrets, accepts: true, from: "a" })).status, 200);
    assert.is((await bench.run(["runs", "wait", id])).exitCode, 0);
    const read = (name: string): string => readFileSync(join(bench.folder, name), "utf8");
    assert.equal([read("log"), read("used")], ["a\nb\na\n", "f00dcafe77\n"]);
  }, false));

if (isLong && !("Deno" in globalThis))
  test("a browser shows a form, its faults at their fields, and asks the person; the keyboard is enough", () =>
    withTools(async (bench, page) => {
      writeFileSync(join(bench.folder, "a file.txt"), "");
      await withBrowser(page, async ({ browser, picture }) => {
        const { evaluate, until, press } = browser;
        const type = (id: string, text: string): Promise<unknown> =>
          evaluate(`document.getElementById("field-${id}").focus()`).then(() =>
            browser.send("Input.insertText", { text }),
          );
        const issue = (id: string): Promise<unknown> =>
          evaluate(`document.getElementById("field-${id}-issue").textContent`);
        await until(`!document.querySelector("#nothing").hidden`);
        await picture("no-runs");
        await evaluate(`document.querySelector('header a[href="#tools"]').click()`);
        await until(`document.querySelector("#list a")?.textContent.startsWith("note") === true`);
        await picture("tools");
        await evaluate(`document.querySelector("#filter").focus()`);
        await browser.send("Input.insertText", { text: "notes what" });
        await until(`document.querySelectorAll("#list a").length === 1`);
        await press("Tab");
        await press("Enter");
        await until(`!document.querySelector("#tool").hidden`);
        assert.is(await evaluate(`document.querySelector("#about b")`), null);
        assert.equal(
          await evaluate(
            `[...document.querySelectorAll("#fields .field")].map((field) => field.querySelector("label, legend").textContent.trim())`,
          ),
          ["text required", "kind", "count", "loud", "sure", "names", "place", "file", "token"],
        );
        await type("count", "twelve");
        await type("place", "{");
        await evaluate(`document.querySelector("#start").click()`);
        await until(`document.activeElement.id === "field-place"`);
        assert.match(String(await issue("place")), /^not JSON: /);
        await evaluate(`document.getElementById("field-place").value = '{"number": 3}'`);
        await evaluate(`document.querySelector("#start").click()`);
        await until(`document.activeElement.id === "field-text"`);
        assert.equal(
          [await issue("text"), await issue("count"), await issue("place")],
          [
            "This value is required.",
            'expected integer, got the string "twelve"',
            "place.street: expected string, got nothing",
          ],
        );
        assert.is(await evaluate(`document.activeElement.getAttribute("aria-invalid")`), "true");
        await picture("form-issues");
        await type("text", "<i>two\nlines</i>");
        await evaluate(`document.getElementById("field-count").value = "3"`);
        await evaluate(`document.getElementById("field-place").value = '{"street": "Elm"}'`);
        await evaluate(`document.getElementById("field-loud").value = "true"`);
        await evaluate(`document.getElementById("field-kind").value = '"task"'`);
        await evaluate(`document.getElementById("field-sure").focus()`);
        await press("Space");
        for (const name of ["Ann", "Bob"]) {
          await evaluate(`document.getElementById("field-names").click()`);
          await browser.send("Input.insertText", { text: name });
        }
        await type("file", "a");
        await until(`document.getElementById("field-file-files").options[1]?.value === "a file.txt"`);
        await evaluate(`document.getElementById("field-file").value = "a file.txt"`);
        await type("token", "right");
        await picture("form-filled");
        assert.equal(await nameless(browser), []);
        await evaluate(`document.getElementById("field-token").focus()`);
        await press("Enter");
        await until(`document.querySelector("#stdout").textContent === "well\\n"`);
        assert.is(
          readFileSync(join(bench.folder, "noted"), "utf8"),
          '<i>two\nlines</i>|task|3|true|false|Ann|Bob|a file.txt|{"street":"Elm"}\n',
        );
        // The same once more, with what was given: the secret is not stored.
        await evaluate(`document.querySelector("#again").click()`);
        await until(
          `!document.querySelector("#tool").hidden && document.getElementById("field-text").value === "<i>two\\nlines</i>"`,
        );
        assert.equal(
          await evaluate(
            `["names", "token"].map((name) => document.getElementById("field-" + name).parentElement.querySelectorAll("input")[0].value)`,
          ),
          ["Ann", ""],
        );
        await evaluate(`location.hash = "#tools/ship"`);
        await until(`document.getElementById("field-where") !== null`);
        await type("where", "<b>home</b>");
        await evaluate(`document.querySelector("#start").click()`);
        await until(`document.querySelector("#question").open`);
        assert.is(await evaluate(`document.activeElement.id`), "no");
        await picture("question");
        assert.equal(await nameless(browser), []);
        await press("Escape");
        await until(`!document.querySelector("#question").open`);
        await until(`document.querySelector("#trouble").textContent.startsWith("You said no")`);
        assert.is(shipped(bench), "");
        await evaluate(`document.querySelector("#start").click()`);
        await until(`document.querySelector("#question").open`);
        await press("Tab");
        assert.is(await evaluate(`document.activeElement.id`), "once");
        await press("Enter");
        await until(`document.querySelector("#call").textContent === "dottool ship --where '<b>home</b>'"`);
        await until(`document.querySelector("#facts [data-state]").textContent === "done"`);
        assert.is(shipped(bench), "<b>home</b>\n");
      });
    }, true));

all.run();
