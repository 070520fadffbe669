// `todo_write`: an agent's list of tasks, stored for the session and returned as a whole.
import { array, choice, object, string } from "../schema/declare.ts";
import { baseTool, okText } from "../tool/base-tool.ts";

/** The key of the list in the memory of the session. It is stored as `todos` was sent. */
const TODO_KEY = "todos";
const TODOS_MAX = 200;

const marks = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

export const todoWrite = baseTool({
  name: "todo_write",
  title: "Write task list",
  description:
    "Replace your list of tasks, to plan work of three or more steps and to show its progress. Send the whole list every time; an empty one clears it. Keep one task `in_progress`, and mark it `completed` as soon as it is done. Returns the list.",
  parameters: {
    todos: array(
      object(
        {
          content: string("The task, in a few words", {
            required: true,
            minimumLength: 1,
            maximumLength: 1_000,
          }),
          status: choice(["pending", "in_progress", "completed"], "Its progress", { required: true }),
        },
        "A task",
      ),
      "The whole list, in order",
      {
        required: true,
        maximumItems: TODOS_MAX,
        example: [
          { content: "Read the failing test", status: "completed" },
          { content: "Fix the parser", status: "in_progress" },
        ],
      },
    ),
  },
  effects: ["read"],
  check: ({ todos }) => {
    const current = todos.flatMap((todo, index) => (todo.status === "in_progress" ? [index] : []));
    const [first, ...others] = current;
    return others.map((index) => ({
      path: `todos[${index}].status`,
      message: `expected at most one task in progress, and \`todos[${first}]\` is already in progress`,
    }));
  },
  execute: async ({ todos }, context) => {
    context.memory.set(
      TODO_KEY,
      todos.map(({ content, status }) => ({ content, status })),
    );
    if (todos.length === 0) return okText("the list is empty");
    const done = todos.filter((todo) => todo.status === "completed").length;
    return okText(
      [...todos.map((todo) => `${marks[todo.status]} ${todo.content}`), `${done} of ${todos.length} done`].join("\n"),
    );
  },
});
