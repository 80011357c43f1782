#ifndef CPROGRAMFILES_H
#define CPROGRAMFILES_H

#include <stddef.h>
#include <stdint.h>

/// A file that is part of the program.
typedef struct {
    /// Its path, relative to the folder of CProgramFiles.
    const char *path;
    const uint8_t *bytes;
    size_t count;
} pf_file;

/// All files that are part of the program, in no order.
const pf_file *pf_files(size_t *count);

#endif
