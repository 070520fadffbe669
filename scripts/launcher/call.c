// A call that the resident process has taken: does as it says, and tells what happens, until it says the exit code.
// The frames are listed in src/features/resident/host/frames.ts.
#include "process.c"

enum {
  /** The longest wait for the first answer; a process that is stopped or busy does not hold up a call. */
  ANSWER_MS_MAX = 1000,
  FRAME_BYTES_MAX = 16 * 1024 * 1024,
  /** CHUNK_BYTES of src/features/resident/host/frames.ts. */
  CHUNK_BYTES = 64 * 1024 - FRAME_HEAD_BYTES - 2,
  /** A pipe that is ready takes this much at once (pipe(7), PIPE_BUF). */
  READY_BYTES = 4096,
};

/** The parts for a stream of the caller that are not written yet, the oldest at `first`. */
struct pending {
  size first, count;
  /** Whether the stream takes no more; what is on its way then is dropped. */
  int is_lost;
  /** The bytes of the oldest one that are written. */
  size written;
  size lengths[WINDOW_PARTS];
};

struct call {
  int connection, signals;
  /** The blocked signals. */
  unsigned long signal_set;
  char **argv, **environment;
  struct process processes[PROCESSES_MAX];
  struct pending pending[OUTPUT_STREAMS];
  /** Negative: the call is not over. */
  int exit_code;
  /** How often it has told that a stream takes no more. */
  int losses;
};

static byte pending_memory[OUTPUT_STREAMS][WINDOW_PARTS][CHUNK_BYTES];

/** Frames that are told together, before anything is waited for: each write wakes the resident process. */
static byte untold[4096];
static size untold_bytes;

static void tell_all(struct call *call) {
  if (untold_bytes > 0) send_bytes(call->connection, untold, untold_bytes);
  untold_bytes = 0;
}

static void tell(struct call *call, byte kind, const void *bytes, size length) {
  byte head[FRAME_HEAD_BYTES];
  if (FRAME_HEAD_BYTES + length > sizeof untold - untold_bytes) tell_all(call);
  const int is_small = FRAME_HEAD_BYTES + length <= sizeof untold;
  byte *const at = is_small ? untold + untold_bytes : head;
  put_head(at, kind, length);
  if (is_small) {
    memcpy(at + FRAME_HEAD_BYTES, bytes, length);
    untold_bytes += FRAME_HEAD_BYTES + length;
  } else if (send_bytes(call->connection, head, FRAME_HEAD_BYTES)) send_bytes(call->connection, bytes, length);
}

static unsigned long number_at(const byte *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned long)bytes[3] << 24;
}

static void put_number_at(byte *bytes, unsigned long number) {
  for (int at = 0; at < 4; at++) bytes[at] = (byte)(number >> (8 * at));
}

static int receive(int connection, void *to, size length) {
  for (size got = 0; got < length;) {
    const long count = SYSTEM(read, connection, (byte *)to + got, length - got, 0);
    if (count == -EINTR) continue;
    if (count <= 0) return FALSE;
    got += (size)count;
  }
  return TRUE;
}

static void *map_memory(size length) {
  const long address = system6(__NR_mmap, 0, (long)length, 3 /* read, write */, 0x22 /* private, anonymous */, -1, 0);
  return address < 0 && address > -4096 ? 0 : (void *)address;
}

static void unmap_memory(void *address, size length) {
  SYSTEM(munmap, address, length, 0, 0);
}

#include "lost.c"

static struct process *process_of(struct call *call, int id) {
  for (int at = 0; at < PROCESSES_MAX; at++)
    if (call->processes[at].id == id) return &call->processes[at];
  return 0;
}

static void close_output(struct process *process, int stream) {
  if (process->outputs[stream] >= 0) SYSTEM(close, process->outputs[stream], 0, 0, 0);
  process->outputs[stream] = -1;
}

