// The address of output that was too long to send, for `resources/read`.
import { handlePattern } from "../../base/kept-output.ts";

const START = "dottool://output/";
export const OUTPUT_URI_TEMPLATE = `${START}{handle}`;
const uriPattern = new RegExp(`^${START}(${handlePattern.source})$`);

export function outputUri(handle: string): string {
  return START + handle;
}

/** Returns the handle, or undefined if the address is of something else. */
export function handleOf(uri: string): string | undefined {
  return uriPattern.exec(uri)?.[1];
}
