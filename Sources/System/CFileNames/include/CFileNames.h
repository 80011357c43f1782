#pragma once
#include <stddef.h>

/* Names of files are bytes, texts of Swift are Unicode. A byte that text can't hold safely (not
   UTF-8, or part of a control or format character) is written as the scalar U+10FF00 + byte.

   Linked into a program, this target also replaces the C library's calls that take a path (open,
   stat, rename, ...): they turn such scalars back into bytes, for the program, Foundation and
   every library. A path longer than the kernel's limit is walked in parts. */

/* Writes the bytes that `text` stands for to `bytes`, which has room for `count`. Returns their
 * number. */
size_t cfilenames_decode(const char *text, size_t count, char *bytes);
