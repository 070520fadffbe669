// The hidden `__plugin-tests`: the process in which `dottool test` runs the tests of one plugin, since they may do what
// a program can. It writes what happens as lines of JSON to a pipe.
import { resolve } from "node:path";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { callTool } from "../../../core/run/call-tool.ts";
import { denialsOf } from "../../../core/run/permit.ts";
import { loadPart } from "../../../core/tool/feature.ts";
import { thrownError } from "../../../core/tool/thrown-error.ts";
import type { WordsCommand } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { inTestFolder, sessionForTests } from "../../check/run-tool-tests.ts";
import * as api from "../api.ts";
import { tellTester } from "../host/test-process.ts";
import { placeTextOf } from "../load.ts";
import { collectTests } from "../plugin-test.ts";
import { trustedTests } from "../test-files.ts";

export const pluginTestsCommand: WordsCommand = {
  kind: "words",
  usage: ["__plugin-tests FILE"],
  about: "Runs the tests of a plugin for `dottool test`.",
  options: [],
  words: [1, 1],
  examples: [],
  run: async ({ words: [file = ""] }, context) => {
    const opened = await openSession(context, { isQuiet: true });
    if (typeof opened === "number") return opened;
    const { session, host, cwd } = opened;
    await session.registry.complete();
    const path = resolve(cwd, file);
    // Looked at again, in case it has changed since.
    const found = trustedTests(opened).trusted.find((one) => one.path === path);
    if (!found) return exitCodes.denied;
    const why = (thrown: unknown): string => {
      const error = thrownError(thrown);
      return `${placeTextOf(error, path, { host, cwd })}${error.message}`;
    };
    const names = { ...api, ...(await loadPart("library")) };
    const loaded = await collectTests(() => host.modules.load(path, names, found.modules)).catch(why);
    if (typeof loaded === "string") {
      tellTester({ begin: "loads" });
      tellTester({ failed: loaded });
      return exitCodes.failed;
    }
    const { strict: assert } = await import("node:assert");
    const own = { ...session, policy: [...session.policy, ...(await denialsOf(session))] };
    for (const { name, run, timeoutMs } of loaded) {
      tellTester({ begin: name, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      const failed = await inTestFolder(own, async (folder) => {
        const inside = { ...sessionForTests(own), cwd: folder };
        const call = (tool: string, args = {}) =>
          callTool({ id: `test ${name}`, tool, arguments: args }, inside, context.terminal.signal);
        await run({ callTool: call, assert, folder });
      }).then(() => undefined, why);
      tellTester(failed === undefined ? { passed: true } : { failed });
    }
    return exitCodes.done;
  },
};
