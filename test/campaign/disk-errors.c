/*
 * Writes and syncs of SQLite's files fail with EIO, as on a disk that is breaking, while the file that DISK_ERRORS names
 * begins with 1. Each second one, so that transactions fail in the middle too. While it begins with 2 they wait, as on a
 * file system that is frozen. Loaded with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static const volatile char *failing;
static int calls;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("DISK_ERRORS");
  if (path == NULL) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) failing = mapped;
  close(file);
}

static int fails(int file) {
  if (failing == NULL || *failing == '0') return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, ".sqlite") == NULL) return 0;
  while (*failing == '2') usleep(1000);
  if (*failing != '1') return 0;
  if (__sync_fetch_and_add(&calls, 1) % 2 == 0) return 0;
  errno = EIO;
  return 1;
}

#define REAL(name, result, ...) \
  static result (*real)(__VA_ARGS__); \
  if (real == NULL) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  REAL("pwrite64", ssize_t, int, const void *, size_t, off64_t);
  return fails(file) ? -1 : real(file, bytes, length, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  REAL("pwrite", ssize_t, int, const void *, size_t, off_t);
  return fails(file) ? -1 : real(file, bytes, length, offset);
}

ssize_t write(int file, const void *bytes, size_t length) {
  REAL("write", ssize_t, int, const void *, size_t);
  return fails(file) ? -1 : real(file, bytes, length);
}

int fsync(int file) {
  REAL("fsync", int, int);
  return fails(file) ? -1 : real(file);
}

int fdatasync(int file) {
  REAL("fdatasync", int, int);
  return fails(file) ? -1 : real(file);
}
