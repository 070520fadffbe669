// Landlock does not know modes, times and owners of files. The filter asks about such a call, and this program makes
// it in place of the command where the plan says that the command may write, and nowhere else.

enum { PATH_BYTES = 4096, HERE = AT_FDCWD };

/** A call for the mode or the times of a file, whatever its name is. */
struct change {
  int folder;
  /** Addresses in the command's memory; 0: the folder itself is meant, or the time is now. */
  unsigned long path, times;
  int flags, mode, is_mode;
};

static long open_of(unsigned process, const char *kind, int number, int flags) {
  TEXT(path, 64);
  add(&path, "/proc/");
  add_number(&path, process, 10);
  add(&path, kind);
  if (number >= 0) add_number(&path, (unsigned long)number, 10);
  return open_file(path.start, flags);
}

static long read_memory(unsigned process, unsigned long address, void *to, size room) {
  const long memory = open_of(process, "/mem", -1, O_RDONLY);
  if (memory < 0) return memory;
  const long got = SYSTEM(pread64, memory, to, room, address);
  SYSTEM(close, memory, 0, 0, 0);
  return got;
}

/** Opens what the call is about, as the command would. */
static long open_changed(unsigned process, const struct change *change) {
  static char path[PATH_BYTES + 1];
  path[0] = 0;
  if (change->path != 0) {
    // Memory may end with the page in which the path does.
    const size in_page = PATH_BYTES - change->path % PATH_BYTES;
    const long first = read_memory(process, change->path, path, in_page);
    if (first < 0) return -EFAULT;
    path[first] = 0;
    if (length_of(path) == in_page) {
      const long more = read_memory(process, change->path + in_page, path + in_page, PATH_BYTES - in_page);
      path[in_page + (more < 0 ? 0 : more)] = 0;
    }
    if (length_of(path) >= PATH_BYTES) return -ENAMETOOLONG;
    if (path[0] == 0 && !(change->flags & AT_EMPTY_PATH)) return -ENOENT;
  }
  if (path[0] == 0 && change->folder >= 0) return open_of(process, "/fd/", change->folder, O_PATH);
  const long folder = path[0] == '/'           ? HERE
                      : change->folder == HERE ? open_of(process, "/cwd", -1, O_PATH)
                                               : open_of(process, "/fd/", change->folder, O_PATH);
  if (folder < 0 && folder != HERE) return folder;
  const int no_follow = change->flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0;
  const struct open_how how = {O_PATH | O_CLOEXEC | no_follow, 0, RESOLVE_NO_MAGICLINKS};
  const long file = SYSTEM(openat2, folder, path[0] == 0 ? "." : path, &how, sizeof how);
  if (folder >= 0) SYSTEM(close, folder, 0, 0, 0);
  return file;
}

static int is_in_planned(char letter, const char *path) {
  for (char *at = next(letter, 0); at != 0; at = next(letter, at)) {
    const char *rest = after(path, at);
    if (rest != 0 && (*rest == 0 || *rest == '/')) return TRUE;
  }
  return FALSE;
}

static long make_change(const struct question *question, int listener, const struct change *change) {
  static char path[PATH_BYTES + 1];
  struct __kernel_timespec times[2];
  if (change->times != 0 && read_memory(question->process, change->times, times, sizeof times) != sizeof times)
    return -EFAULT;
  const long file = open_changed(question->process, change);
  if (file < 0) return file;
  TEXT(link, 64);
  add(&link, "/proc/self/fd/");
  add_number(&link, (unsigned long)file, 10);
  const long length = SYSTEM(readlinkat, AT_FDCWD, link.start, path, PATH_BYTES);
  path[length < 0 ? 0 : length] = 0;
  long error = -EPERM;
  // Its number may be another process's by now.
  const int is_asked = SYSTEM(ioctl, listener, IS_STILL_ASKED, &question->id, 0) == 0;
  if (is_asked && is_in_planned('M', path) && !is_in_planned('K', path))
    error = change->is_mode ? SYSTEM(fchmodat, AT_FDCWD, link.start, change->mode, 0)
                            : SYSTEM(utimensat, AT_FDCWD, link.start, change->times == 0 ? 0 : times, 0);
  SYSTEM(close, file, 0, 0, 0);
  return error;
}

/** Whether a file is to get the owner that it has, or would have. */
static int is_own(unsigned long user, unsigned long group) {
  const unsigned own[] = {(unsigned)SYSTEM(geteuid, 0, 0, 0, 0), (unsigned)SYSTEM(getegid, 0, 0, 0, 0)};
  return ((unsigned)user == ~0U || (unsigned)user == own[0]) && ((unsigned)group == ~0U || (unsigned)group == own[1]);
}

static long decide(const struct question *question, int listener) {
  const unsigned long *a = question->arguments;
  struct change change = {HERE, a[1], 0, 0, (int)a[2], TRUE};
  switch (question->call) {
#ifdef __NR_chmod
    case __NR_chmod: change.path = a[0]; change.mode = (int)a[1]; break;
    case __NR_chown: case __NR_lchown: return is_own(a[1], a[2]) ? 0 : -EPERM;
#endif
    case __NR_fchmod: change.folder = (int)a[0]; change.path = 0; change.mode = (int)a[1]; break;
    case __NR_fchmodat: change.folder = (int)a[0]; break;
    case __NR_fchmodat2: change.folder = (int)a[0]; change.flags = (int)a[3]; break;
    case __NR_utimensat:
      change.folder = (int)a[0];
      change.is_mode = FALSE;
      change.times = a[2];
      change.flags = (int)a[3];
      break;
    case __NR_fchown: return is_own(a[1], a[2]) ? 0 : -EPERM;
    case __NR_fchownat: return is_own(a[2], a[3]) ? 0 : -EPERM;
    default: return -EPERM;
  }
  return make_change(question, listener, &change);
}

static void answer_question(int listener) {
  static struct question question;
  memset(&question, 0, sizeof question);
  if (SYSTEM(ioctl, listener, RECEIVE_QUESTION, &question, 0) < 0) return;
  struct answer answer = {question.id, 0, 0, 0};
  answer.error = (int)decide(&question, listener);
  SYSTEM(ioctl, listener, SEND_ANSWER, &answer, 0);
}
