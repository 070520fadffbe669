// `dottool runs`: the calls that go on in the background, or did.
import { rowOf } from "../../../core/text/row-of.ts";
import { didYouMean } from "../../../core/text/suggest.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";

export const actions = ["list", "show", "follow", "wait", "cancel", "resume", "prune"] as const;
type Action = (typeof actions)[number];

/** What other programs call them. */
const otherNames: Readonly<Record<string, Action>> = {
  ls: "list",
  ps: "list",
  info: "show",
  inspect: "show",
  status: "show",
  attach: "follow",
  log: "follow",
  logs: "follow",
  output: "follow",
  tail: "follow",
  watch: "follow",
  abort: "cancel",
  kill: "cancel",
  stop: "cancel",
  continue: "resume",
  restart: "resume",
  retry: "resume",
  clean: "prune",
  delete: "prune",
  remove: "prune",
  rm: "prune",
};

/** Whether an id may stand behind so many others. */
export function takesIds(action: string, before: number): boolean {
  return action === "prune" || (before === 0 && action !== "list" && actions.some((one) => one === action));
}

export const runsCommand: WordsCommand = {
  kind: "words",
  usage: [
    "runs [--json]",
    "runs --ui",
    "runs show ID [STEP] [--json]",
    "runs follow|wait|cancel ID [--json]",
    "runs resume ID [--from STEP] [--accept-changes] [--detach] [SECRET=VALUE…]",
    "runs prune [ID…] [--older-than TIME] [--json]",
  ],
  about:
    "Lists runs: calls that were made with `dottool --detach`, calls of tools with steps that have not succeeded, and long calls of MCP clients. The call and its result are stored in the state folder, without secrets, until the run is pruned. ID is what `--detach` or the failed call printed, or `last`. " +
    "`show` of a failed run begins with the failed step and the end of what it wrote, and with STEP prints what that step wrote, up to the last MiB. " +
    "`follow` prints the output of a detached run as it comes, and `wait` prints nothing; both end with the run, and with its exit code. `cancel` ends a run and all its processes. " +
    "A run whose process was killed is `lost`: it has no result, and `wait` ends with exit code 137. " +
    "`resume` goes on behind the steps that have ended, with the same arguments, definitions and approvals; definitions that have changed are named, and you are asked. A step marked `once` that may have run is never repeated unless `--from` says so. " +
    "`prune` removes runs that have ended: all of them, those named, or those older than TIME. The oldest are removed without a command beyond 200 runs, 30 days or 1 GiB.",
  options: [
    {
      name: "json",
      does: "print JSON; with `follow`, one line for each piece of output: with `stream` what the call prints, with `step` what a step writes",
    },
    { name: "ui", does: "serve a page with the runs and the tools to a browser on this machine, and print its link" },
    { name: "from", value: "STEP", does: "with `resume`: run this step and those behind it again" },
    { name: "accept-changes", does: "with `resume`: go on with changed definitions without asking" },
    { name: "detach", does: "with `resume`: go on in the background, as a call with `dottool --detach`" },
    { name: "older-than", value: "TIME", does: "with `prune`: only runs that were started so long ago: 90m, 12h, 7d" },
  ],
  words: [0, 1_000],
  completes: "runs",
  examples: [
    ["id=$(dottool --detach deploy --env staging)", "let a tool run in the background"],
    ['dottool runs follow "$id"', "watch it, and get its exit code"],
    ["dottool runs show last build", "print what its step `build` wrote"],
    ["dottool runs resume last", "go on with the call that failed or was interrupted"],
    ["dottool runs prune --older-than 7d", "remove what ended long ago"],
  ],
  run: async (input, context) => {
    const [word = "list", ...ids] = isId(input.words[0]) ? ["show", ...input.words] : input.words;
    const action = actions.find((one) => one === word);
    const wrong = (message: string): number => reportUsage(context.terminal, message, "runs");
    if (!action) {
      const meant = rowOf(otherNames, word);
      if (meant) return wrong(`\`runs\` has no \`${word}\`; write \`dottool ${["runs", meant, ...ids].join(" ")}\``);
      return wrong(`\`runs\` has no \`${word}\`; it has ${actions.join(", ")}${didYouMean(word, actions)}`);
    }
    if (action === "list" && ids.length > 0) return wrong("`runs list` takes no words");
    const most = action === "resume" ? Infinity : action === "show" ? 2 : 1;
    if (action !== "list" && action !== "prune" && (ids.length === 0 || ids.length > most))
      return wrong(`\`runs ${action}\` needs one ID; \`dottool runs\` lists them`);
    if (action !== "prune" && input.value("older-than") !== undefined)
      return wrong("`--older-than` belongs to `runs prune`");
    const lone = ["from", "accept-changes", "detach"].find((one) => input.value(one) !== undefined || input.has(one));
    if (action !== "resume" && lone !== undefined) return wrong(`\`--${lone}\` belongs to \`runs resume\``);
    if (action === "resume" && input.has("json"))
      return wrong("`runs resume` prints the result as the call does; `--json` does not belong to it");
    if (input.has("ui") && (input.words.length > 0 || input.has("json")))
      return wrong("`--ui` serves a page with all runs; leave out the other words");
    return act(action, { ids, input }, context);
  },
};

/** An id without an action is shown. */
function isId(word: string | undefined): boolean {
  return word === "last" || /^\d{8}-[\da-f-]+$/.test(word ?? "");
}

async function act(
  action: Action,
  { ids, input }: { readonly ids: readonly string[]; readonly input: CommandInput },
  context: CommandContext,
): Promise<number> {
  const opened = await openSession(context, { isQuiet: true, withoutPlugins: true });
  if (typeof opened === "number") return opened;
  const place = { host: opened.host, context, isJson: input.has("json") };
  const [id = "", ...words] = ids;
  switch (action) {
    case "list":
      if (input.has("ui")) return (await import("../serve-page.ts")).servePage(place);
      return (await import("../show-runs.ts")).listRuns(place);
    case "show":
      return (await import("../show-runs.ts")).showRun(id, words[0], place);
    case "follow":
      return (await import("../follow-run.ts")).followRun(id, place);
    case "wait":
      return (await import("../follow-run.ts")).waitForRun(id, place);
    case "cancel":
      return (await import("../end-runs.ts")).cancelRun(id, place);
    case "resume": {
      const asked = { from: input.value("from"), acceptsChanges: input.has("accept-changes"), secrets: words };
      if (input.has("detach")) return (await import("../resume-detached.ts")).resumeDetached(id, asked, place);
      return (await import("../resume-run.ts")).resumeRun(id, asked, place);
    }
    case "prune":
      return (await import("../end-runs.ts")).pruneRuns({ ids, olderThan: input.value("older-than") }, place);
  }
}
