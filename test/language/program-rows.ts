// Programs that run a value: each row is a template that is refused and a value that would have left a mark.
import { join } from "node:path";
import process from "node:process";

export interface ProgramRow {
  readonly template: string;
  readonly value: string;
  /** What runs before it. */
  readonly before?: string;
  /** Only root may. */
  readonly needsRoot?: true;
}

const run = "touch mark";
const shell = "!touch mark";
const nodeText = 'require("fs").writeFileSync("mark", "")';
const pythonText = 'open("mark", "w")';
const row = (template: string, value: string, options: Omit<ProgramRow, "template" | "value"> = {}): ProgramRow => ({ template, value, ...options });
const all = (templates: readonly string[], value: string, options: Omit<ProgramRow, "template" | "value"> = {}): readonly ProgramRow[] => templates.map((template) => row(template, value, options));
const root = { needsRoot: true } as const;
const repository = { before: "git init -q && git commit -q --allow-empty -m a && git add script && git commit -qm b && git commit -q --allow-empty -m c" } as const;
const submodule = { before: "git init -q inner && git -C inner commit -q --allow-empty -m a && git init -q && git submodule --quiet add ./inner inner 2>/dev/null" } as const;
/** The program under test, as one among others. */
const dottool = { before: `printf '%s\\n' '#!/bin/sh' 'exec "${process.execPath}" "${join(import.meta.dirname, "../../src/main.ts")}" "$@"' > bin/dottool && chmod +x bin/dottool` } as const;
const archive = { before: "tar -cf plain.tar script" } as const;

const languages: readonly ProgramRow[] = [
  ...all(["bash -o pipefail -c {p}", "bash -oe pipefail -c {p}", "dash -e -u -c {p}", "zsh -f -c {p}", "bash +o posix -c {p}", "dash +c {p}", "zsh +x +c {p}", "busybox sh -c {p}", "bash --rcfile /dev/null -c {p}"], run),
  ...all(["awk {p}", "awk -v x=1 -F , {p}", "mawk -W posix {p}", "busybox awk {p}"], 'BEGIN { system("touch mark") }'),
  ...all(["sed p script -e {p}", "sed --quiet {p} script", "sed --expr={p} script", "sed -ne {p} script", "sed -E -s {p} script", "sed -l 5 -e p -e {p} script"], "1e touch mark"),
  ...all(["perl -lane {p} script", "perl -e '1;' -e {p}", "perl -i.bak -e {p}", "perl -I . -we {p}"], "system 'touch mark'"),
  ...all(["perl -ne print {p}", "perl -pe 1 -- {p}", "perl -lanE 1 script {p}", "perl -ae 1 {p}", "perl -F: -e 1 {p}"], "touch mark|"),
  row("perl -F{p} -ane 1 script", '/x/),system("touch\\tmark"),(1'),
  ...all(["python3 -W ignore -c {p}", "python3 --check-hash-based-pycs default -c {p}"], pythonText),
  row("python3 -m timeit -n 1 -r 1 {p}", pythonText),
  row("python3 -m {p}", "marker", { before: "printf 'open(\"mark\", \"w\")' > marker.py" }),
  ...all(["node --title x -e {p}", "node -pe {p}", "node --no-warnings --print {p}", "node --eval={p}"], nodeText),
  ...all(["node --import {p} -e 1", "node --no-warnings --experimental-loader {p} -e 1"], 'data:text/javascript,import { writeFileSync } from "fs"; writeFileSync("mark", "")'),
  ...all(["node -r {p} -e 1", "node --require={p} -e 1"], "./marker.cjs", { before: `printf '%s' '${nodeText}' > marker.cjs` }),
  ...all(["gdb -q -batch -ex {p}", "gdb -q -batch -iex {p}", "gdb -batch script -eval-command={p}"], "shell touch mark"),
  ...all(["vim -es {p} +q", "vi -es {p} +q", "ex -s {p} +q", "view -es {p} +q"], `+${shell}`),
  ...all(["vim -es script +{p} +q", "vim -es -c {p} +q script", "vim -es --cmd {p} +q script"], shell),
  row("vim -u {p} -es +q", "vimrc", { before: "echo '!touch mark' > vimrc" }),
];

