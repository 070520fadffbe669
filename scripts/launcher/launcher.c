// The launcher: stands in front of the executable, and lets the resident process decide about a call while it does what
// needs the caller's own rights itself: start processes, write, and take signals (call.c). Whatever it cannot do exactly
// as the executable would, it leaves to the executable, which takes its place before anything has happened.
// docs/resident.md is for users; src/features/resident/host/ is the other side.
#include "system.h"
#include "request.c"
#include "call.c"
#include "start.c"
#include "starter.c"

/** Is written over this in a copy of the launcher: src/features/resident/host/launcher-file.ts. */
struct place {
  char marker[32];
  /** What --version prints. */
  char version[96];
  /** The executable as it was then: only that one prints this version. */
  char identity[128];
  char executable[1024];
};
static const volatile struct place place = {"dottool-launcher-place-1", "", "", ""};

static const char *const executable = (const char *)place.executable;

/** The executable takes the place of this program, as if it had been called. */
static void go_cold(char **argv, char **environment) {
  SYSTEM(execve, executable, argv, environment, 0);
  TEXT(message, 1400);
  add(&message, "failed[launcher]: the executable `");
  add(&message, executable);
  add(&message, "` cannot be started; `dottool resident launcher FILE` of another one makes a new launcher\n");
  SYSTEM(write, 2, message.start, message.used, 0);
  end_program(127);
}

/** What distinguishes the executable from another at the same place, and its resident process from another. */
static void add_identity(struct text *to, const struct stat *state) {
  const unsigned long parts[] = {state->st_dev, state->st_ino, state->st_size, state->st_mtime, state->st_mtime_nsec};
  for (size at = 0; at < sizeof parts / sizeof parts[0]; at++) {
    if (at > 0) add(to, "-");
    add_number(to, parts[at], 16);
  }
}

static int asks_for_version(long count, char **argv) {
  return count == 2 && (is_same(argv[1], "--version") || is_same(argv[1], "-v"));
}

/** Returns FALSE if it cannot be written at once and as a whole: the executable says why. */
static int write_version(void) {
  const char *version = (const char *)place.version;
  return SYSTEM(write, 1, version, length_of(version), 0) > 0;
}

/** Whether the streams are open, and no terminal: a person there may be asked, and sees progress. */
static int has_plain_streams(void) {
  char settings[128];
  struct stat state;
  for (int stream = 0; stream <= 2; stream++) {
    if (SYSTEM(fstat, stream, &state, 0, 0) < 0) return FALSE;
    if (stream > 0 && SYSTEM(ioctl, stream, TCGETS, settings, 0) == 0) return FALSE;
  }
  return TRUE;
}

/** Returns the connection; negative if there is none that can be trusted. */
static long connect_resident(const struct text *socket_path) {
  struct sockaddr_un address = {AF_UNIX, ""};
  struct { int pid; unsigned user, group; } peer = {0, ~0U, ~0U};
  int peer_bytes = sizeof peer;
  const unsigned user = (unsigned)SYSTEM(geteuid, 0, 0, 0, 0);
  if (socket_path->is_cut || socket_path->used >= sizeof address.sun_path) return -ENAMETOOLONG;
  memcpy(address.sun_path, socket_path->start, socket_path->used + 1);
  const long connection = SYSTEM(socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, 0);
  if (connection < 0) return connection;
  const long error = SYSTEM(connect, connection, &address, sizeof address, 0);
  const int is_own = error == 0 &&
                     system6(__NR_getsockopt, connection, SOL_SOCKET, SO_PEERCRED, (long)&peer, (long)&peer_bytes, 0) == 0 &&
                     peer.user == user;
  if (is_own) return connection;
  SYSTEM(close, connection, 0, 0, 0);
  return error < 0 ? error : -EPERM;
}

__attribute__((used)) void launch(long *stack) {
  const long count = stack[0];
  char **const argv = (char **)(stack + 1);
  char **const environment = argv + count + 1;
  struct stat state;
  TEXT(identity, sizeof place.identity);
  TEXT(socket_path, 256);
  // Its last word is for whoever looks at the list of processes.
  if (count == 3 && is_same(argv[1], "__starts")) serve_starts();
  if (state_of(executable, &state, 0) < 0) go_cold(argv, environment);
  add_identity(&identity, &state);
  if (asks_for_version(count, argv) && is_same(identity.start, (const char *)place.identity) && write_version())
    end_program(0);
  // What is asked of the resident process itself is no call of a tool.
  if (count < 2 || is_same(argv[1], "resident") || !has_plain_streams() || value_of(environment, "DOTTOOL_RUN_ID") != 0 ||
      !add_resident_folder(&socket_path, environment))
    go_cold(argv, environment);
  add(&socket_path, "/");
  add(&socket_path, identity.start);
  add(&socket_path, "." PROTOCOL);
  const long connection = connect_resident(&socket_path);
  if (connection < 0) {
    if (connection == -ENOENT || connection == -ECONNREFUSED) start_if_wanted(executable, environment, &socket_path);
    go_cold(argv, environment);
  }
  if (send_request((int)connection, argv, environment)) relay_call((int)connection, argv, environment);
  SYSTEM(close, connection, 0, 0, 0);
  go_cold(argv, environment);
}
