/*
 * Shifts the clock of one process, for release/faults: CLOCK_REALTIME alone, so that timeouts, which
 * use CLOCK_MONOTONIC, are not affected. LD_PRELOAD names this library, and CLOCK_SHIFT a file with
 * the shift in nanoseconds (8 bytes), which may change at any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const int64_t BILLION = 1000000000;
static const volatile int64_t *shift;
static int (*real_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  real_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *name = getenv("CLOCK_SHIFT");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *mapped = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
    shift = mapped == MAP_FAILED ? NULL : mapped;
    close(file);
  }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!real_gettime) begin();
  int result = real_gettime(clock, time);
  if (result == 0 && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t all = time->tv_sec * BILLION + time->tv_nsec + *shift;
    time->tv_sec = all / BILLION;
    time->tv_nsec = all % BILLION;
  }
  return result;
}
