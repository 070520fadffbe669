// Compares secrets. The time that it takes tells nothing about how much of a guess is right.
import { timingSafeEqual } from "node:crypto";

export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
