// Sessions of MCP clients through the launcher and the resident process: each is answered as the executable answers it,
// and none has anything of another one.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { trustFoldersBelow } from "../trust-folders.ts";
import { processesWith } from "./packaged-program.ts";
import { type Place, until, withResident } from "./resident-program.ts";

const test = suite("resident sessions");

type Message = Readonly<Record<string, unknown>>;

const clientInfo = { name: "test", version: "1" };
const LAUNCHER_KB_MAX = 2_000;

class Client {
  readonly process: ChildProcess;
  /** Everything that the server has sent. */
  readonly heard: Message[] = [];
  errors = "";
  #text = "";
  #id = 0;
  /** Answers requests of the server. */
  answer: (request: Message) => unknown = () => ({});

  constructor(
    place: Place,
    file: string,
    options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
  ) {
    this.process = spawn(file, ["mcp"], {
      cwd: options.cwd ?? place.project,
      env: { ...place.environment, ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.process.stdin?.on("error", () => undefined);
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => void (this.errors += text));
    this.process.stdout?.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
  }

  #hear(text: string): void {
    const lines = (this.#text + text).split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      this.heard.push(message);
      if ("method" in message && "id" in message) this.say({ id: message["id"], result: this.answer(message) });
    }
  }

  say(message: Message): void {
    this.process.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Returns the answer without its id. */
  async ask(method: string, params: Message = {}): Promise<unknown> {
    const id = ++this.#id;
    this.say({ id, method, params });
    const isAnswer = (message: Message): boolean => message["id"] === id && !("method" in message);
    await until(() => this.heard.some(isAnswer) || this.process.exitCode !== null);
    const { result, error } = this.heard.find(isAnswer) ?? {};
    return result ?? error;
  }

  async begin(capabilities: Message = {}): Promise<unknown> {
    const answer = await this.ask("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo });
    this.say({ method: "notifications/initialized" });
    return answer;
  }

  async call(name: string, args: Message = {}): Promise<unknown> {
    const { content } = (await this.ask("tools/call", { name, arguments: args })) as {
      readonly content: readonly { readonly text?: string }[];
    };
    return content.map(({ text }) => text).join("");
  }

  /** What the session's process is now. */
  get words(): readonly string[] {
    return readFileSync(`/proc/${this.process.pid}/cmdline`, "utf8").split("\0");
  }

  get isLaunched(): boolean {
    return !this.words.includes("__handed-over");
  }

  get residentKb(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, "utf8"))?.[1]);
  }

  /** Returns the exit code. */
  async end(): Promise<number | null> {
    this.process.stdin?.end();
    await until(() => this.process.exitCode !== null || this.process.signalCode !== null);
    return this.process.exitCode;
  }
}

const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "ping"];

test("a session gets the answers of the executable, before and after the executable goes on with it", () =>
  withResident(async (place) => {
    const talk = async (file: string): Promise<unknown> => {
      const client = new Client(place, file);
      const said: unknown[] = [await client.begin()];
      for (const method of lists) said.push(await client.ask(method));
      if (file === place.launcher) assert.ok(client.isLaunched && client.residentKb < LAUNCHER_KB_MAX);
      said.push(
        await client.call("says", { word: "früh" }),
        await client.ask("no/such"),
        await client.ask("tools/list"),
      );
      said.push(await client.ask("prompts/get", { name: "none" }), await client.call("counts"));
      if (file === place.launcher) assert.not.ok(client.isLaunched);
      said.push(client.errors, await client.end());
      return JSON.parse(JSON.stringify(said).replaceAll(/[0-9a-f]{32}/g, ""));
    };
    assert.equal(await talk(place.launcher), await talk(place.executable));
  }));

test("a client of revision 2026-07-28 is answered in the same way", () =>
  withResident(async (place) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": clientInfo,
    };
    const talk = async (file: string): Promise<unknown> => {
      const client = new Client(place, file);
      const said = [
        await client.ask("server/discover", { _meta: meta }),
        await client.ask("tools/list", { _meta: meta }),
      ];
      said.push(await client.ask("tools/call", { name: "says", arguments: { word: "x" }, _meta: meta }));
      return [said, await client.end()];
    };
    assert.equal(await talk(place.launcher), await talk(place.executable));
  }));