/** Literal program text that runs what it is given. */
const inner: readonly ProgramRow[] = [
  ...all([
    "sh -c 'eval \"$1\"' x {p}", "sh -c 'eval \"$0\"' {p}", "sh -c 'x=$1; sh -c \"$x\"' x {p}", "sh -c 'sh -c \"eval \\\"\\$1\\\"\" x \"$1\"' x {p}", "sh -c '\"$@\"' x sh -c {p}", "env X={p} sh -c 'eval \"$X\"'",
    "find . -maxdepth 0 -exec sh -c 'eval \"$1\"' x {p} \\;", "nice bash -c 'for f; do eval \"$f\"; done' x {p}", "awk -v x={p} 'BEGIN{{system(x)}}'", "awk -v x={p} 'BEGIN{{print | x}}'", "awk -v x={p} 'BEGIN{{x | getline}}'",
    "perl -e 'system $ARGV[0]' {p}", "perl -e 'exec(\"sh\", \"-c\", @ARGV)' {p}", "python3 -c 'import os, sys; os.system(sys.argv[1])' {p}", "python3 -c 'import subprocess, sys; subprocess.run(sys.argv[1], shell=True)' {p}",
    "node -e 'require(\"child_process\").execSync(process.argv[1])' {p}",
  ], run),
  row("bash -c 'echo $(($1))' x {p}", "a[$(touch mark)]"),
  row("awk '{{system(x)}}' {p} script", "x=touch mark"),
  row("perl -e 'print <>' {p}", "touch mark|"),
  row("perl -e 'open(F, $ARGV[0])' {p}", "touch mark|"),
  row("node -e 'eval(process.argv[1])' {p}", nodeText),
  row("python3 -c 'import sys; exec(sys.argv[1])' {p}", pythonText),
];

const wrappers: readonly ProgramRow[] = [
  ...all([
    "env - {p}", "env -u X {p}", "env -C . A=b {p}", "nice --adjustment 5 {p}", "nice --adj 5 {p}", "nice -5 {p}", "nice nice {p}", "stdbuf -o L {p}", "stdbuf --output L {p}", "chrt -b 0 {p}", "taskset 1 {p}", "taskset -c 0 {p}",
    "ionice -c 2 -n 3 {p}", "ionice --class 3 {p}", "setsid -w {p}", "nohup {p}", "env time -p {p}", "env time -o x -f y {p}", "strace -o /dev/null {p}", "strace --trace none {p}", "timeout --signal TERM 5 {p}", "timeout -s TERM 5 {p}",
    "prlimit --nofile=100 {p}", "prlimit -n100 {p}", "setarch x86_64 {p}", "setarch -R {p}", "linux64 -R {p}", "choom -n 0 {p}", "choom -n 0 -- {p}", "dbus-run-session -- {p}", "setpriv {p}", "unshare -- {p}", "nsenter {p}",
    "flock -w 1 f {p}", "flock --wait 1 f {p}", "xargs {p}", "xargs -n 1 {p}", "xargs --max-args 1 {p}", "find script -exec {p} \\;", "find script -exec true \\; -exec {p} \\;", "busybox env {p}", "fakeroot {p}", "perf stat {p}", "cmake -E env A=b {p}", "cmake -E time {p}", "cmake -E chdir . {p}", "find . -maxdepth 0 -execdir {p} \\;",
  ], "./script"),
  ...all(["env -S {p}", "env -S{p}", "env --split-string={p}", "env --spl={p}", "env -iS {p}"], "./script"),
  ...all(["flock f -c {p}", "flock -n f --command {p}", "script -qc {p} /dev/null", "script -q /dev/null -c {p}", "unshare sh -e -c {p}", "nice --adjustment 5 sh -c {p}", "find . -maxdepth 0 -exec true \\; -exec sh -c {p} \\;", "timeout 5 env -i PATH=/bin:/usr/bin sh -c {p}", "setarch x86_64 sh -c {p}", "hyperfine -r 1 {p}", "hyperfine -r 1 --prepare {p} true"], run),
  row("strace -o {p} true", `|${run}`),
  ...all(["su root -c {p}", "su root --command {p}", "su -c {p} root", "su root -- -c {p}", "runuser root -c {p}", "runuser -u root -- sh -c {p}"], "touch \"$PLACE/mark\"", root),
  ...all(["runuser -u root -- {p}", "setpriv --reuid 0 {p}", "unshare -S 0 {p}"], "./script", root),
];

const own: readonly ProgramRow[] = [
  ...all(["dottool run_command --command {p}", "dottool --cwd . run_command command={p}", "dottool call run_command --command={p}", "env dottool run_command --argv sh --argv=-c --argv {p}"], run, dottool),
  row("dottool run_command {p}", "tame", dottool),
  row("dottool call run_command --json {p}", '{"command":"touch mark"}', dottool),
  row("dottool call {p} --command 'touch mark'", "run_command", dottool),
  row("dottool --tools {p} x", "d", { before: `${dottool.before} && mkdir d && printf 'X.\\n\\n@name x\\n@wrapped run_command\\n@command touch mark\\n' > d/x.tool` }),
];

