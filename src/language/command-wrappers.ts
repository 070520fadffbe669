// Programs that run the command among their words, or hand it to a shell.
import { EVERY, type ProgramRule } from "./command-rule.ts";

const wordsHelp = "write the words out";
const shellHelp = "it hands this to a shell: run the command itself, or pass the value to the script as `sh -c '… \"$1\" …' sh {name}`";
const first = { from: 0, to: 1 };
/** All operands, where no option stands behind the first. */
const afterOptions = { from: 0, to: Number.MAX_SAFE_INTEGER };
const second = { from: 1, to: 2 };

const namespaces = "-m -u -i -n -p -U -C -T --mount --uts --ipc --net --pid --user --cgroup --time";

export const wrappers: readonly ProgramRule[] = [
  {
    names: "env genv",
    plain: "-i -0 -v - --ignore-environment --null --debug --list-signal-handling --block-signal --default-signal --ignore-signal",
    value: "-u -C -P --unset --chdir",
    code: "-S --split-string",
    skips: /^(?:-$|[A-Za-z_]\w*=)/,
    runs: first,
    help: wordsHelp,
  },
  { names: "sudo", plain: "-A -b -B -E -e -H -i -K -k -l -N -n -P -S -s -V -v --askpass --background --bell --preserve-env --edit --set-home --login --list --non-interactive --stdin --shell", value: "-C -D -g -h -p -R -r -t -T -U -u --close-from --chdir --group --host --prompt --chroot --role --type --command-timeout --other-user --user", skips: /^[A-Za-z_]\w*=/, runs: first, readsInput: { operands: 0, with: "-s -i --shell --login" }, help: wordsHelp },
  { names: "doas", plain: "-L -n -s", value: "-a -C -u", runs: first, help: wordsHelp },
  { names: "nohup builtin busybox toybox noglob", runs: first, help: wordsHelp },
  { names: "setsid", plain: "-c -f -w --ctty --fork --wait", runs: first, help: wordsHelp },
  { names: "command", plain: "-p -v -V", runs: { ...first, without: "-v -V" }, help: wordsHelp },
  { names: "exec", plain: "-c -l", value: "-a", runs: first, help: wordsHelp },
  { names: "time gtime", plain: "-a -p -q -v -V --append --portability --quiet --verbose", value: "-f -o --format --output", runs: first, help: wordsHelp },
  { names: "stdbuf gstdbuf", value: "-i -o -e --input --output --error", runs: first, help: wordsHelp },
  { names: "nice gnice", value: "-n --adjustment", plain: "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9", runs: first, help: wordsHelp },
  { names: "ionice", plain: "-t --ignore", value: "-c -n -p -P -u --class --classdata --pid --pgid --uid", runs: { ...first, without: "-p -P -u --pid --pgid --uid" }, help: wordsHelp },
  { names: "repeat", runs: second, help: wordsHelp },
  { names: "timeout gtimeout", plain: "-f -p -v --preserve-status --foreground --verbose", value: "-k -s --kill-after --signal", runs: second, help: wordsHelp },
  { names: "gosu su-exec setuidgid", runs: second, help: wordsHelp },
  { names: "chroot", value: "--groups --userspec", plain: "--skip-chdir", runs: second, readsInput: { operands: 1 }, help: wordsHelp },
  { names: "taskset", plain: "-a -c -p --all-tasks --cpu-list --pid", runs: { ...second, without: "-p --pid" }, help: wordsHelp },
  { names: "chrt", plain: "-a -b -d -f -i -m -o -p -r -R -v --all-tasks --batch --deadline --fifo --idle --max --other --pid --rr --reset-on-fork --verbose", value: "-T -P -D --sched-runtime --sched-period --sched-deadline", runs: { ...second, without: "-p --pid -m --max" }, help: wordsHelp },
  { names: "choom", plain: "", value: "-n -p --adjust --pid", runs: { ...first, without: "-p --pid" }, help: wordsHelp },
  { names: "prlimit", plain: "-c -d -e -f -i -l -m -n -q -r -s -t -u -v -x -y --noheadings --raw --verbose", glued: "--core --data --nice --fsize --sigpending --memlock --rss --nofile --msgqueue --rtprio --stack --cpu --nproc --as --locks --rttime", value: "-o -p --output --pid", runs: { ...first, without: "-p --pid" }, help: wordsHelp },
  { names: "setarch", plain: "-B -F -I -L -R -S -T -X -Z -3 -v --32bit --fdpic-funcptrs --short-inode --addr-compat-layout --addr-no-randomize --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 --verbose", runs: { from: 0, to: 2 }, readsInput: { operands: 1 }, help: wordsHelp },
  { names: "linux32 linux64 i386 x86_64", plain: "-B -F -I -L -R -S -T -X -Z -3 -v --32bit --addr-no-randomize --verbose", runs: first, readsInput: { operands: 0 }, help: wordsHelp },
  { names: "setpriv", plain: "-d --dump --nnp --no-new-privs --clear-groups --keep-groups --init-groups --reset-env", value: "--ambient-caps --inh-caps --bounding-set --ruid --euid --rgid --egid --reuid --regid --groups --securebits --pdeathsig --selinux-label --apparmor-profile", runs: first, help: wordsHelp },
  { names: "unshare", plain: "-f -r -c --fork --map-root-user --map-current-user --map-auto --keep-caps", glued: `${namespaces} --kill-child --mount-proc`, value: "-R -w -S -G --root --wd --setuid --setgid --map-user --map-group --map-users --map-groups --propagation --setgroups --monotonic --boottime", runs: first, readsInput: { operands: 0 }, help: wordsHelp },
  { names: "nsenter", plain: "-a -F -Z --all --preserve-credentials --no-fork --follow-context", glued: `${namespaces} -r -w --root --wd`, value: "-t -S -G -W --target --setuid --setgid --wdns", runs: first, readsInput: { operands: 0 }, help: wordsHelp },
  { names: "dbus-run-session", value: "--dbus-daemon --config-file", runs: first, help: wordsHelp },
  { names: "systemd-run", plain: "-r -d -t -P -q -G --no-ask-password --user --scope --slice-inherit --no-block --remain-after-exit --wait --send-sighup --same-dir --pty --pipe --quiet --collect --on-timezone-change --on-clock-change", value: "-H -M -u -p -E --host --machine --unit --property --description --slice --service-type --uid --gid --nice --working-directory --setenv --path-property --socket-property --timer-property --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar", runs: first, help: wordsHelp },
  { names: "systemd-inhibit", plain: "--list --no-pager --no-legend", value: "--what --who --why --mode", runs: first, help: wordsHelp },
  { names: "fakeroot", plain: "-u --unknown-is-real", value: "-l -s -i -b --lib --faked", runs: first, readsInput: { operands: 0 }, help: wordsHelp },
  { names: "strace", plain: "-A -c -C -d -D -f -F -h -i -k -n -N -q -r -t -T -v -V -w -x -y -Y -z -Z --follow-forks --output-separately --summary-only --summary --no-abbrev", value: "-a -b -e -E -I -O -p -P -s -S -u -U -X --trace --signal --status --user --attach --string-limit --env", code: "-o --output", tame: "anywhere", runs: first, note: "`strace` runs what begins with `|` or `!` in place of a file", help: "write the file's name out" },
  { names: "valgrind rlwrap unbuffer eatmydata sshpass xvfb-run proxychains proxychains4 torsocks firejail cpulimit", plain: "-q -v -a -e --quiet --verbose", value: "-f -p -l -n -s", runs: first, help: wordsHelp },
  { names: "perf bundle poetry pipenv uv mise", hasSubcommands: true, help: wordsHelp },
  { names: "perf.stat perf.record perf.trace bundle.exec poetry.run pipenv.run uv.run mise.exec", plain: "-a -d -g -i -q -r -v", value: "-B -C -c -e -F -I -j -o -p -t -u", runs: first, help: wordsHelp },
  { names: "cmake", hasSubcommands: true, plain: "-E", help: wordsHelp },
  { names: "cmake.env cmake.time", skips: /^(?:[A-Za-z_]\w*=|--unset=)/, runs: first, help: wordsHelp },
  { names: "cmake.chdir", runs: second, help: wordsHelp },
  { names: "nix-shell", code: "--run --command", permutes: true, script: "shell", help: shellHelp },
  { names: "hyperfine", plain: "-i -N --ignore-failure --show-output", value: "-w -m -M -r -D -u -n --warmup --min-runs --max-runs --runs --style --time-unit --command-name --export-json --export-csv --export-markdown --output --parameter-step-size", text: { from: 0, to: EVERY }, code: "-s -p -c -S --setup --prepare --conclude --cleanup --shell", script: "shell", help: shellHelp },
  { names: "ltrace", plain: "-b -c -C -f -i -L -r -S -t -T -V", value: "-a -A -D -e -F -l -n -o -p -s -u -w -x -X", runs: first, help: wordsHelp },
  { names: "entr", plain: "-a -c -d -n -p -r -x -z", runs: { ...first, without: "-s" }, help: wordsHelp },
  { names: "entr", plain: "-a -c -d -n -p -r -s -x -z", text: { ...first, with: "-s" }, script: "shell", help: shellHelp },
  { names: "xargs gxargs", plain: "-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --show-limits --verbose --exit", glued: "-e -i -l --eof --replace --max-lines", value: "-I -J -R -S -n -P -L -s -d -a -E --max-args --max-procs --delimiter --arg-file --max-chars --process-slot-var", runs: first, fills: true, help: wordsHelp },
  { names: "find gfind bfs", commandAfter: "-exec -execdir -ok -okdir", trustsFlags: true, help: wordsHelp },
  { names: "fd fdfind", commandAfter: "-x -X --exec --exec-batch", trustsFlags: true, help: wordsHelp },
  { names: "su", plain: "-m -p -l -f -P --preserve-environment --login --fast --pty", value: "-w -g -G -s --whitelist-environment --group --supp-group --shell", code: "-c --command --session-command", permutes: true, skips: /^-$/, runs: second, runsShell: true, script: "shell", readsInput: { operands: 1 }, help: shellHelp },
  { names: "runuser", plain: "-m -p -l -f -P --preserve-environment --login --fast --pty", value: "-u -w -g -G -s --user --whitelist-environment --group --supp-group --shell", code: "-c --command --session-command", permutes: true, skips: /^-$/, runs: { ...second, without: "-u --user" }, runsShell: true, script: "shell", readsInput: { operands: 1, without: "-u --user" }, help: shellHelp },
  { names: "runuser", plain: "-m -p -l -f -P --preserve-environment --login --fast --pty", value: "-u -w -g -G -s --user --whitelist-environment --group --supp-group --shell -c --command --session-command", runs: { ...first, with: "-u --user" }, help: shellHelp },
  { names: "script", plain: "-a -e -f -q -d -k -r --append --return --flush --force --quiet", glued: "-t --timing", value: "-I -O -B -T -m -E -o --log-in --log-out --log-io --log-timing --logging-format --echo --output-limit", code: "-c --command", permutes: true, script: "shell", readsInput: { operands: 1 }, help: shellHelp },
  { names: "flock", plain: "-s -e -x -u -n -o -F --shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose", value: "-w -E --timeout --wait --conflict-exit-code", code: "-c --command", runs: second, runsShell: true, script: "shell", help: shellHelp },
  { names: "watch", plain: "-b -c -d -e -g -p -t -w -x --beep --color --differences --errexit --chgexit --precise --no-title --no-wrap --exec", value: "-n -q --interval --equexit", text: { ...afterOptions, without: "-x --exec" }, script: "shell", help: shellHelp },
  { names: "watch", plain: "-b -c -d -e -g -p -t -w -x --beep --color --differences --errexit --chgexit --precise --no-title --no-wrap --exec", value: "-n -q --interval --equexit", runs: { ...first, with: "-x --exec" }, help: wordsHelp },
  { names: "parallel sem", value: "-j -a -I -n -N -d --jobs --colsep --delay --timeout --joblog --retries", plain: "-0 -k -q -v -u -X -m --bar --dry-run --keep-order --line-buffer --null", text: { from: 0, to: EVERY }, readsInput: "always", help: "it hands its words to a shell: run the command itself" },
  { names: "at batch", value: "-q -f -t", text: { from: 0, to: EVERY }, readsInput: "always", help: "it hands its input to a shell: run the command itself" },
  { names: "xterm", style: "words", code: "-e", help: wordsHelp },
  { names: "docker podman nerdctl kubectl oc crictl lxc incus flatpak", reaches: true, help: wordsHelp },
  { names: "vagrant", code: "-c --command", permutes: true, reaches: true, script: "shell", help: shellHelp },
  { names: "start-stop-daemon", plain: "-S -K -T -H -V -b -m -o -q -t -v -C -O --start --stop --background --make-pidfile --oknodo --quiet --test", value: "-c -d -g -I -k -N -n -p -P -R -r -s -u", code: "-a -x --startas --exec", permutes: true, help: wordsHelp },
];
