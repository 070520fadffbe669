// Programs that start a command elsewhere: in a container, on another machine, or in an environment or session that
// they make.
import { EVERY, type ProgramRule } from "./rule.ts";

const wordsHelp = "write out the program: the value can be one of its arguments";
const shellHelp =
  "the program passes this value to a shell: write out the program, and send the value through `@stdin`";
const taskHelp = "the program runs this value: write it literally, or declare choices for the parameter";
const first = { from: 0, to: 1 };
const second = { from: 1, to: 2 };
const words = (names: string, rule: Omit<ProgramRule, "names" | "help"> = {}): ProgramRule => ({
  names,
  runs: first,
  help: wordsHelp,
  ...rule,
});
const text = (names: string, rule: Partial<Omit<ProgramRule, "names">> = {}): ProgramRule => ({
  names,
  text: { from: 0, to: EVERY },
  help: taskHelp,
  ...rule,
});
/** Names of the subcommand: `docker container exec` is `docker exec`. */
const engines = (subcommand: string): string =>
  ["docker", "podman", "nerdctl", "docker.container", "podman.container", "nerdctl.container"]
    .map((name) => `${name}.${subcommand}`)
    .join(" ");

const engineValues =
  "-H -c -l --host --context --log-level --config --tlscacert --tlscert --tlskey --connection --url --root --runroot --storage-driver --namespace -n --address -a";
const execPlain = "-d -i -t -it -ti --detach --interactive --tty --privileged --latest";
const execValues = "-e -u -w --env --env-file --user --workdir --detach-keys --preserve-fds";
const runPlain =
  "-d -i -t -P -q --detach --interactive --tty --init --no-healthcheck --oom-kill-disable --privileged --publish-all --quiet --read-only --rm --sig-proxy --disable-content-trust --replace --tls-verify --no-hosts --env-host --systemd --rmi";
const runValues =
  "-a -c -e -h -l -m -p -u -v -w --add-host --annotation --arch --attach --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --conmon-pidfile --cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime --cpu-shares --cpus --cpuset-cpus --cpuset-mems --creds --detach-keys --device --device-cgroup-rule --device-read-bps --device-read-iops --device-write-bps --device-write-iops --dns --dns-option --dns-search --domainname --env --env-file --expose --gpus --group-add --health-interval --health-retries --health-start-interval --health-start-period --health-timeout --hostname --image-volume --ip --ip6 --ipc --isolation --kernel-memory --label --label-file --link --link-local-ip --log-driver --log-opt --mac-address --memory --memory-reservation --memory-swap --memory-swappiness --mount --name --network --net --network-alias --net-alias --oom-score-adj --os --pid --pidfile --pids-limit --platform --pod --publish --pull --restart --rootfs --runtime --secret --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --subgidname --subuidname --sysctl --tmpfs --tz --uidmap --gidmap --ulimit --umask --user --userns --uts --variant --volume --volume-driver --volumes-from --workdir";
const kubectlValues =
  "-n -c -f -s --namespace --container --context --cluster --user --kubeconfig --server --token --as --as-group --request-timeout --pod-running-timeout --filename --image --env --labels --port --overrides --restart --target --profile --copy-to --expose --annotations --image-pull-policy --grace-period --timeout -l";
const kubectlPlain = "-i -t -it -ti -q --stdin --tty --quiet --rm --attach --leave-stdin-open --privileged";

