/*
 * The wall clock of a process that another one sets. CLOCK_FILE names a file with the milliseconds by which it is off, as
 * a 64-bit number of this machine. The monotonic clock goes on. Loaded with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *off_by;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("CLOCK_FILE");
  if (path == NULL) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) off_by = mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  /* Constructors of other libraries may ask before this one's has run. */
  if (real_clock_gettime == NULL) real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real_clock_gettime(clock, time);
  if (failed || off_by == NULL) return failed;
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return 0;
  int64_t ms = *off_by;
  time->tv_sec += ms / 1000;
  time->tv_nsec += ms % 1000 * 1000000;
  if (time->tv_nsec >= 1000000000) {
    time->tv_nsec -= 1000000000;
    time->tv_sec += 1;
  } else if (time->tv_nsec < 0) {
    time->tv_nsec += 1000000000;
    time->tv_sec -= 1;
  }
  return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into != NULL) *into = now.tv_sec;
  return now.tv_sec;
}
