// The text of `dottool --licenses`. The executable and the library contain packages whose licenses must come with
// them; where the sources run, npm has installed both.
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";

export function licenses(): string {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) return Buffer.from(sea.getRawAsset("licenses") as ArrayBuffer).toString("utf8");
  const bundled = new URL("./licenses.txt", import.meta.url);
  if (existsSync(bundled)) return readFileSync(bundled, "utf8");
  return "dottool is under the MIT license. The packages that it uses are installed beside it in `node_modules`, each with its own license.\n";
}
