// The places of keys, passwords and histories. A model reads none of them without approval.

export interface KeyFiles {
  /** The end of a sentence, after "may contain". */
  readonly holds: string;
  /** Documentation that names the places. */
  readonly source: string;
  /** Paths from a home folder, with `/`; a folder includes everything in it. `*` matches any characters of a name. */
  readonly paths: readonly string[];
}

/** Paths may contain blanks. */
function listed(text: string): readonly string[] {
  return text.trim().split(/,\s+/);
}

/** Places in each user's home folder. */
export const keyFilesAtHome: readonly KeyFiles[] = [
  {
    holds: "OpenSSH keys",
    source: "ssh(1), FILES",
    paths: [".ssh"],
  },
  {
    holds: "GnuPG keys",
    source: "gpg(1), FILES",
    paths: [".gnupg", "AppData/Roaming/gnupg"],
  },
  {
    holds: "age and SOPS keys",
    source: "SOPS, Encrypting using age",
    paths: listed(".config/age, .config/sops, Library/Application Support/sops, AppData/Roaming/sops"),
  },
  {
    holds: "cloud credentials",
    source:
      "AWS CLI, Configuration and credential files; gcloud topic configurations; Azure CLI, configuration; the " +
      "CLI manuals of the others",
    paths: listed(`
      .aws, .config/gcloud, AppData/Roaming/gcloud, .azure, .oci, .bluemix, .aliyun, .tccli, .config/doctl,
      Library/Application Support/doctl, .config/hcloud, .config/linode-cli, .config/scw, .config/exoscale,
      .config/openstack, .config/flyctl, .fly, .config/heroku, .local/share/com.vercel.cli, .config/netlify,
      .wrangler, .config/.wrangler, .railway, .config/stripe, .config/rclone, .s3cfg, .boto, .databrickscfg, .snowsql,
      .snowflake, .modal.toml, .kaggle, .cache/huggingface/token, .config/wandb`),
  },
  {
    holds: "cluster and registry credentials",
    source: "kubectl, Organizing cluster access; docker login; containers-auth.json(5)",
    paths: listed(".kube, .docker, .config/containers, .config/helm, .config/argocd, .config/k9s"),
  },
  {
    holds: "code host credentials",
    source: "git-credential-store(1), FILES; gh auth login; glab auth login",
    paths: listed(`
      .git-credentials, .config/git/credentials, .config/gh, .config/glab-cli, .config/hub, .config/tea,
      AppData/Roaming/GitHub CLI, Library/Application Support/glab-cli`),
  },
  {
    holds: "passwords of hosts",
    source: "curl(1), --netrc",
    paths: [".netrc", "_netrc", ".authinfo*"],
  },
  {
    holds: "package registry credentials",
    source:
      "npmrc(5); Yarn, npmAuthToken; packaging.python.org, The .pypirc file; cargo login; gem signin; Maven, " +
      "settings.xml; Gradle, gradle.properties; Composer, auth.json; Terraform, CLI configuration",
    paths: listed(`
      .npmrc, .yarnrc, .yarnrc.yml, .config/pnpm, .bunfig.toml, .pypirc, .pip, .config/pip, .config/pypoetry,
      .config/uv, .local/share/uv/credentials, .cargo/credentials*, .gem, .local/share/gem, .bundle/config,
      .m2/settings*.xml, .gradle/gradle.properties, .nuget/NuGet, .config/NuGet, .composer/auth.json,
      .config/composer/auth.json, .terraform.d, .terraformrc, .condarc, .hex, .pub-cache/credentials.json,
      .config/dart`),
  },
  {
    holds: "database passwords",
    source: "PostgreSQL, The Password File; MySQL, Option Files; mongosh and redis-cli manuals",
    paths: listed(`
      .pgpass, .pg_service.conf, .my.cnf, .mylogin.cnf, .mongodb, .redisclirc, .config/pgcli, .dbeaver*,
      .local/share/DBeaverData, AppData/Roaming/postgresql, AppData/Roaming/MySQL`),
  },
  {
    holds: "a key store",
    source:
      "pass(1); Vault, token helpers; GNOME Keyring; KWallet; Apple, Keychain; Windows, Credential Manager and " +
      "DPAPI; 1Password CLI; Bitwarden CLI",
    paths: listed(`
      .password-store, .local/share/gopass, .vault-token, .local/share/keyrings, .local/share/kwalletd,
      .config/keepassxc, .cache/keepassxc, .config/op, .op, .config/1Password, .config/Bitwarden*, Library/Keychains,
      Library/Application Support/Bitwarden*, Library/Group Containers/*1password*,
      AppData/Local/Microsoft/Credentials, AppData/Roaming/Microsoft/Credentials, AppData/Local/Microsoft/Vault,
      AppData/Roaming/Microsoft/Vault, AppData/Roaming/Microsoft/Protect, AppData/Roaming/Microsoft/Crypto,
      AppData/Local/1Password, AppData/Roaming/Bitwarden*`),
  },
  {
    holds: "browser or mail passwords and sessions",
    source: "Chromium, user data directory; Mozilla, Profiles; Apple, Safari",
    paths: listed(`
      .mozilla, .config/mozilla, .cache/mozilla, .thunderbird, .librewolf, .waterfox, .zen, .config/google-chrome*,
      .config/chromium, .config/BraveSoftware, .config/microsoft-edge*, .config/vivaldi*, .config/opera*,
      .cache/google-chrome*, .cache/chromium, .cache/BraveSoftware, .cache/microsoft-edge*, snap/firefox,
      snap/chromium, snap/thunderbird, .var/app, Library/Application Support/Google/Chrome*,
      Library/Application Support/Chromium, Library/Application Support/Firefox,
      Library/Application Support/BraveSoftware, Library/Application Support/Microsoft Edge*,
      Library/Application Support/Arc, Library/Application Support/Vivaldi,
      Library/Application Support/com.operasoftware*, Library/Safari, Library/Cookies,
      Library/Containers/com.apple.Safari, Library/Mail, Library/Messages, Library/Thunderbird,
      AppData/Local/Google/Chrome*, AppData/Local/Chromium, AppData/Local/BraveSoftware,
      AppData/Local/Microsoft/Edge*, AppData/Local/Vivaldi, AppData/Roaming/Opera Software, AppData/Roaming/Mozilla,
      AppData/Roaming/Thunderbird, .mutt, .muttrc, .msmtprc, .config/msmtp, .fetchmailrc, .mbsyncrc`),
  },
  {
    holds: "messenger sessions",
    source: "Electron, app.getPath('userData')",
    paths: listed(`
      .config/Slack, .config/discord, .config/Signal, .local/share/TelegramDesktop, Library/Application Support/Slack,
      Library/Application Support/discord, Library/Application Support/Signal, AppData/Roaming/Slack,
      AppData/Roaming/discord, AppData/Roaming/Signal, AppData/Roaming/Telegram Desktop`),
  },
  {
    holds: "credentials of an agent",
    source: "the settings of Claude Code, Codex, Gemini CLI, OpenCode and Copilot",
    paths: listed(`
      .claude.json, .claude/.credentials.json, .codex/auth.json, .gemini/oauth_creds.json, .local/share/opencode,
      .config/github-copilot, .continue, .aider*, .config/goose`),
  },
  {
    holds: "wallet keys",
    source: "Bitcoin Core, Data directory; Geth, keystore; Solana CLI, file system wallets",
    paths: listed(`
      .bitcoin, .ethereum, .electrum, .config/solana, Library/Application Support/Bitcoin, Library/Ethereum,
      AppData/Roaming/Bitcoin`),
  },
  {
    holds: "passwords of network shares and servers",
    source: "mount.cifs(8), credentials; FileZilla; Remmina",
    paths: listed(`
      .smbcredentials, .config/filezilla, .config/remmina, .local/share/remmina, .putty, .config/davfs2, .davfs2,
      .vnc, .config/NetworkManager`),
  },
  {
    holds: "a history of typed text, which may include passwords",
    source: "bash(1), HISTFILE; fish, history; PSReadLine",
    paths: listed(`
      .*history, .histfile, .zsh_sessions, .bash_sessions, .local/share/fish, .local/share/powershell,
      .local/share/nu, .config/nushell/history*, AppData/Roaming/Microsoft/Windows/PowerShell, .lesshst, .viminfo,
      .local/share/atuin, .local/share/recently-used.xbel`),
  },
];

