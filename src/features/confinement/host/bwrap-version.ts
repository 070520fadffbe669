// Which bubblewrap this machine has. Below 0.12.0 it follows links on the way to where it mounts something: whoever
// exchanges a folder for a link meanwhile makes it write anywhere (CVE-2026-87766).
import { readFileSync } from "node:fs";
import { bwrapVersionIn, followsLinks } from "../../../core/tool/confinement.ts";

export interface Bwrap {
  readonly path: string;
  /** Undefined for a program that does not say. */
  readonly version: string | undefined;
  /** Whether it has that fault. */
  readonly followsLinks: boolean;
}

let known: Bwrap | undefined;

/** Reads the version in the program itself once, because to ask it takes a process. */
export function bwrapAt(path: string): Bwrap {
  if (known?.path === path) return known;
  const version = bwrapVersionIn(readFileSync(path, "latin1"));
  known = { path, version, followsLinks: followsLinks(version) };
  return known;
}

/** Remembers that the distribution has repaired this older version. */
export function repaired(bwrap: Bwrap): Bwrap {
  known = { ...bwrap, followsLinks: false };
  return known;
}
