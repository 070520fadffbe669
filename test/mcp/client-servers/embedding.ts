// A program that embeds dottool: it opens the tools of the given folder, calls `echo`, and closes them, in sequence.
import process from "node:process";
import { openTools, type OpenTools } from "../../../src/dottool.ts";

const open = (): Promise<OpenTools> => openTools({ cwd: ".", toolFolders: [process.argv[2] ?? ""] });

async function echo(tools: OpenTools): Promise<void> {
  const text = await tools.call("echo", {}).then(
    ({ content }) => content.map((item) => (item.type === "text" ? item.text : item.type)).join(),
    (error: Error) => error.message,
  );
  console.log(text);
}

const [one, other] = [await open(), await open()];
await echo(one);
await Promise.all([one.close(), one.close()]);
await echo(other);
await other.close();
await echo(other);
const again = await open();
await echo(again);
await again.close();
