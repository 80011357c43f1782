#pragma once

#include <stddef.h>

/*
 * Regular expressions by RE2 (libre2-dev), whose interface is C++: the time of a search grows with
 * the text alone, whatever the pattern, and a pattern that would need too much memory is refused
 * when it is compiled. No C++ exception leaves these functions.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cre2_pattern cre2_pattern;

/* A part of the searched text, in bytes; `start` is -1 if there is none. */
typedef struct {
    ptrdiff_t start;
    size_t count;
} cre2_span;

/* Compiles a pattern of UTF-8; cre2_problem() tells whether the pattern is valid. NULL if there
 * is no memory. Freed with cre2_free(). */
cre2_pattern *cre2_compile(char const *text, size_t count);
void cre2_free(cre2_pattern *pattern);

/* The error in the pattern, and the part with the error; NULL for none. Both are valid as long
 * as the pattern. */
char const *cre2_problem(cre2_pattern const *pattern);
char const *cre2_problem_part(cre2_pattern const *pattern);

/* The number of groups with this name in the pattern: 0 or 1. */
int cre2_has_group(cre2_pattern const *pattern, char const *name);

/*
 * Finds the first match in `text`: 1 when there is one, 0 when there is none, -1 when there is
 * no memory. `named` is the match of the group called `name`. Several threads may search with
 * one pattern.
 */
int cre2_search(cre2_pattern const *pattern, char const *text, size_t count, char const *name,
    cre2_span *whole, cre2_span *named);

#ifdef __cplusplus
}
#endif
