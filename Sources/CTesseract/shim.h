#pragma once
#include <spawn.h>
#include <tesseract/capi.h>

/* glibc 2.34; spawn.h shows it with _GNU_SOURCE only, which Swift's importer does not set. Closes all descriptors from
   `from` on in the new process. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
