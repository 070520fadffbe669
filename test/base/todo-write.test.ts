import type { Json } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { todoWrite } from "../../src/core/base/todo-write.ts";
import { runTool, shown } from "./file-context.ts";

const test = suite("todo-write");
const todos = [
  { content: "Read the test", status: "completed" },
  { content: "Fix the parser", status: "in_progress" },
  { content: "Write a note", status: "pending" },
];

test("todo_write keeps the list for the session and shows it", async () => {
  const memory = new Map<string, Json>();
  assert.is(
    shown(await runTool(todoWrite, { todos }, { memory })),
    "[x] Read the test\n[>] Fix the parser\n[ ] Write a note\n1 of 3 done",
  );
  assert.equal(memory.get("todos"), todos);
});

test("todo_write replaces the whole list, and an empty one clears it", async () => {
  const memory = new Map<string, Json>([["todos", todos]]);
  assert.is(shown(await runTool(todoWrite, { todos: [] }, { memory })), "the list is empty");
  assert.equal(memory.get("todos"), []);
});

test("todo_write refuses two tasks in progress", () => {
  const busy = [...todos, { content: "Another", status: "in_progress" }];
  assert.throws(
    () => runTool(todoWrite, { todos: busy }),
    (error: unknown) =>
      error instanceof Error &&
      error.message === "todos[3].status: expected at most one task in progress, and `todos[1]` is already in progress",
  );
});

test("todo_write refuses more than 200 tasks", () => {
  assert.throws(
    () => runTool(todoWrite, { todos: Array.from({ length: 201 }, () => ({ content: "x", status: "pending" })) }),
    (error: unknown) => error instanceof Error && error.message.startsWith("todos:"),
  );
});

test.run();
