// What the conformance suite starts as its client: hands the address of its server, its last word, to the process that
// tests (the first word is its port), and ends as that says.
import { request } from "node:http";
import process from "node:process";

const [port, url] = process.argv.slice(2);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const sent = request({ host: "127.0.0.1", port, method: "POST" }, (response) => {
  let text = "";
  response.setEncoding("utf8").on("data", (more) => (text += more));
  response.on("end", () => {
    const { exitCode, said } = JSON.parse(text);
    process.stderr.write(said);
    process.exitCode = exitCode;
  });
});
sent.end(JSON.stringify({ url, context }));
