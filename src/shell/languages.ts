// Shells, and programs whose purpose is to run a program text among their arguments.
import { EVERY, type ProgramRule } from "./rule.ts";

const shellHelp = "pass the value as an argument after the script: `sh -c '… \"$1\" …' sh {name}`";
const languageHelp = "pass the value as an argument after the program text, and read it there";
const scriptHelp = "put the script in a file and pass values as its parameters";

export const shells: ProgramRule = {
  names: "sh bash dash zsh ksh mksh ash yash rbash",
  plain:
    "-a -b -c -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -D -E -H -P -T --login --posix --norc --noprofile --verbose --restricted --debugger --noediting --help --version +a +b +c +e +f +h +i +k +l +m +n +p +r +s +t +u +v +x +B +C +E +H +P +T",
  value: "-o +o -O +O --rcfile --init-file",
  style: "apart",
  shellSafe: "arguments",
  text: { from: 0, to: 1, with: "-c +c" },
  script: "shell",
  readsInput: { operands: 0 },
  help: shellHelp,
};

/** Matches program texts that may run their arguments. */
const perlRuns =
  /<(?!<)\$?\w*>|\b(?:eval|system|exec|qx|popen)\b|`|\bdo\s*[^{\s]|\brequire\s*[$(]|\bopen\b(?![^;]*,\s*["']\s*[+<>]+[^"'$@]*["']\s*,)|\/[gimsxr]*ee[gimsxr]*\b/;
const pythonRuns =
  /^(?:timeit|pdb)$|(?<![\w.])(?:eval|exec|compile|__import__)\b|\b(?:execfile|import_module|popen|getoutput|getstatusoutput|run_path|run_module)\b|\bos\.system\b|from\s+os\s+import|\bshell\s*=(?!\s*False)/;
const nodeRuns =
  /\b(?:eval|runIn\w+|compileFunction)\b|\bFunction\s*\(|(?:\brequire|\bimport|setTimeout|setInterval)\s*\(\s*[^"'\s(]|\bchild_process\b[\s\S]*\bexec(?:Sync)?\b|\bshell\s*:/;
const rubyRuns =
  /\b(?:\w*eval|system|exec|spawn|popen\w*)\b|(?<![.\w])open\b|\bIO\.\w+|\b(?:load|require\w*)\s*[(\s]\s*[^"'\s(]|`|%x/;

