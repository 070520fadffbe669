// Reads the payload of the running executable and checks that it is the one that was put in.
import type { Host } from "../tool/host.ts";
import type { HostBundle, UnpackedFile } from "../tool/host-bundle.ts";
import { BUNDLE_NAME } from "../tool/bundle-marker.ts";
import { PAYLOAD_BYTES_MAX, unpackPayload } from "./payload.ts";

/** Throws `{code: "EBUNDLE"}` with the end of a sentence that begins with the program. */
export async function filesOf(bundle: HostBundle, host: Host): Promise<readonly UnpackedFile[]> {
  if (!isWhole(bundle)) throw damaged("is damaged: what it says of its tools cannot be");
  const payload = await bundle.readPayload();
  if (payload.length < bundle.payloadBytes) throw damaged("is cut off: its tools are missing");
  if (host.sha256(payload) !== bundle.sha256) throw damaged("is damaged: its tools are not those that were put in");
  return unpackPayload(payload);
}

/** The marker is in no signature but that of the whole file, so its fields are a stranger's words. */
function isWhole({ name, offsetBytes, payloadBytes, sha256, treeSha256 }: HostBundle): boolean {
  return (
    BUNDLE_NAME.test(name) &&
    Number.isSafeInteger(offsetBytes) &&
    offsetBytes >= 0 &&
    Number.isSafeInteger(payloadBytes) &&
    payloadBytes >= 0 &&
    payloadBytes <= PAYLOAD_BYTES_MAX &&
    [sha256, treeSha256].every((sum) => SHA256.test(sum))
  );
}

const SHA256 = /^[0-9a-f]{64}$/;

function damaged(message: string): Error {
  return Object.assign(new Error(message), { code: "EBUNDLE" });
}
