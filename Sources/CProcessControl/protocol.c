#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "process_control.h"

/// The environment variable with this process's id and the two descriptors. A program that executes itself again keeps
/// its id and finds the descriptors. Its children have other ids, so they ignore the variable.
static const char variable[] = "SPRINGBENCH_PROTOCOL";

static bool find(int *questions, int *answers) {
  int process = 0;
  const char *text = getenv(variable);
  return text != NULL && sscanf(text, "%d %d %d", &process, questions, answers) == 3 && process == getpid();
}

/// Moves springbench's messages from stdin and stdout to other descriptors. Runs before the program's own code, because
/// that code may read stdin, print, or start children that do so.
__attribute__((constructor)) static void move_protocol(int count, char **arguments) {
  static const char *const tasks[] = {"describe", "preflight", "worker"};
  int questions, answers;
  if (count != 2 || find(&questions, &answers)) return;
  for (size_t index = 0; index < sizeof tasks / sizeof *tasks; ++index) {
    if (strcmp(arguments[1], tasks[index]) != 0) continue;
    questions = fcntl(STDIN_FILENO, F_DUPFD, 3);
    answers = fcntl(STDOUT_FILENO, F_DUPFD, 3);
    int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (questions < 0 || answers < 0 || empty < 0) return;
    dup2(empty, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    close(empty);
    char text[40];
    snprintf(text, sizeof text, "%d %d %d", (int)getpid(), questions, answers);
    setenv(variable, text, 1);
  }
}

bool process_control_take_protocol(int *questions, int *answers) {
  if (!find(questions, answers)) return false;
  unsetenv(variable);
  // If a descendant loses its parent, it becomes a child of the worker, so its CPU time can still be measured.
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  return fcntl(*questions, F_SETFD, FD_CLOEXEC) == 0 && fcntl(*answers, F_SETFD, FD_CLOEXEC) == 0;
}
