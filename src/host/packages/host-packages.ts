// Packages of tools, as the host reaches them.
import { createHash } from "node:crypto";
import type { HostPackages } from "../../tool/host-packages.ts";
import { pack } from "./pack.ts";
import { packedPaths } from "./packed-paths.ts";
import { askRegistry, registryOf } from "./registry.ts";
import { unpack } from "./unpack.ts";

export const hostPackages: HostPackages = {
  registryOf,
  askRegistry,
  unpack,
  pack,
  sha1Of: (archive) => createHash("sha1").update(archive).digest("hex"),
  integrityOf: (archive) => `sha512-${createHash("sha512").update(archive).digest("base64")}`,
  packedPaths,
};