/** Places from the root. `C:` means any drive. */
export const keyFilesOfMachine: readonly KeyFiles[] = [
  {
    holds: "user passwords",
    source: "shadow(5); Apple, master.passwd; Windows, SAM",
    paths: listed(`
      /etc/shadow*, /etc/gshadow*, /etc/security/opasswd, /private/etc/master.passwd, /etc/master.passwd,
      /private/var/db/dslocal, /var/db/dslocal, C:/Windows/System32/config`),
  },
  {
    holds: "keys of this machine",
    source: "sshd(8), FILES; krb5.keytab; wg-quick(8)",
    paths: listed(`
      /etc/ssh/ssh_host_*_key, /etc/ssl/private, /etc/pki/private, /etc/letsencrypt, /etc/krb5.keytab, /etc/wireguard,
      /etc/NetworkManager/system-connections, /Library/Keychains, C:/ProgramData/ssh`),
  },
  {
    holds: "container secrets",
    source: "Docker, Manage sensitive data; Kubernetes, Service accounts",
    paths: ["/run/secrets", "/var/run/secrets", "/run/credentials"],
  },
  {
    holds: "tickets and sockets of key agents",
    source: "kerberos(7); gnome-keyring-daemon(1); gpg-agent(1)",
    paths: listed("/tmp/krb5cc_*, /run/user/*/keyring, /run/user/*/gnupg, /run/user/*/containers, /run/user/*/krb5cc*"),
  },
  {
    holds: "the memory of this machine",
    source: "proc(5); mem(4)",
    paths: listed("/proc/kcore, /proc/keys, /proc/key-users, /dev/mem, /dev/kmem, /dev/port"),
  },
];

