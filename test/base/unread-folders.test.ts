// A folder that may not be read is named: what was looked through is not all that is there.
import { join } from "node:path";
import { findFiles } from "../../src/features/files/find-files.ts";
import { listDir } from "../../src/features/files/list-dir.ts";
import { searchText } from "../../src/features/files/search-text.ts";
import { assert, suite } from "../harness.ts";
import { withoutRights } from "../without-rights.ts";
import { inFolder, shown } from "./file-context.ts";

const test = suite("unread folders");

test("list_dir, find_files and search_text name a folder that may not be read", () =>
  inFolder({ "a.txt": "one\n", "closed/b.txt": "one\n" }, (folder) =>
    withoutRights(folder.path, [join(folder.path, "closed")], async () => {
      const note = "[a folder could not be read: `closed`]";
      assert.is(shown(await folder.run(findFiles, { patterns: ["*.txt"] })), `a.txt\n\n${note}`);
      assert.is(shown(await folder.run(searchText, { pattern: "one" })), `a.txt:1:one\n\n${note}`);
      assert.is(shown(await folder.run(listDir, { depth: 2 })), `4  a.txt\n-  closed/\n\n${note}`);
      assert.is(shown(await folder.run(listDir, {})), "4  a.txt\n-  closed/\n");
    }),
  ));

test.run();
