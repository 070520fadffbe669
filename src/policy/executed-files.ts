// Files that other programs execute or obey without a question: a tool that may write one of them can run anything,
// later and as another program. Approval of a tool that writes covers none of them. Code that a project runs only when
// told to, such as `src/app.ts`, is not among them.

interface ExecutedFiles {
  /** A sentence that says which program does what with them. */
  readonly why: string;
  /** Documentation that says so. */
  readonly source: string;
  /**
   * Names in lower case, separated by spaces: files, and with a final `/` folders with everything in them; `a/b` is `b`
   * in a folder `a`. `*` matches any characters of a name.
   */
  readonly names: string;
  /** Only its own program uses it, so words of a command are checked for it too. */
  readonly isPrivate?: true;
}

export const executedFiles: readonly ExecutedFiles[] = [
  // `git~1` is how Windows shortens `.git`.
  {
    why: "git runs its hooks and the programs that its settings name",
    source: "githooks(5); git-config(1), core.fsmonitor, core.pager, alias",
    names: ".git/ git~1/",
    isPrivate: true,
  },
  {
    why: "git treats a folder with `HEAD`, `objects` and `refs` as a repository, and runs what its `config` names",
    source: "gitrepository-layout(5); git-config(1), safe.bareRepository",
    names: "head",
  },
  {
    why: "version control runs the hooks that it names",
    source: "hgrc(5), hooks; jj, config",
    names: ".hg/ .jj/ .svn/ .bzr/",
    isPrivate: true,
  },
  {
    why: "git's hooks run what it names",
    source: "Husky; pre-commit; Lefthook; lint-staged; Overcommit",
    names: `
      .husky/ .githooks/ .git-hooks/ .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.* .lefthook*
      .lintstagedrc* .overcommit.yml .simple-git-hooks.*`,
  },
  {
    why: "the shell runs it when the folder is entered",
    source: "direnv(1); mise, Environments; devenv; nix develop",
    names: `
      .envrc .direnv/ mise.toml .mise.toml mise.*.toml .mise/ .config/mise/ .miserc* .autoenv* .env.fish flake.nix
      shell.nix default.nix devenv.nix devenv.yaml devbox.json`,
  },
  {
    why: "a shell runs it when it starts",
    source: "bash(1), INVOCATION; zsh(1), STARTUP/SHUTDOWN FILES; fish(1)",
    names: `
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
      .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc config.fish .xprofile .xinitrc .xsession
      .xsessionrc profile.ps1 microsoft.powershell_profile.ps1`,
  },
  {
    why: "a program runs it when it starts in this folder",
    source:
      "gdb(1), .gdbinit; lldb; R, Startup; ghci; IRB; Pry; latexmk(1); Ansible, ansible.cfg; Terraform, .terraformrc",
    names: `
      .gdbinit .lldbinit .rprofile .renviron .ghci .irbrc .pryrc .tmux.conf .screenrc .curlrc .wgetrc .gitconfig
      .lesskey .latexmkrc latexmkrc ansible.cfg .terraformrc`,
  },
  {
    why: "agents start the servers that it names",
    source: "Claude Code, MCP; VS Code, MCP servers",
    names: ".mcp.json mcp.json .mcp/",
  },
  {
    why: "agents take hooks, commands and rights from it",
    source:
      "the settings of Claude Code, Cursor, Gemini CLI, Codex, OpenCode, Windsurf, Continue, Roo, Kilo, Cline, " +
      "Aider, Amazon Q, Kiro, Qwen, Goose, Junie, Trae, Augment",
    names: `
      .claude/ .claude.json .cursor/ .gemini/ .codex/ .opencode/ opencode.json opencode.jsonc .windsurf/ .continue/
      .roo/ .roomodes .kilocode/ .kilocodemodes .clinerules/ .aider.* .amazonq/ .kiro/ .qwen/ .goose/ .junie/ .trae/
      .augment/ .agents/ .cycod/`,
  },
  {
    why: "agents follow what it says",
    source: "agents.md; Claude Code, memory; Gemini CLI, GEMINI.md; GitHub Copilot, custom instructions",
    names: `
      agents.md agents.*.md agent.md claude.md claude.*.md gemini.md qwen.md copilot-instructions.md .cursorrules
      .windsurfrules .goosehints .rules`,
  },
  {
    why: "dottool calls the tools in it",
    source: "src/catalog/tool-folders.ts",
    names: ".tools/ .dottool/",
    isPrivate: true,
  },
  {
    why: "editors run its tasks, and the programs and extensions that it names",
    source:
      "VS Code, Tasks and Settings; Dev Containers; IntelliJ, project settings; Zed, Tasks; Vim, exrc; Emacs, " +
      "Directory Variables; YouCompleteMe, .ycm_extra_conf.py",
    names: `
      .vscode/ *.code-workspace .devcontainer/ .devcontainer.json devcontainer.json .idea/ .fleet/ .zed/ .vs/
      .settings/ *.sublime-project .nvim.lua .nvimrc .exrc .vimrc .lvimrc .dir-locals.el .dir-locals-2.el
      .gitpod.yml .theia/ .ycm_extra_conf.py`,
  },
  {
    why: "npm and similar tools run its scripts, and install what it names",
    source:
      "npm, scripts and package-lock.json; Yarn, yarnPath; pnpm, .pnpmfile.cjs; Bun, bunfig.toml; Deno, " + "deno.json",
    names: `
      package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock
      bun.lockb .npmrc .yarnrc .yarnrc.yml .yarn/ .pnpmfile.* bunfig.toml deno.json deno.jsonc deno.lock`,
  },
  {
    why: "programs load what is installed in it",
    source: "Node.js, Modules; Python, site and venv",
    names: "node_modules/ .venv/ site-packages/ *.pth sitecustomize.py usercustomize.py",
  },
  {
    why: "editors and build tools run it",
    source: "ESLint, Prettier, Stylelint, Babel, Mocha, Vite, Jest, Gulp and Grunt: configuration files",
    names: `
      *.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts .eslintrc* .prettierrc*
      .stylelintrc* .babelrc* .mocharc* .swcrc gulpfile.* gruntfile.* karma.conf.* wdio.conf.* .svgrrc* .releaserc*
      .nycrc*`,
  },
  {
    why: "Python's tools run it, or what it names",
    source: "setuptools; PEP 517; pytest, conftest.py; tox; nox; Pipenv; Invoke, tasks.py; Fabric; doit; SCons; Waf",
    names: `
      setup.py setup.cfg pyproject.toml conftest.py pytest.ini tox.ini noxfile.py pipfile pipfile.lock uv.lock
      poetry.lock requirements*.txt .pylintrc tasks.py fabfile.py dodo.py sconstruct sconscript wscript`,
  },
  {
    why: "Ruby's tools run it",
    source: "Bundler, Gemfile; Rake; RSpec; RuboCop, extensions",
    names: "gemfile gemfile.lock rakefile *.gemspec .rspec .rubocop.yml .bundle/",
  },
  {
    why: "Cargo runs it, or what it names",
    source: "The Cargo Book, Build Scripts and Configuration",
    names: "build.rs cargo.toml cargo.lock .cargo/ rust-toolchain rust-toolchain.toml",
  },
  {
    why: "the build runs it, or what it names",
    source:
      "Gradle; Maven; Ant; sbt; Mill; Mix; Rebar; SwiftPM; CMake; Meson; Bazel; MSBuild; Cabal; Stack; Composer; " +
      "Mix; Go, go generate",
    names: `
      build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle gradle.properties gradlew
      gradlew.bat gradle/wrapper/ buildsrc/ pom.xml .mvn/ mvnw mvnw.cmd build.xml *.sbt build.sc mix.exs
      rebar.config package.swift cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json meson.build
      build.bazel workspace.bazel module.bazel .bazelrc *.bzl *.csproj *.fsproj *.vbproj *.vcxproj *.props *.targets
      nuget.config *.cabal setup.hs stack.yaml cabal.project composer.json composer.lock dune dune-project`,
  },
  {
    why: "its commands run when the project is built or started",
    source: "make; just; Task; Foreman; Docker; Compose; Vagrant; Tilt; Earthly; Snakemake",
    names: `
      makefile gnumakefile bsdmakefile *.mk justfile .justfile taskfile.y*ml procfile procfile.* dockerfile
      dockerfile.* *.dockerfile containerfile compose.y*ml compose.*.y*ml docker-compose*.y*ml vagrantfile tiltfile
      earthfile snakefile configure autogen.sh`,
  },
  {
    why: "CI runs it at each push",
    source: "GitHub Actions; GitLab CI/CD; CircleCI; Jenkins; the others' manuals",
    names: `
      .github/workflows/ .github/actions/ action.yml action.yaml .gitlab-ci.yml .gitlab/ .circleci/ .travis.yml
      jenkinsfile azure-pipelines*.yml .azure-pipelines/ bitbucket-pipelines.yml .drone.yml .woodpecker* .buildkite/
      appveyor.yml .appveyor.yml .cirrus.yml cloudbuild.y*ml .forgejo/ .gitea/ .semaphore/ .teamcity/ netlify.toml
      vercel.json wrangler.toml serverless.y*ml`,
  },
  {
    why: "the desktop starts what it names",
    source: "Desktop Entry Specification; launchd.plist(5); systemd.unit(5)",
    names: `
      *.desktop autorun.inf launchagents/ launchdaemons/ autostart/ systemd/user/ *.lnk *.service *.timer`,
  },
];

/** Folders of the machine whose files run at start-up or by name, like those of PATH. */
export const machineFolders: readonly string[] = [
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/usr",
  "/etc",
  "/boot",
  "/opt",
  "/var/spool/cron",
  "/Library",
  "/System",
  "/private/etc",
  "/Applications",
  "C:/Windows",
  "C:/Program Files",
  "C:/Program Files (x86)",
  "C:/ProgramData",
];
