// Where the resident process listens, and its start on demand.

/** Adds the private folder of the user; returns FALSE if there is none, or others may have made it. */
static int add_resident_folder(struct text *to, char **environment) {
  const char *runtime = value_of(environment, "XDG_RUNTIME_DIR");
  const unsigned user = (unsigned)SYSTEM(geteuid, 0, 0, 0, 0);
  struct stat state;
  if (user != (unsigned)SYSTEM(getuid, 0, 0, 0, 0)) return FALSE;
  if (runtime != 0 && runtime[0] == '/') {
    add(to, runtime);
    add(to, "/dottool");
  } else {
    add(to, "/tmp/dottool-");
    add_number(to, user, 10);
  }
  if (to->is_cut) return FALSE;
  if (state_of(to->start, &state, AT_SYMLINK_NOFOLLOW) < 0)
    return SYSTEM(mkdirat, AT_FDCWD, to->start, 0700, 0) == 0;
  return (state.st_mode & 0170777) == 0040700 && state.st_uid == user;
}

/** Whether a line of `config.yaml` says so; `dottool resident start` reads the file as YAML. */
static int wants_resident(char **environment) {
  static char config[256 * 1024];
  const char *folder = value_of(environment, "XDG_CONFIG_HOME");
  const char *home = value_of(environment, "HOME");
  TEXT(path, 1024);
  if (folder != 0 && folder[0] == '/') add(&path, folder);
  else if (home != 0 && home[0] == '/') {
    add(&path, home);
    add(&path, "/.config");
  } else return FALSE;
  add(&path, "/dottool/config.yaml");
  if (path.is_cut || read_start(path.start, config, sizeof config) == 0) return FALSE;
  for (const char *line = config; *line != 0;) {
    const char *value = after(line, "resident:");
    while (value != 0 && *value == ' ') value++;
    if (value != 0 && after(value, "true") != 0) return TRUE;
    while (*line != 0 && *line++ != '\n');
  }
  return FALSE;
}

/** Calls that come meanwhile start no other one. */
enum { START_S_MAX = 10 };

/** Whether this call is the one that starts it. */
static int takes_turn(const struct text *socket_path) {
  struct __kernel_timespec now = {0, 0};
  struct stat state;
  TEXT(path, 300);
  add(&path, socket_path->start);
  add(&path, ".starting");
  if (path.is_cut) return FALSE;
  SYSTEM(clock_gettime, 0 /* CLOCK_REALTIME */, &now, 0, 0);
  if (state_of(path.start, &state, AT_SYMLINK_NOFOLLOW) == 0) {
    if ((unsigned long)now.tv_sec < (unsigned long)state.st_mtime + START_S_MAX) return FALSE;
    SYSTEM(unlinkat, AT_FDCWD, path.start, 0, 0);
  }
  const long file = open_file(path.start, O_WRONLY | O_CREAT | O_EXCL);
  if (file >= 0) SYSTEM(close, file, 0, 0, 0);
  return file >= 0;
}

/** Starts a resident process for later calls. */
static void start_if_wanted(const char *executable, char **environment, const struct text *socket_path) {
  char *words[] = {"dottool", "resident", "start", "--on-demand", 0};
  if (!wants_resident(environment) || !takes_turn(socket_path)) return;
  const long child = fork_process();
  if (child > 0) SYSTEM(wait4, child, 0, 0, 0);
  if (child != 0) return;
  SYSTEM(setsid, 0, 0, 0, 0);
  // Its parent ends at once, so that the program of this call has no child that it does not know.
  if (fork_process() != 0) end_program(0);
  const long nothing = open_file("/dev/null", O_RDWR);
  for (int stream = 0; stream <= 2; stream++) SYSTEM(dup3, nothing, stream, 0, 0);
  SYSTEM(chdir, "/", 0, 0, 0);
  SYSTEM(execve, executable, words, environment, 0);
  end_program(127);
}
