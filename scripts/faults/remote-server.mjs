// An MCP server over standard input and output, for definitions that wrap its tool. It meets no faults itself.
import process from "node:process";
import { createInterface } from "node:readline";
import { remoteAnswer } from "./remote-answers.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  // The server disappears in the middle of a call.
  if (message.params?.arguments?.text === "LEAVE") process.exit(1);
  const answer = remoteAnswer(message, process.argv[2]);
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
}
