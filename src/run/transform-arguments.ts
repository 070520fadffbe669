// Arguments that their parameters change with an expression before the check, all of a call in one sandbox.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import { runTransforms } from "../sandbox/run-transforms.ts";
import type { Failure } from "../tool/failure.ts";
import type { Host } from "../tool/host.ts";
import type { Tool } from "../tool/tool.ts";
import { failureText } from "./failure-text.ts";

type TransformedArguments =
  | { readonly arguments: unknown }
  /** The expression fails for one of the values. */
  | { readonly issue: ArgumentIssue }
  | { readonly failure: Failure };

interface TransformOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** `sent` is what the caller sent. A default is changed like a value of the caller's. */
export async function transformedArguments(
  tool: Tool,
  sent: unknown,
  { host, signal }: TransformOptions,
): Promise<TransformedArguments> {
  if (!isJsonObject(sent)) return { arguments: sent };
  const values = tool.parameters.flatMap(({ name, transform, default: fallback }) => {
    const value: Json | undefined = Object.hasOwn(sent, name) ? sent[name] : fallback;
    return transform === undefined || value === undefined ? [] : [{ name, expression: transform, value }];
  });
  const outcome = await runTransforms(values, { host, signal, path: [tool.definition.name.value] });
  if (outcome.status === "ok") {
    const changed: JsonObject = Object.fromEntries(
      values.flatMap(({ name }, index) =>
        outcome.values[index] === undefined ? [] : [[name, outcome.values[index]] as const],
      ),
    );
    return { arguments: { ...sent, ...changed } };
  }
  const at = outcome.index === undefined ? undefined : values[outcome.index];
  if (!at) return { failure: outcome.failure };
  const fault = definitionFault(outcome.failure, at);
  return fault
    ? { failure: fault }
    : {
        issue: {
          path: at.name,
          message: `the transform \`${at.expression}\` fails with this value: ${headline(outcome.failure, tool)}`,
        },
      };
}

/** Returns the fault of an expression that fails for every value: a syntax error, or an unknown name. */
function definitionFault(
  failure: Failure,
  { name, expression }: { readonly name: string; readonly expression: string },
): Failure | undefined {
  if (
    failure.kind !== "code-failed" ||
    !(failure.problem === "syntax" || (failure.problem === "thrown" && failure.message.startsWith("ReferenceError: ")))
  )
    return undefined;
  return {
    ...failure,
    message: `${failure.message}, in the transform \`${expression}\` of \`${name}\``,
    help: ["the call is fine; fix `transform` in the definition"],
  };
}

function headline(failure: Failure, tool: Tool): string {
  const [first = ""] = failureText(failure, { audience: "model", tool: tool.definition.name.value }).split("\n");
  return first.replace(/^failed\[[\w-]+\]: /, "");
}
