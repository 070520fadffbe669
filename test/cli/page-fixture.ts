// The server of `dottool runs --ui`, and the page in a real browser, for tests.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { assert } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import type { TestProject } from "../test-project.ts";
import { type Browser, openBrowser } from "./browser.ts";

export interface Page {
  readonly link: string;
  readonly origin: string;
  readonly token: string;
  /** Asks as the page does. */
  ask(path: string, body?: object): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
}

interface PageOptions {
  /** Whether the server is started at a terminal, so that a person can be asked. */
  readonly isAtTerminal?: boolean;
}

/** Starts the server, and ends it after the body. */
export async function withPage(
  bench: TestProject,
  body: (page: Page) => Promise<void>,
  { isAtTerminal = false }: PageOptions = {},
): Promise<void> {
  const { command, words, environment } = bench.program;
  const line = [command, ...words, "runs", "--ui"];
  const [file = "", ...rest] = isAtTerminal ? ["script", "-qec", commandLine(line), "/dev/null"] : line;
  const child = spawn(file, rest, {
    cwd: bench.folder,
    env: environment,
    stdio: [isAtTerminal ? "pipe" : "ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const link = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.on("error", reject).on("close", () => reject(new Error("the server has ended")));
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [found] = /http\S+\/#token=\w+(?=\r?\n)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const [origin = "", token = ""] = link.split("/#token=");
  const ask: Page["ask"] = async (path, sent) => {
    const answer = await fetch(`${origin}${path}`, {
      method: sent ? "POST" : "GET",
      headers: { authorization: `Bearer ${token}` },
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  try {
    await body({ link, origin, token, ask });
  } finally {
    // At a terminal, Ctrl-C.
    if (isAtTerminal) child.stdin?.write("\u0003");
    else child.kill("SIGTERM");
    // Deno reports a signalled process as ended by the signal, whatever its exit code.
    const exitCode = await ended;
    if (!isAtTerminal) assert.is("Deno" in globalThis ? 0 : exitCode, 0);
  }
}

/** Where the pictures of the page are left for those who want to look at them. */
const PICTURES = process.env["DOTTOOL_TESTS_PICTURES"];

export interface SeenPage {
  readonly browser: Browser;
  /** Takes a picture of the whole page. */
  picture(name: string): Promise<void>;
}

/** Roles of what a person can use, in the tree that a screen reader gets. */
const USED = new Set(["button", "link", "textbox", "searchbox", "checkbox", "combobox", "spinbutton", "dialog"]);

/** Returns the roles of what can be used, and has no name for a screen reader. */
export async function nameless({ send }: Browser): Promise<readonly string[]> {
  const { nodes } = (await send("Accessibility.getFullAXTree")) as unknown as {
    readonly nodes: readonly {
      readonly ignored: boolean;
      readonly role?: { readonly value: string };
      readonly name?: { readonly value: string };
    }[];
  };
  const used = nodes.filter(({ ignored, role }) => !ignored && USED.has(role?.value ?? ""));
  if (used.length === 0) throw new Error("the tree has nothing that can be used");
  return used.flatMap(({ role, name }) => ((name?.value ?? "").trim() === "" ? [role?.value ?? ""] : []));
}

/** Opens the page in a browser; it must load nothing from elsewhere, and complain of nothing. */
export async function withBrowser(
  { link, origin }: Pick<Page, "link" | "origin">,
  body: (seen: SeenPage) => Promise<void>,
): Promise<void> {
  const [chromium = ""] = needPrograms("chromium");
  const browser = await openBrowser(chromium, link);
  try {
    await body({
      browser,
      picture: async (name) => {
        const png = await browser.screenshot();
        if (PICTURES === undefined) return;
        mkdirSync(PICTURES, { recursive: true });
        writeFileSync(join(PICTURES, `${name}.png`), png);
      },
    });
    assert.equal(
      browser.addresses.filter((address) => !address.startsWith(origin)),
      [],
    );
    // The browser itself notes each answer that is a refusal, and how hosts of MCP Apps make their frames.
    assert.equal(
      browser.complaints.filter((text) => !/status of 4(?:00|09) |both allow-scripts and allow-same-origin/.test(text)),
      [],
    );
  } finally {
    await browser.close();
  }
}
