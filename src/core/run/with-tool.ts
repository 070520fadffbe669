// A session with one more tool, which hides what has its name. The tool is not listed.
import type { Tool } from "../tool/tool.ts";
import type { Session } from "./session.ts";

export function withTool(session: Session, tool: Tool): Session {
  const { registry } = session;
  const name = tool.definition.name.value;
  return {
    ...session,
    registry: {
      ...registry,
      find: (wanted) => (wanted === name ? tool : registry.find(wanted)),
      resolve: (wanted) => (wanted === name ? Promise.resolve(tool) : registry.resolve(wanted)),
    },
  };
}
