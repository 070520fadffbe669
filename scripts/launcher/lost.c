// The end of a call whose resident process is gone, and of a starter (starter.c) without its program. All that the call
// has started descends from this program, which the system makes the parent of those whose own parent has ended
// (PR_SET_CHILD_SUBREAPER, see start_process). So nothing is searched for among all processes of the machine: when this
// program has no child left, nothing is left.

enum {
  /** As of the executable: src/core/host/processes/process-tree.ts. */
  LOST_GRACE_MS = 2000,
  /** A process that the kernel holds cannot be killed, and is not waited for any longer. */
  LOST_KILL_MS_MAX = 2000,
  LOST_LOOK_MS = 5,
  LOST_KILL_LOOK_MS = 1,
  DESCENDANTS_DEPTH_MAX = 64,
};

static const char LOST[] =
    "failed[resident]: the resident process ended in the middle of this call, and the call with it; what it had done by "
    "then is done\n"
    "  = the next call does not need it; `dottool resident start` starts another one\n";

static unsigned long now_ms(void) {
  struct __kernel_timespec now = {0, 0};
  SYSTEM(clock_gettime, 1 /* CLOCK_MONOTONIC */, &now, 0, 0);
  return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

/** Sends a signal to the children of a process, and to all below them as deep as `depth`. */
static void signal_below(long pid, int number, int depth) {
  char children[4096];
  TEXT(path, 64);
  add(&path, "/proc/");
  add_number(&path, (unsigned long)pid, 10);
  add(&path, "/task/");
  add_number(&path, (unsigned long)pid, 10);
  add(&path, "/children");
  if (read_start(path.start, children, sizeof children) == 0) return;
  for (const char *digit = children; *digit != 0; digit++) {
    long child = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++) child = child * 10 + (*digit - '0');
    // The last one may be cut off.
    if (*digit == 0 || child == 0) return;
    // Before its parent can end and be gone as the way to it.
    if (depth > 1) signal_below(child, number, depth - 1);
    SYSTEM(kill, child, number, 0, 0);
  }
}

static void signal_groups(struct call *call, int number) {
  for (int at = 0; at < PROCESSES_MAX; at++)
    if (call->processes[at].id >= 0 && call->processes[at].is_running)
      SYSTEM(kill, -call->processes[at].pid, number, 0, 0);
}

/** Takes note of those that have ended. Returns whether any is left. */
static int has_children(struct call *call) {
  long pid;
  while ((pid = SYSTEM(wait4, -1, 0, 1 /* WNOHANG */, 0)) > 0)
    for (int at = 0; at < PROCESSES_MAX; at++)
      if (call->processes[at].pid == pid) call->processes[at].is_running = FALSE;
  return pid == 0;
}

/** Returns whether a signal has asked this program to end at once. */
static int waits_for_signal(struct call *call, long limit_ms) {
  struct signalfd_siginfo signal;
  struct pollfd file = {call->signals, POLLIN, 0};
  if (poll_for(&file, 1, limit_ms) <= 0 || SYSTEM(read, call->signals, &signal, sizeof signal, 0) != sizeof signal)
    return FALSE;
  return signal.ssi_signo != SIGCHLD && signal.ssi_signo != SIGTSTP;
}

static void end_lost(struct call *call) {
  const long own = SYSTEM(getpid, 0, 0, 0, 0);
  unsigned long start_ms = now_ms();
  if (has_children(call)) {
    signal_groups(call, SIGTERM);
    signal_below(own, SIGTERM, DESCENDANTS_DEPTH_MAX);
  }
  while (has_children(call) && now_ms() - start_ms < LOST_GRACE_MS && !waits_for_signal(call, LOST_LOOK_MS));
  // Those whose parent is killed become children of this program, and are killed in the next pass.
  for (start_ms = now_ms(); has_children(call) && now_ms() - start_ms < LOST_KILL_MS_MAX;) {
    signal_groups(call, SIGKILL);
    signal_below(own, SIGKILL, 1);
    waits_for_signal(call, LOST_KILL_LOOK_MS);
  }
}

/** The other side is gone. Ends what was started, and says so of a call. */
static void report_loss(struct call *call) {
  end_lost(call);
  if (call->argv == 0) end_program(0);
  SYSTEM(write, 2, LOST, sizeof LOST - 1, 0);
  end_program(70);
}
