import {
  beginConversation,
  type Conversation,
  CONVERSATIONS_MAX,
  lastConversationIn,
  type Opened,
  resumeConversation,
} from "../../src/features/agent/conversation.ts";
import type { Entry } from "../../src/features/agent/entry.ts";
import type { Failure } from "../../src/core/tool/failure.ts";
import { assert, suite } from "../harness.ts";
import { type MemoryHost, memoryHost } from "../memory-host.ts";

const test = suite("agent/conversation");

const FOLDER = "/home/ana/.local/state/dottool/agents";
const savedForm = async (entry: Entry): Promise<Entry> =>
  entry.kind === "user" ? { ...entry, text: entry.text.replace("secret", "•••") } : entry;
const call = (id: string): Extract<Entry, { readonly kind: "reply" }>["parts"][number] => ({
  type: "call",
  id,
  name: "say",
  arguments: "{}",
});
const reply = (...ids: readonly string[]): Entry => ({
  kind: "reply",
  model: "api/m",
  stop: "done",
  parts: ids.map(call),
});
const result = (id: string): Entry => ({ kind: "result", id, name: "say", text: "a\n" });

function conversationOf(opened: Opened): Conversation {
  if ("failure" in opened) throw new Error(JSON.stringify(opened.failure));
  return opened.conversation;
}

function failureOf(opened: Opened): Failure | undefined {
  return "failure" in opened ? opened.failure : undefined;
}

async function begun(host: MemoryHost, entries: readonly Entry[] = []): Promise<Conversation> {
  const conversation = conversationOf(
    await beginConversation({ cwd: "/work", model: "api/m", only: ["say"], system: "Do it." }, { host, savedForm }),
  );
  for (const entry of entries) await conversation.add(entry);
  return conversation;
}

test("a conversation is one line an entry, without secrets, and only its owner's", async () => {
  const host = memoryHost();
  const conversation = await begun(host, [{ kind: "user", text: "a secret\nword" }, reply("1"), result("1")]);
  const path = `${FOLDER}/${conversation.id}.jsonl`;
  assert.match(conversation.id, /^20260101-000000-[0-9a-f]{4}$/);
  assert.is(
    host.texts()[path],
    `{"kind":"begin","version":1,"id":"${conversation.id}","at":"2026-01-01T00:00:00.000Z","cwd":"/work","model":"api/m","only":["say"],"system":"Do it."}
{"kind":"user","text":"a •••\\nword"}
{"kind":"reply","model":"api/m","stop":"done","parts":[{"type":"call","id":"1","name":"say","arguments":"{}"}]}
{"kind":"result","id":"1","name":"say","text":"a\\n"}
`,
  );
  assert.equal(
    [conversation.entries[1], host.instant.stat(path)?.mode],
    [{ kind: "user", text: "a secret\nword" }, 0o600],
  );
});

const INTERRUPTED =
  "failed[interrupted]: the program ended during this call, so it may have run completely, partly or not at all\n  = check what it has done before you call again\n";

test("a file that was cut anywhere is gone on with, and each call is answered once", async () => {
  const host = memoryHost();
  const { id, entries, close } = await begun(host, [
    { kind: "user", text: "Do it." },
    reply("1", "2"),
    result("1"),
    result("2"),
    reply("1"),
    result("1"),
    { kind: "end", how: "completed" },
  ]);
  close();
  const path = `${FOLDER}/${id}.jsonl`;
  const whole = host.texts()[path] ?? "";
  const firstLine = whole.indexOf("\n") + 1;
  for (let length = firstLine; length <= whole.length; length++) {
    await host.files.write(path, whole.slice(0, length), { mode: 0o600 });
    const conversation = conversationOf(await resumeConversation(id, { host, savedForm }));
    const kept = whole.slice(0, length).split("\n").length - 1;
    const added = conversation.entries.slice(kept);
    const answers = [[], [], ["1", "2"], ["2"], [], ["1"], [], []][kept - 1] ?? [];
    assert.equal(
      [conversation.entries.slice(0, kept), added],
      [
        entries.slice(0, kept),
        answers.map((one) => ({ kind: "result", id: one, name: "say", isFailed: true, text: INTERRUPTED })),
      ],
      String(length),
    );
    assert.equal(
      (host.texts()[path] ?? "")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
      conversation.entries,
    );
    conversation.close();
  }
});

