// Programs that read some of their words as programs: what a value must never become a part of. Each was tried with a value
// that leaves a mark; test/language/command-attacks.test.ts does it again.

/** Names as they stand in a command, without folder and version: `python3.12` is `python`. */
export interface Interpreter {
  readonly names: readonly string[];
  /** The word behind such an option is program text. */
  readonly codeAfter?: RegExp;
  /** Program text stands in the same word, behind this. */
  readonly codeBehind?: RegExp;
  /** Operands that are program text, counted from 0; `condition`: only with such an option, `unless`: not with such an option. */
  readonly operands?: { readonly from: number; readonly to: number; readonly condition?: RegExp; readonly unless?: RegExp };
  /** Options whose value is the next word. */
  readonly valueOptions?: RegExp;
  /** Runs what comes in when it has no operand. */
  readonly readsInput?: true;
  /** Letters, digits and `_ . -` mean nothing much in its programs. */
  readonly takesPlainText?: true;
  readonly help: string;
}

const EVERY = Number.POSITIVE_INFINITY;
const shellHelp = "pass the value as a word behind the script: `sh -c '… \"$1\" …' sh {name}`";
const languageHelp = "pass the value as a word behind the program text, and read it there as an argument";

export const interpreters: readonly Interpreter[] = [
  {
    names: ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "yash", "rbash", "fish", "csh", "tcsh", "nu", "elvish", "xonsh"],
    operands: { from: 0, to: 1, condition: /^-[A-Za-z]*c[A-Za-z]*$|^--commands?$/ },
    codeBehind: /^--(?:init-)?commands?=/,
    valueOptions: /^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file)$/,
    readsInput: true,
    help: shellHelp,
  },
  { names: ["powershell", "pwsh"], codeAfter: /^-(?:c|command|e|ec|encodedcommand)$/i, operands: { from: 0, to: EVERY, condition: /^-(?:c|command|e|ec|encodedcommand)$/i }, readsInput: true, help: "put the script in a file and pass values as its parameters" },
  { names: ["cmd"], codeAfter: /^\/[ckr]$/i, operands: { from: 0, to: EVERY, condition: /^\/[ckr]$/i }, readsInput: true, help: "write `@shell cmd`, which accepts harmless values only" },
  { names: ["awk", "gawk", "mawk", "nawk"], codeAfter: /^(?:-e|--source)$/, codeBehind: /^--source=|^-e./, operands: { from: 0, to: 1, unless: /^-[fE]|^--(?:file|exec)/ }, valueOptions: /^-[Fvf]$|^--(?:field-separator|assign|file)$/, takesPlainText: true, help: "give awk a variable: `awk -v name={name} '… name …'`" },
  { names: ["sed", "gsed"], codeAfter: /^-[A-Za-z]*e$|^--expression$/, codeBehind: /^--expression=|^-[nErsuz]*e./, operands: { from: 0, to: 1, unless: /^-[A-Za-z]*[ef]$|^--(?:expression|file)/ }, valueOptions: /^-[lf]$/, takesPlainText: true, help: "sed can run programs from its script: let only plain words through with `pattern=/[a-z0-9_]+/`, or use `awk -v`" },
  { names: ["perl"], codeAfter: /^-[A-Za-z0-9]*[eE]$/, codeBehind: /^-[A-Za-z0-9]*[eEMm]/, readsInput: true, help: languageHelp },
  { names: ["python", "pypy"], codeAfter: /^-[A-Za-z]*c$/, codeBehind: /^-[A-Za-z]*c./, readsInput: true, help: languageHelp },
  { names: ["node", "nodejs", "bun", "tsx"], codeAfter: /^(?:-e|-p|-pe|--eval|--print)$/, codeBehind: /^--(?:eval|print)=/, readsInput: true, help: languageHelp },
  { names: ["deno"], codeAfter: /^eval$/, operands: { from: 0, to: EVERY, condition: /^eval$/ }, help: languageHelp },
  { names: ["ruby", "lua", "luajit", "julia", "elixir", "groovy", "scala", "gnuplot", "Rscript", "R", "osascript", "xterm"], codeAfter: /^-[A-Za-z]*[eE]$|^--eval$/, codeBehind: /^-e.|^--eval=/, readsInput: true, help: languageHelp },
  { names: ["php"], codeAfter: /^-[rRBE]$|^--(?:run|process-code|process-begin|process-end)$/, codeBehind: /^-[rRBE]./, readsInput: true, help: languageHelp },
  { names: ["guile", "expect", "vi", "vim", "nvim", "ex", "view", "gvim"], codeAfter: /^(?:-c|--cmd|-e)$/, codeBehind: /^\+|^-c./, readsInput: true, help: languageHelp },
  { names: ["emacs", "octave", "gdb", "erl"], codeAfter: /^-{1,2}(?:eval|ex|eval-command|iex)$/, codeBehind: /^-{1,2}(?:eval|eval-command)=/, readsInput: true, help: languageHelp },
  { names: ["sqlite3"], operands: { from: 1, to: EVERY, unless: /^--?safe$/ }, codeAfter: /^--?cmd$/, readsInput: true, help: "add `-safe` before the file, which turns off the commands of sqlite3 that run programs" },
  { names: ["su", "runuser", "script", "flock"], codeAfter: /^-[A-Za-z]*c$|^--(?:session-)?command$/, codeBehind: /^--(?:session-)?command=|^-c./, help: shellHelp },
  { names: ["env"], codeAfter: /^-[A-Za-z]*S$|^--split-string$/, codeBehind: /^-[A-Za-z]*S.|^--split-string=/, help: "write the words out" },
  { names: ["watch", "parallel", "at", "batch"], operands: { from: 0, to: EVERY }, valueOptions: /^-[nqjaId]$|^--(?:interval|jobs)$/, readsInput: true, help: "it hands its words to a shell: run the command itself" },
  { names: ["ssh"], operands: { from: 1, to: EVERY }, codeAfter: /^-o$/, codeBehind: /^-o./, valueOptions: /^-[A-Za-z0-9]*[BbcDEeFIiJLlmOopQRSWw]$/, readsInput: true, help: "the shell on the other side reads these words again: send the value through `@stdin`" },
];

