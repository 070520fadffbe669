// The address for reports of bugs, which the owner of the project gives as `bugs` in package.json.
import { writeProgramHelp } from "../../src/cli/view/command-help.ts";
import type { TerminalPort } from "../../src/core/tool/terminal.ts";
import { assert, suite } from "../harness.ts";

const test = suite("address for bugs");

test("help ends with it if there is one", async () => {
  const helpWith = async (address: string): Promise<string> => {
    let text = "";
    const port: TerminalPort = {
      isTerminal: false,
      hasColor: false,
      movesCursor: false,
      columns: 80,
      rows: 24,
      write: (more) => void (text += String(more)),
    };
    await writeProgramHelp(port, [], address);
    return text;
  };
  assert.match(
    await helpWith("https://example.org/issues"),
    /\n {2}report a bug {13}https:\/\/example\.org\/issues\n$/,
  );
  assert.not.match(await helpWith(""), "report a bug");
});

test.run();
