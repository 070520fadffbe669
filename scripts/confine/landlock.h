// What the kernel's headers of the machine that builds may be too old for: linux/landlock.h and linux/seccomp.h, with the
// numbers that all architectures share.
#include <linux/openat2.h>
#include <linux/stat.h>
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif

enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446, RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

/** Fields behind those that the kernel knows must not be passed: `ruleset_bytes`. */
struct ruleset {
  unsigned long files, net, scopes;
};

struct path_rule {
  unsigned long allowed;
  int parent;
} __attribute__((packed));

enum { EXECUTE = 1, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3 };
enum { MAKE_CHARACTER_DEVICE = 1 << 6, MAKE_BLOCK_DEVICE = 1 << 11 };
enum { REFER = 1 << 13, TRUNCATE = 1 << 14, DEVICE_IOCTL = 1 << 15 };
enum { RIGHTS_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_IOCTL };
enum { BIND_AND_CONNECT_TCP = 3, ABSTRACT_SOCKETS = 1, SIGNALS = 2 };

struct filter_program {
  unsigned short instructions;
  void *filter;
};
enum { SET_FILTER = 1, NEW_LISTENER = 8 };

/** What the filter asks about: struct seccomp_notif. */
struct question {
  unsigned long id;
  unsigned process, flags;
  int call;
  unsigned machine;
  unsigned long instruction, arguments[6];
};
struct answer {
  unsigned long id;
  long value;
  int error;
  unsigned flags;
};
#define RECEIVE_QUESTION 0xc0502100UL
#define SEND_ANSWER 0xc0182101UL
#define IS_STILL_ASKED 0x40082102UL
