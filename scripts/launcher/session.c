// A session of an MCP client. The resident process answers the questions that need nobody's rights: what there is. At
// the first message that asks for more, and whenever anything is in doubt, the executable takes this program's place:
// it is handed the messages that are answered and must be known, and those that are not answered yet.

enum {
  SESSION_INPUT_BYTES = 128 * 1024,
  SESSION_STATE_BYTES = 64 * 1024,
  /** The longest wait for the answer to a whole line. */
  SESSION_ANSWER_MS_MAX = 2000,
  CHARACTER_BYTES_MAX = 4,
  SESSION_FILE_HEAD_BYTES = 4,
};

struct session {
  int connection, signals, has_ended;
  char **argv, **environment;
  /** The signals that the caller had blocked. */
  unsigned long blocked;
  size input_used, state_used;
};

/** What the resident process has not dealt with yet. */
static byte session_input[SESSION_INPUT_BYTES + CHARACTER_BYTES_MAX];
/** Lines that are answered, and that whoever goes on with the session must know. */
static byte session_state[SESSION_STATE_BYTES];

static void go_cold(char **argv, char **environment);

/** Returns FALSE if nobody reads any more. */
static int write_whole(int file, const byte *bytes, size length) {
  while (length > 0) {
    const long count = SYSTEM(write, file, bytes, length, 0);
    struct pollfd ready = {file, POLLOUT, 0};
    if (count == -EAGAIN) poll_for(&ready, 1, POLL_FOREVER);
    else if (count != -EINTR) {
      if (count < 0) return FALSE;
      bytes += count;
      length -= (size)count;
    }
  }
  return TRUE;
}

/** The executable decodes what it is handed and what follows one by one, so a character must not be in both. */
static void complete_character(struct session *session) {
  size at = session->input_used;
  while (at > 0 && session->input_used - at < CHARACTER_BYTES_MAX - 1 && (session_input[at - 1] & 0xc0) == 0x80) at--;
  if (at == 0) return;
  const byte lead = session_input[at - 1];
  const size wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  while (session->input_used < at - 1 + wanted && !session->has_ended) {
    struct pollfd ready = {0, POLLIN, 0};
    const long count = SYSTEM(read, 0, session_input + session->input_used, 1, 0);
    if (count > 0) session->input_used++;
    else if (count == -EAGAIN) poll_for(&ready, 1, POLL_FOREVER);
    else if (count != -EINTR) session->has_ended = TRUE;
  }
}

/** The executable goes on with the session. */
static void hand_over(struct session *session) {
  TEXT(number, 32);
  byte head[SESSION_FILE_HEAD_BYTES];
  size words = 0;
  complete_character(session);
  const long file = SYSTEM(memfd_create, "dottool-session", 0, 0, 0);
  while (session->argv[words] != 0) words++;
  char **const all = map_memory((words + 3) * sizeof(char *));
  put_number_at(head, session->state_used);
  if (file < 0 || all == 0 || !write_whole((int)file, head, sizeof head) ||
      !write_whole((int)file, session_state, session->state_used) ||
      !write_whole((int)file, session_input, session->input_used))
    end_program(70);
  SYSTEM(lseek, file, 0, 0, 0);
  add_number(&number, (unsigned long)file, 10);
  all[0] = session->argv[0];
  all[1] = "__handed-over";
  all[2] = number.start;
  for (size at = 1; at <= words; at++) all[at + 2] = session->argv[at];
  block_signals(session->blocked);
  go_cold(all, session->environment);
}

/** `bytes`: how many bytes of input are dealt with, whether they must be known later, and an answer. */
static void take_answer(struct session *session, const byte *bytes, size length) {
  if (length < 5) return hand_over(session);
  const size done = number_at(bytes);
  if (done > session->input_used || (bytes[4] != 0 && session->state_used + done > SESSION_STATE_BYTES))
    return hand_over(session);
  // The client has gone, which is how sessions end.
  if (!write_whole(1, bytes + 5, length - 5)) end_program(0);
  if (bytes[4] != 0) {
    memcpy(session_state + session->state_used, session_input, done);
    session->state_used += done;
  }
  session->input_used -= done;
  for (size at = 0; at < session->input_used; at++) session_input[at] = session_input[at + done];
}

static void take_session_frame(struct session *session) {
  byte head[FRAME_HEAD_BYTES];
  if (!receive(session->connection, head, sizeof head)) return hand_over(session);
  const size length = number_at(head);
  byte *const bytes = length <= FRAME_BYTES_MAX ? map_memory(length + 1) : 0;
  if (bytes == 0 || !receive(session->connection, bytes, length)) return hand_over(session);
  switch (head[4]) {
    case 'a':
      take_answer(session, bytes, length);
      break;
    case 'e':
      write_whole(2, bytes, length);
      break;
    case 'x':
      end_program(length > 0 ? bytes[0] : 0);
      break;
    default:
      hand_over(session);
  }
  unmap_memory(bytes, length + 1);
}

/** A resident process that does not take it at once is busy or stopped. */
static int send_at_once(int connection, const byte *bytes, size length) {
  enum { MSG_DONTWAIT = 0x40 };
  return length == 0 ||
         system6(__NR_sendto, connection, (long)bytes, (long)length, MSG_NOSIGNAL | MSG_DONTWAIT, 0, 0) == (long)length;
}

static void take_input(struct session *session) {
  byte head[FRAME_HEAD_BYTES];
  byte *const at = session_input + session->input_used;
  const long count = SYSTEM(read, 0, at, SESSION_INPUT_BYTES - session->input_used, 0);
  if (count == -EINTR || count == -EAGAIN) return;
  const size length = count < 0 ? 0 : (size)count;
  session->has_ended = length == 0;
  session->input_used += length;
  put_head(head, 'I', length);
  if (session->input_used == SESSION_INPUT_BYTES || !send_at_once(session->connection, head, sizeof head) ||
      !send_at_once(session->connection, at, length))
    hand_over(session);
}

/** Never returns. */
static void relay_session(int connection, char **argv, char **environment) {
  static struct session session;
  // A server ends with exit code 0 at each of them.
  const int ending[] = {SIGTERM, SIGINT, SIGHUP};
  unsigned long set = 0;
  session.connection = connection;
  session.argv = argv;
  session.environment = environment;
  for (size at = 0; at < sizeof ending / sizeof ending[0]; at++) {
    set |= signal_bit(ending[at]);
    set_default_action(ending[at]);
  }
  unsigned long blocked = set | signal_bit(SIGPIPE);
  SYSTEM(rt_sigprocmask, SIG_BLOCK, &blocked, &session.blocked, SIGNAL_SET_BYTES);
  session.signals = (int)SYSTEM(signalfd4, -1, &set, SIGNAL_SET_BYTES, SFD_CLOEXEC);
  for (;;) {
    struct pollfd files[] = {{connection, POLLIN, 0}, {session.signals, POLLIN, 0}, {0, POLLIN, 0}};
    const int is_whole = session.has_ended || (session.input_used > 0 && session_input[session.input_used - 1] == '\n');
    const long ready = poll_for(files, session.has_ended ? 2 : 3, is_whole ? SESSION_ANSWER_MS_MAX : POLL_FOREVER);
    if (ready == 0) hand_over(&session);
    if (ready <= 0) continue;
    if (files[1].revents != 0) end_program(0);
    if (files[0].revents != 0) take_session_frame(&session);
    else if (files[2].revents != 0) take_input(&session);
  }
}