/** Places by name, in any folder. */
export const keyFilesByName: readonly KeyFiles[] = [
  {
    holds: "a private key",
    source: "ssh-keygen(1), FILES",
    paths: listed("id_rsa, id_dsa, id_ecdsa, id_ed25519, id_ecdsa_sk, id_ed25519_sk"),
  },
  {
    holds: "a key store",
    source: "KeePass, Database file",
    paths: listed("*.kdbx, *.kdb, *.keychain, *.keychain-db"),
  },
];

/**
 * Hidden folders at home that package managers fill with published code: read as often as source code, and without
 * settings.
 */
export const publishedCodeAtHome: readonly string[] = listed(`
  .cargo/registry, .cargo/git, .rustup/toolchains, .npm/_logs, .npm/_npx, .nvm/versions, .fnm/node-versions,
  .volta/tools, .bun/install, .yarn/berry/cache, .pnpm-store, .local/share/pnpm, .pyenv/versions, .local/lib,
  .local/pipx, .local/share/pipx, .local/share/uv/tools, .local/share/uv/python, .virtualenvs,
  .local/share/virtualenvs, .conda/pkgs, .rbenv/versions, .rvm/gems, .sdkman/candidates, .m2/repository, .m2/wrapper,
  .gradle/caches, .gradle/wrapper, .ivy2/cache, .nuget/packages, .dotnet/sdk, .asdf/installs,
  .local/share/mise/installs, .opam, .ghcup/ghc, .stack/programs, .cabal/packages, .julia/packages, .pub-cache/hosted,
  .elan/toolchains, .deno, .cache/pip, .cache/uv, .cache/pypoetry/virtualenvs, .cache/go-build, .cache/deno,
  .cache/yarn, .cache/ms-playwright, .nix-profile`);
