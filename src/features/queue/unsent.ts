// What must not stand in a queue, where everybody who reaches the server reads it.
import type { JsonObject } from "../../core/schema/json.ts";
import { hasSecrets, secretValues } from "../../core/schema/secrets.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { JOB_BYTES_MAX } from "./queue-job.ts";

/** Returns why a call must not be sent. `hidden` are secrets from elsewhere that a value may contain. */
export function unsentFailure(
  args: JsonObject,
  { parameters }: Pick<Tool, "parameters">,
  hidden: readonly string[] = [],
): Failure | undefined {
  if (hasSecrets(parameters) && secretValues(args, parameters).length > 0) {
    const names = parameters
      .filter(
        ({ name }) => Object.hasOwn(args, name) && secretValues({ [name]: args[name] ?? null }, parameters).length > 0,
      )
      .map(({ name }) => `\`${name}\``);
    return secretFailure(names.join(", "));
  }
  const [holding] = Object.entries(args).filter(([, value]) => {
    const text = JSON.stringify(value);
    return hidden.some((secret) => secret !== "" && text.includes(JSON.stringify(secret).slice(1, -1)));
  });
  if (holding) return secretFailure(`\`${holding[0]}\``);
  if (JSON.stringify(args).length <= JOB_BYTES_MAX) return undefined;
  return {
    kind: "limit",
    limit: JOB_BYTES_MAX,
    unit: "characters of arguments in a queue",
    help: ["put the data where the workers can read it, and send its path or address"],
  };
}

function secretFailure(names: string): Failure {
  return {
    kind: "rejected",
    reason: `${names} is secret, and what stands in a queue can be read by all who reach it`,
    help: ["leave it out, and give it to the workers: `@env VARIABLE=secret:NAME` in the definition"],
  };
}
