// Starts programs in turns and prints the ms of each call, a line a round: `spawn-times ROUNDS WORD… -- WORD…`. Node's
// own spawn takes 2 ms, which is more than a call through the launcher that starts nothing.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void read_all(int file) {
  char bytes[65536];
  while (read(file, bytes, sizeof bytes) > 0);
  close(file);
}

/** Returns the ms until it has ended and its output was read; ends this program if it fails. */
static double time_call(char **argv) {
  int output[2], errors[2], status;
  pid_t pid;
  posix_spawn_file_actions_t actions;
  if (pipe2(output, O_CLOEXEC) < 0 || pipe2(errors, O_CLOEXEC) < 0) exit(1);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
  const double start = now_ms();
  const int error = posix_spawnp(&pid, argv[0], &actions, 0, argv, environ);
  close(output[1]);
  close(errors[1]);
  if (error == 0) {
    read_all(output[0]);
    read_all(errors[0]);
    waitpid(pid, &status, 0);
  }
  const double took = now_ms() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0 || status != 0) {
    fprintf(stderr, "%s failed\n", argv[0]);
    exit(1);
  }
  return took;
}

int main(int count, char **argv) {
  char **programs[64] = {argv + 2};
  int used = 1;
  for (int at = 2; at < count; at++)
    if (strcmp(argv[at], "--") == 0 && used < 64) {
      argv[at] = 0;
      programs[used++] = argv + at + 1;
    }
  for (int round = 0; round < atoi(argv[1]); round++) {
    for (int at = 0; at < used; at++) printf("%.3f ", time_call(programs[at]));
    printf("\n");
  }
}
