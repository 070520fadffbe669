// Answers for a program that asks its user: what the person at the terminal types, or the default if no one answers.
import type { Interaction } from "../tool/definition.ts";
import type { ProcessInput } from "../tool/host.ts";
import type { ToolContext } from "../tool/tool.ts";

interface AnswerOptions {
  readonly context: Pick<ToolContext, "host" | "person">;
  readonly signal: AbortSignal;
  /** Is told of the default when it answers, since it looks like a person's answer in the output. */
  readonly onDefault: (sentence: string) => void;
}

/** Feeds `input` until `signal` aborts because the program has ended. */
export function answer(
  input: ProcessInput,
  { timeoutMs, defaultResponse }: Interaction,
  { context: { host, person }, signal, onDefault }: AnswerOptions,
): void {
  const giveUp = (): void => {
    if (defaultResponse !== undefined) {
      const given = defaultResponse === "" ? "the Enter key" : `\`${defaultResponse}\``;
      // At a terminal, the question is on the line before.
      onDefault(
        person?.type
          ? `\ndottool answered with ${given}, because nobody did`
          : `dottool answered with ${given}, because nobody could be asked`,
      );
      input.write(`${defaultResponse}\n`);
    }
    input.end();
  };
  if (!person?.type) return giveUp();
  // Every key restarts the time and so ends the wait before it.
  let waiting = new AbortController();
  const typing = new AbortController();
  signal.addEventListener("abort", () => stop(), { once: true });
  const stop = (): void => {
    waiting.abort();
    typing.abort();
  };
  const wait = (): void => {
    if (timeoutMs === undefined) return;
    const own = (waiting = new AbortController());
    void host.sleep(timeoutMs, own.signal).then(() => {
      if (own.signal.aborted) return;
      stop();
      giveUp();
    });
  };
  wait();
  person.type(typing.signal, (text) => {
    waiting.abort();
    if (text === undefined) return input.end();
    input.write(text);
    wait();
  });
}
