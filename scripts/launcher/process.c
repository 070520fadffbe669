// The processes of a call. They are started here as the executable would start them, so that they have the caller's
// limits, rights, mask of new files and place among the processes.

enum {
  PROCESSES_MAX = 32,
  DESCRIPTORS_SEARCHED = 16,
  OUTPUT_STREAMS = 2,
  /** The parts of a stream on their way at once. WINDOW_PARTS of src/features/resident/host/frames.ts. */
  WINDOW_PARTS = 4,
};

struct process {
  /** The number that the resident process gave it; negative: this place is free. */
  int id;
  int pid;
  int is_running;
  /** What it writes; negative once that has ended. */
  int outputs[OUTPUT_STREAMS];
  /** How many parts may be read before the resident process has taken one of them. */
  int may_read[OUTPUT_STREAMS];
  /** Whether its output has ended, and the resident process does not know. */
  int is_end_untold[OUTPUT_STREAMS];
};

struct start {
  const char *mark;
  const char *file;
  const char *folder;
  char **argv;
  char **environment;
};

/** The kernel's form of a signal's action, where 0 is the default. */
struct action {
  unsigned long handler, flags, restorer, mask;
};

static void set_default_action(int number) {
  const struct action action = {0, 0, 0, 0};
  SYSTEM(rt_sigaction, number, &action, 0, SIGNAL_SET_BYTES);
}

static void block_signals(unsigned long set) {
  SYSTEM(rt_sigprocmask, SIG_SETMASK, &set, 0, SIGNAL_SET_BYTES);
}

/** Node raises the limit of open files for itself, and so for what it starts. */
static void raise_file_limit(void) {
  struct rlimit64 limit;
  if (SYSTEM(prlimit64, 0, RLIMIT_NOFILE, 0, &limit) < 0) return;
  limit.rlim_cur = limit.rlim_max;
  SYSTEM(prlimit64, 0, RLIMIT_NOFILE, &limit, 0);
}

/** No descriptor of the caller beside the three streams is inherited, as by what Node starts. */
static void close_others_at_exec(void) {
  for (int file = 3;; file++)
    if (SYSTEM(fcntl, file, F_SETFD, FD_CLOEXEC, 0) < 0 && file >= DESCRIPTORS_SEARCHED) return;
}

/** Returns the number of an error; it does not return if all is well. */
static long become(const struct start *start, const int outputs[OUTPUT_STREAMS]) {
  long error;
  SYSTEM(setsid, 0, 0, 0, 0);
  // If this program is killed, nobody reads the output any more.
  SYSTEM(prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL, 0, 0);
  const long nothing = open_file("/dev/null", O_RDONLY);
  if (nothing < 0) return nothing;
  SYSTEM(dup3, nothing, 0, 0, 0);
  for (int stream = 0; stream < OUTPUT_STREAMS; stream++)
    if ((error = SYSTEM(dup3, outputs[stream], stream + 1, 0, 0)) < 0) return error;
  if ((error = SYSTEM(chdir, start->folder, 0, 0, 0)) < 0) return error;
  close_others_at_exec();
  raise_file_limit();
  if (*start->mark != 0) {
    const long file = open_file("/proc/self/coredump_filter", O_WRONLY);
    SYSTEM(write, file, start->mark, length_of(start->mark), 0);
  }
  for (int number = 1; number < 32; number++)
    if (number != SIGKILL && number != SIGSTOP) set_default_action(number);
  block_signals(0);
  return SYSTEM(execve, start->file, start->argv, start->environment, 0);
}

static int socket_pair(int pair[2]) {
  return SYSTEM(socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) >= 0;
}

/** Starts a process; returns 0, or the negative number of an error. What it leaves behind becomes this program's. */
static long start_process(struct process *process, const struct start *start) {
  int streams[OUTPUT_STREAMS][2];
  int ends[OUTPUT_STREAMS];
  int report[2];
  int error = 0;
  if (SYSTEM(pipe2, report, O_CLOEXEC, 0, 0) < 0 || !socket_pair(streams[0]) || !socket_pair(streams[1]))
    return -EMFILE;
  for (int stream = 0; stream < OUTPUT_STREAMS; stream++) ends[stream] = streams[stream][1];
  SYSTEM(prctl, 36 /* PR_SET_CHILD_SUBREAPER */, 1, 0, 0);
  const long pid = fork_process();
  if (pid == 0) {
    error = (int)become(start, ends);
    SYSTEM(write, report[1], &error, sizeof error, 0);
    end_program(127);
  }
  SYSTEM(close, report[1], 0, 0, 0);
  // The pipe closes when the program has been started.
  if (pid > 0) while (SYSTEM(read, report[0], &error, sizeof error, 0) == -EINTR);
  SYSTEM(close, report[0], 0, 0, 0);
  for (int stream = 0; stream < OUTPUT_STREAMS; stream++) {
    SYSTEM(close, ends[stream], 0, 0, 0);
    process->outputs[stream] = streams[stream][0];
    process->may_read[stream] = WINDOW_PARTS;
    process->is_end_untold[stream] = FALSE;
  }
  if (pid > 0 && error == 0) {
    process->pid = (int)pid;
    process->is_running = TRUE;
    return 0;
  }
  if (pid > 0) SYSTEM(wait4, pid, 0, 0, 0);
  for (int stream = 0; stream < OUTPUT_STREAMS; stream++) SYSTEM(close, streams[stream][0], 0, 0, 0);
  return pid < 0 ? pid : error;
}
