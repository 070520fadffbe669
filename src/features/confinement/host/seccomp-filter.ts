// The system calls that a confined process may not make, as a program for the kernel's filter (seccomp(2), classic
// BPF). It forbids what leads out of the sandbox although files, processes and network are hidden: sockets to other
// programs of the machine, namespaces of its own, and parts of the kernel that ordinary programs do not use.
import { Buffer } from "node:buffer";

type FilteredMachine = "x64" | "arm64";

interface Machine {
  /** `AUDIT_ARCH_…` of linux/audit.h. */
  readonly audit: number;
  readonly forbidden: readonly number[];
  readonly clone: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly alone: AloneCalls;
}

/** What the other namespaces of bubblewrap, and its read-only mounts, keep from others where there are none. */
interface AloneCalls {
  /** Shared memory, semaphores and queues, both kinds; watching folders; times without their own row. */
  readonly forbidden: readonly number[];
  /** Modes, times and owners of files: `dottool-confine` makes the call where the command may write. */
  readonly asked: readonly number[];
  /** Attributes of files. */
  readonly unsupported: readonly number[];
  /** Limits and priorities, whose first, or second, argument must be 0: the process itself. */
  readonly ofFirst: readonly number[];
  readonly ofSecond: readonly number[];
  readonly prctl: number;
}

/** The same numbers on all machines: io_uring, the mount calls of Linux 5.2 and later, pidfd_getfd, quotactl_fd. */
const NEW_CALLS = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443];
const CLONE3 = 435;
/** The same: fchmodat2; and setxattrat, removexattrat, file_setattr. */
const FCHMODAT2 = 452;
const NEW_UNSUPPORTED = [463, 466, 469];

