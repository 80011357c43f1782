#pragma once
#include <stddef.h>

/* Names of files are bytes, texts of Swift are Unicode. A byte that no text can hold safely stands
   in it as the scalar U+10FF00 + byte: one that is not UTF-8, or belongs to a control or format
   character.

   Linked into a program, this target also stands before the C library's calls that take a path
   (open, stat, rename, ...): they turn such scalars back into bytes, for the program, Foundation
   and every library alike. A path longer than the kernel takes at once is walked in parts. */

/* Writes the bytes that `text` stands for to `bytes`, which has room for `count`. Returns their
 * number. */
size_t cfilenames_decode(const char *text, size_t count, char *bytes);