/** `texts`: what `start` has, and the number of words; all end with a NUL. */
static void start_for(struct call *call, char *texts, size length) {
  const char *parts[4];
  char *at = texts + 1;
  char *const end = texts + length;
  size strings = 0;
  struct process *process = process_of(call, -1);
  byte answer[5] = {(byte)texts[0]};
  for (char *each = at; each < end; each++) strings += *each == 0;
  char **const all = map_memory((strings + 2) * sizeof(char *));
  long error = process == 0 ? -EAGAIN : all == 0 ? -ENOMEM : 0;
  if (error == 0) {
    size words = 0, count = 0;
    for (int part = 0; part < 4; part++, at += length_of(at) + 1) parts[part] = at;
    for (const char *digit = parts[3]; *digit != 0; digit++) words = words * 10 + (size)(*digit - '0');
    for (; at < end; at += length_of(at) + 1) {
      all[count++] = at;
      if (count == words) all[count++] = 0;
    }
    all[count] = 0;
    const struct start start = {parts[0], parts[1], parts[2], all, all + words + 1};
    error = start_process(process, &start);
    if (error == 0) process->id = (byte)texts[0];
  }
  if (all != 0) unmap_memory(all, (strings + 2) * sizeof(char *));
  put_number_at(answer + 1, (unsigned long)(error == 0 ? process->pid : -error));
  tell(call, error == 0 ? 'P' : 'N', answer, sizeof answer);
}

/** Tells that a stream of the caller takes no more, and drops what was left. */
static void lose(struct call *call, int stream, long error) {
  byte lost[5] = {(byte)(stream + 1)};
  call->pending[stream].count = 0;
  call->pending[stream].is_lost = TRUE;
  call->losses++;
  put_number_at(lost + 1, (unsigned long)-error);
  tell(call, 'L', lost, sizeof lost);
}

/**
 * Writes as much as the stream takes without a wait: others may use it too, so it is not made one that never blocks.
 * Older systems know no such write to a pipe.
 */
static long write_ready(int stream, const byte *bytes, size length) {
  static int is_file[OUTPUT_STREAMS];
  struct iovec part = {(void *)bytes, length};
  struct stat state;
  if (is_file[stream] == 0)
    is_file[stream] = SYSTEM(fstat, stream + 1, &state, 0, 0) == 0 && (state.st_mode & 0170000) == 0100000 ? 1 : -1;
  if (is_file[stream] > 0) return SYSTEM(write, stream + 1, bytes, length, 0);
  const long count = system6(__NR_pwritev2, stream + 1, (long)&part, 1, -1, -1, RWF_NOWAIT);
  if (count != -EOPNOTSUPP && count != -ENOSYS && count != -EINVAL && count != -ESPIPE) return count;
  struct pollfd ready = {stream + 1, POLLOUT, 0};
  if (poll_for(&ready, 1, 0) <= 0) return -EAGAIN;
  return SYSTEM(write, stream + 1, bytes, length < READY_BYTES ? length : READY_BYTES, 0);
}

static void write_pending(struct call *call, int stream) {
  struct pending *pending = &call->pending[stream];
  while (pending->count > 0) {
    const byte *const part = pending_memory[stream][pending->first];
    const size length = pending->lengths[pending->first];
    const long count = write_ready(stream, part + pending->written, length - pending->written);
    if (count == -EAGAIN || count == -EINTR) return;
    if (count < 0) return lose(call, stream, count);
    pending->written += (size)count;
    if (pending->written < length) continue;
    const byte written = (byte)(stream + 1);
    pending->written = 0;
    pending->first = (pending->first + 1) % WINDOW_PARTS;
    pending->count--;
    tell(call, 'W', &written, 1);
  }
}

/** Returns where the next part for a stream goes; a null pointer if there is no room, which is never so. */
static byte *place_for(struct call *call, int stream) {
  struct pending *pending = &call->pending[stream];
  return pending->count == WINDOW_PARTS
             ? 0
             : pending_memory[stream][(pending->first + pending->count) % WINDOW_PARTS];
}

static void take_output(struct call *call, int stream, size length) {
  struct pending *pending = &call->pending[stream];
  if (length == 0 || pending->is_lost) return;
  pending->lengths[(pending->first + pending->count++) % WINDOW_PARTS] = length;
  write_pending(call, stream);
}

