// The commands that the build runs to see which chunks they load: those that agents call thousands of times.

export const hotCommands = [
  ["glob", ".", "-name", "*.tool"],
  ["greet", "--name", "Ana"],
  ["wave", "--name", "Ana"],
];

export const listCommands = [["list"]];

/** A list that is never cached, and otherwise the same. */
export const listAnewCommands = [["list", "--tags", "read"]];

export const mcpCommands = [["mcp"]];

/** A decision about another agent's tool, which is made before each one. */
export const hookCommands = [["hook", "claude"]];

export const hookInput = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "cd src && git log --oneline -5 | head -3; npm test -- --filter 'x y' > out.txt" },
});

const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Requests for `mcp`; no other command but `hook` reads its input. */
export const mcpInput = [
  { id: 1, method: "tools/list", params: { _meta } },
  { id: 2, method: "tools/call", params: { _meta, name: "greet", arguments: { name: "Ana" } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

/** A tool of the user and of a trusted project: found, parsed and cached as in real use. */
export const greetTool = `Greets a person.

@title Greet
@name greet
@wrapped run_command
@command echo "hello {name}"
@param name {string} [required] Who
@tags read
`;
