// Arguments as they may be shown: see the schema's own.
export { MASK } from "../schema/describe.ts";
export { maskedArguments } from "../schema/secrets.ts";
