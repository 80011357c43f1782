#include "COneThread.h"

/* The sections that the thread runs: how many have begun, and how many there are. */
static _Thread_local struct {
    unsigned begun, all;
} now;

void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)threads, (void)flags;
    region(data);
}

void GOMP_parallel_sections(
    void (*region)(void *), void *data, unsigned threads, unsigned sections, unsigned flags)
{
    (void)threads, (void)flags;
    __typeof__(now) outer = now;
    now.begun = 0;
    now.all = sections;
    region(data);
    now = outer;
}

unsigned GOMP_sections_next(void) { return now.begun < now.all ? ++now.begun : 0; }

void GOMP_sections_end_nowait(void) {}
