// The address of a queue, and what opens one.
import type { OpenedQueue, QueueOptions } from "../../../core/tool/host-queues.ts";

export type OpenQueue = (url: URL, options: QueueOptions) => Promise<OpenedQueue>;

export function shownAddress({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}
