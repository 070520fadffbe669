// The rules of Landlock: what the kernel of this machine can hold, of all that is not named in the plan.

static long version_of_landlock(void) {
  const long version = system6(LANDLOCK_CREATE, 0, 0, RULESET_VERSION, 0, 0, 0);
  return version < 0 ? 0 : version;
}

static unsigned long known_rights(long version) {
  const unsigned long first = REFER - 1;
  return first | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) | (version >= 5 ? DEVICE_IOCTL : 0);
}

static size ruleset_bytes(long version) {
  return version >= 6 ? 24 : version >= 4 ? 16 : 8;
}

static unsigned long rights_named(char letter) {
  switch (letter) {
    case 'l': return READ_FOLDER;
    case 'r': return READ_FOLDER | READ_FILE | EXECUTE;
    case 'd': return READ_FILE | WRITE_FILE;
    case 'v': return ~0UL;
    case 'w': return ~(unsigned long)(MAKE_CHARACTER_DEVICE | MAKE_BLOCK_DEVICE | DEVICE_IOCTL);
    default: return 0;
  }
}

/** Opens the place of a rule. What is below an open folder is reached by no link, and a path of the system neither. */
static long open_place(const char *entry) {
  const char *path;
  const int is_whole = entry[1] == '-';
  const int folder = is_whole ? AT_FDCWD : (int)number_in(entry + 1, &path);
  if (is_whole) path = entry + 2;
  if (*path++ != ':') return -EINVAL;
  if (*path == 0) return SYSTEM(fcntl, folder, F_DUPFD_CLOEXEC, 0, 0);
  const struct open_how how = {O_PATH | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS | (is_whole ? 0 : RESOLVE_BENEATH)};
  return SYSTEM(openat2, folder, path, &how, sizeof how);
}

/** Returns 0, or the negative number of an error. What is not there, or is a link by now, needs no rule. */
static long add_rule(int ruleset, const char *entry, unsigned long known) {
  struct stat state;
  const long place = open_place(entry);
  if (place == -ENOENT || place == -ELOOP || place == -ENOTDIR || place == -EACCES) return 0;
  if (place < 0) return place;
  struct path_rule rule = {rights_named(*entry) & known, (int)place};
  long error = SYSTEM(fstat, place, &state, 0, 0);
  if ((state.st_mode & S_IFMT) != S_IFDIR) rule.allowed &= RIGHTS_OF_FILES;
  if (error == 0 && rule.allowed != 0)
    error = system6(LANDLOCK_ADD, ruleset, RULE_PATH_BENEATH, (long)&rule, 0, 0, 0);
  SYSTEM(close, place, 0, 0, 0);
  return error;
}

/** Restricts this process, and all that it starts from now on. */
static long restrict_files(long version, long is_alone) {
  const unsigned long known = known_rights(version);
  const struct ruleset wanted = {known, is_alone ? BIND_AND_CONNECT_TCP : 0, is_alone ? ABSTRACT_SOCKETS | SIGNALS : 0};
  const long ruleset = system6(LANDLOCK_CREATE, (long)&wanted, ruleset_bytes(version), 0, 0, 0, 0);
  long error = ruleset < 0 ? ruleset : 0;
  for (char *at = next('R', 0); at != 0 && error == 0; at = next('R', at)) error = add_rule((int)ruleset, at, known);
  if (error == 0) error = system6(LANDLOCK_RESTRICT, ruleset, 0, 0, 0, 0, 0);
  if (ruleset >= 0) SYSTEM(close, ruleset, 0, 0, 0);
  return error;
}

/**
 * From now on a signal of this process to all reaches what it has started, and nothing else. A ruleset forbids to move
 * files to other folders unless it allows it.
 */
static int holds_own_signals(long version) {
  const struct ruleset wanted = {REFER, 0, SIGNALS};
  if (version < 6) return FALSE;
  const long ruleset = system6(LANDLOCK_CREATE, (long)&wanted, sizeof wanted, 0, 0, 0, 0);
  long error = ruleset < 0 ? ruleset : add_rule((int)ruleset, "w-:/", REFER);
  if (error == 0) error = system6(LANDLOCK_RESTRICT, ruleset, 0, 0, 0, 0, 0);
  if (ruleset >= 0) SYSTEM(close, ruleset, 0, 0, 0);
  return error == 0;
}
