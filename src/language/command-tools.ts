// Programs with another purpose, that run a command where an option or an operand says so.
import { EVERY, type ProgramRule } from "./command-rule.ts";

const commandHelp = "it runs this: write it out, or give the parameter choices";
const sshOptions = "write the option out, such as `-o Port={port}` with an `{integer}`";
const sshPlain = "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y";
const sshValue = "-B -b -c -D -E -e -F -I -i -L -l -m -O -p -Q -R -S -W -w";
const plainHelp = "let only plain words through: `pattern=/[a-z0-9_-]+/`, or choices";
const each = (rules: readonly Omit<ProgramRule, "trustsFlags">[]): readonly ProgramRule[] => rules.map((rule) => ({ trustsFlags: true, ...rule }));

const gitPacks = "--upload-pack --receive-pack --exec";

export const tools: readonly ProgramRule[] = each([
  {
    names: "tar gtar bsdtar",
    oldStyle: true,
    plain: "-A -c -d -r -t -u -x -a -B -G -h -i -j -J -k -l -m -M -n -O -o -p -P -R -s -S -U -v -w -W -y -z -Z --list --extract --get --create --append --update --verbose --gzip --bzip2 --xz --zstd --compress --auto-compress --no-recursion --force-local --numeric-owner --same-owner --no-same-owner --totals --wildcards --no-wildcards --dereference --keep-old-files --overwrite --to-stdout --preserve-permissions --null --absolute-names",
    value: "-b -C -f -g -H -K -L -N -T -V -X --file --directory --exclude --exclude-from --files-from --format --mode --mtime --owner --group --transform --xform --strip-components --label --newer --sort --occurrence --quoting-style",
    code: "-I -F --use-compress-program --to-command --rsh-command --rmt-command --checkpoint-action --info-script --new-volume-script",
    permutes: true,
    help: commandHelp,
  },
  { names: "split gsplit", code: "--filter", permutes: true, script: "shell", help: "it hands this to a shell: read the value there as a variable, `--filter='… \"$NAME\" …'` with `@env NAME={name}`" },
  { names: "sort gsort", value: "-k -o -S -t -T --key --output --buffer-size --field-separator --temporary-directory --files0-from --batch-size --parallel --random-source", code: "--compress-program", permutes: true, help: commandHelp },
  { names: "ssh", plain: sshPlain, value: `${sshValue} -J`, code: "-o", permutes: true, help: sshOptions },
  { names: "ssh", plain: sshPlain, value: `${sshValue} -J -o`, text: { from: 1, to: EVERY }, script: "shell", readsInput: { operands: 1 }, help: "the shell on the other side reads these words again: send the value through `@stdin`" },
  { names: "scp", plain: "-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v", value: "-c -F -i -J -l -P -X", code: "-D -o -S", permutes: true, help: sshOptions },
  { names: "sftp", plain: "-4 -6 -A -a -C -f -N -p -q -r -v", value: "-B -b -c -F -i -J -l -P -R -X", code: "-D -o -S -s", permutes: true, readsInput: "always", help: sshOptions },
  { names: "ssh scp sftp", plain: sshPlain, value: "-B -b -c -D -E -e -F -I -i -L -l -m -O -o -P -p -Q -R -S -W -w -X", code: "-J", permutes: true, tame: "anywhere", note: "a shell reads the jump host behind `-J`", help: plainHelp },
  { names: "rsync", plain: "-0 -8 -A -a -b -c -C -D -d -E -g -h -H -I -i -J -k -K -l -L -m -n -N -o -O -p -P -q -R -r -s -S -t -u -U -v -W -x -X -y -z --archive --verbose --delete --recursive --compress --dry-run --progress", value: "-f -M -T -B --exclude --include --exclude-from --include-from --files-from --filter --port --bwlimit --timeout --chmod --chown --max-size --min-size --temp-dir --log-file --partial-dir --backup-dir --compare-dest --link-dest --password-file", code: "-e --rsh --rsync-path", permutes: true, help: commandHelp },
  {
    names: "git",
    plain: "-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --html-path --man-path --info-path --version --help -v -h",
    value: "-C --git-dir --work-tree --namespace --super-prefix --attr-source --list-cmds",
    code: "-c --config-env",
    gluedCode: "--exec-path",
    hasSubcommands: true,
    help: "git's configuration can name programs: write the setting out, or give the parameter choices",
  },
  { names: "git.rebase", value: "-s -X -C --onto --strategy --strategy-option --whitespace --empty --gpg-sign", code: "-x --exec", permutes: true, script: "shell", help: commandHelp },
  { names: "git.clone", code: `-u -c --config ${gitPacks}`, permutes: true, help: commandHelp },
  { names: "git.fetch git.pull git.push git.archive git.ls-remote git.fetch-pack git.send-pack", code: gitPacks, permutes: true, help: commandHelp },
  { names: "git.grep", gluedCode: "-O --open-files-in-pager", permutes: true, help: commandHelp },
  { names: "git.difftool git.mergetool", code: "-x --extcmd", permutes: true, script: "shell", help: commandHelp },
  { names: "git.bisect", hasSubcommands: true, help: commandHelp },
  { names: "git.bisect.run", runs: { from: 0, to: 1 }, help: commandHelp },
  { names: "git.submodule", plain: "-q --quiet", hasSubcommands: true, help: commandHelp },
  { names: "git.submodule.foreach", plain: "-q --quiet --recursive", text: { from: 0, to: 1 }, script: "shell", help: commandHelp },
  { names: "git.filter-branch", code: "--setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter", permutes: true, script: "shell", help: commandHelp },
  { names: "git.send-email", code: "--smtp-server --sendmail-cmd --to-cmd --cc-cmd --header-cmd --compose-cmd", permutes: true, help: commandHelp },
  { names: "npm pnpm yarn", code: "--script-shell --node-options", permutes: true, help: commandHelp },
  { names: "npm pnpm yarn", value: "--prefix -C --dir --cwd", hasSubcommands: true, help: commandHelp },
  { names: "npm.exec npm.x pnpm.exec pnpm.dlx yarn.exec yarn.dlx npx bunx pnpx", plain: "-y -n -q --yes --no --no-install --quiet --workspaces", value: "-p -w --package --workspace", code: "-c --call --shell --node-options --node-arg", runs: { from: 0, to: 1 }, script: "shell", help: "write the program out" },
  { names: "zip", style: "words", code: "-TT --unzip-command", permutes: true, help: commandHelp },
  { names: "ed red", plain: "-E -G -l -r -s -v", value: "-p", sign: "!", tame: "anywhere", readsInput: "always", note: "`ed` runs what begins with `!`", help: "write `./{name}`" },
  { names: "less", sign: "+", permutes: true, value: "-b -h -j -k -o -O -p -P -t -T -x -y -z", note: "`less` takes a word that begins with `+` for a command", help: "put `--` before the file" },
  { names: "man", value: "-C -E -L -m -M -p -r -R -S -s -e --config-file --encoding --locale --systems --manpath --preprocessor --prompt --recode --sections --extension", code: "-P --pager", gluedCode: "-H --html", permutes: true, help: commandHelp },
  { names: "sqlite3 sqlite", style: "words", plain: "-safe --safe -csv -header -noheader -json -line -list -column -html -quote -table -box -markdown -tabs -batch -bail -echo -interactive -readonly -version -stats -ascii -append -deserialize -memtrace -nofollow", value: "-init -separator -newline -nullvalue -mmap -maxsize -vfs", code: "-cmd --cmd", text: { from: 1, to: EVERY, without: "-safe --safe" }, permutes: true, readsInput: { operands: 1 }, help: "add `-safe` before the file, which turns off the commands of sqlite3 that run programs" },
  { names: "psql", plain: "-a -A -b -e -E -H -l -n -q -s -S -t -V -w -W -x -X -z -0 -1", value: "-d -f -F -h -L -o -p -P -R -T -U -v --dbname --file --host --port --username --set --variable --output --pset", file: "-f --file", code: "-c --command", permutes: true, readsInput: { operands: 2, without: "-f --file" }, help: "psql runs what stands behind `\\!`: keep the statement in a file, and give it values as variables: `psql -v name={name} -f FILE`" },
  { names: "mysql mariadb", value: "-u -h -P -S -D --user --host --port --socket --database", code: "-e --execute --init-command", permutes: true, readsInput: { operands: 1 }, help: "the client runs what stands behind `\\!`: write the statement out" },
  { names: "duckdb", style: "words", plain: "-safe -csv -json -readonly -batch", code: "-c -cmd -s", text: { from: 1, to: EVERY, without: "-safe" }, permutes: true, readsInput: { operands: 1 }, help: "add `-safe` before the file" },
  { names: "wget", value: "-O -o -a -i -P -t -T -U -w -Q -D -A -R", code: "-e --execute --use-askpass", permutes: true, help: commandHelp },
  { names: "dpkg", code: "--pre-invoke --post-invoke --status-logger", permutes: true, help: commandHelp },
  { names: "apt apt-get apt-cache aptitude", code: "-o --option", permutes: true, help: commandHelp },
  { names: "rg", code: "--pre --hostname-bin", permutes: true, help: commandHelp },
  { names: "fzf sk", code: "--preview --bind", permutes: true, script: "shell", help: commandHelp },
  { names: "bat batcat delta", code: "--pager", permutes: true, help: commandHelp },
  { names: "ag ack", code: "--pager", permutes: true, help: commandHelp },
  { names: "exiftool", style: "words", code: "-if -api -config -p -userParam", permutes: true, help: commandHelp },
  { names: "socat", plain: "-d -D -u -U -v -x -h", value: "-b -T -t -L -W", text: { from: 0, to: EVERY }, tame: "anywhere", note: "`socat` runs what begins with `EXEC:` or `SYSTEM:`", help: "write the kind of the address out: `TCP:{host}:80`, with a `pattern=/[a-z0-9.-]+/`" },
  { names: "nc ncat netcat", code: "-c -e --exec --sh-exec --lua-exec", permutes: true, help: commandHelp },
  { names: "nodemon", code: "-x --exec", permutes: true, help: commandHelp },
  { names: "gcc g++ cc c++ clang clang++", style: "words", code: "-wrapper -fplugin", permutes: true, help: commandHelp },
  { names: "java", style: "words", code: "-XX:OnError -XX:OnOutOfMemoryError", help: commandHelp },
  { names: "crontab", value: "-u", readsInput: { operands: 0, without: "-l -r" }, help: "what comes in is run later: write the lines out" },
  { names: "ansible", code: "-a --args", permutes: true, help: commandHelp },
  { names: "go", hasSubcommands: true, help: commandHelp },
  { names: "go.run go.test go.build go.vet go.install", style: "words", code: "-exec -toolexec -vettool", help: commandHelp },
  { names: "cargo", code: "--config", permutes: true, help: commandHelp },
  { names: "tmux screen", value: "-f -L -S -T", code: "-c -X", hasSubcommands: true, help: commandHelp },
  { names: "tmux.new tmux.new-session tmux.neww tmux.new-window tmux.splitw tmux.split-window tmux.respawn-pane tmux.run tmux.run-shell tmux.if tmux.if-shell tmux.pipe-pane tmux.popup tmux.display-popup tmux.send tmux.send-keys", plain: "-A -b -d -D -E -P -X -k -h -v -f -Z -a -l -H -R -M", value: "-c -e -F -n -s -t -x -y -N -w -T", text: { from: 0, to: EVERY }, script: "shell", help: commandHelp },
  { names: "tcpdump", value: "-B -c -C -D -E -F -G -i -j -m -M -r -s -T -V -w -y -W", code: "-z", permutes: true, help: commandHelp },
  { names: "make gmake", text: { from: 0, to: EVERY }, code: "--eval -f --file --makefile", file: "-f --file --makefile", permutes: true, tame: "anywhere", note: "`make` expands `$(shell …)` in what it is given", help: plainHelp },
]);