test("a conversation that is broken, unknown or another process's is not gone on with", async () => {
  const host = memoryHost();
  const none = await resumeConversation("20260101-000000-0000", { host, savedForm });
  const conversation = await begun(host, [{ kind: "user", text: "Do it." }]);
  const { id } = conversation;
  const path = `${FOLDER}/${id}.jsonl`;
  const rejected = (reason: string, help: string): Failure => ({ kind: "rejected", reason, help: [help] });
  const missing = (reason: string, help: string): Failure => ({
    kind: "unavailable",
    tool: "agent",
    reasons: [reason],
    help: [help],
  });
  assert.equal(failureOf(none), missing("there is no conversation `20260101-000000-0000`", "none is stored yet"));
  assert.equal(
    failureOf(await resumeConversation("../config", { host, savedForm })),
    missing("there is no conversation `../config`", `the last one is \`${id}\`; all are in \`${FOLDER}\``),
  );
  assert.equal(
    failureOf(await resumeConversation(id, { host, savedForm })),
    rejected(`another process is using the conversation \`${id}\``, "wait until it ends"),
  );
  conversation.close();
  const text = host.texts()[path] ?? "";
  const help = "fix that line, or start another conversation";
  for (const [broken, problem] of [
    ["{}\n", "line 1"],
    [`${text}{"kind":"reply","model":"m"}\n`, "line 3"],
    [`${text}${text}`, "line 3"],
    [`${text}\n`, "line 3"],
    [`${text}{"kind":"user"\n`, "line 3"],
  ] as const) {
    await host.files.write(path, broken);
    assert.equal(
      failureOf(await resumeConversation(id, { host, savedForm })),
      rejected(`\`${path}\` has a ${problem} that is not an entry of a conversation`, help),
    );
  }
  const lines = (...entries: readonly Entry[]): string =>
    text + entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  for (const [broken, problem] of [
    [lines(result("1")), "has a result in line 3 without a call before it"],
    [lines(reply("1"), result("1"), result("1")), "has a result in line 5 without a call before it"],
    [
      lines(reply("1", "2"), result("1"), { kind: "user", text: "And?" }),
      "has no result for the call `2` before line 5",
    ],
    [lines(reply("1"), reply("2")), "has no result for the call `1` before line 4"],
    [lines(reply("1", "1"), result("1")), "has two calls `1` in line 3"],
  ] as const) {
    await host.files.write(path, broken);
    assert.equal(
      failureOf(await resumeConversation(id, { host, savedForm })),
      rejected(`\`${path}\` ${problem}`, help),
    );
  }
  await host.files.write(path, "");
  assert.equal(failureOf(await resumeConversation(id, { host, savedForm })), rejected(`\`${path}\` is empty`, help));
});

test("whoever has lost its conversation adds nothing to it", async () => {
  const host = memoryHost();
  const conversation = await begun(host, [{ kind: "user", text: "Do it." }]);
  const path = `${FOLDER}/${conversation.id}`;
  const before = host.texts()[`${path}.jsonl`];
  // This process was paused, as a container can be, and another process continued.
  host.instant.replace(`${path}.lock`, "another");
  let code: unknown;
  await conversation
    .add({ kind: "user", text: "More." })
    .catch((error: unknown) => (code = (error as { readonly code?: unknown }).code));
  conversation.close();
  assert.equal([code, host.texts()[`${path}.jsonl`], host.texts()[`${path}.lock`]], ["ESTALE", before, "another"]);
});

test("a conversation that could not begin, or be read, is locked for nobody", async () => {
  const host = memoryHost();
  const full = {
    ...host,
    files: {
      ...host.files,
      append: async () => {
        throw Object.assign(new Error("full"), { code: "ENOSPC" });
      },
    },
  };
  await beginConversation(
    { cwd: "/work", model: "api/m", only: ["say"], system: "Do it." },
    { host: full, savedForm },
  ).catch(() => undefined);
  assert.equal(Object.keys(host.texts()), []);
  const { id, close } = await begun(host);
  close();
  // A lock of an older version, from a full disk, or of a process id that has been assigned again.
  for (const lock of ["", "1", JSON.stringify({ processId: 1, start: "2" })]) {
    host.instant.replace(`${FOLDER}/${id}.lock`, lock);
    const opened = conversationOf(await resumeConversation(id, { host, savedForm }));
    opened.close();
  }
  assert.equal(Object.keys(host.texts()), [`${FOLDER}/${id}.jsonl`]);
});

test("a process that was killed holds no conversation, and only so many are kept", async () => {
  const host = memoryHost();
  const ids: string[] = [];
  for (let count = 0; count <= CONVERSATIONS_MAX; count++) {
    host.advance(1_000);
    const conversation = await begun(host);
    ids.push(conversation.id);
    if (count !== 0) conversation.close();
  }
  const dead: MemoryHost = { ...host, shared: { ...host.shared, isRunning: () => false } };
  assert.equal([lastConversationIn("/work", host), lastConversationIn("/other", host)], [ids.at(-1), undefined]);
  const kept = (): number => Object.keys(host.texts()).filter((path) => path.endsWith(".jsonl")).length;
  assert.is(kept(), CONVERSATIONS_MAX + 1);
  conversationOf(await resumeConversation(ids[0] ?? "", { host: dead, savedForm })).close();
  host.advance(1_000);
  (await begun(host)).close();
  assert.equal(
    [kept(), failureOf(await resumeConversation(ids[0] ?? "", { host, savedForm }))?.kind],
    [CONVERSATIONS_MAX, "unavailable"],
  );
});

test.run();
