// The test of a proposed tool: the recorded result, as far as another folder can give it again.
import { MASK } from "../../../core/schema/describe.ts";
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import type { Expectation, ToolDefinition, ToolTest } from "../../../core/tool/definition.ts";
import { type Own, valueFor } from "./proposed-words.ts";
import type { RecordedCall } from "./recorded-calls.ts";
import { dataIn } from "./recorded-marks.ts";
import type { MarkedCall } from "./recorded-values.ts";

export interface ProposalOptions {
  readonly name: string;
  /** The id of the conversation. */
  readonly id: string;
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** Returns the `setup` lines of a test that make the files which the calls read. */
  setupFor(calls: readonly RecordedCall[]): readonly string[];
  /** Returns the errors that building the tool finds. */
  problemsOf(definition: ToolDefinition): readonly Diagnostic[];
}

/** Longer results are compared by their first line. */
const COMPARED_LENGTH_MAX = 10_000;
/** What a result says that was shortened for the model: core/output/budget.ts. */
const SHORTENED = /left out here; |read_output/;

interface TestOptions {
  readonly result: RecordedCall;
  readonly options: ProposalOptions;
  readonly kept: readonly MarkedCall[];
}

export function testOf(own: readonly Own[], { result, options, kept }: TestOptions): ToolTest {
  const isOfNetwork = kept.some(({ call }) => call.tool.effects.includes("network"));
  return {
    name: "does what was recorded",
    ...(isOfNetwork ? { description: "asks the network again, so it passes as long as the answers are the same" } : {}),
    folder: "temporary",
    arguments: Object.fromEntries(
      own.map(({ parameter, source }) => [parameter.name, valueFor(parameter, source.text)]),
    ),
    expectations: [expectationOf(result, options.cwd)],
    setup: options.setupFor(kept.map(({ call }) => call)),
    cleanup: [],
  };
}

function expectationOf({ output }: RecordedCall, cwd: string): Expectation {
  const data = dataIn(output);
  if (data !== undefined && !output.includes(cwd)) return { kind: "result", value: data };
  const isWhole = output.length <= COMPARED_LENGTH_MAX && !SHORTENED.test(output);
  if (isWhole && !output.includes(cwd) && !output.includes(MASK)) return { kind: "output-equals", text: output };
  // What a fresh folder changes, or what was not stored, is not compared.
  const parts = output.split(cwd).flatMap((part) => part.split(/\n|•••/));
  const [longest = ""] = parts.filter((part) => !SHORTENED.test(part)).sort((one, other) => other.length - one.length);
  return longest.trim() === ""
    ? { kind: "exit-code", exitCode: 0 }
    : { kind: "output-contains", text: longest.slice(0, COMPARED_LENGTH_MAX) };
}
