/* Loaded before libc: the wall clock of a whole process, TLS included, off by so many milliseconds. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
  static long value, known;
  if (!known) {
    const char *text = getenv("CLOCK_SHIFT_MS");
    value = text ? atol(text) / 1000 : 0;
    known = 1;
  }
  return value;
}

int clock_gettime(clockid_t clock, struct timespec *to) {
  int failed = (int)syscall(SYS_clock_gettime, clock, to);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) to->tv_sec += shift();
  return failed;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
  to->tv_sec = exact.tv_sec;
  to->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *to) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (to) *to = exact.tv_sec;
  return exact.tv_sec;
}
