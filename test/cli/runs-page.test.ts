// `dottool runs --ui`: who may read the page and the runs, and the page in a real browser.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { nameless, withBrowser, withPage } from "./page-fixture.ts";
import { childOf, isAlive, startSlow, STATE, whenThere, withRuns } from "./runs-fixture.ts";

const all = suite("cli runs page");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

test("the runs are for those with the token, on this machine, from the page itself", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "<b>bold</b>");
    await withPage(bench, async ({ origin, token }) => {
      const status = async (path: string, headers: Readonly<Record<string, string>>, method = "GET"): Promise<number> =>
        (await fetch(`${origin}${path}`, { method, headers })).status;
      const authorization = `Bearer ${token}`;
      assert.equal(
        [
          await status("/runs", {}),
          await status("/runs", { authorization: `Bearer ${"0".repeat(32)}` }),
          await status("/runs", { authorization, origin: "https://example.org" }),
          await statusFor(origin, "example.org", authorization),
          await status(`/runs/${id}/resume`, { origin: "https://example.org" }, "POST"),
          await status(`/runs/${id}/resume`, {}, "POST"),
          await status(`/runs/${id}/resume`, { authorization }, "POST"),
          await status(`/runs/${id}/cancel`, {}, "POST"),
          await status("/runs", { authorization }),
          await status("/runs/..%2f..%2fx", { authorization }),
          await status(`/runs/${id}/output?from=-1`, { authorization }),
          await status("/", {}),
        ],
        // The last of the resumes is refused because the run goes on.
        [401, 401, 403, 403, 403, 401, 409, 401, 200, 404, 400, 200],
      );
      const page = await fetch(origin);
      assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'sha256-/);
      const text = await page.text();
      assert.equal(text.match(/https?:/g), null);
      assert.not.match(text, new RegExp(token));
      const output = await fetch(`${origin}/runs/${id}/output?from=6`, { headers: { authorization } });
      assert.is(await output.text(), "<b>bold</b>\n");
      assert.is(await status(`/runs/${id}/cancel`, { authorization }, "POST"), 200);
      assert.is((await bench.run(["runs", "wait", id])).exitCode, 130);
      // The run of a call that was not detached has no output.
      rmSync(join(bench.folder, STATE, "runs", id, "stdout"));
      assert.is(await status(`/runs/${id}/output`, { authorization }), 200);
    });
  }));

