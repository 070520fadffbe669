// What `dottool --licenses` says. The executable holds packages that ask for their license to come with them; elsewhere
// npm has put both side by side.
import process from "node:process";

export function licenses(): string {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) return Buffer.from(sea.getRawAsset("licenses") as ArrayBuffer).toString("utf8");
  return "dottool is under the MIT license. The packages that it uses are installed beside it in `node_modules`, each with its own license.\n";
}