const tools: readonly ProgramRow[] = [
  ...all(["tar -cf x.tar -I {p} script", "tar cIf {p} x.tar script", "tar -cf x.tar script --use-compress={p}", "tar -cf x.tar --use-compress-program {p} script", "sort --compress-program={p} -S 1k numbers"], "./script", { before: "seq 9999 > numbers" }),
  row("tar -cf x.tar --checkpoint=1 --checkpoint-action={p} script", `exec=${run}`),
  row("tar -xf plain.tar --to-command={p}", run, archive),
  row("split -l 1 --filter={p} script", run),
  ...all(["scp -o {p} script host.invalid:x", "sftp -o {p} host.invalid", "ssh -4 -o {p} host.invalid", "ssh -o{p} host.invalid"], `ProxyCommand=${run}`),
  ...all(["scp -S {p} script host.invalid:x", "scp -q -D {p} script host.invalid:x", "sftp -S {p} host.invalid", "sftp -D {p}"], "./script"),
  row("git -c {p} status", `core.fsmonitor=${run};:`, repository),
  ...all(["git -c core.fsmonitor={p} status", "git --no-pager -C . -c core.fsmonitor={p} status"], `${run};:`, repository),
  ...all(["git rebase -q -x {p} --root", "git rebase --root --exec {p}", "git difftool -y -x {p} HEAD~1 HEAD~2"], "touch \"$PLACE/mark\"", repository),
  ...all(["git clone -q -u {p} . copy", "git clone . copy --upload-pack={p}", "git fetch --upload-pack {p} .", "git ls-remote --upload={p} .", "git push --receive-pack={p} . HEAD:x", "git archive --remote=. --exec={p} HEAD"], `${run};:`, repository),
  row("git grep -O{p} mark", "./script", repository),
  row("git bisect run {p}", "./script", { before: `${repository.before} && git bisect start HEAD HEAD~1 > out` }),
  ...all(["git submodule foreach {p}", "git submodule --quiet foreach --recursive {p} a"], "touch ../mark", submodule),
  ...all(["ssh -J {p} host.invalid", "scp -J {p} script host.invalid:x", "sftp -J {p} host.invalid"], "$(touch${IFS}mark)"),
  ...all(["rg --pre {p} mark script", "rg mark script --pre={p}"], "./script"),
  row("gcc -wrapper {p} -c x.c", "./script", { before: "echo 'int x;' > x.c" }),
  ...all(["wget -e {p} http://host.invalid/", "wget --execute={p} http://host.invalid/"], "use_askpass=./script"),
  row("wget --use-askpass={p} http://host.invalid/", "./script"),
  row("dpkg --pre-invoke={p} -i x", run, root),
  row("tmux -c {p}", run),
  row("npm exec -c {p}", run),
  ...all(["install -s --strip-program={p} script copy", "install -D --strip-p={p} -s script copy", "logsave out {p}", "capsh --shell={p} --", "sg root {p}"], "./script"),
  ...all(["capsh -- -c {p}", "sg root -c {p}"], run),
  ...all(["ip vrf exec default {p}"], "./script", root),
  ...all(["zip -q -T -TT {p} x.zip script", "zip -q -T --unzip-command {p} x.zip script"], "./script #"),
  row("ed -s {p}", shell),
  ...all(["sqlite3 -cmd {p} x.db .tables", "sqlite3 x.db {p}", "sqlite3 -readonly -nullvalue x :memory: {p}"], ".shell touch mark"),
  ...all(["make -f makefile {p}", "make -f makefile X={p}"], "x=$(shell touch mark)", { before: "printf 'all:; echo $(X)$(x)\\n' > makefile" }),
];

/** Letters alone: `etame` runs the program `tame` in sed. */
export const tameRows: readonly ProgramRow[] = [...all(["sed {w} script", "sed -n 1{w} script", "sed 's/a/b/;{w}' script", "sed -e p -e {w} script"], "etame"), row("sed 's/.*/tame/{w}' script", "e")];

export const directRows: readonly ProgramRow[] = [...languages, ...inner, ...wrappers, ...own, ...tools];

