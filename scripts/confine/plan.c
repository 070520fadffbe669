// The plan: what is to be confined and how, as strings that each end with a zero and begin with a letter.
// src/features/confinement/host/confine-program.ts writes it.
//   A4          needs Landlock of this version
//   T7          tells in this file how far it has come
//   S8          loads the filter of system calls that is in this file
//   C9          the working folder is this one
//   F           stays, ends everything with the command, and answers what the filter asks
//   Rr5:sub     may read what is in an open folder, or below: `r` read, `w` write, `v` write to devices too, `d` read and
//               write a device, `l` list. `-` in place of the number: the path is a whole one
//   M/path      may change modes and times of what is there
//   K/path      and not of what is there
//   X10         closes it before the command starts
//   Ename=value a variable; without any, the command has those of this program

static char *plan, *plan_end;
static void read_plan(int file) {
  struct stat state;
  if (SYSTEM(fstat, file, &state, 0, 0) < 0) end_program(OWN_FAILURE);
  // A zero ends the last string, too: the rest of its page is empty, or there is one more.
  const long start = system6(__NR_mmap, 0, state.st_size + 1, 3 /* read, write */, 2 /* private */, file, 0);
  if (start < 0 && start > -4096) end_program(OWN_FAILURE);
  plan = (char *)start;
  plan_end = plan + state.st_size;
}

/** Returns the string behind `entry` that begins with `letter`, without it; a null pointer if there is none. */
static char *next(char letter, char *entry) {
  char *at = entry == 0 ? plan : entry + length_of(entry) + 1;
  while (at < plan_end && *at != letter) at += length_of(at) + 1;
  return at < plan_end ? at + 1 : 0;
}

static long number_in(const char *text, const char **end) {
  long number = 0;
  while (*text >= '0' && *text <= '9') number = number * 10 + (*text++ - '0');
  if (end != 0) *end = text;
  return number;
}

/** Returns a number of the plan; negative if it has none. */
static int planned(char letter) {
  const char *entry = next(letter, 0);
  return entry == 0 ? -1 : (int)number_in(entry, 0);
}

/** Returns the variables of the plan, or those of this program. */
static char **planned_environment(char **own) {
  size count = 0;
  for (char *at = next('E', 0); at != 0; at = next('E', at)) count++;
  if (count == 0) return own;
  const long start = system6(__NR_mmap, 0, (count + 1) * sizeof(char *), 3, 0x22 /* private, anonymous */, -1, 0);
  if (start < 0 && start > -4096) end_program(OWN_FAILURE);
  char **const all = (char **)start;
  count = 0;
  for (char *at = next('E', 0); at != 0; at = next('E', at)) all[count++] = at;
  return all;
}
