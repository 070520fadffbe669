// The words of commands and scripts about which a warning says that `ps` shows a secret, and that the advice is
// accepted.
import type { Shell } from "../../src/core/tool/command.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("secret words");

const parameters = [
  parameter("token", { type: "string" }, { secret: true }),
  parameter("keys", { type: "array", items: { type: "string" } }, { secret: true }),
  parameter("login", { type: "object", properties: [{ ...parameter("key"), secret: true }], open: false }),
  parameter("user"),
];

/** Returns the places in the warning, as written. */
function told(template: string, shell: Shell | "none" = "none"): readonly string[] {
  const { value, diagnostics } = commandOf(template, shell, parameters);
  assert.ok(value, `${template}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  return diagnostics.map(
    ({ code, severity, at }) => `${severity}[${code}] ${at?.span.source.text.slice(at.span.start, at.span.end)}`,
  );
}

const warning = (place: string): string => `warning[secret-in-words] ${place}`;

test("Every word of a command is seen, whatever it is glued to", () => {
  assert.equal(
    told("login {user} {token} --token={token} {keys} {login}"),
    ["{token}", "{token}", "{keys}", "{login}"].map(warning),
  );
  assert.equal(told("login {user}"), []);
});

test("Of a script, the words of programs are seen, also through variables and substitutions", () => {
  const seen: readonly (readonly [script: string, place: string])[] = [
    ["login {token}", "{token}"],
    ["if true; then login --token={token}; fi", "{token}"],
    ['t={token}; login "$t"', "{token}"],
    ['h="Bearer {token}"; for i in 1 2; do curl -H "$h" x; done', "{token}"],
    ['login "$(printf %s {token})"', "{token}"],
    ["x=$(login {token})", "{token}"],
    ["cat f | login {token} > out", "{token}"],
    ["env TOKEN={token} login", "{token}"],
    ["sudo login {token}", "{token}"],
    ["( cd x && login {keys} )", "{keys}"],
  ];
  for (const shell of ["sh", "bash", "zsh"] as const)
    assert.equal(
      seen.map(([script]) => [script, told(script, shell)]),
      seen.map(([script, place]) => [script, [warning(place)]]),
      shell,
    );
});

test("What the shell reads itself, what goes into an environment or comes as input is not seen", () => {
  const unseen = [
    "printf '%s' {token} | login",
    "echo {token} > file",
    "TOKEN={token} login",
    "export TOKEN={token}; login",
    "x={token}; y=$x login",
    "[ {token} = x ] && login",
    "case {token} in a*) login;; esac",
    "f() { printf '%s' \"$1\" | login; }; f {token}",
    "for k in {keys}; do printf '%s' \"$k\" | login; done",
    "login {user}",
  ];
  for (const shell of ["sh", "bash", "zsh"] as const)
    assert.equal(
      unseen.map((script) => [script, told(script, shell)]),
      unseen.map((script) => [script, []]),
      shell,
    );
});

test("cmd.exe is given values as a part of its script, PowerShell in its environment", () => {
  assert.equal(
    [told("echo {token}", "cmd"), told("echo {user}", "cmd"), told("Write-Output {token}", "pwsh")],
    [[warning("{token}")], [], []],
  );
});

test("A command that needs a shell is offered one, although a secret is in it", () => {
  const { diagnostics } = commandOf("login {token} | sort", "none", parameters);
  assert.equal(
    diagnostics.map(({ code, severity, fix }) => [severity, code, fix?.title]),
    [["error", "needs-shell", "add `@shell sh`"]],
  );
});

test("What the warning offers is accepted", () => {
  assert.equal(told("TOKEN={token} login --user {user}", "sh"), []);
  assert.equal(told("printf '%s' {token} | login --user {user}", "sh"), []);
  assert.equal(told("login --user {user}"), []);
});

test.run();