test("input that ends at once is answered, and odd input as the executable answers it", () =>
  withResident((place) => {
    const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n`;
    const list = `{"jsonrpc":"2.0","id":2,"method":"ping"}`;
    const call = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"says","arguments":{"word":"${"ü".repeat(150_000)}"}}}\n`;
    const texts = [
      "",
      begin,
      begin + list,
      `${begin + list}\n${call}`,
      `${begin}not json\n${list}\n`,
      `\n\n${begin}[${list}]\n`,
      `${begin}{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":7}}\n`,
    ];
    for (const text of texts) {
      const [own, real] = [place.launcher, place.executable].map((file) => {
        const { status, stdout, stderr } = spawnSync(file, ["mcp"], {
          cwd: place.project,
          env: place.environment,
          input: text,
          encoding: "utf8",
          timeout: HANG_MS_MAX,
        });
        // The executable tells of a line that is no message before it answers those before.
        return [status, stdout.split("\n").sort(), stderr];
      });
      assert.equal(own, real);
    }
  }));

test("ten sessions at once have their own folders, variables, tools, approvals and roots", () =>
  withResident(async (place) => {
    const { root, environment } = place;
    const numbers = Array.from({ length: 10 }, (_item, index) => index);
    for (const number of numbers) {
      const folder = join(root, `folder-${number}`);
      mkdirSync(join(folder, ".tools"), { recursive: true });
      writeFileSync(
        join(folder, ".tools/own.tool"),
        `Own ${number}.\n\n@title Own\n@name own_${number}\n@wrapped run_command\n@shell sh\n@command pwd; echo $OWN_SETTING\n@env-inherit yes\n@confirm Really ${number}?\n@tags read\n`,
      );
    }
    trustFoldersBelow(root, join(environment["HOME"] ?? "", ".local/state/dottool"));
    const clients = numbers.map(
      (number) =>
        new Client(place, place.launcher, {
          cwd: join(root, `folder-${number}`),
          env: { OWN_SETTING: `setting-of-${number}`, LANG: `own-${number}` },
        }),
    );
    const asked = new Map<number, string[]>();
    await Promise.all(
      clients.map(async (client, number) => {
        client.answer = ({ params }) => {
          asked.set(number, [...(asked.get(number) ?? []), (params as { readonly message: string }).message]);
          return number % 2 === 0 ? { action: "accept", content: { decision: "once" } } : { action: "decline" };
        };
        await client.begin({ elicitation: {}, roots: {} });
        const { tools } = (await client.ask("tools/list")) as { readonly tools: readonly { readonly name: string }[] };
        assert.equal(
          tools.map(({ name }) => name),
          [`own_${number}`],
        );
      }),
    );
    // One whose answer takes two seconds, on a busy machine, is the executable's by now.
    const launched = clients.filter((client) => client.isLaunched);
    assert.ok(launched.length > 0 && launched.every((client) => client.residentKb < LAUNCHER_KB_MAX));
    const environmentOf = readFileSync(`/proc/${place.status().pid}/environ`, "utf8");
    assert.not.ok(environmentOf.includes("setting-of-"));
    const results = await Promise.all(clients.map((client, number) => client.call(`own_${number}`)));
    for (const number of numbers) {
      assert.is(asked.get(number)?.length, 1);
      assert.ok(asked.get(number)?.[0]?.includes(`Really ${number}?`));
      const text = String(results[number]);
      assert.is(text.includes(`folder-${number}\n`), number % 2 === 0, `${number}: ${text}`);
      for (const other of numbers)
        assert.is(text.includes(`setting-of-${other}`), other === number && number % 2 === 0, text);
    }
    assert.equal(
      await Promise.all(clients.map((client) => client.end())),
      numbers.map(() => 0),
    );
  }));

