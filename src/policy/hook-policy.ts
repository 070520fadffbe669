// The default policy for the commands of other agents: what is asked about if no rule of `config.yaml` matches.
// Ordinary commands are not asked about, as they are what an agent is for; each row here names something that cannot be
// undone, that leaves the working folder or the machine, or that hides what runs. Rows are matched with the commands
// that a line runs in the end: ran-commands.ts.

export interface DangerRow {
  /** Names in the tables of programs, separated by `|`; a subcommand has two words. `*` at the end is any text. */
  readonly programs: string;
  /** Matches the words after the name, with a blank between them. */
  readonly when?: RegExp;
  readonly unless?: RegExp;
  /**
   * Limits the row to commands with a path outside of the working and the temporary folder, or the working folder
   * itself. `unknown`: a path that is known only at run time counts too. `beyond`: the working folder itself does not
   * count.
   */
  readonly reaches?: "outside" | "unknown" | "beyond";
  /** The end of a sentence that begins with the command. */
  readonly why: string;
}

const LOCAL_HOST =
  /(?:^|[ /@'"])(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|host\.docker\.internal)(?=[:/ '"]|$)/;

export const dangerRows: readonly DangerRow[] = [
  // Deleting.
  { programs: "rm|srm|del|rd|rmdir|unlink|trash", reaches: "outside", why: "deletes outside of the working folder" },
  {
    programs: "rm|srm",
    when: /(?:^| )-(?:[A-Za-z]*[rR]|-recursive)/,
    reaches: "unknown",
    why: "deletes a folder that is known only when it runs, or is not below the working folder",
  },
  { programs: "rm", when: /--no-preserve-root/, why: "may delete the whole system" },
  {
    programs: "find|gfind|bfs",
    when: /(?:^| )-delete\b/,
    reaches: "beyond",
    why: "deletes outside of the working folder",
  },
  { programs: "shred|wipe|wipefs|srm", why: "destroys data" },
  { programs: "truncate", reaches: "outside", why: "empties a file outside of the working folder" },
  {
    programs: "chmod|chown|chgrp|chattr|setfacl|xattr",
    when: /(?:^| )-(?:[A-Za-z]*R|-recursive)/,
    reaches: "unknown",
    why: "changes the rights of files outside of the working folder",
  },
  { programs: "chmod", when: /(?:^| )(?:[ugoa]*\+[rwxXt]*s|[2467][0-7]{3})\b/, why: "lets a program run as its owner" },
  { programs: "setcap", why: "gives a program rights of the system" },
  { programs: "mv|cp|install|ln|rsync", when: /(?:^| )\/dev\/(?!null\b|std)/, why: "writes to a device" },
  { programs: "mv", when: / \/dev\/null$/, why: "deletes what it moves" },
  // Work that only git has.
  {
    programs: "git push",
    when: /(?:^| )(?:-[a-zA-Z]*f\b|--force(?!-)|--mirror|--delete|-d\b|\+\S+|:\S+)/,
    why: "overwrites or deletes what others may have",
  },
  { programs: "git reset", when: /(?:^| )--hard\b/, why: "discards changes that are not committed" },
  {
    programs: "git clean",
    when: /(?:^| )-(?:[a-zA-Z]*f|-force)/,
    unless: /(?:^| )(?:-[a-zA-Z]*[nX]|--dry-run)/,
    why: "deletes files that git does not have",
  },
  {
    programs: "git checkout|git restore",
    when: /(?:^| )(?:-f|--force|--|)(?: ?)\.(?:\/)?$/,
    why: "discards changes that are not committed",
  },
  {
    programs: "git checkout|git switch",
    when: /(?:^| )(?:-[a-zA-Z]*f[a-zA-Z]*|--f(?:o\w*)?|--disc[\w-]*)(?: |$)/,
    why: "discards changes that are not committed",
  },
  {
    programs: "git checkout|git restore",
    when: /(?:^| )(?::\/|:\(top\)|\*|'\*'|:)(?: |$)/,
    why: "discards changes that are not committed",
  },
  { programs: "git stash", when: /^(?:drop|clear)\b/, why: "discards stashed changes" },
  { programs: "git filter-branch|git filter-repo|git update-ref|git replace", why: "rewrites history" },
  { programs: "git reflog", when: /^(?:expire|delete)/, why: "makes lost commits unrecoverable" },
  { programs: "git gc", when: /--prune=(?:now|all)/, why: "makes lost commits unrecoverable" },
  {
    programs: "git",
    when: /^(?:-[Cc] \S+ |(?!-[Ccp] |--paginate )--?[\w-]+(?:=\S+)? )*(?:-p|--paginate)(?: |$)/,
    why: "runs the pager that its settings name",
  },
  {
    programs: "git log|git diff|git show|git format-patch|git archive",
    when: /(?:^| )--output(?:=| )(?:\/|~|\.\.)/,
    why: "writes outside of the working folder",
  },
  { programs: "hash", when: /(?:^| )-[a-z]*p/, why: "makes a name stand for another program" },
  { programs: "split|gsplit", when: /(?:^| )--fi/, why: "runs a command with each part" },
  {
    programs: "deno|bun",
    when: /^(?:(?:run|install|serve|-\S+) )*https?:\/\//,
    unless: LOCAL_HOST,
    why: "runs a program of another machine",
  },
  { programs: "find|gfind|bfs", when: /(?:^| )-(?:fprint0?|fprintf|fls) /, why: "writes a file" },
  {
    programs: "bind|complete|enable|mapfile|readarray",
    when: /(?:^| )-(?:x|C|f|F) /,
    why: "makes the shell run something",
  },
  // The system.
  { programs: "sudo|doas|su|pkexec|runuser|gsudo|run0|please", why: "runs with the rights of another user" },
  { programs: "dd", when: /(?:^| )of=\/dev\/(?!null\b|std)/, why: "overwrites a device" },
  {
    programs: "mkfs*|mke2fs|mkswap|fdisk|sfdisk|gdisk|sgdisk|parted|cryptsetup|mount|umount|losetup|swapoff|fsck*",
    unless: /^(?:-l|--list|--help|--version)?$/,
    why: "changes disks",
  },
  { programs: "diskutil", unless: /^(?:list|info)\b/, why: "changes disks" },
  { programs: "shutdown|reboot|halt|poweroff|telinit", why: "stops the machine" },
  { programs: "kill", when: /(?:^| )-1$/, why: "ends every process" },
  {
    programs: "systemctl|launchctl|service|rc-service|sc",
    when: /(?:^| )(?:stop|disable|mask|enable|kill|load|unload|bootstrap|bootout|submit|poweroff|reboot|halt|isolate|edit|link|create|delete)\b/,
    why: "changes what the machine runs",
  },
  { programs: "crontab", unless: /^(?:-l|-u \S+ -l)$/, why: "makes something run later" },
  { programs: "at|batch|schtasks|systemd-run", why: "makes something run later" },
  {
    programs: "useradd|adduser|usermod|userdel|deluser|groupadd|gpasswd|passwd|chpasswd|visudo|vipw|chsh|dscl",
    why: "changes accounts",
  },
  {
    programs:
      "iptables|ip6tables|nft|ufw|firewall-cmd|pfctl|setenforce|modprobe|insmod|rmmod|kextload|nvram|csrutil|spctl",
    why: "changes the system's protection",
  },
  { programs: "sysctl", when: /(?:^| )(?:-w\b|\S+=)/, why: "changes the system's settings" },
  { programs: "history", when: /(?:^| )-[a-z]*[acdnprsw]/, why: "changes what the shell remembers" },
  // What leaves the machine.
  {
    programs: "curl|wget|http|https|xh|httpie|curlie",
    when: /\$\(|`|(?:^| )(?:-T|--upload-file)\b|(?:-d|--data(?:-\w+)?|-F|--form|--json|--post-file|--body-file|--data-binary)(?:=| )?\S*@|(?:^| )--(?:post|body)-file|(?:^| )\S+@\S*\/\S+$/,
    unless: LOCAL_HOST,
    why: "can send files or the output of commands to another machine",
  },
  {
    programs: "curl|wget",
    when: /(?:^| )(?:-K|--config|--use-askpass|-e \S*use_askpass)/,
    why: "takes its options from a file, or runs a program",
  },
  {
    programs:
      "nc|ncat|netcat|socat|telnet|ftp|tftp|sftp|lftp|mail|mailx|mutt|sendmail|msmtp|swaks|croc|magic-wormhole|wormhole|ngrok|cloudflared",
    unless: /(?:^| )-[a-z]*z|^(?:--version|--help|-h)$/,
    why: "exchanges data with another machine",
  },
  {
    programs: "scp|rsync|rclone",
    when: /(?:^| )(?:\S+@)?[\w.-]+:(?!\/\/(?:localhost|127\.))/,
    why: "copies files from or to another machine",
  },
  {
    programs: "dig|nslookup|host|ping|getent|whois|traceroute|resolvectl|drill",
    when: /\$\(|`|\$\{?\w/,
    why: "can send the output of a command in the name of a machine",
  },
  { programs: "ssh", when: /(?:^| )-(?:[A-Za-z]*[LRDW]|[A-Za-z]*w)\b/, why: "opens a tunnel to another machine" },
  { programs: "aws s3", when: /^(?:cp|mv|sync) .* s3:|^(?:rb|rm)\b/, why: "changes or sends data in the cloud" },
  { programs: "gist|gh gist", when: /^(?:create|edit)|^[^-]/, why: "publishes files" },
  // What others get, or what cannot be taken back.
  {
    programs: "npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|dart|vsce|ovsx|lerna|changeset",
    when: /^(?:npm )?(?:publish|unpublish|deprecate|owner|yank|login|token|dist-tag add)\b/,
    unless: /--dry-run/,
    why: "publishes",
  },
  {
    programs: "twine|gem|nuget|docker|podman|mvn|gradle|gradlew|dotnet|helm",
    when: /^(?:upload|push|nuget push|deploy|publish\b(?=.*(?:key|repo)))/,
    unless: /--dry-run/,
    why: "publishes",
  },
  {
    programs: "gh",
    when: /^(?:repo (?:delete|archive|edit|create)|release (?:create|delete|edit|upload)|secret|auth (?:token|login|refresh)|ssh-key|gpg-key|api .*(?:-X|--method)[ =]?(?:DELETE|PUT|PATCH|POST)|pr merge|issue delete|workflow (?:run|disable)|extension install)/,
    why: "changes what is on the server",
  },
  {
    programs: "terraform|tofu|pulumi|cdk|serverless|sls",
    when: /^(?:destroy|apply|up|deploy|remove|import|state (?:rm|push))\b/,
    why: "changes machines",
  },
  { programs: "kubectl|oc", when: /(?:^| )(?:delete|drain|cordon|replace --force|scale)\b/, why: "changes a cluster" },
  { programs: "helm", when: /^(?:uninstall|delete)\b/, why: "changes a cluster" },
  {
    programs: "docker|podman|nerdctl",
    when: /^(?:(?:system|volume|image|container|network|builder) prune|volume rm)/,
    why: "deletes data of containers",
  },
  {
    programs: "docker|podman|docker-compose|podman-compose",
    when: /^(?:compose )?down\b.*(?: -v\b| --volumes)/,
    why: "deletes data of containers",
  },
  {
    programs: "docker|podman|nerdctl",
    when: /^(?:run|create|exec)\b.*(?:--privileged|--pid[= ]host|--cap-add|docker\.sock|(?:-v|--volume|source|src)[= ]?(?:\/|~|\$HOME)(?::| |,|$)|(?:-v|--volume)[= ](?:\/etc|\/root|\/home|\/var|~)\b)/,
    why: "gives a container rights over this machine",
  },
  {
    programs: "aws|gcloud|az|doctl|heroku|fly|flyctl|vercel|netlify|wrangler|firebase|supabase",
    when: /(?:^| )(?:delete\S*|destroy\S*|terminate\S*|purge|remove|pg:reset|db reset|deploy|print-access-token|get-session-token|get-secret-value)(?: |$)/,
    why: "changes what is in the cloud, or shows a key",
  },
  {
    programs: "psql|mysql|mariadb|sqlite3|mongo|mongosh|duckdb|sqlcmd|clickhouse-client|cqlsh",
    when: /\b(?:drop\s+(?:table|database|schema|user|role|collection)|truncate\s|delete\s+from|dropDatabase|deleteMany)|\\!/i,
    why: "deletes data of a database, or runs a command",
  },
  { programs: "dropdb|dropuser", why: "deletes a database" },
  {
    programs: "redis-cli|valkey-cli",
    when: /\b(?:flushall|flushdb|shutdown|config\s+set|debug|eval)\b/i,
    why: "deletes data of a database, or changes it",
  },
  {
    programs: "rails|rake|bundle exec rails|bundle exec rake",
    when: /\bdb:(?:drop|reset|purge|schema:load)/,
    why: "deletes a database",
  },
  { programs: "prisma", when: /migrate reset|db push.*--(?:force-reset|accept-data-loss)/, why: "deletes a database" },
  // Keys, and what guards this machine from agents.
  { programs: "security", when: /(?:dump|find|export|delete|add|set)-/, why: "reads or changes keys" },
  {
    programs: "secret-tool|pass|op|bw|lpass|vault|gopass|keyring|chamber",
    unless: /^(?:--version|--help|status)?$/,
    why: "reads keys",
  },
  { programs: "gpg|gpg2", when: /--(?:export-secret|delete-secret|batch.*--import)/, why: "reads or deletes keys" },
  { programs: "ssh-add|ssh-copy-id", unless: /^-[lL]$/, why: "uses keys" },
  {
    programs: "claude|codex|gemini|copilot|opencode|cursor-agent|aider|amp|goose|qwen|crush",
    when: /dangerously|--yolo|(?:^| )-y\b|bypassPermissions|--allow-all|--full-auto|--yes-always|--auto\b|danger-full-access|--approval-mode[= ](?:yolo|auto)|hooks|--settings|--permission-mode/,
    why: "starts an agent that is not asked, or changes what asks it",
  },
  {
    programs: "dottool",
    when: /^(?:--\S+(?: (?!--)\S+)? )*(?:trust|untrust|allow|pin|hook|forge (?:keep|import))\b/,
    why: "changes what may run",
  },
  {
    programs:
      "osascript|open|xdg-open|start|explorer|powershell|pwsh|cmd|wscript|cscript|mshta|rundll32|regsvr32|reg|regedit|wsl",
    unless: /^(?:--version|-v|-Version|\S*\.(?:html?|png|svg|pdf|md)|https?:\/\/(?:localhost|127\.)\S*)$/,
    why: "starts another program, which is not seen",
  },
  {
    programs: "gdb|lldb|strace|ltrace|dtrace|bpftrace|frida",
    when: /(?:^| )(?:-p\b|--pid|attach)/,
    why: "reads the memory of another process",
  },
  { programs: "tmux|screen|zellij", when: /(?:send-keys|-X stuff|send)\b/, why: "types into another terminal" },
  { programs: "busybox|toybox", unless: /^(?:--help|--list)?$/, why: "is many programs in one" },
];

/**
 * Variables that make programs run something. `when` limits a row to values that match; unknown values count unless the
 * row is for known ones.
 */
export const dangerVariables: readonly {
  readonly names: RegExp;
  readonly when?: RegExp;
  readonly unless?: RegExp;
  readonly isKnown?: true;
}[] = [
  {
    names:
      /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_\w+|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|BASH_FUNC\S*|ZDOTDIR)$/,
    unless: /^(?:|\w+)$/,
  },
  {
    names:
      /^(?:GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|EXEC_PATH|TEMPLATE_DIR|PROXY_COMMAND|ASKPASS|CONFIG\w*)|SSH_ASKPASS|SUDO_ASKPASS|SVN_SSH|RSYNC_RSH|CVS_RSH)$/,
    unless: /^(?:|true|\/dev\/null|\/bin\/true|[01]|echo)$/,
  },
  {
    names: /^(?:\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|MANROFFOPT|MANOPT)$/,
    unless: /^(?:|:|true|cat|less(?: -\w+)?|more|bat|delta|vim?|nvim|nano|emacs|code(?: --wait)?|none|false|echo)$/,
  },
  { names: /^(?:BASH_ENV|DOTTOOL_TRUST|DOTTOOL_PATH)$/, unless: /^$/ },
  // Programs take their settings from there, and run what these name.
  {
    names: /^(?:HOME|GIT_DIR|GIT_COMMON_DIR|GIT_WORK_TREE|GIT_OBJECT_DIRECTORY|GNUPGHOME)$/,
    unless: /^$/,
  },
  { names: /^XDG_CONFIG_HOME$/, unless: /^$/, isKnown: true },
  {
    names: /^(?:NODE_PATH|PYTHONPATH|PYTHONHOME|PERL5LIB|PERLLIB|RUBYLIB|LUA_PATH)$/,
    when: /(?:^|:)(?:\/(?:tmp|var\/tmp|dev\/shm)|\.\.)(?:\/|:|$)/,
    isKnown: true,
  },
  { names: /^(?:PERL5OPT|RUBYOPT)$/, when: /(?:^|[ -])[dIMmrx]/ },
  { names: /^PATH$/, when: /^(?:\.|\/tmp|\/var\/tmp|\/dev\/shm)(?:\/|:|$)/ },
  { names: /^PS[0-4]$/, when: /[$`]/ },
  {
    names:
      /^(?:PERL5OPT|PERL5DB|RUBYOPT|NODE_OPTIONS|BUN_OPTIONS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|PYTHONSTARTUP|PYTHONBREAKPOINT|PYTHONINSPECT|PYTHONWARNINGS|VIMINIT|EXINIT|TAR_OPTIONS|MAKEFLAGS|RIPGREP_CONFIG_PATH|FZF_DEFAULT_COMMAND|NODE_REPL_EXTERNAL_MODULE)$/,
    when: /(?:^| )-(?:[A-Za-z]*[reM]\b|-require|-import|-loader|-experimental-loader|-eval|javaagent|agentlib|-to-command|-checkpoint-action|-use-compress)|SHELL=|[!$`;|]|\/|\.py$|=\s*\S+::/,
  },
  { names: /^(?:HISTFILE|HISTSIZE|HISTCONTROL)$/, when: /^(?:0|\/dev\/null|)$/ },
];

/** Matches program text of another language that may run a program, delete, write, or use the network. */
export const dangerousCode =
  /\b(?:system|exec\w*(?=\s*[('"$])|popen\w*|subprocess|spawn\w*|child_process|fork\w*|pty|ctypes|rmtree|rm(?:dir)?(?:Sync)?\b(?=\s*\()|unlink\w*|remove(?:dirs|Sync)?\s*\(|rename\w*\s*\(|truncate\w*|chmod\w*|socket|urllib\w*|urlopen|requests\.(?:get|post|put|patch|delete|request|Session)|httpx\.(?:get|post|put|stream|Client)|aiohttp|fetch\s*\(|XMLHttpRequest|https?\.(?:get|request|client)|net\.(?:connect|createConnection|Socket)|eval|compile|__import__|importlib|globals\s*\(|getattr|b64decode|base64|fromCharCode|unhexlify|fromhex|atob|Buffer\.from|codecs|pack\s*\(|(?:write(?:Text)?|append)File\w*\s*\(\s*(?:[^'"\s]|['"](?:\/|~|\.\.))|createWriteStream|write_text|write_bytes|file_put_contents|shell_exec|passthru|proc_open|Deno\.(?:run|Command|remove\w*)|Bun\.(?:spawn\w*|\$)|do shell script|Runtime|qx|syscall)|https?:\/\/(?!localhost|127\.)|`[^`]+`|\\x[0-9a-fA-F]{2}|\bopen\s*\([^)]*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]|\/dev\/(?:tcp|udp)|\/etc\/|\.ssh\b|%x[{(]/;

/** Options whose value names a program, and is harmless when it matches. */
export const harmlessOptions: readonly {
  readonly programs: RegExp;
  readonly options: RegExp;
  readonly when: RegExp;
}[] = [
  {
    programs: /^(?:ssh|scp|sftp)$/,
    options: /^-o$/,
    when: /^(?!.*(?:command|proxy|pkcs11|provider|helper|include|xauth|askpass|identityagent))/i,
  },
];
