// Reads the payload of the running executable and checks that it is the one that was put in.
import type { Host } from "../tool/host.ts";
import type { HostBundle, UnpackedFile } from "../tool/host-bundle.ts";
import { unpackPayload } from "./payload.ts";

/** Throws `{code: "EBUNDLE"}` with the end of a sentence that begins with the program. */
export async function filesOf(bundle: HostBundle, host: Host): Promise<readonly UnpackedFile[]> {
  const payload = await bundle.readPayload();
  if (payload.length < bundle.payloadBytes) throw damaged("is cut off: its tools are missing");
  if (host.sha256(payload) !== bundle.sha256) throw damaged("is damaged: its tools are not those that were put in");
  return unpackPayload(payload);
}

function damaged(message: string): Error {
  return Object.assign(new Error(message), { code: "EBUNDLE" });
}
