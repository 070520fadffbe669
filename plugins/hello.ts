// The tutorial: a plugin is one file in the `plugins` folder of a tool folder.
import { definePlugin, defineTool, failed, integer, string } from "dottool";

const hello = defineTool({
  name: "hello",
  description: "Greets somebody by name. Returns the greeting as text.",
  effects: ["read"], // Its effects: read, write, run, network.
  parameters: {
    who: string("Whom to greet", { default: "world", maximumLength: 100 }),
    times: integer("How often", { default: 1, minimum: 1, maximum: 10 }),
  },
  examples: [{ who: "Ana", times: 2 }],
  run: async ({ who, times }, context) => {
    // The types of `who` (string) and `times` (number) come from the parameters.
    if (who.trim() === "") return failed("there is nobody to greet", ["give `who` a name"]);
    // Other tools are called through the same gate as every call.
    const folder = await context.invoke("list_dir", { path: "." });
    const seen = folder.status === "ok" ? "" : " (and I cannot see this folder)";
    return `hello ${who}\n`.repeat(times).trimEnd() + seen;
  },
});

export default definePlugin({ name: "hello", tools: [hello] });
