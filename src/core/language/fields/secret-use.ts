// `secret:NAME for=HOST`: a secret of the user's that a variable gets, and the hosts to which alone its value goes.
import { hostPattern } from "../../tool/confinement.ts";
import type { DeclaredSecurity, UsedSecret } from "../../tool/definition.ts";
import type { Span } from "../../text/source.ts";
import type { Findings } from "../findings.ts";
import { reachOf } from "./sandbox.ts";

/** Reads `NAME` or `NAME for=HOST,HOST`. Returns undefined if a problem was reported. */
export function readSecretUse(
  text: string,
  { variable, at, findings }: { readonly variable: string; readonly at: Span; readonly findings: Findings },
): UsedSecret | undefined {
  const [, secret = "", , rest] = /^(\S*)([ \t]+(.*))?$/s.exec(text) ?? [];
  const hosts = /^for=[^\s]/.test(rest ?? "") ? (rest ?? "").split(/[\s,]+(?:for=)?|^for=/).filter(Boolean) : [];
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(secret) || (rest !== undefined && hosts.length === 0)) {
    findings.error("malformed-annotation", "the name of a secret has letters, digits, `_` and `-`", {
      at,
      help: [
        "write a name, such as `API_KEY`: `secrets:` in your config.yaml, or the environment, says where to find it",
        "in `API_KEY for=api.example.org` the commands never see the value, and requests to this host alone get it",
      ],
    });
    return undefined;
  }
  const odd = hosts.find((host) => !hostPattern.test(host) || host.includes("*"));
  if (odd === undefined) return { variable, secret, ...(hosts.length === 0 ? {} : { hosts }) };
  findings.error("malformed-annotation", `\`${odd.slice(0, 64)}\` is not a host that a secret can be for`, {
    at,
    help: ["name each host, such as `for=api.github.com` or `for=localhost:8443`: what `*` stands for may be others'"],
  });
  return undefined;
}

/** Returns the text that `readSecretUse` reads. */
export function secretUseText({ secret, hosts = [] }: UsedSecret): string {
  return hosts.length === 0 ? secret : `${secret} for=${hosts.join(",")}`;
}

/** Returns what a tool asks for with `@network` of the hosts that its secrets are for, and the sandbox. */
export function withSecretHosts(
  security: DeclaredSecurity | undefined,
  secrets: readonly UsedSecret[] | undefined,
  { at, findings }: { readonly at: Span; readonly findings: Findings },
): DeclaredSecurity | undefined {
  const hosts = (secrets ?? []).flatMap((one) => one.hosts ?? []);
  if (hosts.length === 0) return security;
  const other =
    security?.isolation === "container" ? "@isolation container" : security && `@sandbox ${security.sandbox}`;
  if (security?.isolation === "container" || (security?.sandbox ?? "strict") !== "strict")
    findings.error("misplaced-annotation", `a secret with \`for=\` needs the sandbox, and has none with \`${other}\``, {
      at,
      help: ["leave it out: the default is the sandbox `strict` then"],
    });
  return reachOf({ permissions: [], ...security, hosts: [...new Set([...(security?.hosts ?? []), ...hosts])] });
}
