// dottool-confine PLAN PROGRAM [WORD…]: becomes a program that the kernel's Landlock and a filter of system calls hold
// to what the plan names, which is in an open file. Within bubblewrap it is the second wall; where there is no
// bubblewrap it is the only one, stays beside the command, and ends everything that is left of it.
// src/features/confinement/host/landlock.ts is the other side.
#include "../launcher/system.h"
#include "landlock.h"

/** The exit code if the command has not started; the file for it says why. */
enum { OWN_FAILURE = 125, FILES_SEARCHED = 256 };

#include "plan.c"
#include "rules.c"
#include "changes.c"

static long version, is_alone;

static void tell(const char *what, long number) {
  TEXT(line, 64);
  add(&line, what);
  add(&line, "=");
  add_number(&line, (unsigned long)(number < 0 ? -number : number), 10);
  add(&line, "\n");
  SYSTEM(write, planned('T'), line.start, line.used, 0);
}

static void fail(const char *what, long error) {
  tell(what, error);
  end_program(OWN_FAILURE);
}

/** Gives up all capabilities, also of root and of what it executes. */
static void drop_capabilities(void) {
  struct { unsigned version; int process; } head = {0x20080522, 0};
  struct { unsigned effective, permitted, inheritable; } none[2] = {{0, 0, 0}, {0, 0, 0}};
  for (int capability = 0; SYSTEM(prctl, 24 /* PR_CAPBSET_DROP */, capability, 0, 0) == 0; capability++);
  const long error = SYSTEM(capset, &head, none, 0, 0);
  if (error < 0) fail("capabilities", error);
}

static void load_filter(int listener) {
  static char filter[32 * 1024];
  const long bytes = SYSTEM(pread64, planned('S'), filter, sizeof filter, 0);
  if (!is_alone) return;
  const struct filter_program program = {(unsigned short)(bytes / 8), filter};
  if (bytes <= 0 || bytes % 8 != 0 || bytes == sizeof filter) fail("filter", EINVAL);
  long error = system6(__NR_seccomp, SET_FILTER, is_alone ? NEW_LISTENER : 0, (long)&program, 0, 0, 0);
  // Within another such sandbox there can be no second listener: then calls that it would answer fail.
  if (error == -EBUSY) error = system6(__NR_seccomp, SET_FILTER, 0, (long)&program, 0, 0, 0);
  else if (error > 0 && error != listener) error = SYSTEM(dup3, error, listener, O_CLOEXEC, 0);
  if (error < 0) fail("filter", error);
}

/** Never returns. `listener` is the number under which what answers for the filter finds it. */
static void become(char **argv, char **environment, int listener) {
  long error = version > 0 ? restrict_files(version, is_alone) : 0;
  if (error < 0) fail("rules", error);
  if (planned('C') >= 0 && (error = SYSTEM(fchdir, planned('C'), 0, 0, 0)) < 0) fail("folder", error);
  // It was the plan's, which is in memory.
  SYSTEM(close, listener, 0, 0, 0);
  for (char *at = next('X', 0); at != 0; at = next('X', at))
    SYSTEM(fcntl, number_in(at, 0), F_SETFD, FD_CLOEXEC, 0);
  if (is_alone) SYSTEM(close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */, 0);
  load_filter(listener);
  error = SYSTEM(execve, argv[0], argv, environment, 0);
  // A script that names no shell, as execvp(3) has it. The word before is this program's own.
  argv[-1] = "/bin/sh";
  if (error == -ENOEXEC) error = SYSTEM(execve, argv[-1], argv - 1, environment, 0);
  fail("exec", error);
}

