// `converse`: an agent talks to the person without claiming to be done.
import { string } from "../../core/schema/declare.ts";
import { baseTool, okText } from "../../core/tool/base-tool.ts";

export const converse = baseTool({
  name: "converse",
  title: "Talk to the person",
  description:
    "Answer the person, or tell them something, when no tool is needed. Ends your turn; the person speaks next. For a question that you need answered use `ask_question`, for work that is done `task_completion`.",
  parameters: {
    message: string("What to say", {
      required: true,
      minimumLength: 1,
      example: "Both files are from 2024; the newer one is in `reports/`.",
    }),
  },
  effects: ["read"],
  isLoopBreaking: true,
  execute: async ({ message }) => okText(message),
});
