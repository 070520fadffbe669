// Questions at the terminal, drawn by @clack/prompts on standard error: standard output is for results.
import process from "node:process";
import {
  autocomplete,
  type CANCEL_SYMBOL,
  confirm,
  isCancel,
  multiselect,
  password,
  select,
  text,
} from "@clack/prompts";
import type { Terminal } from "../../../core/tool/terminal.ts";

export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Each returns undefined if the person gives up, with Esc or Ctrl-C. */
export interface Prompts {
  /** Typed text leaves the choices that have it in their label or hint. */
  find(message: string, choices: readonly Choice<string>[], typed: string): Promise<string | undefined>;
  select<Value>(message: string, choices: readonly Choice<Value>[], first?: Value): Promise<Value | undefined>;
  /** Those that are `marked` are chosen unless the person takes the mark off. */
  selectSome<Value>(
    message: string,
    choices: readonly Choice<Value>[],
    marked?: readonly Value[],
  ): Promise<readonly Value[] | undefined>;
  confirm(message: string, first: boolean): Promise<boolean | undefined>;
  /** `problemOf` returns why a text is not accepted. A secret is shown as dots. */
  text(message: string, options: TextOptions): Promise<string | undefined>;
}

export interface TextOptions {
  readonly isSecret?: boolean;
  /** Shown in grey while nothing is typed. */
  readonly shown?: string;
  problemOf(text: string): string | undefined;
}

export function openPrompts({ signal, errors }: Terminal): Prompts {
  // A terminal that does not know its size says that it has no columns and rows.
  const size = { columns: { get: () => errors.columns }, rows: { get: () => errors.rows } };
  const output = Object.create(process.stderr, size) as typeof process.stderr;
  const common = { input: process.stdin, output, signal };
  const given = async <Value>(answer: Promise<Value | typeof CANCEL_SYMBOL>): Promise<Value | undefined> => {
    const value = await answer;
    return isCancel(value) ? undefined : (value as Value);
  };
  // The library's type for a choice depends on that of its value.
  const options = <Value>(choices: readonly Choice<Value>[]): never => [...choices] as never;
  return {
    find: (message, choices, typed) =>
      given(
        autocomplete<string>({ ...common, message, options: options(choices), initialUserInput: typed, maxItems: 12 }),
      ),
    select: <Value>(message: string, choices: readonly Choice<Value>[], first?: Value) =>
      given<Value>(
        select<Value>({
          ...common,
          message,
          options: options(choices),
          ...(first === undefined ? {} : { initialValue: first }),
        }),
      ),
    selectSome: <Value>(message: string, choices: readonly Choice<Value>[], marked: readonly Value[] = []) =>
      given<Value[]>(
        multiselect<Value>({
          ...common,
          message,
          options: options(choices),
          required: false,
          initialValues: [...marked],
          maxItems: 12,
        }),
      ),
    confirm: (message, first) => given(confirm({ ...common, message, initialValue: first })),
    text: (message, { isSecret = false, shown, problemOf }) => {
      const validate = (value: string | undefined): string | undefined => problemOf(value ?? "");
      return given<string>(
        isSecret
          ? password({ ...common, message, validate })
          : text({ ...common, message, validate, ...(shown === undefined ? {} : { placeholder: shown }) }),
      );
    },
  };
}