/** In a script. */
export const scriptRows: readonly ProgramRow[] = [
  ...all(["printf '%s\\n' {p} | xargs -I% sh -c 'echo %'", "printf '%s\\n' {p} | xargs -i sh -c 'echo {}'", "printf '%s\\n' {p} | xargs --replace=_ sh -c 'echo _'", "printf '%s\\n' {p} | xargs -I% nice sh -c 'echo %'"], `; ${run}`),
  ...all(["printf '%s\\0' {p} | xargs -0 sh -c", "printf '%s\\0' {p} | xargs -0 sh -c 'eval \"$1\"' x", "printf %s {p} | sh -c sh", "printf %s {p} | sh -c 'read -r x; eval \"$x\"'", "X={p} sh -c 'eval \"$X\"'", "x={p}; sh -c 'eval \"$1\"' x \"$x\"", "export X={p}; nice sh -c 'eval \"$X\"'", "printf '%s\\n' {p} | awk '{{ system($0) }}'"], run),
  row("printf '%s\\n' {p} | perl -ne 'system $_'", run),
  ...all(["printf '%s\\n' {p} | ed -s script", "printf '%s\\n' {p} q | ex -s script", "printf '%s\\n' {p} q! | vim -es script"], shell),
  row("command -p {p}", "./script"),
  ...all(["CC={p} make x", "export CC={p}; make x", "env CC={p} make x", "CFLAGS='; {p} #' make x"], "$(shell touch mark)", { before: "echo 'int x;' > x.c" }),
  row("GIT_ALLOW_PROTOCOL={p} git ls-remote 'ext::sh -c touch% mark'", "ext", repository),
  ...all(["git config alias.zz {p}; git zz", "git config --local --add Alias.zz {p}; git zz", "git config -f .git/config alias.zz {p}; git zz"], shell, repository),
  ...all(["git config core.fsmonitor {p}; git status", "git -C . config --replace-all core.fsmonitor {p}; git status", "k=core.fsmonitor; git config $k {p}; git status"], `${run};:`, repository),
  row("git config {p} 'touch mark;:'; git status", "core.fsmonitor", repository),
  row("git config core.{p} 'touch mark;:'; git status", "fsmonitor", repository),
  row("git config {p}.zz '!touch mark'; git zz", "alias", repository),
  row("git config diff.x.textconv {p}; echo 'script diff=x' > .gitattributes; git show HEAD~1", "sh -c ': > mark' #", repository),
  row("printf '%s\\n' {p} | xargs -d '\\n' dottool run_command --command", run, dottool),
  row("printf '%s\\n' {p} | dottool call run_command --json -", '{"command":"touch mark"}', dottool),
  ...all(["printf '%s\\n' {p} | sh /dev/stdin", "printf '%s\\n' {p} | sh -c '. /dev/stdin'", "printf '%s\\n' {p} | unshare"], run),
  row("printf '%s\\n' {p} | su root", "touch \"$PLACE/mark\"", root),
  row("printf '%s\\n' {p} | sed -f - script", "1e touch mark"),
  ...all(["printf '%s\\n' {p} | awk -f - script", "printf '%s\\n' {p} | mawk -f/dev/stdin script"], 'BEGIN { system("touch mark") }'),
  row("printf '%s\\n' {p} | make -f -", "x := $(shell touch mark)"),
  row("printf '%s\\n' {p} | tclsh", "exec touch mark"),
  row("printf '%s\\n' {p} | gdb -q", "shell touch mark"),
  row("printf '%s\\n' {p} | sqlite3 x.db", ".shell touch mark"),
  row("printf '%s\\n' {p} | xargs perl -ne print", "touch\\ mark|"),
];

