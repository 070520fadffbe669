// Programs that treat words with a leading dash differently from getopt(3), where `--` ends the options and all words
// after it are operands.

/**
 * Programs that read options after `--` too, or refuse it. Each row has its source and what to write instead; the
 * default is a path.
 */
const deaf: readonly (readonly [names: string, source: string, instead?: string])[] = [
  ["find gfind bfs", "find(1), EXPRESSION: it begins at the first word with a dash, behind `--` too"],
  ["echo", "POSIX's echo, OPTIONS: `--` is a text", "with `printf '%s\\n'`, which prints any text"],
  ["unzip zipinfo funzip", "unzip(1): `--` negates, and options go on behind it"],
  ["jq", "jq's news of 1.7: before it `--` was left out, and nothing more"],
  ["sqlite3 sqlite", "sqlite3 3.40: `unknown option: -`"],
  ["java javaw", "java(1): `Unrecognized option: --`"],
  ["gcc g++ cc c++ gfortran", "gcc(1): `unrecognized command-line option`"],
  ["ffmpeg ffprobe ffplay", "ffmpeg's fftools/cmdutils.c: `--` is for one word alone"],
  [
    "magick convert mogrify composite montage identify animate display",
    "ImageMagick's issue 1187: `unrecognized option`",
  ],
  ["exiftool", "exiftool's issue 38: `Unknown option --`"],
];

/** Programs whose arguments after `--` go to another program, which needs its own `--`. */
const passing: readonly (readonly [names: string, source: string])[] = [
  [
    "npm.run npm.run-script npm.start npm.test npm.t npm.stop npm.restart pnpm.run yarn.run bun.run",
    "npm-run-script(1)",
  ],
  [
    "cargo.run cargo.r cargo.test cargo.t cargo.bench cargo.rustc cargo.rustdoc cargo.clippy cargo.fmt cargo.miri",
    "cargo-run(1), cargo-test(1), cargo-rustc(1)",
  ],
  ["dotnet.run dotnet.test dotnet.watch", "dotnet run's reference"],
  ["swift.run zig.run zig.build bazel.run stack.run cabal.run dune.exec", "`swift run --help` and the like"],
  ["cmake", "cmake(1), Build a Project: `-- [<build-tool-options>]`"],
  ["minikube.ssh minikube.kubectl multipass.exec", "`minikube kubectl --help`"],
];

/** Programs without options, or whose options have no effect. */
const withoutOptions = "test [ [[ : true false for foreach select case esac done fi } return exit break continue shift";

/** Programs that only print, whatever their options. */
const printing = "echo basename dirname realpath readlink cat ls head tail seq expr sleep cd pushd";

/** Utilities with their options that take a value; their other options take none. */
const utilities: readonly (readonly [names: string, value: string])[] = [
  ["rm unlink rmdir cat tee chmod chown chgrp cksum wc pkill killall kill open xdg-open", "-s -n -g -u -t -P -G -U"],
  ["gzip gunzip bzip2 bunzip2 xz unxz zstd md5sum sha1sum sha256sum sha512sum b2sum", "-S --suffix"],
  ["cp mv ln", "-S -t --suffix --target-directory"],
  ["mkdir", "-m --mode"],
  ["touch truncate", "-d -r -t -s --date --reference --size"],
  ["shred", "-n -s --iterations --size"],
  [
    "grep egrep fgrep rg",
    "-e -f -m -A -B -C -d -D -g -t --regexp --file --max-count --after-context --before-context --context",
  ],
  ["head tail", "-n -c -s --lines --bytes --pid"],
  ["sort", "-k -t -o -S -T --key --field-separator --output --buffer-size --temporary-directory"],
  ["cut tr uniq nl fold paste join comm", "-b -c -d -f -s -w -v -l -n -i -1 -2 -j -o -t -e -a"],
  ["ls du df stat file", "-I -w -T -d -B -t -x -c -m -f -F -P"],
];

const AS_PATH = "as a `{path}`, or with `./` before it";

const deafNames = new Map(
  deaf.flatMap(([names, , instead = AS_PATH]) => names.split(" ").map((name) => [name, instead] as const)),
);
const passingNames = new Set(passing.flatMap(([names]) => names.split(" ").map((name) => name.replace(".", " "))));
const optionless = new Set(withoutOptions.split(" "));
const printers = new Set(printing.split(" "));
const utilityValues = new Map(
  utilities.flatMap(([names, value]) => names.split(" ").map((name) => [name, new Set(value.split(" "))] as const)),
);

/**
 * Returns what to write for a program that does not know `--`. `name` has the form used in the tables of
 * command-programs.ts.
 */
export function insteadOfDashes(name: string): string | undefined {
  return deafNames.get(name);
}

export function passesDashes(name: string): boolean {
  return passingNames.has(name);
}

export function readsOptions(name: string): boolean {
  return !optionless.has(name);
}

export function onlyPrints(name: string): boolean {
  return printers.has(name);
}

/** Whether the option takes a value, or undefined if that is not known. */
export function utilityTakesValue(name: string, option: string): boolean | undefined {
  return utilityValues.get(name)?.has(option);
}
