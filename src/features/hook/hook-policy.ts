// What the default policy for hooks asks about besides the commands of grammar/hook-policy.yaml: variables, and program
// text of other languages. Functions return what a decision seldom needs: to make all expressions takes long.

/** See grammar/hook-policy.yaml. */
export interface DangerRow {
  /** As in a table of programs: see core/shell/row-table.ts. */
  readonly names: string;
  readonly when?: RegExp;
  readonly unless?: RegExp;
  readonly reaches?: "outside" | "unknown" | "beyond";
  readonly why: string;
}

/**
 * Variables that make programs run something. `when` limits a row to values that match; unknown values count unless the
 * row is for known ones.
 */
export const dangerVariables = (): readonly {
  readonly names: RegExp;
  readonly when?: RegExp;
  readonly unless?: RegExp;
  readonly isKnown?: true;
}[] => [
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
export const dangerousCode = (): RegExp =>
  /\b(?:system|exec\w*(?=\s*[('"$])|popen\w*|subprocess|spawn\w*|child_process|fork\w*|pty|ctypes|rmtree|rm(?:dir)?(?:Sync)?\b(?=\s*\()|unlink\w*|remove(?:dirs|Sync)?\s*\(|rename\w*\s*\(|truncate\w*|chmod\w*|socket|urllib\w*|urlopen|requests\.(?:get|post|put|patch|delete|request|Session)|httpx\.(?:get|post|put|stream|Client)|aiohttp|fetch\s*\(|XMLHttpRequest|https?\.(?:get|request|client)|net\.(?:connect|createConnection|Socket)|eval|compile|__import__|importlib|globals\s*\(|getattr|b64decode|base64|fromCharCode|unhexlify|fromhex|atob|Buffer\.from|codecs|pack\s*\(|(?:write(?:Text)?|append)File\w*\s*\(\s*(?:[^'"\s]|['"](?:\/|~|\.\.))|createWriteStream|write_text|write_bytes|file_put_contents|shell_exec|passthru|proc_open|Deno\.(?:run|Command|remove\w*)|Bun\.(?:spawn\w*|\$)|do shell script|Runtime|qx|syscall|sys\.process|Process(?:Builder)?\s*\(|System\.(?:cmd|shell)|os\.cmd|Sys\.command|File\.rm\w*|deleteDir|(?:run|shell)\s+["'<])|https?:\/\/(?!localhost|127\.)|`[^`]+`|\\x[0-9a-fA-F]{2}|\bopen\s*\([^)]*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]|\/dev\/(?:tcp|udp)|\/etc\/|\.ssh\b|%x[{(]/;

/** Matches Ruby whose names mean little in other languages: methods of files, and what calls a method by its name. */
export const dangerousRuby = (): RegExp =>
  /(?<![.\w])(?:open|load|send)\b|\.(?:send|method)\b|\b(?:__send__|public_send|define_method|Kernel|IO|URI\.open)\b|\bFileUtils\b(?!\.(?:mkdir|touch|pwd|cmp))|\b(?:File|Dir)\.(?:delete|(?:bin)?write\s*\(?\s*(?:[^"'\s(]|["'](?:\/|~|\.\.)))|\bPathname\b.*\.(?:delete|write|rmtree)\b|(?:^|;)\s*(?:rm\w*|mv|cp\w*|ln\w*|install|chmod\w*)\b/;

/** Options whose value names a program, and is harmless when it matches. */
export const harmlessOptions = (): readonly {
  readonly programs: RegExp;
  readonly options: RegExp;
  readonly when: RegExp;
}[] => [
  {
    programs: /^(?:ssh|scp|sftp)$/,
    options: /^-o$/,
    when: /^(?!.*(?:command|proxy|pkcs11|provider|helper|include|xauth|askpass|identityagent))/i,
  },
];
