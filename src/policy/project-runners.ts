// Programs that run files of their working folder: `make` reads a makefile that the command does not name. The table
// has the files that say what runs, and what else runs. Sources: the manuals of the programs.

/** A row of the table; lists are names separated by spaces. */
export interface ProjectRunner {
  /** The names in a command, without folder and version. */
  readonly names: string;
  /** Only with one of these words, as in `docker build`; default: always. */
  readonly only?: string;
  /** The files in its folder. */
  readonly files: string;
  /** Whether it searches the folders above, too. */
  readonly looksAbove?: true;
  /** Options that choose another folder, and those that name such a file. */
  readonly folderOptions?: string;
  readonly fileOptions?: string;
  /** Whether its words may be programs of `node_modules/.bin`. */
  readonly runsPackages?: true;
  /** The end of a sentence: an approval covers later changes of … */
  readonly rest: string;
}

const buildParts = "what the build includes, compiles and runs";
const testParts = "the tests, and all that they load";
const packages = "package.json .npmrc";

const projectRunners: readonly ProjectRunner[] = [
  {
    names: "make gmake",
    files: "GNUmakefile makefile Makefile",
    folderOptions: "-C --directory",
    fileOptions: "-f --file --makefile",
    rest: "what the makefile includes, and what its recipes run",
  },
  {
    names: "bmake pmake",
    files: "BSDmakefile makefile Makefile",
    folderOptions: "-C",
    fileOptions: "-f",
    rest: "what the makefile includes, and what its recipes run",
  },
  {
    names: "just",
    files: "justfile Justfile .justfile .env",
    looksAbove: true,
    folderOptions: "-d --working-directory",
    fileOptions: "-f --justfile",
    rest: "what the justfile imports, and what its recipes run",
  },
  {
    names: "task go-task",
    files: "Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml",
    looksAbove: true,
    folderOptions: "-d --dir",
    fileOptions: "-t --taskfile",
    rest: "what the taskfile includes, and what its tasks run",
  },
  {
    names: "mise",
    only: "run r watch exec x",
    files: "mise.toml .mise.toml mise.local.toml .tool-versions",
    looksAbove: true,
    folderOptions: "-C --cd",
    rest: "what its tasks run",
  },
  {
    names: "npm",
    only: "run run-script rum urn test t tst start stop restart exec x install i add ci clean-install install-test it cit update up rebuild rb prune dedupe link ln publish pack version prepare init create",
    files: packages,
    looksAbove: true,
    folderOptions: "-C --prefix",
    runsPackages: true,
    rest: "what the scripts of `package.json` run, and installed packages",
  },
  {
    names: "yarn pnpm",
    files: `${packages} .yarnrc .yarnrc.yml .pnp.cjs .pnp.js .pnpmfile.cjs pnpm-workspace.yaml`,
    looksAbove: true,
    folderOptions: "-C --cwd --dir",
    runsPackages: true,
    rest: "what the scripts of `package.json` run, and installed packages",
  },
  {
    names: "npx pnpx bunx",
    files: packages,
    looksAbove: true,
    runsPackages: true,
    rest: "installed packages, and what they load from the folder",
  },
  {
    names: "bun",
    files: `${packages} bunfig.toml`,
    looksAbove: true,
    folderOptions: "--cwd",
    runsPackages: true,
    rest: "what the scripts of `package.json` run, and installed packages",
  },
  {
    names: "deno",
    only: "task run test bench compile serve",
    files: "deno.json deno.jsonc package.json",
    looksAbove: true,
    folderOptions: "--cwd",
    fileOptions: "-c --config",
    rest: "what its tasks run and its modules import",
  },
  { names: "node nodejs tsx ts-node", only: "--run --test", files: packages, looksAbove: true, rest: testParts },
  {
    names: "jest vitest mocha ava cypress playwright karma",
    files: "package.json",
    looksAbove: true,
    fileOptions: "-c --config",
    rest: `its settings, ${testParts}`,
  },
  {
    names: "eslint prettier webpack vite rollup esbuild gulp grunt nx turbo lerna next nuxt",
    files: "package.json",
    looksAbove: true,
    fileOptions: "-c --config",
    rest: "its settings, and the plugins that they name",
  },
  {
    names: "cargo",
    only: "run r build b test t check c bench clippy doc d nextest install rustc fix",
    files: "Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain.toml rust-toolchain",
    looksAbove: true,
    folderOptions: "-C",
    fileOptions: "--manifest-path",
    rest: buildParts,
  },
  {
    names: "go",
    only: "run build test generate install vet tool",
    files: "go.mod go.work",
    looksAbove: true,
    folderOptions: "-C",
    rest: buildParts,
  },
  {
    names: "pytest py.test unittest",
    files: "pytest.ini .pytest.ini pyproject.toml tox.ini setup.cfg conftest.py",
    looksAbove: true,
    folderOptions: "--rootdir",
    fileOptions: "-c --config-file",
    rest: testParts,
  },
  {
    names: "tox",
    files: "tox.ini tox.toml pyproject.toml setup.cfg setup.py",
    fileOptions: "-c --conf",
    rest: testParts,
  },
  { names: "nox", files: "noxfile.py", fileOptions: "-f --noxfile", rest: testParts },
  {
    names: "invoke inv fab",
    files: "tasks.py fabfile.py invoke.yaml invoke.py",
    looksAbove: true,
    folderOptions: "-r --search-root",
    rest: "what its tasks import and run",
  },
  {
    names: "poetry pipenv pdm hatch rye uv",
    only: "run build install sync test",
    files: "pyproject.toml Pipfile uv.toml hatch.toml setup.py",
    looksAbove: true,
    folderOptions: "-C --directory --project -P",
    rest: "what it builds, and installed packages",
  },
  { names: "pip pip3", only: "install wheel", files: "setup.py pyproject.toml setup.cfg", rest: "what it builds" },
  {
    names: "rake",
    files: "Rakefile rakefile Rakefile.rb rakefile.rb",
    looksAbove: true,
    fileOptions: "-f --rakefile",
    rest: "what its tasks load and run",
  },
  {
    names: "bundle bundler",
    only: "exec install update",
    files: "Gemfile gems.rb .bundle/config",
    looksAbove: true,
    fileOptions: "--gemfile",
    rest: "installed gems",
  },
  {
    names: "rspec rails cucumber",
    files: "Gemfile .rspec bin/rails config/application.rb",
    looksAbove: true,
    rest: testParts,
  },
  {
    names: "composer",
    files: "composer.json",
    folderOptions: "-d --working-dir",
    rest: "what its scripts run, and installed packages",
  },
  {
    names: "phpunit phpstan artisan",
    files: "phpunit.xml phpunit.xml.dist composer.json",
    fileOptions: "-c --configuration",
    rest: testParts,
  },
  {
    names: "gradle gradlew",
    files:
      "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradle/wrapper/gradle-wrapper.jar gradle/wrapper/gradle-wrapper.properties",
    looksAbove: true,
    folderOptions: "-p --project-dir",
    fileOptions: "-b --build-file -c --settings-file -I --init-script",
    rest: buildParts,
  },
  {
    names: "mvn mvnw",
    files:
      "pom.xml .mvn/extensions.xml .mvn/maven.config .mvn/jvm.config .mvn/wrapper/maven-wrapper.jar .mvn/wrapper/maven-wrapper.properties",
    fileOptions: "-f --file -s --settings",
    rest: buildParts,
  },
  { names: "ant", files: "build.xml", fileOptions: "-f -file -buildfile", rest: buildParts },
  {
    names: "sbt mill lein clojure clj boot",
    files: "build.sbt build.sc build.mill project.clj deps.edn build.boot",
    rest: buildParts,
  },
  { names: "mix rebar3", files: "mix.exs rebar.config", rest: buildParts },
  {
    names: "dotnet msbuild",
    only: "run build test publish pack msbuild watch",
    files: "Directory.Build.props Directory.Build.targets global.json nuget.config",
    looksAbove: true,
    rest: buildParts,
  },
  {
    names: "swift",
    only: "run build test package",
    files: "Package.swift",
    folderOptions: "--package-path",
    rest: buildParts,
  },
  { names: "zig", only: "build", files: "build.zig build.zig.zon", fileOptions: "--build-file", rest: buildParts },
  {
    names: "stack cabal dune opam",
    only: "run build test exec install bench",
    files: "stack.yaml package.yaml cabal.project dune-project dune Setup.hs",
    looksAbove: true,
    rest: buildParts,
  },
  {
    names: "cmake ctest cpack",
    files: "CMakeLists.txt CMakePresets.json CMakeCache.txt CTestTestfile.cmake",
    folderOptions: "-S -B --build --test-dir",
    fileOptions: "-P -C",
    rest: buildParts,
  },
  { names: "ninja samu", files: "build.ninja", folderOptions: "-C", fileOptions: "-f", rest: buildParts },
  {
    names: "meson scons waf",
    files: "meson.build SConstruct wscript",
    folderOptions: "-C",
    fileOptions: "-f",
    rest: buildParts,
  },
  {
    names: "bazel bazelisk buck2",
    files: "MODULE.bazel WORKSPACE WORKSPACE.bazel BUILD BUILD.bazel .bazelrc .buckconfig",
    looksAbove: true,
    rest: buildParts,
  },
  {
    names: "docker podman nerdctl buildah",
    only: "build buildx bake compose bud",
    files:
      "Dockerfile Containerfile compose.yaml compose.yml docker-compose.yaml docker-compose.yml docker-bake.hcl docker-bake.json",
    fileOptions: "-f --file",
    rest: "what the image is built from",
  },
  {
    names: "docker-compose podman-compose",
    files: "compose.yaml compose.yml docker-compose.yaml docker-compose.yml Dockerfile",
    looksAbove: true,
    fileOptions: "-f --file",
    rest: "what the image is built from",
  },
  { names: "vagrant", files: "Vagrantfile", looksAbove: true, rest: "what the `Vagrantfile` loads and runs" },
  {
    names: "terraform tofu",
    files: "main.tf .terraform.lock.hcl",
    folderOptions: "-chdir",
    rest: "the other `.tf` files",
  },
  {
    names: "ansible-playbook ansible",
    files: "ansible.cfg",
    fileOptions: "-i --inventory",
    rest: "what the playbook includes",
  },
  {
    names: "pre-commit lefthook husky",
    files: ".pre-commit-config.yaml lefthook.yml .lefthook.yml",
    looksAbove: true,
    fileOptions: "-c --config",
    rest: "what its hooks run",
  },
  {
    names: "nix nix-shell nix-build",
    files: "flake.nix flake.lock shell.nix default.nix",
    looksAbove: true,
    rest: "what it builds",
  },
  { names: "direnv", files: ".envrc .env", looksAbove: true, rest: "what the `.envrc` loads" },
  { names: "git", files: "", rest: "the hooks of the repository, and programs that its settings name" },
];

let lazyRunners: ReadonlyMap<string, readonly ProjectRunner[]> | undefined;

/** `name` is the name of a program in the tables. */
export function runnersOf(name: string): readonly ProjectRunner[] {
  lazyRunners ??= byName();
  return lazyRunners.get(name) ?? [];
}

function byName(): ReadonlyMap<string, readonly ProjectRunner[]> {
  const known = new Map<string, ProjectRunner[]>();
  for (const runner of projectRunners) {
    for (const name of runner.names.split(" ")) known.set(name, [...(known.get(name) ?? []), runner]);
  }
  return known;
}