// Numbers are from arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
const machines: Readonly<Record<FilteredMachine, Machine>> = {
  x64: {
    audit: 0xc000003e,
    // ptrace, process_vm_readv, process_vm_writev, kcmp; bpf, perf_event_open, userfaultfd; add_key, request_key,
    // keyctl; unshare, setns, mount, umount2, pivot_root, chroot; init_module, finit_module, delete_module, kexec_load,
    // kexec_file_load, reboot; name_to_handle_at, open_by_handle_at, fanotify_init; acct, swapon, swapoff, quotactl,
    // syslog, lookup_dcookie; iopl, ioperm, modify_ldt, uselib, nfsservctl.
    forbidden: [
      101, 310, 311, 312, 321, 298, 323, 248, 249, 250, 272, 308, 165, 166, 155, 161, 175, 313, 176, 246, 320, 169, 303,
      304, 300, 163, 167, 168, 179, 103, 212, 172, 173, 154, 134, 180,
    ],
    clone: 56,
    ioctl: 16,
    socket: 41,
    socketpair: 53,
    alone: {
      // shmget, shmat, shmctl, shmdt; semget, semop, semctl, semtimedop; msgget, msgsnd, msgrcv, msgctl; mq_open,
      // mq_unlink; inotify_add_watch; utime, utimes, futimesat.
      forbidden: [29, 30, 31, 67, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241, 254, 132, 235, 261],
      // chmod, fchmod, fchmodat, utimensat, chown, fchown, lchown, fchownat.
      asked: [90, 91, 268, 280, 92, 93, 94, 260],
      // setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr.
      unsupported: [188, 189, 190, 197, 198, 199],
      // prlimit64, sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr; setpriority, ioprio_set.
      ofFirst: [302, 142, 144, 203, 314],
      ofSecond: [141, 251],
      prctl: 157,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    // The same calls, as far as this machine has them.
    forbidden: [
      117, 270, 271, 272, 280, 241, 282, 217, 218, 219, 97, 268, 40, 39, 41, 51, 105, 273, 106, 104, 294, 142, 264, 265,
      262, 89, 224, 225, 60, 116, 18,
    ],
    clone: 220,
    ioctl: 29,
    socket: 198,
    socketpair: 199,
    alone: {
      forbidden: [194, 196, 195, 197, 190, 193, 191, 192, 186, 189, 188, 187, 180, 181, 27],
      asked: [52, 53, 88, 55, 54],
      unsupported: [5, 6, 7, 14, 15, 16],
      ofFirst: [261, 118, 119, 122, 274],
      ofSecond: [140, 30],
      prctl: 167,
    },
  },
};

// Offsets in `struct seccomp_data`. The lower halves of arguments come first on both machines.
const NUMBER = 0;
const MACHINE = 4;
const argument = (index: number): number => 16 + index * 8;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EOPNOTSUPP = 0x0005005f;
const ENOTTY = 0x00050019;
const ASK = 0x7fc00000;

/** The first number of the x32 calls, which are the same calls under other numbers. */
const X32 = 0x40000000;
const AF_INET = 2;
const AF_INET6 = 10;
const SOCKET_KIND = 0xf;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
/** Puts characters into the input of a terminal (TIOCSTI), and does so on a console (TIOCLINUX). */
const TERMINAL_INPUT = [0x5412, 0x541c];
/** The kinds of ioctl(2) that set what a file system stores of a file (FS_IOC_…), which takes no right to write. */
const IOCTL_KIND = 0xff00;
const FILE_SYSTEM = [0x5800, 0x6600];
/** A process that is not dumpable does not show its mark: `PR_SET_DUMPABLE`. */
const SET_DUMPABLE = 4;
/** All `CLONE_NEW…` that clone(2) takes. */
const NAMESPACES = 0x7e020000;

const load = (offset: number): Buffer => instruction(0x20, offset);
const and = (bits: number): Buffer => instruction(0x54, bits);
const answer = (value: number): Buffer => instruction(0x06, value);
/** Goes on after as many instructions as the first number says if equal, else the second. */
const ifEqual = (value: number, yes: number, no: number): Buffer => instruction(0x15, value, [yes, no]);
const ifAtLeast = (value: number, yes: number, no: number): Buffer => instruction(0x35, value, [yes, no]);
const ifAnyBit = (bits: number, yes: number, no: number): Buffer => instruction(0x45, bits, [yes, no]);

/**
 * Returns the filter as `bwrap --seccomp` reads it; undefined for a machine whose numbers are not known. `isAlone`: no
 * namespace hides what the calls are about.
 */
export function seccompFilter(machine: string, isAlone = false): Buffer | undefined {
  const numbers = machine === "x64" || machine === "arm64" ? machines[machine] : undefined;
  if (!numbers) return undefined;
  return Buffer.concat([
    // Programs for another machine, such as 32-bit ones, would use other numbers.
    load(MACHINE),
    ifEqual(numbers.audit, 1, 0),
    answer(KILL_PROCESS),
    load(NUMBER),
    ...(machine === "x64" ? [ifAtLeast(X32, 0, 1), answer(ENOSYS)] : []),
    ...[...numbers.forbidden, ...NEW_CALLS].flatMap((number) => [ifEqual(number, 0, 1), answer(EPERM)]),
    ...(isAlone ? aloneRules(numbers.alone) : []),
    // The filter cannot read the structure that it gets; the C library uses clone(2) instead.
    ifEqual(CLONE3, 0, 1),
    answer(ENOSYS),
    ...forCall(numbers.clone, [load(argument(0)), ifAnyBit(NAMESPACES, 0, 1), answer(EPERM), answer(ALLOW)]),
    ...forCall(numbers.ioctl, [
      load(argument(1)),
      ...TERMINAL_INPUT.flatMap((request) => [ifEqual(request, 0, 1), answer(EPERM)]),
      ...(isAlone ? [and(IOCTL_KIND), ...FILE_SYSTEM.flatMap((kind) => [ifEqual(kind, 0, 1), answer(ENOTTY)])] : []),
      answer(ALLOW),
    ]),
    ...forCall(numbers.socket, [
      load(argument(0)),
      ...(isAlone ? [] : [ifEqual(AF_INET, 1, 0), ifEqual(AF_INET6, 0, 1), answer(ALLOW)]),
      answer(EPERM),
    ]),
    // A pair of datagram sockets could send to others; the kernel makes one for SOCK_RAW, too.
    ...forCall(numbers.socketpair, [
      load(argument(1)),
      and(SOCKET_KIND),
      ifEqual(SOCK_STREAM, 1, 0),
      ifEqual(SOCK_SEQPACKET, 0, 1),
      answer(ALLOW),
      answer(EPERM),
    ]),
    answer(ALLOW),
  ]);
}

function aloneRules({ forbidden, asked, unsupported, ofFirst, ofSecond, prctl }: AloneCalls): readonly Buffer[] {
  const each = (numbers: readonly number[], value: number): readonly Buffer[] =>
    numbers.flatMap((number) => [ifEqual(number, 0, 1), answer(value)]);
  const zeroAt = (numbers: readonly number[], index: number): readonly Buffer[] =>
    numbers.flatMap((number) =>
      forCall(number, [load(argument(index)), ifEqual(0, 0, 1), answer(ALLOW), answer(EPERM)]),
    );
  return [
    ...each(forbidden, EPERM),
    ...each([...asked, FCHMODAT2], ASK),
    ...each([...unsupported, ...NEW_UNSUPPORTED], EOPNOTSUPP),
    ...zeroAt(ofFirst, 0),
    ...zeroAt(ofSecond, 1),
    ...forCall(prctl, [load(argument(0)), ifEqual(SET_DUMPABLE, 0, 1), answer(EPERM), answer(ALLOW)]),
  ];
}

/** `rules` end with an answer. */
function forCall(number: number, rules: readonly Buffer[]): readonly Buffer[] {
  return [ifEqual(number, 0, rules.length), ...rules];
}

/** `struct sock_filter`. */
function instruction(code: number, value: number, [yes, no] = [0, 0]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes ?? 0, 2);
  bytes.writeUInt8(no ?? 0, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