#include "session.c"

static const int passed_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCHLD};

/**
 * Takes signals as events from now on, also those that the caller ignores: the executable does the same. SIGPIPE is
 * blocked, so that a write without a reader fails.
 */
static void listen_to_signals(struct call *call) {
  unsigned long set = 0;
  for (size at = 0; at < sizeof passed_signals / sizeof passed_signals[0]; at++) {
    set |= signal_bit(passed_signals[at]);
    set_default_action(passed_signals[at]);
  }
  call->signal_set = set | signal_bit(SIGPIPE);
  block_signals(call->signal_set);
  call->signals = (int)SYSTEM(signalfd4, -1, &set, SIGNAL_SET_BYTES, SFD_CLOEXEC);
}

static void obey(struct call *call, byte kind, byte *bytes, size length) {
  struct process *process = length > 0 ? process_of(call, bytes[0]) : 0;
  switch (kind) {
    case 'r':
      start_for(call, (char *)bytes, length);
      break;
    case 'o':
    case 'e':
      take_output(call, kind == 'e', length);
      break;
    case 'g':
      if (process != 0 && length == 2) process->may_read[bytes[1] - 1]++;
      break;
    case 'd':
      if (process == 0) break;
      for (int stream = 0; stream < OUTPUT_STREAMS; stream++) close_output(process, stream);
      if (!process->is_running) process->id = -1;
      break;
    case 's':
      tell_all(call);
      block_signals(call->signal_set & ~signal_bit(SIGTSTP));
      SYSTEM(kill, SYSTEM(getpid, 0, 0, 0, 0), SIGTSTP, 0, 0);
      block_signals(call->signal_set);
      tell(call, 'G', "", 0);
      break;
    case 'x':
      // It was said before the last loss was known, which may change it. Another one follows.
      if (length < 3 || bytes[2] < call->losses) break;
      call->exit_code = bytes[0];
      // The caller's reader is not waited for any longer.
      if (bytes[1] != 0) call->pending[0].count = call->pending[1].count = 0;
      break;
  }
}

/** Returns FALSE if the call is for the executable, since nothing has come. */
static int take_frame(struct call *call, int is_first) {
  static byte small[CHUNK_BYTES + 64];
  byte head[FRAME_HEAD_BYTES];
  byte *bytes = small;
  size length = 0;
  int is_whole = receive(call->connection, head, sizeof head);
  if (is_whole) {
    length = number_at(head);
    if (head[4] == 'o' || head[4] == 'e') bytes = length <= CHUNK_BYTES ? place_for(call, head[4] == 'e') : 0;
    else if (length > sizeof small) bytes = length <= FRAME_BYTES_MAX ? map_memory(length) : 0;
    is_whole = bytes != 0 && receive(call->connection, bytes, length);
  }
  if (!is_whole && !is_first) report_loss(call);
  if (!is_whole || head[4] == 'c') return FALSE;
  if (is_first && head[4] == 'm') relay_session(call->connection, call->argv, call->environment);
  if (is_first) listen_to_signals(call);
  obey(call, head[4], bytes, length);
  if (length > sizeof small) unmap_memory(bytes, length);
  return TRUE;
}

static void tell_end_of_output(struct call *call, struct process *process, int stream) {
  const byte end[] = {(byte)process->id, (byte)(stream + 1)};
  process->is_end_untold[stream] = FALSE;
  tell(call, 'O', end, sizeof end);
}

static void reap(struct call *call) {
  int status, next_status;
  for (long pid = SYSTEM(wait4, -1, &status, 1 /* WNOHANG */, 0), next; pid > 0; pid = next, status = next_status) {
    next = SYSTEM(wait4, -1, &next_status, 1 /* WNOHANG */, 0);
    for (int at = 0; at < PROCESSES_MAX; at++) {
      struct process *process = &call->processes[at];
      if (process->id < 0 || !process->is_running || process->pid != pid) continue;
      const int signal = status & 0x7f;
      // What a process leaves behind is a child of this program (PR_SET_CHILD_SUBREAPER) by the time of its end.
      const byte ended[] = {(byte)process->id, (byte)(signal == 0 ? 0 : 1),
                            (byte)(signal == 0 ? status >> 8 & 0xff : signal), next == -ECHILD};
      process->is_running = FALSE;
      for (int stream = 0; stream < OUTPUT_STREAMS; stream++)
        if (process->is_end_untold[stream]) tell_end_of_output(call, process, stream);
      tell(call, 'X', ended, sizeof ended);
    }
  }
}