/** Refused, and not tried: the programs are not there on most machines, or reach for others. */
export const untried: readonly string[] = [
  "kubectl exec box -- sh -c {p}", "kubectl exec -it box -c app -- python3 -c {p}", "docker exec box sh -e -c {p}", "docker run --rm image sh -c {p}", "docker run --entrypoint sh image -c {p}", "podman exec box perl -e {p}",
  "gawk -i {p} 1", "gawk -l {p} 1", "ruby -ne {p}", "php -r {p}", "php -d {p} x.php", "lua -e {p}", "Rscript -e {p}", "osascript -e {p}", "emacs --batch --eval {p}", "deno eval {p}", "pwsh -NoProfile -Command {p}", "powershell {p}", "powershell -NoP -comm {p}", "cmd /C {p}", "cmd.exe /s /cdir {p}", "wsl ls {p}", "wsl -d x sh -c {p}", "fish -c {p}", "expect -c {p}", "erl -noshell -eval {p}",
  "rsync -e {p} a host:b", "rsync -a --rsh={p} a host:b", "rsync --rsync-path {p} a host:b", "psql -h x -c {p}", "mysql -u x -e {p}", "duckdb x.db {p}", "entr -s {p}", "entr {p}", "parallel {p}", "parallel echo {p}", "sem -j 2 {p}", "watch -n 1 {p}", "watch -x {p}",
  "man -P {p} ls", "man -H{p} ls", "man ls --pager={p}", "less {p}", "tar -cf h:x --rsh-command={p} f", "tar -cML 99 -F {p} -f x f", "tar -cf x --info-script {p} f", "git send-email --smtp-server={p} x", "git clone -c {p} . x", "git --exec-path={p} x", "git --config-env={p} status",
  "ltrace {p}", "sudo -u x -n {p}", "sudo -E sh -c {p}", "doas -u x {p}", "chroot / {p}", "chroot --userspec 0 / sh -c {p}", "nsenter -t 1 -m {p}", "systemd-run --wait {p}", "systemd-inhibit --what idle {p}", "start-stop-daemon -S --exec {p}", "linux32 {p}", "prlimit --pid 1 sh -c {p}", "tmux new-session -d {p}", "tmux run-shell {p}",
  "ssh host {p}", "ssh -p {n} host ls {p}", "sftp -s {p} host", "wget -e {p} url", "wget --use-askpass={p} url", "apt-get -o {p} update", "dpkg --pre-invoke={p} -i x", "tcpdump -z {p}", "go run -exec {p} .", "cargo --config {p} build", "pnpm exec {p}", "npx -c {p}", "git filter-branch -f --tree-filter {p}", "valgrind -q {p}", "perf record -o /dev/null {p}", "python3 -X dev -c {p}", "python3 -Ic {p}", "yarn dlx {p}", "npx {p}", "fd . -x sh -c {p}", "xterm -e {p}",
  "flatpak run org.x sh -c {p}", "vagrant ssh -c {p}", "groovy -e {p}", "octave --eval {p}", "julia -e {p}", "guile -c {p}", "cmd /d /c {p}", "cmd /d /s /k echo {p}", "busybox ash -c {p}", "fzf --preview {p}", "bat --pager {p} f", "ack --pager={p} x", "exiftool -if {p} f", "socat - {p}", "nc -e {p} host 1", "nodemon --exec {p}", "java -XX:OnError={p} X", "ansible all -a {p}", "nix-shell --run {p}", "poetry run {p}",
  // As their manuals say: sbcl(1), clisp(1), racket's and mongosh's command line, GNU dc and m4, rpm(8), pandoc(1), hg(1), svn's --help, cpio(1), pkexec(1), screen(1),
  // ip-netns(8), tmux(1), psql(1), openssl(1), curl(1), gs(1), sox(1), lftp(1), nano(1), rclone, restic, borg, helm, sshfs(1), ssh-agent(1), mosh(1), runcon(1), uclampset(1).
  "sbcl --eval {p}", "clisp -x {p}", "racket -e {p}", "csi -e {p}", "mongosh --eval {p}", "mongosh --quiet db --eval={p}", "ipython -c {p}", "dc -e {p}", "dc --expression={p}", "m4 -D X={p} f", "rpm --eval {p}", "rpm -E {p}", "rpmbuild --define={p} x.spec", "pandoc --filter={p} a", "pandoc -F {p} a", "pandoc a --lua-filter={p}",
  "hg --config={p} log", "hg log --config {p}", "hg clone -e {p} a b", "hg -R x pull --ssh {p}", "svn up --config-option {p}", "cpio -i --rsh-command={p} -F h:f", "pkexec -- {p}", "pkexec --user root {p}", "screen -dm -- {p}", "screen -dmS x {p}", "screen -d -m sh -c {p}", "screen -S x -X stuff {p}", "screen -s {p}",
  "ip netns exec ns {p}", "ip -n x netns exec ns {p}", "ip netns exec ns sh -c {p}", "tmux set -g default-command {p}", "tmux set-hook -g window-renamed {p}", "tmux bind x {p}", "tmux new-session -d -n {p}", "tmux new-window -c {p}", "tmux rename-window {p}", "psql -o {p} -c x", "psql --output={p} -c x", "openssl enc -engine {p} -in f", "openssl req -provider {p}", "curl --engine {p} u",
  "gs -c {p}", "sox {p} out.wav", "lftp -c {p}", "mutt -e {p}", "nano -s {p} f", "rclone --password-command {p} ls x:", "borg --rsh {p} list r", "helm install x --post-renderer {p}", "sshfs -o {p} h:x m", "ssh-copy-id -o {p} h", "mosh --ssh={p} h", "ssh-agent {p}", "ssh-agent sh -c {p}", "runcon u {p}", "uclampset -m 1 {p}",
  "chronic {p}", "tini -- {p}", "faketime now {p}", "dtach -n s {p}", "uvx {p}", "pipx run {p}", "konsole -e {p}",
  "dottool run_command --env {p} --command ls", "dottool run_command --stdin {p} --command sh", "dottool {p}", "dottool --no-color {p} x", "dottool new x --from {p}", "npx dottool run_command --command {p}", "find . -exec dottool run_command --command {p} \\;",
  "git config set alias.zz {p}", "git config set --global {p} x", "git config filter.x.clean {p}", "git config credential.https://h.helper {p}", "git config --global include.path {p}", "npm config set script-shell {p}", "npm config set {p} x", "npm config set editor={p}", "gh alias set x {p}", "gh config set editor {p}", "jj config set --user aliases.x {p}", "aws configure set profile.x.credential_process {p}",
  // The variables of command-environment.ts, one of each row.
  "env FCEDIT={p} x", "env KUBE_EDITOR={p} x", "env GCONV_PATH={p} x", "env GIT_PROTOCOL_FROM_USER={p} x", "env SVN_SSH={p} x", "env CONFIG_SITE={p} x", "env CMAKE_C_COMPILER_LAUNCHER={p} x", "env CCACHE_PREFIX={p} x", "env RUSTC={p} x", "env CARGO_TARGET_X_RUNNER={p} x", "env GOFLAGS={p} x", "env npm_config_script_shell={p} x", "env PYTEST_ADDOPTS={p} x", "env PERLDB_OPTS={p} x", "env MAVEN_OPTS={p} x", "env R_PROFILE_USER={p} x",
  "env LESSKEY_CONTENT={p} x", "env PSQLRC={p} x", "env FZF_DEFAULT_OPTS={p} x", "env OPENSSL_CONF={p} x", "env ANSIBLE_LIBRARY={p} x", "env DOTTOOL_PATH={p} x", "env PSModulePath={p} x", "systemctl --user set-environment CC={p}", "go env -w CC={p}", "sudo CC={p} make",
  // As their manuals say: swipl(1), dtrace(1), bpftrace(8), rails(1), mix, crystal(1), wp-cli, drush, Miller's functions, xidel, ImageMagick, lesskey(1), man(1), docker-build(1), dc.
  "swipl -g {p}", "maxima --batch-string={p}", "bpftrace -e {p}", "dtrace -n {p}", "rails runner -e test {p}", "mix run -e {p}", "crystal eval {p}", "wp eval {p}", "drush php:eval {p}", "dotnet fsi --use:{p}", "mlr --icsv put {p} f", "mlr -n put -e {p}", "mlr --prepipe {p} cat f", "mlr -n put 'system($x)' {p}", "xidel -e {p} f", "mogrify -process {p} f", "magick -script {p}", "lftp -f {p}",
  "less --lesskey-content={p} f", "less -k{p} f", "man -C {p} ls", "php -z {p} x.php", "just --command {p}", "ansible -M {p} all",
  // The value names the program, here or elsewhere.
  "docker exec box {p}", "docker exec -it -u www -e A=b box {p}", "docker container exec box {p}", "docker -H tcp://h run --rm -v a:b --name x IMAGE {p}", "docker run --entrypoint {p} image", "docker create image {p}", "docker compose -f f.yaml exec -T box {p}", "docker-compose run --rm box {p}", "podman run IMAGE {p}", "nerdctl exec box {p}", "crictl exec -it box {p}", "kubectl -n x exec -it a -c b -- {p}", "kubectl exec a {p}", "k3s kubectl exec a -- {p}", "kubectl run x --image=y --command -- {p}", "oc debug a -- {p}",
  "lxc exec box -- {p}", "flatpak run {p}", "flatpak run --command={p} x", "machinectl shell x {p}", "run0 -u x {p}", "systemd-nspawn -D x {p}", "schroot -c x -- {p}", "proot -r x {p}", "arch-chroot m {p}", "toolbox run {p}", "distrobox enter x -- {p}", "wsl -d x {p}", "rsh host {p}", "pdsh -w x {p}", "adb -s x shell {p}", "heroku run {p}",
  "fly ssh console -C {p}", "salt-call cmd.run {p}", "salt x cmd.run {p}", "knife ssh x {p}", "gcloud compute ssh x --command={p}", "az vm run-command invoke --scripts {p}", "aws ssm send-command --parameters {p}", "cgexec -g x {p}", "chpst -u x {p}", "envdir d {p}", "gnome-terminal -- {p}", "op run -- {p}", "wezterm start {p}", "xinit {p}", "gdbserver :1 {p}", "aws-vault exec x -- {p}",
  "envchain x {p}", "scl enable x {p}", "sops exec-env f {p}", "mpirun -n 2 {p}", "sbatch --wrap {p}", "conda run -n x {p}", "opam exec -- {p}", "rustup run stable {p}", "direnv exec . {p}", "hatch run {p}", "pm2 start {p}", "nix run {p}", "nix develop -c {p}", "watchexec -e rs {p}", "concurrently {p}", "watchman-make -p x --run {p}",
  "swaymsg exec {p}", "xdotool exec {p}", "open -a {p} f", "rake -e {p}", "just --shell {p}", "ssh-keygen -D {p}", "at -f {p} now", "batch -f {p}", "crontab {p}", "crontab -u x {p}", "script -q /dev/null {p}", "ansible-playbook -e {p} x.yaml",
  "screen -X {p}", "vagrant ssh -c {p}", "git mergetool -x {p}", "nsenter -t 1 -a sh -c {p}", "batch {p}", "gosu x {p}", "python3 {o} -c {p}", "python3 -W {o} script.py -c {p}", "git {o} -c {p} log", "bash {o} -e -c {p}", "repeat 3 {p}",
];