test("a session survives the resident process that is killed, and one that is stopped, and one that ends", () =>
  withResident(async (place) => {
    const cases: readonly ((pid: number) => void)[] = [
      (pid) => process.kill(pid, "SIGSTOP"),
      (pid) => process.kill(pid, "SIGKILL"),
      () => void place.run(place.executable, ["resident", "stop"]),
    ];
    for (const stop of cases) {
      place.run(place.executable, ["resident", "start"]);
      const { pid } = place.status();
      const client = new Client(place, place.launcher);
      await client.begin();
      assert.ok(client.isLaunched);
      stop(pid);
      assert.ok(JSON.stringify(await client.ask("tools/list")).includes('"name":"says"'));
      assert.is(await client.call("says", { word: "still" }), "still\n");
      assert.not.ok(client.isLaunched);
      assert.is(await client.end(), 0);
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }));

test("clients that hang up leave nothing behind, and the resident process ends when its time has come", () =>
  withResident(async (place) => {
    const clients = Array.from({ length: 5 }, () => new Client(place, place.launcher));
    await Promise.all(clients.map((client) => client.begin()));
    const { pid } = place.status();
    for (const [index, client] of clients.entries()) {
      if (index === 0) client.process.kill("SIGKILL");
      else if (index === 1) client.process.kill("SIGTERM");
      else if (index === 2) client.process.stdout?.destroy();
      else client.process.stdin?.destroy();
    }
    clients[2]?.say({ id: 7, method: "tools/list" });
    await until(() =>
      clients.every(({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode !== null),
    );
    assert.equal(
      clients.map(({ process: { exitCode, signalCode } }) => exitCode ?? signalCode),
      ["SIGKILL", 0, 0, 0, 0],
    );
    await until(() => (place.status() as unknown as { readonly running: number }).running === 0);
    assert.is(place.status().pid, pid);
    assert.is(processesWith(place.launcher).length, 0);
  }));

test("sessions hear of changes, and one that begins later sees the rules of its time", () =>
  withResident(async (place) => {
    const first = new Client(place, place.launcher);
    await first.begin();
    const before = (await first.ask("tools/list")) as { readonly tools: readonly { readonly name: string }[] };
    // The code that tells of changes is loaded once nobody asks for a while.
    await first.ask("ping");
    rmSync(join(place.project, ".tools/endless.tool"));
    trustFoldersBelow(place.project, join(place.environment["HOME"] ?? "", ".local/state/dottool"));
    await until(() => first.heard.some(({ method }) => method === "notifications/tools/list_changed"));
    assert.ok(first.isLaunched);
    const names = async (client: Client): Promise<readonly string[]> =>
      ((await client.ask("tools/list")) as typeof before).tools.map(({ name }) => name);
    const rest = before.tools.map(({ name }) => name).filter((name) => name !== "endless");
    assert.equal(await names(first), rest);
    const config = join(place.environment["HOME"] ?? "", ".config/dottool");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.yaml"), "policy:\n  - {decision: deny, tool: says}\n");
    chmodSync(join(config, "config.yaml"), 0o600);
    const second = new Client(place, place.launcher);
    await second.begin();
    const real = new Client(place, place.executable);
    await real.begin();
    assert.equal(await names(second), await names(real));
    assert.not.ok((await names(second)).includes("says"));
    for (const client of [first, second, real]) assert.is(await client.end(), 0);
  }));

test("a tool of a plugin makes the executable serve the session from its start", () =>
  withResident(async (place) => {
    mkdirSync(join(place.project, ".tools/plugins"));
    writeFileSync(
      join(place.project, ".tools/plugins/own.ts"),
      `import { definePlugin, defineTool } from "dottool";
export default definePlugin({ name: "own", tools: [defineTool({ name: "own_tool", description: "Own.", parameters: {}, effects: ["read"], run: async () => "from a plugin" })] });
`,
    );
    trustFoldersBelow(place.project, join(place.environment["HOME"] ?? "", ".local/state/dottool"));
    const client = new Client(place, place.launcher);
    await client.begin();
    assert.is(await client.call("own_tool"), "from a plugin");
    assert.is(await client.end(), 0);
    assert.is(place.status().ordinaryWay, 1);
  }));

test.run();