/** Programs that run another program: `operands` stand before it, and so does the next word behind such an option. */
export interface Wrapper {
  readonly names: readonly string[];
  readonly operands: number;
  readonly valueOptions?: RegExp;
}

export const wrappers: readonly Wrapper[] = [
  { names: ["env"], operands: 0, valueOptions: /^-[uCS]$|^--(?:unset|chdir)$/ },
  { names: ["sudo"], operands: 0, valueOptions: /^-[ughpCrtTUDR]$|^--(?:user|group|host|prompt|role|type|chdir|chroot)$/ },
  { names: ["doas"], operands: 0, valueOptions: /^-[uC]$/ },
  { names: ["nohup", "setsid", "builtin", "busybox", "toybox", "noglob"], operands: 0 },
  { names: ["command"], operands: 0 },
  { names: ["exec"], operands: 0, valueOptions: /^-a$/ },
  { names: ["time"], operands: 0, valueOptions: /^-[fo]$/ },
  { names: ["stdbuf"], operands: 0, valueOptions: /^-[ioe]$/ },
  { names: ["nice"], operands: 0, valueOptions: /^-n$/ },
  { names: ["ionice"], operands: 0, valueOptions: /^-[cnpPu]$/ },
  { names: ["repeat"], operands: 1 },
  { names: ["timeout", "gtimeout"], operands: 1, valueOptions: /^-[ks]$|^--(?:kill-after|signal)$/ },
  { names: ["chroot", "taskset", "chrt", "flock"], operands: 1, valueOptions: /^-[wEcTPDp]$/ },
  { names: ["xargs"], operands: 0, valueOptions: /^-[InPLsdaE]$|^--(?:max-args|max-procs|max-lines|delimiter|arg-file|replace)$/ },
  { names: ["strace", "ltrace"], operands: 0, valueOptions: /^-[eopsuESPIbaX]$/ },
];

/** Built into shells: the words they read as script text, as a name that may hold one, or as arithmetic. */
export const evaluatingBuiltins = new Set(["eval", "source", ".", "trap", "alias", "bind", "complete", "compgen", "emulate", "zmodload", "autoload", "sched", "fc", "enable", "zstyle", "functions"]);
export const namingBuiltins = new Set(["read", "unset", "getopts", "mapfile", "readarray", "vared", "zparseopts"]);
export const declaringBuiltins = new Set(["export", "declare", "typeset", "local", "readonly", "integer", "float"]);
export const countingBuiltins = new Set(["exit", "logout", "return", "shift", "break", "continue"]);

/** Variables that a shell or a common program takes a command, a script or a list of folders with programs from, and those that shells keep as numbers. */
export const specialVariable =
  /^(?:PATH|IFS|ENV|BASH_ENV|BASH_FUNC.*|PS[0-4]|R?PROMPT\d?|PROMPT_COMMAND|SHELL|SHELLOPTS|BASHOPTS|LD_.*|DYLD_.*|.*_COMMAND|.*_CMD|(?:GIT_|SUDO_)?(?:EDITOR|ASKPASS)|GIT_(?:SSH|SEQUENCE_EDITOR|EXTERNAL_DIFF|CONFIG.*)|VISUAL|BROWSER|(?:.*_)?PAGER|LESSOPEN|LESSCLOSE|MAKEFLAGS|RSYNC_RSH|NODE_OPTIONS|NODE_PATH|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|PYTHON(?:PATH|STARTUP|HOME|BREAKPOINT)|CLASSPATH|_?JAVA_(?:TOOL_)?OPTIONS|FPATH|MODULE_PATH|CDPATH|RANDOM|SRANDOM|SECONDS|OPTIND|LINES|COLUMNS|HIST(?:SIZE|CMD|FILESIZE)|SAVEHIST|LINENO|TMOUT|KEYTIMEOUT|FUNCNEST|E?[UG]ID|PPID|EPOCH.*)$/;

/** Any of the words above that can run text, wherever it stands. */
export const evaluatorWord = new RegExp(`(?:^|[^A-Za-z0-9_])(?:${[...evaluatingBuiltins, ...interpreters.flatMap(({ names }) => names)].map((name) => name.replace(".", "\\.")).join("|")})(?![A-Za-z0-9_])`);

/** The name in tables: without folder, version and `.exe`. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
  if (name === "sqlite3" || name === "R") return name;
  return name.replace(/(?<=[A-Za-z])-?\d+(?:\.\d+)*$/, "");
}