/** The status of a request that names another host, as a website does whose name leads to this machine. */
function statusFor(origin: string, host: string, authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${origin}/runs`, { headers: { host, authorization } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

const DEPLOY = `Deploys.

@name deploy
@title Deploy
@param env {string} [required] Where
@step build sh [output=stream]
    echo "<b>build</b> of {env}"
@step check sh [parallel]
    true
@step lint sh [parallel]
    true
@step ship sh [output=stream]
    echo shipping; test -e shipped || { sleep 1000 & echo $! > child; wait; }
@step tell sh
    true
`;

/** The states of the drawn steps, by their names. */
const DRAWN = `Object.fromEntries([...document.querySelectorAll("#graph button")].map((box) => [box.querySelector("b").textContent, box.dataset.state]))`;

if (isLong && !("Deno" in globalThis))
  test("a browser shows the runs, their steps as a graph and their output, in light and dark, and takes keys", async () => {
    using bench = testProject({ ".tools/deploy.tool": DEPLOY });
    try {
      for (const env of ["staging", "production"]) await bench.run(["--detach", "deploy", env]);
      await whenThere(join(bench.folder, "child"), (text) => text.endsWith("\n"));
      await withPage(bench, (page) =>
        withBrowser(page, async ({ browser, picture }) => {
          const { evaluate, until, press } = browser;
          await until(`document.querySelector("#stdout").textContent.includes("shipping")`);
          assert.equal(
            await evaluate(
              `[document.querySelector("#call").textContent, location.hash, document.querySelector("#stdout b")]`,
            ),
            ["dottool deploy --env production", "", null],
          );
          assert.equal(await evaluate(DRAWN), {
            build: "done",
            check: "done",
            lint: "done",
            ship: "running",
            tell: "waiting",
          });
          // A row for each depth, and an arrow for each step that is waited for.
          assert.equal(
            await evaluate(
              `[[...document.querySelectorAll("#graph ul")].map((row) => row.children.length), document.querySelectorAll("#graph path").length]`,
            ),
            [[3, 1, 1], 4],
          );
          await picture("light");
          assert.equal(await nameless(browser), []);
          // The keyboard alone: to the first run, to the second, to its button.
          await evaluate(`document.querySelector("#list a").focus()`);
          await press("ArrowDown");
          await until(`document.querySelector("#call").textContent === "dottool deploy --env staging"`);
          await until(`document.activeElement.getAttribute("aria-current") === "true"`);
          await press("Tab");
          assert.is(await evaluate("document.activeElement.id"), "cancel");
          await press("Enter");
          const state = `document.querySelector("#list li:last-child [data-state]").textContent`;
          await until(`${state} === "cancelled"`);
          // It goes on where it ended: the steps that had ended do not run again.
          writeFileSync(join(bench.folder, "shipped"), "");
          await until(`!document.querySelector("#resume").hidden`);
          await picture("cancelled");
          await evaluate(`document.querySelector("#resume").focus()`);
          await press("Enter");
          await until(`${state} === "done"`);
          await until(`document.querySelector("#stdout").textContent.split("shipping").length === 3`);
          assert.is(await evaluate(`document.querySelector("#stdout").textContent.split("</b>").length`), 2);
          // A step is chosen with the keys, and says what it is.
          await evaluate(`document.querySelector("#graph button").focus()`);
          for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) await press(key);
          await until(`document.querySelector("#step-facts").textContent.startsWith("stepship")`);
          assert.match(
            String(await evaluate(`document.activeElement.getAttribute("aria-label")`)),
            /^ship: done, \d+\.\d s, after build, check, lint$/,
          );
          const ground = `getComputedStyle(document.body).backgroundColor`;
          assert.is(await evaluate(ground), "rgb(255, 255, 255)");
          await browser.send("Emulation.setEmulatedMedia", {
            features: [{ name: "prefers-color-scheme", value: "dark" }],
          });
          assert.is(await evaluate(ground), "rgb(22, 24, 28)");
          await picture("dark");
          for (const [name, width] of [
            ["wide", 1400],
            ["narrow", 380],
          ] as const) {
            const size = { width, height: 760, deviceScaleFactor: 1, mobile: width < 600 };
            await browser.send("Emulation.setDeviceMetricsOverride", size);
            await picture(name);
            assert.ok(await evaluate(`document.documentElement.scrollWidth <= ${width}`));
          }
          await evaluate(`location.hash = "#tools/deploy"`);
          await until(`!document.querySelector("#tool").hidden`);
          await picture("narrow-tool");
        }),
      );
    } finally {
      await bench.run(["runs", "cancel", "last"]);
      if (existsSync(join(bench.folder, "child"))) assert.not.ok(isAlive(childOf(bench)));
    }
  });

const FAILING = `Deploys.

@name deploy
@title Deploy
@step build sh
    echo built; echo '── ship'
@step watch sh [parallel]
    echo watching; touch begun; until test -e go; do sleep 0.02; done; echo watched
@step ship sh
    seq 1 200; echo "<b>why</b>" >&2; exit 3
`;

if (isLong && !("Deno" in globalThis))
  test("a click on a step shows what it writes, and a failed step is chosen by itself", async () => {
    using bench = testProject({ ".tools/deploy.tool": FAILING });
    await bench.run(["--detach", "deploy"]);
    await whenThere(join(bench.folder, "begun"));
    await withPage(bench, (page) =>
      withBrowser(page, async ({ browser, picture }) => {
        const { evaluate, until } = browser;
        const output = `document.querySelector("#step-output").textContent`;
        const click = (name: string): Promise<unknown> =>
          evaluate(
            `[...document.querySelectorAll("#graph button")].find((box) => box.querySelector("b").textContent === "${name}").click()`,
          );
        await until(`document.querySelectorAll("#graph button").length === 3`);
        assert.is(await evaluate(`document.querySelector("#step").hidden`), true);
        await click("build");
        await until(`${output} === "built\\n── ship\\n"`);
        await click("watch");
        await until(`${output} === "watching\\n"`);
        await picture("running-step");
        await click("watch");
        writeFileSync(join(bench.folder, "go"), "");
        await until(`${output}.endsWith("200\\n<b>why</b>\\n")`);
        assert.equal(
          await evaluate(
            `[document.querySelector("#graph [aria-pressed=true] b").textContent, document.querySelector("#step-output b")]`,
          ),
          ["ship", null],
        );
        // Its end is in sight.
        assert.ok(
          await evaluate(
            `(({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight >= scrollHeight - 4)(document.querySelector("#step-output"))`,
          ),
        );
        await picture("failed-step");
        assert.equal(await nameless(browser), []);
        await click("watch");
        await until(`${output} === "watching\\nwatched\\n"`);
      }),
    );
  });

all.run();
