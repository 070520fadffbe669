// Linux without a C library: the launcher starts in a third of the time of a static program that has one, and is one
// page of code. Only calls that every architecture of Linux has are here, so fork is `clone` and open is `openat`.
#include <asm/ioctls.h>
#include <asm/poll.h>
#include <asm/signal.h>
#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/resource.h>
#include <linux/signalfd.h>
#include <linux/time_types.h>
#include <linux/uio.h>
#include <linux/un.h>

typedef unsigned char byte;
typedef unsigned long size;

enum { FALSE, TRUE };

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call launch\n");

static inline long system6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
__asm__(".globl _start\n_start:\n mov x29, #0\n mov x0, sp\n bl launch\n");

static inline long system6(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#endif

/** Returns the result, or the negative number of an error. */
#define SYSTEM(name, a, b, c, d) system6(__NR_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

#define POLL_FOREVER (-1)
#define SIGNAL_SET_BYTES 8
#define signal_bit(number) (1UL << ((number) - 1))

// The compiler makes calls of these of loops and assignments, so they must not be made of calls of themselves.
void *memcpy(void *restrict to, const void *restrict from, size length) {
  byte *target = to;
  const byte *source = from;
  for (size at = 0; at < length; at++) target[at] = source[at];
  return to;
}

void *memset(void *to, int value, size length) {
  byte *target = to;
  for (size at = 0; at < length; at++) target[at] = (byte)value;
  return to;
}

static size length_of(const char *text) {
  size length = 0;
  while (text[length] != 0) length++;
  return length;
}

/** Returns what follows `start` in `text`; a null pointer if `text` begins otherwise. */
static const char *after(const char *text, const char *start) {
  while (*start != 0)
    if (*text++ != *start++) return 0;
  return text;
}

static int is_same(const char *one, const char *other) {
  const char *rest = after(one, other);
  return rest != 0 && *rest == 0;
}

/** A text that is put together in fixed memory. One that does not fit is marked, and must not be used. */
struct text {
  char *start;
  size used, room;
  int is_cut;
};

#define TEXT(name, bytes)    \
  char name##_memory[bytes]; \
  struct text name = {name##_memory, 0, bytes, FALSE}

static void add_bytes(struct text *text, const char *bytes, size length) {
  if (text->used + length + 1 > text->room) {
    text->is_cut = TRUE;
    return;
  }
  memcpy(text->start + text->used, bytes, length);
  text->used += length;
  text->start[text->used] = 0;
}

static void add(struct text *text, const char *more) {
  add_bytes(text, more, length_of(more));
}

static void add_number(struct text *text, unsigned long number, unsigned base) {
  char digits[64];
  size at = sizeof digits;
  do digits[--at] = "0123456789abcdef"[number % base];
  while ((number /= base) != 0);
  add_bytes(text, digits + at, sizeof digits - at);
}

static void end_program(int code) {
  for (;;) SYSTEM(exit_group, code, 0, 0, 0);
}

static long open_file(const char *path, int flags) {
  return SYSTEM(openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
}

static long state_of(const char *path, struct stat *state, int flags) {
  return SYSTEM(newfstatat, AT_FDCWD, path, state, flags);
}

/** Returns the number of bytes, which is less than `room`; 0 if the file cannot be read. */
static size read_start(const char *path, char *to, size room) {
  long file = open_file(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  size used = 0;
  if (file < 0) return 0;
  for (long got; used < room - 1 && (got = SYSTEM(read, file, to + used, room - 1 - used, 0)) > 0;) used += got;
  SYSTEM(close, file, 0, 0, 0);
  to[used] = 0;
  return used;
}

static long fork_process(void) {
  return system6(__NR_clone, SIGCHLD, 0, 0, 0, 0, 0);
}

/** Waits until one is ready. Returns how many are; 0 after the time. */
static long poll_for(struct pollfd *files, size count, long limit_ms) {
  struct __kernel_timespec limit = {limit_ms / 1000, limit_ms % 1000 * 1000000};
  return system6(__NR_ppoll, (long)files, (long)count, (long)(limit_ms < 0 ? 0 : &limit), 0, SIGNAL_SET_BYTES, 0);
}
