// `dottool runs --ui`: who may read the page and the runs, and the page in a real browser.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type ToolBench, toolBench } from "../tool-bench.ts";
import { openBrowser } from "./browser.ts";
import { childOf, isAlive, startSlow, STATE, whenThere, withRuns } from "./runs-bench.ts";

const all = suite("cli runs page");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

interface Page {
  readonly link: string;
  readonly origin: string;
  readonly token: string;
}

/** Starts the server, and ends it after the body. */
async function withPage(bench: ToolBench, body: (page: Page) => Promise<void>): Promise<void> {
  const { command, words, environment } = bench.program;
  const child = spawn(command, [...words, "runs", "--ui"], {
    cwd: bench.folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const link = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.on("error", reject).on("close", () => reject(new Error("the server has ended")));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.endsWith("\n")) resolve(said.trim());
    });
  });
  const [origin = "", token = ""] = link.split("/#token=");
  try {
    await body({ link, origin, token });
  } finally {
    child.kill("SIGTERM");
    // Deno reports a signalled process as ended by the signal, whatever its exit code.
    assert.is("Deno" in globalThis ? 0 : await ended, 0);
  }
}

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

/** Where the pictures of the page are left for those who want to look at them. */
const PICTURES = process.env["DOTTOOL_TESTS_PICTURES"];

if (isLong && !("Deno" in globalThis))
  test("a browser shows the runs, their steps and their output, in light and dark, and takes keys", async () => {
    const [chromium = ""] = needPrograms("chromium");
    const bench = toolBench({
      ".tools/deploy.tool": `Deploys.

@name deploy
@title Deploy
@param env {string} [required] Where
@step build sh [output=stream]
    echo "<b>build</b> of {env}"
@step check sh [parallel]
    true
@step ship sh [output=stream]
    echo shipping; test -e shipped || { sleep 1000 & echo $! > child; wait; }
@step tell sh
    true
`,
    });
    try {
      for (const env of ["staging", "production"]) await bench.run(["--detach", "deploy", env]);
      await whenThere(join(bench.folder, "child"), (text) => text.endsWith("\n"));
      await withPage(bench, async ({ link, origin }) => {
        const browser = await openBrowser(chromium, link);
        const picture = async (name: string): Promise<void> => {
          const png = await browser.screenshot();
          if (PICTURES === undefined) return;
          mkdirSync(PICTURES, { recursive: true });
          writeFileSync(join(PICTURES, `${name}.png`), png);
        };
        try {
          await browser.until(`document.querySelector("#stdout").textContent.includes("shipping")`);
          assert.equal(
            await browser.evaluate(
              `[document.querySelector("#call").textContent, location.hash, document.querySelector("#stdout b"), [...document.querySelectorAll("#steps li")].map((step) => step.children[1].textContent + " " + step.children[0].dataset.state)]`,
            ),
            ["dottool deploy --env production", "", null, ["build done", "check done", "ship running", "tell waiting"]],
          );
          await picture("light");
          // The keyboard alone: to the first run, to the second, to its button.
          await browser.press("Tab");
          await browser.press("ArrowDown");
          await browser.until(`document.querySelector("#call").textContent === "dottool deploy --env staging"`);
          await browser.until(`document.activeElement.getAttribute("aria-current") === "true"`);
          await browser.press("Tab");
          assert.is(await browser.evaluate("document.activeElement.id"), "cancel");
          await browser.press("Enter");
          const state = `document.querySelector("#runs li:last-child [data-state]").textContent`;
          await browser.until(`${state} === "cancelled"`);
          // It goes on where it ended: the steps that had ended do not run again.
          writeFileSync(join(bench.folder, "shipped"), "");
          await browser.until(`!document.querySelector("#resume").hidden`);
          await picture("cancelled");
          await browser.evaluate(`document.querySelector("#resume").focus()`);
          await browser.press("Enter");
          await browser.until(`${state} === "done"`);
          await browser.until(`document.querySelector("#stdout").textContent.split("shipping").length === 3`);
          assert.is(await browser.evaluate(`document.querySelector("#stdout").textContent.split("</b>").length`), 2);
          const ground = `getComputedStyle(document.body).backgroundColor`;
          assert.is(await browser.evaluate(ground), "rgb(255, 255, 255)");
          await browser.send("Emulation.setEmulatedMedia", {
            features: [{ name: "prefers-color-scheme", value: "dark" }],
          });
          assert.is(await browser.evaluate(ground), "rgb(22, 24, 28)");
          await picture("dark");
          await browser.send("Emulation.setDeviceMetricsOverride", {
            width: 380,
            height: 760,
            deviceScaleFactor: 1,
            mobile: true,
          });
          await picture("narrow");
          assert.ok(await browser.evaluate("document.documentElement.scrollWidth <= 380"));
          assert.equal(
            browser.addresses.filter((address) => !address.startsWith(origin)),
            [],
          );
          assert.equal(browser.complaints, []);
        } finally {
          await browser.close();
        }
      });
    } finally {
      await bench.run(["runs", "cancel", "last"]);
      if (existsSync(join(bench.folder, "child"))) assert.not.ok(isAlive(childOf(bench)));
      bench.remove();
    }
  });

all.run();
