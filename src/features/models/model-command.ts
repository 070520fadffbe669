// A model behind a command, such as `claude -p`: the prompt on its standard input, the answer on its standard output.
import { Buffer } from "node:buffer";
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { SpawnResult } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { AnswerText, answered, type ModelQuestion } from "./model-answer.ts";
import { keyOf } from "./model-key.ts";
import type { CommandProvider } from "./model-settings.ts";
import { processEnvironment } from "../../core/base/process-environment.ts";
import { exitFailure } from "../../core/base/run-command.ts";
import { shownText } from "../web/web-text.ts";

const MODEL = "{model}";
const ERRORS_BYTES_MAX = 16 * 1024;

export async function askCommand(
  question: ModelQuestion,
  { provider, context }: { readonly provider: CommandProvider; readonly context: ToolContext },
): Promise<Outcome> {
  const refused = refusal(question, provider);
  if (refused) return failed(refused);
  const declared: Record<string, string> = {};
  for (const [name, source] of provider.environment) {
    const key = await keyOf(source, question, context);
    if (key.kind === "failed") return key.outcome;
    declared[name] = key.value ?? "";
  }
  const model = question.model ?? provider.model ?? "";
  const argv = provider.argv.map((word) => word.replaceAll(MODEL, () => model));
  const answer = new AnswerText(context);
  // A character may be cut between two pieces.
  const decoder = new TextDecoder();
  const errors: Uint8Array[] = [];
  const result = await context.host.processes.run({
    argv,
    cwd: context.cwd,
    confinement: { unconfined: "settings" },
    environment: processEnvironment(context.host, { declared, inherits: false }),
    stdin: question.system === undefined ? question.prompt : `${question.system}\n\n${question.prompt}`,
    signal: context.signal,
    outputBytesMax: context.limits.outputBytesMax,
    onOutput: (stream, bytes) => {
      if (stream === "stdout") return answer.add(decoder.decode(bytes, { stream: true }));
      errors.push(bytes);
      return context.emit({ kind: "output", stream, bytes });
    },
  });
  await answer.add(decoder.decode());
  const failure = failureOf(result, argv[0] ?? "", context);
  if (failure === undefined) return answered(answer, { stop: "done" }, question);
  const texts = [await answer.end(), shownText(Buffer.concat(errors).subarray(-ERRORS_BYTES_MAX).toString("utf8"))];
  return {
    status: "failed",
    content: texts.flatMap((text) => (text === "" ? [] : [{ type: "text", text }])),
    failure,
    isUntrusted: true,
  };
}

/** Refuses arguments that the command cannot use, since none is silently dropped. */
function refusal(
  { provider: name, configPath, model, maxTokens, temperature }: ModelQuestion,
  provider: CommandProvider,
): Failure | undefined {
  const rejected = (reason: string, help: string): Failure => ({ kind: "rejected", reason, help: [help] });
  const odd = maxTokens !== undefined ? "max_tokens" : temperature !== undefined ? "temperature" : undefined;
  if (odd !== undefined)
    return rejected(
      `\`${name}\` runs a command, which cannot use \`${odd}\``,
      "leave it out, or ask a provider of kind `openai` or `anthropic`",
    );
  const takesModel = provider.argv.some((word) => word.includes(MODEL));
  if (model !== undefined && !takesModel)
    return rejected(
      `\`${name}\` runs a command without \`{model}\`, so \`model\` has no effect`,
      `leave it out, or add \`${MODEL}\` to \`command\` of \`${name}\` in \`${configPath}\``,
    );
  if (takesModel && model === undefined && provider.model === undefined)
    return rejected(
      `\`${name}\` has no model`,
      `pass \`model\`, or write \`model: NAME\` for \`${name}\` in \`${configPath}\``,
    );
  return undefined;
}

function failureOf(result: SpawnResult, program: string, { limits }: ToolContext): Failure | undefined {
  if (result.kind === "busy") return result;
  if (result.kind === "not-started") return { ...result, program };
  const { exitCode, signalName, stopped } = result;
  if (stopped === "aborted") return { kind: "cancelled" };
  if (stopped === "output-limit")
    return { kind: "limit", limit: limits.outputBytesMax, unit: "bytes of answer", help: ["ask for less"] };
  return exitFailure(program, { exitCode, signalName });
}