/** Ends as the command did, after all that is left of it. */
static void end_as(int status, int may_end_all) {
  const int number = status & 0x7f;
  if (may_end_all) {
    SYSTEM(kill, -1, SIGKILL, 0, 0);
    while (SYSTEM(wait4, -1, 0, 0, 0) != -ECHILD);
  }
  if (number == 0) end_program(status >> 8 & 0xff);
  const unsigned long none = 0;
  const struct rlimit64 no_core = {0, 0};
  SYSTEM(prlimit64, 0, RLIMIT_CORE, &no_core, 0);
  SYSTEM(rt_sigprocmask, SIG_SETMASK, &none, 0, SIGNAL_SET_BYTES);
  SYSTEM(kill, SYSTEM(getpid, 0, 0, 0, 0), number, 0, 0);
  end_program(128 + number);
}

/** Waits for the command, takes what it leaves behind, and answers what the filter asks. */
static void stay(long command, int signals, int listener, int may_end_all) {
  for (;;) {
    struct pollfd files[] = {{signals, POLLIN, 0}, {listener, POLLIN, 0}};
    struct signalfd_siginfo signal;
    int status;
    if (poll_for(files, 2, POLL_FOREVER) < 0) continue;
    if (files[1].revents & POLLIN) answer_question(listener);
    // None has the filter any more, or there was no second one.
    else if (files[1].revents != 0) listener = -1;
    if (!(files[0].revents & POLLIN)) continue;
    SYSTEM(read, signals, &signal, sizeof signal, 0);
    if (signal.ssi_signo == SIGTERM) end_as(SIGKILL, may_end_all);
    for (long ended; (ended = SYSTEM(wait4, -1, &status, 1 /* WNOHANG */, 0)) > 0;)
      if (ended == command) end_as(status, may_end_all);
  }
}

__attribute__((used)) void launch(long *stack) {
  const long count = stack[0];
  char **const argv = (char **)(stack + 1);
  if (count < 3) end_program(OWN_FAILURE);
  const int listener = (int)number_in(argv[1], 0);
  read_plan(listener);
  char **const environment = planned_environment(argv + count + 1);
  is_alone = next('F', 0) != 0;
  version = version_of_landlock();
  tell("version", version);
  if (version < planned('A')) end_program(OWN_FAILURE);
  long error = SYSTEM(prctl, 38 /* PR_SET_NO_NEW_PRIVS */, 1, 0, 0);
  if (error < 0) fail("privileges", error);
  if (!is_alone) become(argv + 2, environment, listener);
  drop_capabilities();
  const int may_end_all = holds_own_signals(version);
  const unsigned long none = 0, read = signal_bit(SIGTERM) | signal_bit(SIGCHLD);
  const unsigned long awaited = read | signal_bit(SIGINT) | signal_bit(SIGQUIT) | signal_bit(SIGHUP);
  SYSTEM(rt_sigprocmask, SIG_SETMASK, &awaited, 0, SIGNAL_SET_BYTES);
  SYSTEM(prctl, 1 /* PR_SET_PDEATHSIG */, SIGTERM, 0, 0);
  SYSTEM(prctl, 36 /* PR_SET_CHILD_SUBREAPER */, 1, 0, 0);
  const int signals = (int)SYSTEM(signalfd4, -1, &read, SIGNAL_SET_BYTES, SFD_CLOEXEC);
  // With the same table of files until it has become the command: so this process has the listener that it opens.
  const long command = system6(__NR_clone, 0x4400 /* CLONE_FILES, CLONE_VFORK */ | SIGCHLD, 0, 0, 0, 0, 0);
  if (command == 0) {
    SYSTEM(prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL, 0, 0);
    SYSTEM(rt_sigprocmask, SIG_SETMASK, &none, 0, SIGNAL_SET_BYTES);
    become(argv + 2, environment, listener);
  }
  if (command < 0 || signals < 0) fail("process", command < 0 ? command : signals);
  for (int file = 0; file < FILES_SEARCHED; file++)
    if (file != signals && file != listener && file != planned('T')) SYSTEM(close, file, 0, 0, 0);
  stay(command, signals, listener, may_end_all);
}