/** Values that stay values. */
export const safe: readonly string[] = [
  "git log --grep={p}", "git log {p} -- {files}", "git -c core.fsmonitor=false log --author={p}", "git commit -m {p}", "git clone -- {p} copy", "git show {p}", "git rebase --onto {p} main", "git grep -e {p}", "git grep -O -e {p}", "git push origin {p}", "git bisect good {p}", "git submodule update --init -- {p}", "git config user.name {p}",
  "tar -tf {p}", "tar -xzf {p} -C out", "tar czf {p} -- {files}", "tar --file={p} --list --verbose", "tar -cf out.tar --exclude={p} .", "tar -I zstd -xf {p}",
  "find . -name {p}", "find {p} -type f -exec wc -l {} +", "find . -name {p} -exec sh -c 'wc -l \"$1\"' sh {} \\;", "fd -e {p}",
  "sed -n 1,5p {p}", "sed -i.bak -e s/a/b/ {p}", "perl -pi.bak -e s/a/b/ {p}", "sed -E -n -e /x/p -- {p}", "sed -e p -f script.sed {p}", "sed s/{w}/x/g {p}", "sed 's|a|{w}|' {p}", "sed -n '/{w}/,/x/p' {p}", "sed '{n}s/{w}/x/{n}' f", "sed '1i{w}' f",
  "awk '{{print $1}}' {p}", "awk -F: -v x={p} '$1 == x {{print $2}}' {files}", "awk '/a|b/ || $2 ~ /x\\/|y/ {{print \"|\" $1}}' {p}", "awk '{{ n += $1 / 2; m = n / 3 }} END {{print n}}' {p}", "awk -f program.awk {p}", "awk '/{w}/' {p}",
  "perl script.pl {p}", "perl -e 'print \"$ARGV[0]\\n\"' {p}", "perl -we 'open(my $f, \"<\", $ARGV[0]); print while readline $f' {p}",
  "python3 script.py {p}", "python3 script.py -c {p}", "python3 {o} script.py -c {p}", "sed -n {o} -e p {p}", "git log {o} -- {p}", "tar -tf {p} {o}", "python3 -W ignore script.py {p}", "python3 -m json.tool {p}", "python3 -c 'import sys, re; print(re.compile(sys.argv[1]))' {p}", "python3 -c 'import subprocess, sys; subprocess.run([\"ls\", \"--\", sys.argv[1]])' {p}",
  "node script.js {p}", "node script.js -e {p}", "node --no-warnings --input-type module script.js {p}", "node -p 'process.argv[1]' {p}", "node -e 'console.log(/x/.exec(process.argv[1]))' {p}",
  "docker run --rm --entrypoint jq image {p}", "docker run -it --rm -v a:b --name {p} image ls {q}", "docker exec -u {p} -w {q} box ls", "docker compose exec -T box ls {p}", "docker ps --filter {p}", "docker run --rm {p} ls", "docker exec {p} ls", "docker logs --tail {n} {p}", "docker run --rm node node script.js {p}", "kubectl get {p} -o json", "kubectl exec {p} -- ls", "kubectl -n {p} exec -it box -c {q} -- ls -l {p}", "kubectl apply -f {p}", "lxc exec {p} -- ls {q}", "flatpak run org.x {p}", "adb -s {p} push {q} x", "conda run -n {p} python3 script.py {q}", "mpirun -n {n} ./x {p}", "opam exec -- dune build {p}", "aws-vault exec x -- aws s3 ls {p}", "rustup run stable cargo doc {p}", "gcloud compute instances describe {p}", "aws s3 cp {p} {q}", "nix build {p}", "ssh-keygen -lf {p}", "mlr --icsv put '$z = $x . $y' {p}", "mlr --icsv --ojson sort -f {p} {q}", "convert {p} -resize 50% {q}", "emacs --script x.el {p}", "deno run x.ts {p}", "bun run build {p}", "uv run script.py {p}", "curl -K {p} https://h/", "rails runner script.rb", "mix test {p}", "pwsh -File x.ps1 {p}", "powershell -NoProfile -ExecutionPolicy Bypass -File x.ps1 {p}", "wsl --exec ls -l {p}", "wsl -d x -e git log {p}", "docker build -t {p} .", "docker compose -f {p} up -d", "tmux source-file {p}", "swipl x.pl {p}", "dotnet build {p}", "just -f {p} build", "crontab -l", "crontab -u {p} -l", "ansible-playbook -i {p} x.yaml", "just {p}", "docker exec box sh -c 'cat \"$1\"' sh {p}", "docker build --build-arg X={p} .",
  "xargs -0 rm --", "xargs -I% cp % {p}", "xargs -n {n} grep -e {p}", "ssh host -- ls", "ssh {p} uptime", "scp -r -- {p} host:x", "scp -P {n} -o BatchMode=yes {p} host:", "rsync -a --delete {p} host:x", "rsync -a -e ssh {p} host:x",
  "sh -c 'cat -- \"$1\" | sort' sh {p}", "sh -c 'for f; do wc -l \"$f\"; done' sh {files}", "bash -euo pipefail -c 'grep -e \"$1\" f' bash {p}", "flock -n lock ls {p}", "flock lock sh -c 'ls \"$1\"' sh {p}", "timeout -k 5 {n} ls {p}", "nice -n 5 ls {p}", "nice --adjustment=5 ls {p}", "ionice -c3 ls {p}", "stdbuf -oL grep {p} f", "strace -f -o out ls {p}", "env -i A=b ls {p}",
  "env -u X A={p} ls", "setsid -w ls {p}", "unshare -rn ls {p}", "setpriv --reuid 1000 ls {p}", "prlimit --nofile=10 ls {p}", "time -p ls {p}", "sudo -n -u www ls {p}", "su -c 'ls' {p}", "script -qc ls {p}", "watch -n {n} ls", "systemd-run --wait ls {p}", "chrt -b 0 ls {p}", "taskset -c {n} ls {p}",
  "sort -k {n} {p}", "sort -t {p} f", "split -l {n} {p} x", "split --filter='cat > \"$FILE\"' {p}", "zip -r out.zip {files}", "zip -q {p} f", "less -- {p}", "vim -es -- {p}", "ed ./{p}", "man {p}", "make {w}", "make -j{n} {w}", "make {d}",
  "rg -n -e {p} -- {files}", "ssh -J {d} host uptime", "gcc -O2 -o out {p}", "cmake -E copy {p} {q}", "cmake -S {p} -B build", "perf report -i {p}", "valgrind --leak-check=full ls {p}", "socat - TCP:{d}:80", "java -jar app.jar {p}", "uv pip install -r {p}", "hyperfine 'sleep 1'", "nc -z {p} {n}", "tmux kill-session -t {p}",
  "sqlite3 -safe -init /dev/null {p} {q}", "sqlite3 {p} 'select 1'", "psql -d {p} -c 'select 1'", "psql -v x={p} -f query.sql", "mysql -h {p} -e 'select 1'", "npm run build -- {p}", "npm view {p}", "npx prettier --check {p}", "npm exec -- tsc -p {p}", "wget -O out -- {p}", "curl -o out {p}", "gdb -batch -ex bt {p}", "jq {p} f", "grep -e {p} -r .",
  "install -m 755 {p} {q}", "install -D -t out -- {p}", "rpm -qf {p}", "pandoc -f markdown -t html -o {p} {q}", "hg log -r {p}", "hg clone -- {p} copy", "hg commit -m {p}", "svn log {p}", "pkexec ls {p}", "screen -r {p}", "screen -S {p} -X quit", "screen -dmS {p} top", "ip addr show dev {p}", "ip -j -n {p} link", "ip netns add {p}", "ip netns exec {p} ip addr",
  "tmux new-session -d -s {p}", "tmux select-window -t {p}", "tmux new-window -d -n {w}", "openssl x509 -in {p} -noout -text", "openssl enc -d -in {p} -out {q}", "curl -sSf -H {p} -d {q} -o out https://h/", "curl --config curl.conf -F {p} https://h/", "psql -At -o out.csv -d {p}", "dc -f {p}", "racket script.rkt {p}", "sbcl --script script.lisp {p}", "mongosh --host {p} script.js", "m4 {p}",
  "rclone copy {p} remote:x", "restic backup {p}", "helm install {p} chart", "nano {p}", "gs -q -dNOPAUSE -sDEVICE=png16m -f {p}", "faketime now ls {p}", "uvx ruff check {p}", "ssh-agent ssh-add {p}", "logsave out ls {p}",
  "dottool list {p}", "dottool glob {p} -name x", "dottool --cwd {p} glob . -name x", "dottool call grep --json {p}", "dottool agent {p}", "dottool run_command --command ls --working_dir {p}", "dottool run_command command=ls working_dir={p}", "dottool run_command ls {p}", "dottool new {p}", "dottool exec --dialect text",
  "env NAME={p} TZ={p} LC_ALL={p} HTTP_PROXY={p} ls", "systemctl set-environment NAME={p}", "go env GOPATH", "git config --global user.email {p}", "git config set user.name {p}", "git config --get {p}", "git config {p}", "git config --get-all alias.x {p}", "git config user.{p} x", "git config branch.{p}.description {q}", "git config remote.{p}.url {q}", "git config -f {p} user.name {q}", "npm config set registry {p}", "npm config set registry={p}", "npm config get {p}", "aws configure set region {p}", "gh pr view {p}",
  "php script.php {p}", "ruby script.rb {p}", "lua script.lua {p}",
];

export const safeScripts: readonly string[] = [
  "perl -pe 's/a/b/' < {p}", "printf '%s\\n' {p} | xargs -I% cp -- % out", "find . -name {p} -print0 | xargs -0 grep -l x", "find . -name {p} | xargs sed -n 1p", "printf '%s\\n' {p} | xargs -I% sh -c 'cat \"$1\"' sh %", "git log --format=%s | awk -v x={p} '$1 == x'", "printf '%s\\n' {p} | sed 's/a/b/'", "printf '%s\\n' {p} | ssh host cat", "printf '%s\\n' {p} | python3 script.py",
  "printf '%s\\n' {p} | python3 -c 'import sys; print(sys.stdin.read())'", "X={p} sh -c 'printf %s \"$X\" | wc -c'", "x={p}; awk -v y=\"$x\" 'BEGIN {print y}'", "docker run --rm image ls {p} | sort", "cat {p} | sqlite3 -safe x.db 'select 1'",
];