export const languages: readonly ProgramRule[] = [
  shells,
  // Sources: bash(1), `set -o`; zshoptions(1): `shwordsplit`, `globsubst` and others change how a script is read.
  {
    names: shells.names,
    style: "apart",
    ...(shells.plain === undefined ? {} : { plain: shells.plain }),
    value: "--rcfile --init-file",
    code: "-o +o -O +O",
    note: "an option of the shell can change how it reads the script",
    help: "write out the name of the option, or declare choices",
  },
  {
    names: "fish csh tcsh nu elvish xonsh",
    code: "-c --command --commands -C --init-command -e --execute",
    text: { from: 0, to: 1, with: "-c" },
    script: "shell",
    readsInput: { operands: 0 },
    help: shellHelp,
  },
  // Sources: about_Pwsh and about_PowerShell_exe. Windows PowerShell takes its first operand as a command.
  {
    names: "powershell pwsh",
    style: "prefix",
    plain:
      "-interactive -i -login -l -mta -sta -noexit -nologo -nol -noninteractive -noni -noprofile -nop -noprofileloadtime -sshservermode -help -?",
    value:
      "-file -f -executionpolicy -ep -ex -inputformat -if -outputformat -of -o -settingsfile -windowstyle -w -workingdirectory -wd -version -v -configurationname -configurationfile -custompipename -psconsolefile",
    ends: "-file -f",
    file: "-file -f -command -c",
    code: "-command -c -encodedcommand -e -ec -encodedarguments -commandwithargs -cwa",
    text: { from: 0, to: EVERY, with: "-command -c -encodedcommand -e -ec -commandwithargs -cwa" },
    readsInput: { operands: 0 },
    help: scriptHelp,
  },
  {
    names: "powershell",
    style: "prefix",
    value:
      "-file -f -executionpolicy -ep -ex -inputformat -outputformat -windowstyle -w -version -v -configurationname -psconsolefile",
    plain: "-nologo -noprofile -nop -noninteractive -noni -noexit -mta -sta",
    text: { from: 0, to: EVERY, without: "-file -f" },
    help: scriptHelp,
  },
  {
    names: "cmd",
    style: "prefix",
    plain: "/d /s /q /a /u /v /e /f /t",
    code: "/c /k /r",
    text: { from: 0, to: EVERY, with: "/c /k /r" },
    readsInput: { operands: 0 },
    help: "run the command directly with `@shell cmd`, which accepts only harmless values",
  },
  {
    names: "awk gawk mawk nawk original-awk",
    plain:
      "-b -c -C -g -h -I -k -M -n -N -O -P -r -s -S -t -V --characters-as-bytes --traditional --copyright --gen-pot --help --trace --csv --bignum --use-lc-numeric --non-decimal-data --optimize --posix --re-interval --no-optimize --sandbox --lint-old --version",
    glued: "-d -D -L -o -p --dump-variables --debug --lint --pretty-print --profile",
    value: "-F -v -f -E -W --field-separator --assign --file --exec",
    file: "-f --file -E --exec",
    code: "-e --source -i --include -l --load",
    text: { from: 0, to: 1, without: "-e --source -f --file -E --exec" },
    shellSafe: "anywhere",
    script: "awk",
    help: "give awk a variable: `awk -v name={name} '… name …'`",
  },
  {
    names: "sed gsed",
    plain:
      "-n -E -r -s -u -z --quiet --silent --debug --follow-symlinks --posix --regexp-extended --separate --sandbox --unbuffered --null-data --zero-terminated --help --version",
    glued: "-i --in-place",
    value: "-l -f --line-length --file",
    file: "-f --file",
    code: "-e --expression",
    permutes: true,
    text: { from: 0, to: 1, without: "-e --expression -f --file" },
    shellSafe: "slashes",
    help: "sed can run programs from its script: allow only plain words with `pattern=/[a-z0-9_-]+/`, between the slashes of `s/…/…/`, or use `awk -v`",
  },
  {
    names: "perl",
    plain: "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -a -c -f -h -l -n -p -s -S -t -T -u -U -v -w -W -X -C",
    glued: "-i -x -D -V",
    value: "-I",
    code: "-e -E",
    gluedCode: "-M -m -F -d",
    script: perlRuns,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  // Operands are opened with perl's `open`, which reads `… |` as a command, except where files are changed in place.
  {
    names: "perl",
    plain: "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -a -c -f -h -l -n -p -s -S -t -T -u -U -v -w -W -X -C",
    glued: "-i -x -D -V -M -m -F -d",
    value: "-I -e -E",
    shellSafe: "anywhere",
    text: { from: 0, to: EVERY, with: "-n -p -a -F", without: "-i" },
    note: "`perl -n` and `-p` run `… |` as a command",
    help: "write `< {name}` with a `@shell`, or send the text through `@stdin`",
  },
  {
    names: "python pypy",
    statements: "-c",
    plain: "-b -B -d -E -h -i -I -O -P -q -s -S -t -u -v -V -x -? --help --version",
    value: "-W -X --check-hash-based-pycs",
    code: "-c -m",
    ends: "-c -m",
    script: pythonRuns,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "node nodejs bun tsx",
    statements: "-e --eval -p --print -pe",
    style: "words",
    plain:
      "-c --check -h --help -i --interactive -v --version --inspect --inspect-brk --test --watch --no-warnings --trace-warnings --trace-deprecation --no-deprecation --throw-deprecation --enable-source-maps --expose-gc --preserve-symlinks --experimental-strip-types --experimental-transform-types --permission --experimental-permission",
    value:
      "-C --conditions --input-type --title --env-file --env-file-if-exists --max-old-space-size --stack-size --unhandled-rejections --dns-result-order --icu-data-dir --openssl-config --redirect-warnings --report-dir --test-name-pattern --watch-path",
    code: "-e --eval -p --print -pe -r --require --import --loader --experimental-loader --test-reporter --preload",
    script: nodeRuns,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  { names: "deno", hasSubcommands: true, help: languageHelp },
  { names: "bun", hasSubcommands: true, help: languageHelp },
  { names: "deno.run bun.run uv.run", style: "words", readsInput: { operands: 0 }, help: languageHelp },
  { names: "deno.eval", plain: "-p --print -T --ts", text: { from: 0, to: EVERY }, help: languageHelp },
  {
    names: "ruby",
    plain: "-a -c -h -l -n -p -s -S -v -w -y -0 -1 -2 -3 -4 -5 -6 -7 --version --verbose --help",
    glued: "-F -i -K -T -W -x",
    value: "-I -C -E",
    code: "-e -r",
    script: rubyRuns,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "lua luajit",
    plain: "-i -v -E -W",
    code: "-e -l",
    script: /\b(?:load\w*|dofile|require|execute|popen)\b/,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "Rscript R julia elixir groovy scala gnuplot osascript ts-node ghc ghci ocaml swift raku jshell",
    style: "words",
    code: "-e -E --eval --print -p",
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "php",
    plain: "-a -i -l -m -n -q -s -v -w -C -H",
    value: "-c -f -S -t",
    code: "-z --zend-extension -r -R -B -E -d --run --process-code --process-begin --process-end --define",
    script:
      /\b(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|include\w*|require\w*|create_function|call_user_func\w*|unserialize)\b|`/,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "guile expect tclsh wish",
    plain: "-b -d -i -n -N",
    value: "-f -s -L",
    code: "-c -e -l",
    script: /\b(?:eval|exec|system\w*|open|open-\w+pipe|primitive-load|load|source|subst|uplevel|expr|spawn)\b/,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "emacs emacsclient",
    style: "words",
    plain: "-nw -q -Q -batch --batch --no-init-file --quick --no-window-system",
    value: "-T --title -d --display -script --script",
    file: "-script --script",
    code: "-eval --eval -execute --execute -e -l -load --load -f -funcall --funcall",
    permutes: true,
    help: languageHelp,
  },
  {
    names: "sbcl clisp ecl",
    style: "words",
    code: "--eval -x -eval",
    permutes: true,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "racket csi janet clojure bb",
    style: "words",
    code: "-e --eval -eval -i -p",
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "mongosh mongo",
    code: "--eval",
    statements: "--eval",
    permutes: true,
    readsInput: "always",
    help: languageHelp,
  },
  {
    names:
      "irb pry iex bpython ptpython kotlin swipl maxima gp gap sage scheme yaegi hy fennel jimsh wolframscript matlab bpftrace stap dtrace coffee",
    style: "words",
    code: "-e -E -c -g -t -r -n -code -batch --eval --exec --execute --batch-string",
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  { names: "rails mix crystal wp drush dotnet", hasSubcommands: true, help: languageHelp },
  {
    names: "rails.runner rails.r mix.eval crystal.eval wp.eval drush.ev drush.php-eval drush.php:eval",
    value: "-e --environment",
    text: { from: 0, to: 1 },
    help: languageHelp,
  },
  {
    names: "rails.console rails.c rails.runner rails.r mix.run crystal.eval crystal.run wp.shell dotnet.fsi",
    code: "-e --eval --exec --use",
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "ipython jrunscript",
    style: "words",
    code: "-c -e",
    permutes: true,
    readsInput: { operands: 0 },
    help: languageHelp,
  },
  {
    names: "dc",
    plain: "-h -V --help --version",
    value: "-f --file",
    file: "-f --file",
    code: "-e --expression",
    permutes: true,
    readsInput: { operands: 0 },
    note: "`dc` runs what follows `!`",
    help: languageHelp,
  },
  {
    names: "m4 gm4",
    code: "-D --define",
    permutes: true,
    readsInput: { operands: 0 },
    note: "`m4` expands `syscmd(…)` in its input",
    help: languageHelp,
  },
  { names: "octave", code: "--eval --exec-path", readsInput: { operands: 0 }, help: languageHelp },
  { names: "erl", style: "words", code: "-eval -run -s", permutes: true, readsInput: "always", help: languageHelp },
  {
    names: "gdb lldb",
    style: "words",
    plain: "-batch --batch -q -quiet --quiet -nx --nx -nh -n -args --args -nw -silent",
    value: "-s -symbols -e -exec -se -c -core -p -pid -d -directory -cd -tty",
    code: "-ex --ex -iex --iex -eval-command --eval-command -init-eval-command --init-eval-command -x --command -command -ix -o --one-line -O --one-line-before-file -S --source-before-file",
    permutes: true,
    readsInput: "always",
    help: languageHelp,
  },
  {
    names: "vi vim nvim ex view gvim rvim vimdiff",
    plain:
      "-A -b -C -d -D -E -e -f -F -g -h -H -l -L -m -M -n -N -O -o -p -R -r -s -v -V -X -x -y -Z -Es -es --clean --noplugin --not-a-term --version --help --headless",
    value: "-i -q -t -T -W -w",
    code: "-c -S -u -U --cmd",
    permutes: true,
    sign: "+",
    readsInput: "always",
    note: "an argument that begins with `+` is a command, and so is what follows `-c`",
    help: "put `--` before the file",
  },
];