static void take_signals(struct call *call) {
  struct signalfd_siginfo signal;
  if (SYSTEM(read, call->signals, &signal, sizeof signal, 0) != sizeof signal) return;
  const byte number = (byte)signal.ssi_signo;
  if (number == SIGCHLD) reap(call);
  else tell(call, number == SIGTSTP ? 'T' : 'S', &number, number == SIGTSTP ? 0 : 1);
}

/** Passes on a part of what a process writes. The end of it is told with that of the process, which mostly follows. */
static void pass_output(struct call *call, struct process *process, int stream) {
  static byte chunk[2 + CHUNK_BYTES];
  const long count = SYSTEM(read, process->outputs[stream], chunk + 2, CHUNK_BYTES, 0);
  if (count == -EINTR || count == -EAGAIN) return;
  chunk[0] = (byte)process->id;
  chunk[1] = (byte)(stream + 1);
  if (count <= 0) {
    close_output(process, stream);
    process->is_end_untold[stream] = TRUE;
    if (!process->is_running) tell_end_of_output(call, process, stream);
    return;
  }
  process->may_read[stream]--;
  tell(call, 'O', chunk, 2 + (size)count);
}

enum { FILES_MAX = 2 + OUTPUT_STREAMS + OUTPUT_STREAMS * PROCESSES_MAX };

/** Waits for whatever happens next, and acts on it. */
static void turn(struct call *call) {
  tell_all(call);
  struct pollfd files[FILES_MAX] = {{call->connection, POLLIN, 0}, {call->signals, POLLIN, 0}};
  struct { struct process *process; int stream; } sources[FILES_MAX];
  size count = 2;
  for (int stream = 0; stream < OUTPUT_STREAMS; stream++) {
    if (call->pending[stream].count == 0) continue;
    sources[count].process = 0;
    sources[count].stream = stream;
    files[count++] = (struct pollfd){stream + 1, POLLOUT, 0};
  }
  for (int at = 0; at < PROCESSES_MAX; at++)
    for (int stream = 0; stream < OUTPUT_STREAMS; stream++) {
      struct process *process = &call->processes[at];
      if (process->id < 0 || process->outputs[stream] < 0 || process->may_read[stream] == 0) continue;
      sources[count].process = process;
      sources[count].stream = stream;
      files[count++] = (struct pollfd){process->outputs[stream], POLLIN, 0};
    }
  if (poll_for(files, count, POLL_FOREVER) <= 0) return;
  // Output first: a process is reported to have ended after what it wrote before.
  for (size at = 2; at < count; at++) {
    if (files[at].revents == 0) continue;
    if (sources[at].process == 0) write_pending(call, sources[at].stream);
    else pass_output(call, sources[at].process, sources[at].stream);
  }
  if (files[1].revents != 0) take_signals(call);
  if (files[0].revents != 0) take_frame(call, FALSE);
}

/** Ends the program with the call; returns if the call is for the executable, and then nothing has happened. */
static void relay_call(int connection, char **argv, char **environment) {
  static struct call call;
  struct pollfd answer = {connection, POLLIN, 0};
  call.connection = connection;
  call.argv = argv;
  call.environment = environment;
  call.exit_code = -1;
  for (int at = 0; at < PROCESSES_MAX; at++) call.processes[at].id = -1;
  if (poll_for(&answer, 1, ANSWER_MS_MAX) <= 0 || !take_frame(&call, TRUE)) return;
  while (call.exit_code < 0 || call.pending[0].count > 0 || call.pending[1].count > 0) turn(&call);
  end_program(call.exit_code);
}
