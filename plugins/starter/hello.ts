// A plugin: each tool is a function. `dottool dev` shows, checks and tests it while you edit.
import { definePlugin, defineTool, failed, integer, string } from "dottool";

const greet = defineTool({
  name: "greet",
  description: "Greets somebody by name. Returns the greeting as text.",
  effects: ["read"], // What it may do: read, write, run, network.
  parameters: {
    who: string("Whom to greet", { required: true }),
    times: integer("How often", { default: 1, minimum: 1, maximum: 10 }),
  },
  examples: [{ who: "Ana", times: 2 }],
  run: ({ who, times }) => {
    if (who.trim() === "") return failed("there is nobody to greet", ["give `who` a name"]);
    return `Hello, ${who}!\n`.repeat(times).trimEnd();
  },
});

export default definePlugin({ name: "hello", tools: [greet] });
