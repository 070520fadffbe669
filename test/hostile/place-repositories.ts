// Hostile repositories whose attack is in the places and kinds of files: links, copies, swaps, odd files, sizes,
// owners, and files in the place of trust itself.
import { execFileSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import process from "node:process";
import { shellTool } from "./hostile-fixture.ts";
import { type HostileRepository, changed, plugin, unknown, untrusted, withEvil } from "./hostile-repository.ts";

const isRoot = (): boolean => process.getuid?.() === 0;

export const placeRepositories: readonly HostileRepository[] = [
  {
    name: "tools-linked-to-trusted",
    build: (bench) => {
      bench.write("trusted/.tools/evil.tool", shellTool("evil", bench.payload));
      bench.trust("trusted");
      symlinkSync("../trusted/.tools", bench.at("repository/.tools"));
    },
    calls: "evil",
    says: untrusted,
  },
  {
    name: "trusted-linked-to-hostile",
    build: (bench) => {
      bench.write("trusted/.tools/evil.tool", shellTool("evil", "echo fine"));
      bench.trust("trusted");
      bench.write("repository/.tools/evil.tool", shellTool("evil", bench.payload));
      rmSync(bench.at("trusted/.tools"), { recursive: true });
      symlinkSync("../repository/.tools", bench.at("trusted/.tools"));
    },
    calls: "evil",
    says: changed,
    cwd: "trusted",
  },
  {
    name: "linked-definition",
    build: (bench) => {
      bench.write("repository/payload/evil.tool", shellTool("evil", "echo fine"));
      mkdirSync(bench.at("repository/.tools"));
      symlinkSync("../payload/evil.tool", bench.at("repository/.tools/evil.tool"));
      bench.trust("repository");
      bench.write("repository/payload/evil.tool", shellTool("evil", bench.payload));
    },
    calls: "evil",
    says: changed,
  },
  {
    name: "hard-linked-definition",
    build: (bench) => {
      bench.write("repository/notes.txt", shellTool("evil", "echo fine"));
      mkdirSync(bench.at("repository/.tools"));
      linkSync(bench.at("repository/notes.txt"), bench.at("repository/.tools/evil.tool"));
      bench.trust("repository");
      writeFileSync(bench.at("repository/notes.txt"), shellTool("evil", bench.payload));
    },
    calls: "evil",
    says: changed,
  },
  {
    name: "script-swapped",
    build: (bench) => {
      const fine = "#!/bin/sh\necho fine\n";
      const evil = `#!/bin/sh\n${bench.payload}\n`;
      const length = Math.max(fine.length, evil.length);
      bench.write("repository/.tools/evil/tool.yaml", "name: evil\ndescription: D\nentrypoint: run\n");
      bench.write("repository/.tools/evil/run", fine.padEnd(length, "#"), 0o755);
      utimesSync(bench.at("repository/.tools/evil/run"), 1e9, 1e9);
      bench.trust("repository");
      bench.write("repository/.tools/evil/run", evil.padEnd(length, "#"), 0o755);
      utimesSync(bench.at("repository/.tools/evil/run"), 1e9, 1e9);
    },
    calls: "evil",
    says: changed,
  },
  {
    name: "tools-is-a-fifo",
    build: (bench) => void execFileSync("/usr/bin/mkfifo", [bench.at("repository/.tools")]),
    calls: "evil",
    says: unknown,
    exitCode: 66,
  },
  {
    name: "tools-is-a-file",
    build: (bench) => bench.write("repository/.tools", shellTool("evil", bench.payload), 0o755),
    calls: "evil",
    says: unknown,
    exitCode: 66,
  },
  withEvil(
    "definition-is-a-fifo",
    (bench) =>
      void execFileSync("/usr/bin/mkfifo", [
        bench.at("repository/.tools/pipe.tool"),
        bench.at("repository/.tools/config.yaml"),
      ]),
  ),
  {
    name: "below-a-trusted-parent",
    build: (bench) => {
      bench.write("repository/.tools/evil.tool", shellTool("evil", "echo fine"));
      bench.trust("repository");
      bench.write("repository/vendor/child/.tools/evil.tool", shellTool("evil", bench.payload));
    },
    calls: "evil",
    says: untrusted,
    cwd: "repository/vendor/child",
  },
  {
    name: "copy-of-trusted",
    build: (bench) => {
      bench.write("trusted/.tools/evil.tool", shellTool("evil", bench.payload));
      bench.trust("trusted");
      cpSync(bench.at("trusted"), bench.at("repository"), { recursive: true, preserveTimestamps: true });
    },
    calls: "evil",
    says: untrusted,
  },
  {
    name: "in-place-of-trusted",
    build: (bench) => {
      bench.write("trusted/.tools/evil.tool", shellTool("evil", "echo fine"));
      bench.trust("trusted");
      bench.write("repository/.tools/evil.tool", shellTool("evil", bench.payload));
      renameSync(bench.at("trusted"), bench.at("moved"));
      renameSync(bench.at("repository"), bench.at("trusted"));
    },
    calls: "evil",
    says: changed,
    cwd: "trusted",
  },
  {
    name: "other-case",
    build: (bench) => {
      bench.write("repository/.TOOLS/evil.tool", shellTool("evil", bench.payload));
      bench.write("repository/.Tools/plugins/evil.ts", plugin(bench.payloadCode));
    },
    calls: "evil",
    says: unknown,
    exitCode: 66,
    needs: () => process.platform === "linux",
  },
  withEvil(
    "brings-its-own-record",
    (bench) => {
      // A repository could contain this: dottool's state folder, with a record from a trusted clone.
      process.env["XDG_STATE_HOME"] = bench.at("repository/.state");
      bench.trust("repository");
      cpSync(bench.at("home/.local/state"), bench.at("repository/.state"), { recursive: true });
      rmSync(bench.at("home/.local"), { recursive: true });
    },
    { says: /does not run: `\S+` cannot be trusted: dottool's state is in the same project/ },
  ),
  withEvil("state-by-a-relative-path", (bench) => {
    bench.trust("repository");
    cpSync(bench.at("home/.local/state"), bench.at("repository/.state"), { recursive: true });
    rmSync(bench.at("home/.local"), { recursive: true });
    process.env["XDG_STATE_HOME"] = ".state";
  }),
  withEvil("record-that-others-can-write", (bench) => {
    bench.trust("repository");
    execFileSync("/bin/chmod", ["-R", "go+w", bench.at("home/.local/state/dottool/trust")]);
  }),
  withEvil("too-deep", (bench) => mkdirSync(bench.at(`repository/.tools/x${"/x".repeat(40)}`), { recursive: true }), {
    says: /cannot be trusted: it has folders nested more than 32 deep/,
  }),
  withEvil(
    "too-large",
    (bench) => {
      bench.write("repository/.tools/large", "");
      truncateSync(bench.at("repository/.tools/large"), 300 * 1024 * 1024);
    },
    { says: /cannot be trusted: it has more than 256 MiB/ },
  ),
  withEvil(
    "endless-links",
    (bench) => {
      symlinkSync("..", bench.at("repository/.tools/up"));
      symlinkSync(".", bench.at("repository/.tools/round"));
    },
    { says: /cannot be trusted: it has a link to a folder that contains it: `up`/ },
  ),
  {
    name: "of-another-user",
    build: (bench) => {
      bench.write("open/.tools/evil.tool", shellTool("evil", bench.payload));
      execFileSync("/bin/chmod", ["0777", bench.at("open")]);
      mkdirSync(bench.at("open/work"));
      for (const path of ["open/.tools", "open/.tools/evil.tool"]) chownSync(bench.at(path), 65534, 65534);
    },
    calls: "evil",
    says: unknown,
    exitCode: 66,
    cwd: "open/work",
    needs: isRoot,
  },
  {
    name: "users-folder-open-to-others",
    build: (bench) => {
      bench.write("home/.config/dottool/tools/evil.tool", shellTool("evil", bench.payload));
      bench.write("home/.config/dottool/tools/plugins/evil.ts", plugin(bench.payloadCode));
      execFileSync("/bin/chmod", ["0775", bench.at("home/.config/dottool/tools")]);
    },
    calls: "evil",
    says: /other users can write to `\S+tools`\n {2}= review it, then `chmod go-w \S+`/,
  },
];
