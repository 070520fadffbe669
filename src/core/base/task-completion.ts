// `task_completion`: an agent says that it is done.
import { string } from "../schema/declare.ts";
import { baseTool, okText } from "../tool/base-tool.ts";

export const taskCompletion = baseTool({
  name: "task_completion",
  title: "Complete task",
  description: "Report that the task is done, once it is done and checked. Ends your turn; the person reads `result`.",
  parameters: {
    result: string("What was done and its result, complete in itself: no question, no offer", {
      required: true,
      minimumLength: 1,
      example: "The tests pass: the date was parsed in the wrong zone.",
    }),
  },
  effects: ["read"],
  isLoopBreaking: true,
  execute: async ({ result }) => okText(result),
});
