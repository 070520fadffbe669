// Asks dottool before each tool. `dottool hook install opencode` wrote it, and `uninstall` removes it.
import { spawn } from "node:child_process";

function judged(call) {
  return new Promise((resolve, reject) => {
    const child = spawn("dottool", ["hook", "opencode"], { stdio: ["pipe", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part) => void (text += part));
    child.on("error", (error) => reject(new Error(`dottool cannot judge this call: ${error.message}`)));
    child.on("close", () => {
      try {
        resolve(JSON.parse(text));
      } catch {
        reject(new Error("dottool gave no answer, so this call does not run"));
      }
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(call));
  });
}

// Returns the arguments to run with.
async function checked(tool, given, cwd) {
  const { decision, reason, args } = await judged({ tool, args: given, cwd });
  if (decision === "none") return given;
  if (decision === "sandbox" && args) return args;
  throw new Error(reason);
}

export default {
  id: "dottool",
  server: async ({ directory }) => ({
    "tool.execute.before": async ({ tool }, { args }) => {
      Object.assign(args, await checked(tool, args, directory));
    },
  }),
  setup: async (context) => {
    await context.tool.hook("execute.before", async (event) => {
      const session = await context.session.get({ sessionID: event.sessionID });
      event.input = await checked(event.tool, event.input, session?.location?.directory ?? process.cwd());
    });
  },
};
