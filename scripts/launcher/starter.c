// Starts processes for a program that makes many calls, such as a batch or a server: to fork this small program takes a
// tenth of the time that it takes to fork Node. It does what it does for a call, without one: src/features/resident/host/starter.ts
// is the other side. It ends with that program, and with all that it has started.

enum { STARTER_CONNECTION = 3 };

/** Never returns. */
static void serve_starts(void) {
  static struct call call;
  call.connection = STARTER_CONNECTION;
  for (int at = 0; at < PROCESSES_MAX; at++) call.processes[at].id = -1;
  listen_to_signals(&call);
  for (;;) turn(&call);
}