const rows: readonly ProgramRule[] = [
  // These programs read the words for the container as well. A shell among them is found by `reaches`.
  {
    names: "docker podman nerdctl",
    style: "words",
    value: engineValues,
    plain: "-D --debug --tls --tlsverify --remote",
    hasSubcommands: true,
    help: wordsHelp,
  },
  {
    names:
      "docker.container podman.container nerdctl.container docker.compose podman.compose nerdctl.compose docker-compose podman-compose",
    style: "words",
    value: "-f -p --file --project-name --project-directory --profile --env-file --ansi --parallel --progress",
    hasSubcommands: true,
    help: wordsHelp,
  },
  { names: engines("exec"), plain: execPlain, value: execValues, runs: second, help: wordsHelp },
  {
    names: `${engines("run")} ${engines("create")}`,
    plain: runPlain,
    value: runValues,
    code: "--entrypoint --health-cmd",
    runs: { ...second, without: "--entrypoint" },
    help: "name the program before the image, `--entrypoint PROGRAM`, so that the value is its argument",
  },
  {
    names:
      "docker.compose.exec docker.compose.run podman.compose.exec podman.compose.run nerdctl.compose.exec nerdctl.compose.run docker-compose.exec docker-compose.run podman-compose.exec podman-compose.run",
    plain:
      "-d -i -t -T -P -q --detach --privileged --no-TTY --no-deps --rm --build --interactive --quiet-pull --remove-orphans --service-ports --use-aliases",
    value:
      "-e -u -w -p -v -l --env --user --workdir --index --name --publish --volume --label --cap-add --cap-drop --pull",
    code: "--entrypoint",
    runs: { ...second, without: "--entrypoint" },
    help: wordsHelp,
  },
  words("crictl", {
    plain: "-D --debug",
    value: "-c -i -r -t --config --image-endpoint --runtime-endpoint --timeout",
    hasSubcommands: true,
    runs: { from: EVERY, to: EVERY },
  }),
  words("crictl.exec", { plain: "-i -t -it -s --interactive --tty --sync", value: "--timeout", runs: second }),
  { names: "kubectl oc k3s.kubectl", style: "words", value: kubectlValues, hasSubcommands: true, help: wordsHelp },
  { names: "k3s", hasSubcommands: true, help: wordsHelp },
  {
    names: "kubectl.exec oc.exec oc.rsh k3s.kubectl.exec",
    plain: kubectlPlain,
    value: kubectlValues,
    permutes: true,
    runs: second,
    help: wordsHelp,
  },
  {
    names: "kubectl.run kubectl.debug oc.run oc.debug k3s.kubectl.run",
    plain: `${kubectlPlain} --command --dry-run`,
    value: kubectlValues,
    permutes: true,
    runs: second,
    help: "write out the program after `--command --`",
  },
  { names: "lxc incus", value: "--project", hasSubcommands: true, help: wordsHelp },
  {
    names: "lxc.exec incus.exec",
    plain: "-n -t -T -v --disable-stdin --force-interactive --force-noninteractive",
    value: "--cwd --env --group --mode --user --project",
    runs: second,
    help: wordsHelp,
  },
  { names: "flatpak", hasSubcommands: true, help: wordsHelp },
  {
    names: "flatpak.run",
    plain: "-d -p --devel --user --system --sandbox",
    value: "--branch --arch --cwd",
    code: "--command",
    text: first,
    help: wordsHelp,
  },
  {
    names: "machinectl",
    value: "-M -H -p --machine --host --uid --setenv",
    plain: "-q --quiet",
    hasSubcommands: true,
    help: wordsHelp,
  },
  words("machinectl.shell", { value: "--uid --setenv", runs: second }),
  words("run0", {
    plain: "--no-ask-password --slice-inherit --same-root-dir",
    value:
      "-u -g -D -M --unit --property --description --slice --user --group --nice --chdir --setenv --background --machine",
  }),
  words("systemd-nspawn", {
    plain: "-b -q -x -a -n -U --boot --quiet --ephemeral --as-pid2 --network-veth --private-network --read-only",
    value:
      "-D -i -M -u -E -p -S --directory --image --machine --user --setenv --bind --bind-ro --tmpfs --chdir --port --slice",
  }),
  words("schroot", {
    plain: "-q -v -p -b -e --quiet --verbose --preserve-environment --begin-session --run-session -r",
    value: "-c -u -d -n -s --chroot --user --directory --session-name --shell",
  }),
  words("proot", {
    plain: "-0 -i -v",
    value: "-r -b -w -q -R -S -k --rootfs --bind --cwd --qemu --kernel-release",
    code: "-q --qemu",
  }),
  words("arch-chroot manjaro-chroot", { plain: "-N -r", value: "-u", runs: second }),
  words("distrobox.enter toolbox.run", {
    runs: { from: 0, to: 2 },
    value: "-n -c -r -d -a --name --container --release --distro --additional-flags",
  }),
  { names: "distrobox toolbox", hasSubcommands: true, help: wordsHelp },
  // Source: "Basic commands for WSL". A shell of Linux reads the words, except after `--exec`.
  words("wsl", {
    style: "words",
    plain: "-l --list -e --exec",
    value: "-d -u --distribution --user --cd --shell-type",
    runs: { ...first, with: "-e --exec" },
    readsInput: { operands: 0 },
  }),
  text("wsl", {
    style: "words",
    plain: "-l --list -e --exec",
    value: "-d -u --distribution --user --cd --shell-type",
    text: { from: 0, to: EVERY, without: "-e --exec" },
    script: "shell",
    help: "write `wsl --exec PROGRAM {name}`, whose arguments are not read by a shell again",
  }),
  // A shell on the other machine reads the words.
  text("rsh rexec pdsh dsh clush pssh parallel-ssh", {
    plain: "-n -i -q -v -S -N -b -D -M -c",
    value: "-l -w -x -H -h -m -g -a -e -o -p -t -f",
    help: shellHelp,
  }),
  text("adb.shell adb.exec-out", {
    plain: "-n -x -T -t",
    readsInput: { operands: 0 },
    script: "shell",
    help: shellHelp,
  }),
  { names: "adb", plain: "-a -d -e", value: "-s -t -H -P -L", hasSubcommands: true, help: shellHelp },
  { names: "heroku fly flyctl", hasSubcommands: true, help: shellHelp },
  text("heroku.run", {
    plain: "--no-tty -x --exit-code",
    value: "-a -r -s -e --app --remote --size --env --type",
    help: shellHelp,
  }),
  { names: "fly.ssh flyctl.ssh", hasSubcommands: true, help: shellHelp },
  { names: "fly.ssh.console flyctl.ssh.console", code: "-C --command", permutes: true, help: shellHelp },
  text("salt-call", { plain: "--local", value: "-l -c --out", text: { from: 1, to: EVERY }, help: shellHelp }),
  text("salt", { plain: "-E -G -L -C -S", value: "-l -c -t --out", text: { from: 2, to: EVERY }, help: shellHelp }),
  { names: "knife", hasSubcommands: true, help: shellHelp },
  text("knife.ssh", { value: "-x -a -C -i -p", text: { from: 1, to: EVERY }, help: shellHelp }),
  { names: "az", style: "words", code: "--scripts", permutes: true, help: shellHelp },
  { names: "aws.ssm", hasSubcommands: true, help: shellHelp },
  {
    names: "aws.ssm.send-command aws.ssm.start-session",
    style: "words",
    code: "--parameters --cli-input-json",
    permutes: true,
    help: shellHelp,
  },
  { names: "gcloud.compute", hasSubcommands: true, help: shellHelp },
  { names: "gcloud", hasSubcommands: true, help: shellHelp },
  {
    names: "gcloud.compute.ssh",
    style: "words",
    plain: "--quiet -q",
    value: "--zone --project",
    code: "--command --ssh-flag",
    permutes: true,
    text: { from: 1, to: EVERY },
    script: "shell",
    help: shellHelp,
  },
  // Programs that set limits, privileges or the environment.
  words("cgexec", { plain: "-s --sticky", value: "-g" }),
  words("chpst softlimit", { plain: "-v -0 -1 -2", value: "-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -t -a -r -s" }),
  words("setlock envdir envuidgid s6-setuidgid s6-envdir s6-setlock s6-softlimit", {
    plain: "-n -N -x -X",
    runs: second,
  }),
  words(
    "daemonize daemon catchsegv gnome-terminal kitty foot xfce4-terminal heaptrack caffeinate winpty wine wine64 gpg-agent wezterm.start launchctl.submit op.run doppler.run infisical.run dotenv.run rr.record zellij.run",
    { plain: "-a -v -r -d -i -s -t -u -m -q", value: "-c -e -p -o -l -E -n -w", code: "--execute" },
  ),
  { names: "op doppler infisical dotenv rr zellij wezterm launchctl", hasSubcommands: true, help: wordsHelp },
  words("dbus-launch xinit startx", { style: "words", plain: "--exit-with-session --sh-syntax --csh-syntax" }),
  words("gdbserver", { plain: "--once --multi", runs: second }),
  { names: "aws-vault chamber scl sops", hasSubcommands: true, help: wordsHelp },
  {
    names: "aws-vault.exec chamber.exec envchain",
    value: "-d -r --duration --region",
    plain: "-n -j -s --no-session --ecs-server",
    runs: second,
    help: wordsHelp,
  },
  text("scl.enable", { text: { from: 1, to: EVERY }, script: "shell" }),
  text("sops.exec-env sops.exec-file", { text: { from: 1, to: 2 }, script: "shell" }),
  words("mpirun mpiexec orterun srun salloc", {
    style: "words",
    plain: "--oversubscribe --allow-run-as-root --exclusive --pty",
    value: "-n -np -N -c -p -w -t -H -x -J -A -q -o -e -host -hostfile -machinefile",
  }),
  { names: "sbatch", code: "--wrap", permutes: true, help: taskHelp },
  // Managers of versions and environments.
  {
    names:
      "conda mamba micromamba rustup opam stack cabal direnv asdf rbenv pyenv pm2 forever hatch pdm rye volta fnm nodenv nvm devbox pixi",
    hasSubcommands: true,
    help: wordsHelp,
  },
  words("conda.run mamba.run micromamba.run", {
    plain: "--no-capture-output --live-stream -v --dev",
    value: "-n -p --name --prefix --cwd",
  }),
  words("opam.exec stack.exec cabal.exec asdf.exec rbenv.exec pyenv.exec nodenv.exec fnm.exec volta.run pixi.run", {
    value: "--switch --root --using --node --npm --yarn --package",
    plain: "-v --quiet",
  }),
  words("rustup.run direnv.exec nvm.exec nvm.run", { runs: second }),
  text("hatch.run pdm.run rye.run devbox.run pm2.start forever.start", { text: first }),
  {
    names: "nix",
    value: "--extra-experimental-features --experimental-features",
    hasSubcommands: true,
    help: taskHelp,
  },
  {
    names: "nix.run nix.develop nix.shell",
    code: "-c --command --expr --impure",
    permutes: true,
    text: first,
    note: "nix evaluates and runs this",
    help: taskHelp,
  },
  // Watchers and runners that pass their words to a shell.
  text("watchexec", {
    plain: "-c -r -p -n -v --restart --clear --postpone",
    value: "-e -w -i -f -d -s --exts --watch --ignore --filter --debounce --signal",
    script: "shell",
  }),
  text("concurrently", {
    plain: "-k -r -s -g --kill-others --raw",
    value: "-n -c -p -m --names --prefix-colors --prefix",
    script: "shell",
  }),
  { names: "watchman-make", code: "--run --make", permutes: true, help: taskHelp },
  text("i3-msg swaymsg", { plain: "-q -r -p --quiet --raw", value: "-s -t --socket --type" }),
  { names: "xdotool", hasSubcommands: true, help: taskHelp },
  words("xdotool.exec", { plain: "--sync" }),
  {
    names: "open",
    value: "-o",
    code: "-a -b",
    permutes: true,
    note: "this says which program opens it",
    help: taskHelp,
  },
  {
    names: "rake",
    code: "-e -E -p -r --execute --execute-continue --execute-print --require",
    permutes: true,
    help: taskHelp,
  },
  { names: "just", code: "-c --command --shell --shell-arg", permutes: true, help: taskHelp },
  // The value is a library that the program loads.
  {
    names: "ssh-keygen ssh-add",
    code: "-D -w -s -S",
    permutes: true,
    note: "the program loads a library from there",
    help: taskHelp,
  },
];

/** Rows of launchers. The `reject` of a `[flags]` parameter decides which of their options it gives. */
export const launchers: readonly ProgramRule[] = rows.map((rule) => ({ trustsFlags: true, ...rule }));
