// How many lines each room of src/ may have: src/sizes.yaml. A room that grows over its number fails until the same
// commit raises it and says what was taken out for it.
import { parse } from "yaml";

const BUDGET = "src/sizes.yaml";
/** A number this far above what a room has no longer holds anything. */
const SLACK_LINES_MAX = 250;

export function checkBudget({ files }) {
  const budget = files.find(({ path }) => path === BUDGET);
  if (budget === undefined) return [];
  const { lines, raised = [] } = parse(budget.text);
  const complain = (room, text) => ({
    path: BUDGET,
    line: Math.max(1, budget.text.split("\n").findIndex((line) => line.trimStart().startsWith(`${room}:`)) + 1),
    rule: "budget",
    text,
  });
  const sizes = sizesOf(files);
  return [
    ...[...sizes].flatMap(([room, size]) => {
      const most = lines[room];
      if (most === undefined) return [complain(room, `\`${room}\` has ${size} lines and no number here; give it one`)];
      if (size > most)
        return [
          complain(
            room,
            `\`${room}\` has ${size} lines, over ${most}; take something out, or raise the number and say under \`raised\` what was taken out for it`,
          ),
        ];
      if (most - size > SLACK_LINES_MAX)
        return [complain(room, `\`${room}\` has only ${size} lines; lower ${most}, so that they stay out`)];
      return [];
    }),
    ...Object.keys(lines)
      .filter((room) => !sizes.has(room))
      .map((room) => complain(room, `there is no \`${room}\`; remove its number`)),
    ...raised
      .filter(
        (entry) => typeof entry?.room !== "string" || typeof entry.for !== "string" || typeof entry.out !== "string",
      )
      .map(() =>
        complain("raised", "each entry of `raised` has a `room`, what it was raised `for`, and what went `out` for it"),
      ),
  ];
}

/** Returns the lines of TypeScript by room: `core`, `cli`, and each folder of features/. */
function sizesOf(files) {
  const sizes = new Map();
  for (const { path, text } of files) {
    const room = /^src\/(core|cli|features\/[\w-]+)\/.*\.ts$/.exec(path)?.[1];
    if (room !== undefined) sizes.set(room, (sizes.get(room) ?? 0) + text.split("\n").length - 1);
  }
  return sizes;
}
