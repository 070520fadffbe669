// Compares two sides: a change for each tool, package and file that is not the same on both.
import { changesSince } from "../../core/policy/content.ts";
import { widened } from "../packages/powers.ts";
import { schemaChange } from "./schema-change.ts";
import type { Side, SideTool } from "./side.ts";

export interface Change {
  readonly what: "tool" | "package" | "file";
  readonly name: string;
  readonly kind: "added" | "removed" | "renamed" | "changed";
  /** The former name, or the version of a package. */
  readonly from?: string;
  /** What calls of it would run into. */
  readonly breaking: readonly string[];
  readonly gains: readonly string[];
  readonly losses: readonly string[];
  /** What ends approvals. */
  readonly approvals: readonly string[];
  readonly other: readonly string[];
  readonly tokens?: { readonly before: number; readonly now: number };
}

const nothing = { breaking: [], gains: [], losses: [], approvals: [], other: [] };

export function compareSides(before: Side, now: Side): readonly Change[] {
  const names = [...new Set([...before.tools.keys(), ...now.tools.keys()])].sort();
  const gone = names.filter((name) => before.tools.has(name) && !now.tools.has(name));
  const formerNames = new Map<string, string>();
  for (const name of names.filter((one) => !before.tools.has(one))) {
    const former = gone.find((one) => !formerNames.has(one) && isSame(before.tools.get(one), now.tools.get(name)));
    if (former === undefined) continue;
    formerNames.set(name, former);
    gone.splice(gone.indexOf(former), 1);
  }
  const tools = names.flatMap((name): readonly Change[] => {
    const former = formerNames.get(name);
    const [was, is] = [before.tools.get(former ?? name), now.tools.get(name)];
    if (is) return toolChange(was, is);
    return gone.includes(name) ? [removed(name, was)] : [];
  });
  return [...tools, ...packageChanges(before, now), ...fileChanges(before, now)];
}

/** Whether only the names differ, and the titles that may be made of them. */
function isSame(one: SideTool | undefined, other: SideTool | undefined): boolean {
  const [sums, others] = [one, other].map((tool) => {
    const parts = Object.entries(tool?.built?.parts ?? {}).filter(([label]) => !label.startsWith("the title of "));
    return parts
      .map(([, sum]) => sum)
      .sort()
      .join();
  });
  return sums !== "" && sums === others;
}

function removed(name: string, was: SideTool | undefined): Change {
  const tokens = { before: was?.built?.tokens ?? 0, now: 0 };
  return { what: "tool", name, kind: "removed", ...nothing, breaking: ["the tool is gone"], tokens };
}

const noPowers = { powers: {}, asks: [], held: [] };

function toolChange(was: SideTool | undefined, is: SideTool): readonly Change[] {
  const { name } = is;
  const tokens = { before: was?.built?.tokens ?? 0, now: is.built?.tokens ?? 0 };
  const kind = was === undefined ? "added" : was.name === name ? "changed" : "renamed";
  const head = { what: "tool", name, kind, tokens, ...nothing } as const;
  if (!is.built) {
    const fact = "the definition has errors; `dottool check` shows them";
    if (was && !was.built) return [];
    return [{ ...head, ...(was ? { breaking: [fact] } : { other: [fact] }) }];
  }
  const now = is.built;
  const old = was?.built ?? noPowers;
  const gains = [
    ...widened(old.powers, now.powers),
    ...without(now.asks, old.asks),
    ...without(old.held, now.held)
      .filter((one) => isWeaker(one, now.held))
      .map((one) => `no longer ${one}`),
  ];
  const losses = [
    ...widened(now.powers, old.powers),
    ...without(old.asks, now.asks),
    ...without(now.held, old.held).map((one) => `now ${one}`),
  ];
  // What is new may do what it may do, and holds itself to what it says.
  if (!was?.built) return [{ ...head, gains, other: [...now.held, ...(was ? ["the definition had errors"] : [])] }];
  if (kind === "renamed") return [{ ...head, from: was.name, breaking: [`it was called \`${was.name}\``] }];
  const [oldDeclared, declared] = [was.built.declaration, now.declaration];
  const schema = schemaChange(oldDeclared["inputSchema"], declared["inputSchema"]);
  const approvals = changesSince(was.built.parts, now.parts);
  const isNewText = oldDeclared["description"] !== declared["description"];
  const other = [...schema.other, ...(isNewText ? ["models read another description"] : [])];
  const lists = [schema.breaking, gains, losses, approvals, other];
  return lists.every((list) => list.length === 0)
    ? []
    : [{ ...head, breaking: schema.breaking, gains, losses, approvals, other }];
}

/** Whether nothing of its kind, or only the weakest, holds the tool now. */
function isWeaker(held: string, now: readonly string[]): boolean {
  const next = now.find((one) => one.startsWith(`${held.split(":")[0] ?? ""}:`));
  return next === undefined || next === "sandbox: limits" || next === "isolation: process";
}

function without(all: readonly string[], those: readonly string[]): readonly string[] {
  return all.filter((one) => !those.includes(one));
}

function packageChanges(before: Side, now: Side): readonly Change[] {
  const names = [...new Set([...before.lock.keys(), ...now.lock.keys()])].sort();
  return names.flatMap((name): readonly Change[] => {
    const [was, is] = [before.lock.get(name), now.lock.get(name)];
    const head = { what: "package", name, ...nothing } as const;
    if (!is) return [{ ...head, kind: "removed", breaking: ["its tools are gone"] }];
    const gains = widened(was?.may ?? {}, is.may);
    if (!was) return [{ ...head, kind: "added", gains, other: [`version ${is.version}`] }];
    if (was.content === is.content) return [];
    const approvals = ["the package has other content"];
    const other = [`version ${was.version} → ${is.version}`];
    return [{ ...head, kind: "changed", gains, losses: widened(is.may, was.may), approvals, other }];
  });
}

/** What is in these files is not compared: any change may be a power. */
function fileChanges(before: Side, now: Side): readonly Change[] {
  const paths = [...new Set([...before.files.keys(), ...now.files.keys()])].sort();
  return paths.flatMap((name): readonly Change[] => {
    const [was, is] = [before.files.get(name), now.files.get(name)];
    if (was === is) return [];
    const kind = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    const fact =
      name === "config.yaml" ? "rules, servers and settings may differ" : "a program that runs with your rights";
    return [
      { what: "file", name, kind, ...nothing, gains: kind === "removed" && name !== "config.yaml" ? [] : [fact] },
    ];
  });
}
