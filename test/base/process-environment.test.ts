import { processEnvironment } from "../../src/core/base/process-environment.ts";
import { memoryHost } from "../memory-host.ts";
import { assert, suite } from "../harness.ts";
import { wordList } from "../lines.ts";

const test = suite("process-environment");

const given = (
  environment: Readonly<Record<string, string>>,
  options: {
    readonly inherits?: boolean;
    readonly declared?: Readonly<Record<string, string>>;
    readonly platform?: "windows";
  } = {},
): unknown =>
  processEnvironment(
    { ...memoryHost({ environment }), ...(options.platform ? { platform: options.platform } : {}) },
    { inherits: options.inherits ?? false, declared: options.declared ?? {} },
  );

test("processEnvironment passes what every program needs, and nothing else", () => {
  const passed = {
    PATH: "/bin",
    HOME: "/h",
    LANG: "C",
    LC_ALL: "C",
    TERM: "xterm",
    TMPDIR: "/t",
    USER: "u",
    LOGNAME: "u",
    SHELL: "/bin/sh",
    TZ: "UTC",
  };
  assert.equal(given({ ...passed, AWS_SECRET_ACCESS_KEY: "x", HTTP_PROXY: "x", DOTTOOL_TRUST: "x" }), passed);
});

test("processEnvironment adds what is declared, over what is passed", () => {
  assert.equal(given({ PATH: "/bin", LANG: "C" }, { declared: { LANG: "de", A: "", ENV: "production" } }), {
    PATH: "/bin",
    LANG: "de",
    A: "",
    ENV: "production",
  });
});

test("processEnvironment cleans PATH of empty and relative entries", () => {
  assert.equal(
    [given({ PATH: ":/a:.:b/c:/d/:" }), given({}, { declared: { PATH: "x:/y" } })],
    [{ PATH: "/a:/d/" }, { PATH: "/y" }],
  );
});

test("processEnvironment has a PATH where none is set", () => {
  assert.equal(
    [given({}), given({ PATH: "." })],
    [{ PATH: "/usr/local/bin:/usr/bin:/bin" }, { PATH: "/usr/local/bin:/usr/bin:/bin" }],
  );
});

test("processEnvironment inherits without what changes other programs", () => {
  const withheld = wordList(`
    LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV BASH_FUNC_ls%% ENV IFS PS4 SHELLOPTS
    BASHOPTS PROMPT_COMMAND CDPATH GLOBIGNORE ZDOTDIR LESSOPEN LESSCLOSE GCONV_PATH GLIBC_TUNABLES PERL5OPT
    PERL5DB PYTHONSTARTUP PYTHONINSPECT RUBYOPT JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS GIT_DIR
    GIT_SSH_COMMAND GIT_CONFIG_COUNT DOTTOOL_TRUST DOTTOOL_RUN_ID
  `);
  const kept = { PATH: "/bin", EDITOR: "vi", GIT_AUTHOR_NAME: "Ana", GIT_COMMITTER_EMAIL: "a@b" };
  assert.equal(
    given({ ...kept, ...Object.fromEntries(withheld.map((name) => [name, "x"])) }, { inherits: true }),
    kept,
  );
});

test("processEnvironment inherits no secret that is not declared", () => {
  const kept = {
    PATH: "/bin",
    EDITOR: "vi",
    SSH_AUTH_SOCK: "/run/agent",
    PWD: "/w",
    XAUTHORITY: "/x",
    KEYBOARD: "de",
    TOKENIZERS_PARALLELISM: "false",
    HTTPS_PROXY: "http://ana:pw@proxy:1",
    HOMEPAGE: "https://a.example/@b",
  };
  const secrets = {
    GITHUB_TOKEN: "x",
    OPENAI_API_KEY: "x",
    AWS_ACCESS_KEY_ID: "x",
    AWS_SECRET_ACCESS_KEY: "x",
    PGPASSWORD: "x",
    MYSQL_PWD: "x",
    NPM_AUTH: "x",
    SENTRY_DSN: "x",
    OPENAI_KEY: "x",
    BW_SESSION: "x",
    GITHUB_PAT: "x",
    COOKIE: "x",
    DATABASE_URL: "postgres://ana:pw@db/x",
    AMQP: "amqps://:pw@queue",
  };
  assert.equal(
    [
      given({ ...kept, ...secrets }, { inherits: true }),
      given({ ...kept, ...secrets }, { inherits: true, declared: { GITHUB_TOKEN: "y" } }),
    ],
    [kept, { ...kept, GITHUB_TOKEN: "y" }],
  );
});

test("processEnvironment inherits no variable that config.yaml takes a secret from", () => {
  const host = memoryHost({
    environment: { PATH: "/bin", LINEAR: "x", OTHER: "y" },
    files: { "/home/ana/.config/dottool/config.yaml": "secrets:\n  A: env:LINEAR\n" },
  });
  assert.equal(
    [
      processEnvironment(host, { inherits: true, declared: {} }),
      processEnvironment(host, { inherits: true, declared: {}, takesSecrets: true }),
    ],
    [
      { PATH: "/bin", OTHER: "y" },
      { PATH: "/bin", LINEAR: "x", OTHER: "y" },
    ],
  );
});

test("processEnvironment knows Windows names in any case", () => {
  const set = { Path: "C:\\Windows;.;D:\\x;rel", SystemRoot: "C:\\Windows", ld_preload: "x", Custom: "1" };
  assert.equal(given(set, { platform: "windows", inherits: true, declared: { CUSTOM: "2" } }), {
    PATH: "C:\\Windows;D:\\x",
    SystemRoot: "C:\\Windows",
    CUSTOM: "2",
  });
});

test.run();
