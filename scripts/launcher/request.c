// What the launcher tells the resident process about a call: who makes it, where, with which words and variables.

#define PROTOCOL "4"
#define AF_UNIX 1
#define SOCK_STREAM 1
#define SOCK_CLOEXEC 02000000
#define SOL_SOCKET 1
#define SO_PEERCRED 17
#define MSG_NOSIGNAL 0x4000

enum { FRAME_HEAD_BYTES = 5 };

static int send_bytes(int connection, const void *bytes, size length) {
  for (size sent = 0; sent < length;) {
    const long count =
        system6(__NR_sendto, connection, (long)bytes + (long)sent, (long)(length - sent), MSG_NOSIGNAL, 0, 0);
    if (count == -EINTR) continue;
    if (count <= 0) return FALSE;
    sent += (size)count;
  }
  return TRUE;
}

static void put_head(byte *head, byte kind, size length) {
  for (int at = 0; at < 4; at++) head[at] = (byte)(length >> (8 * at));
  head[4] = kind;
}

/** Collects the request; without a connection it only counts. */
struct request {
  int connection, has_failed;
  size total, used;
  byte *buffer;
};
enum { REQUEST_BUFFER_BYTES = 32 * 1024 };

static void flush(struct request *request) {
  if (request->connection >= 0 && !send_bytes(request->connection, request->buffer, request->used))
    request->has_failed = TRUE;
  request->used = 0;
}

static void put(struct request *request, const char *bytes, size length) {
  request->total += length;
  if (request->connection < 0) return;
  for (size at = 0; at < length && !request->has_failed;) {
    size part = REQUEST_BUFFER_BYTES - request->used;
    if (part > length - at) part = length - at;
    memcpy(request->buffer + request->used, bytes + at, part);
    request->used += part;
    at += part;
    if (request->used == REQUEST_BUFFER_BYTES) flush(request);
  }
}

/** Every text of a request ends with a NUL. */
static void put_text(struct request *request, const char *text) {
  put(request, text, length_of(text) + 1);
}

static void put_number(struct request *request, unsigned long number) {
  TEXT(digits, 32);
  add_number(&digits, number, 10);
  put_text(request, digits.start);
}

static const char *value_of(char **environment, const char *name) {
  for (; *environment != 0; environment++) {
    const char *rest = after(*environment, name);
    if (rest != 0 && *rest == '=') return rest + 1;
  }
  return 0;
}

// The variables that calls of tools in general depend on. The values of all others stay here: a call that needs one
// goes the ordinary way.
static const char *const sent_names[] = {
    "PATH=",     "HOME=",   "LANG=",     "TERM=",        "TMPDIR=", "TMP=",          "TEMP=",          "USER=",
    "USERNAME=", "SHELL=",  "TZ=",       "LOGNAME=",     "CDPATH=", "NO_COLOR=",     "FORCE_COLOR=",   "LC_",
    "XDG_",      "DOTTOOL_PATH=", "DOTTOOL_TRUST=",
};

static void put_variable(struct request *request, const char *entry) {
  size length = 0;
  for (size at = 0; at < sizeof sent_names / sizeof sent_names[0]; at++)
    if (after(entry, sent_names[at]) != 0) return put_text(request, entry);
  while (entry[length] != 0 && entry[length] != '=') length++;
  put(request, entry, length);
  put(request, "", 1);
}

/** The lines of /proc/self/status that say what a process may do. */
static const char *const rights_lines[] = {"Uid:", "Gid:", "Groups:", "CapEff:", "NoNewPrivs:", "Seccomp"};
static const char *const namespaces[] = {"mnt", "user", "pid", "net", "ipc", "uts"};

/**
 * Adds all that says whether two processes see and may do the same. callerRights of caller-facts.ts makes the same
 * text. Returns FALSE if the system does not show it.
 */
static int add_rights(struct text *to) {
  char status[8192];
  char target[64];
  struct stat root;
  struct rlimit64 file_size;
  if (read_start("/proc/self/status", status, sizeof status) == 0 || state_of("/", &root, 0) < 0 ||
      SYSTEM(prlimit64, 0, RLIMIT_FSIZE, 0, &file_size) < 0)
    return FALSE;
  for (const char *line = status; *line != 0;) {
    size length = 0;
    while (line[length] != 0 && line[length] != '\n') length++;
    for (size at = 0; at < sizeof rights_lines / sizeof rights_lines[0]; at++)
      if (after(line, rights_lines[at]) != 0) {
        add_bytes(to, line, length);
        add(to, "\n");
      }
    line += length + (line[length] == '\n');
  }
  for (size at = 0; at < sizeof namespaces / sizeof namespaces[0]; at++) {
    TEXT(path, 64);
    add(&path, "/proc/self/ns/");
    add(&path, namespaces[at]);
    const long length = SYSTEM(readlinkat, AT_FDCWD, path.start, target, sizeof target);
    if (length <= 0) return FALSE;
    add_bytes(to, target, (size)length);
    add(to, "\n");
  }
  add_number(to, root.st_dev, 10);
  add(to, ":");
  add_number(to, root.st_ino, 10);
  add(to, "\n");
  add_number(to, file_size.rlim_cur, 10);
  return !to->is_cut;
}

static void put_request(struct request *request, char **argv, char **environment, const char *facts[3]) {
  put_text(request, facts[0]);
  put_text(request, facts[1]);
  put_text(request, facts[2]);
  put_number(request, (unsigned long)SYSTEM(getpid, 0, 0, 0, 0));
  size words = 0;
  while (argv[words + 1] != 0) words++;
  put_number(request, words);
  for (size at = 1; at <= words; at++) put_text(request, argv[at]);
  for (; *environment != 0; environment++) put_variable(request, *environment);
}

/** Returns FALSE if the resident process cannot be told everything. */
static int send_request(int connection, char **argv, char **environment) {
  static byte buffer[REQUEST_BUFFER_BYTES];
  char settings[128];
  char folder[4096];
  TEXT(rights, 4096);
  // A removed folder is "(unreachable)", or none at all.
  if (SYSTEM(getcwd, folder, sizeof folder, 0, 0) <= 0 || folder[0] != '/' || !add_rights(&rights)) return FALSE;
  const char *facts[] = {rights.start, folder, SYSTEM(ioctl, 0, TCGETS, settings, 0) == 0 ? "terminal" : ""};
  struct request counted = {-1, FALSE, 0, 0, 0};
  struct request sent = {connection, FALSE, 0, FRAME_HEAD_BYTES, buffer};
  put_request(&counted, argv, environment, facts);
  put_head(buffer, 'C', counted.total);
  put_request(&sent, argv, environment, facts);
  flush(&sent);
  return !sent.has_failed;
}
