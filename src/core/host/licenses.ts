// The text of `dottool --licenses`. The executable contains packages whose licenses must come with them; elsewhere npm
// has installed both.
import process from "node:process";

export function licenses(): string {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) return Buffer.from(sea.getRawAsset("licenses") as ArrayBuffer).toString("utf8");
  return "dottool is under the MIT license. The packages that it uses are installed beside it in `node_modules`, each with its own license.\n";
}
