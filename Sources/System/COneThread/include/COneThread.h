/* OpenMP's parallel regions for a program that should use one thread. */
#ifndef CONETHREAD_H
#define CONETHREAD_H

/* These replace GNU's OpenMP library in a program that is linked with them, for every caller;
 * its interface is described in "The libgomp ABI" of the GNU Offloading and Multi Processing
 * Runtime Library's manual.
 *
 * Tesseract opens a parallel region for every column of pixels of every line. Held to one thread
 * (OMP_THREAD_LIMIT), GNU's library still wakes the threads that wait at each region's end:
 * 20,000 system calls a second, with no thread to wake. Here the caller does all the work.
 * Outside of its regions, omp_get_num_threads returns 1 and omp_get_thread_num returns 0, as
 * they should. */

/* #pragma omp parallel: one thread runs the region. */
void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);

/* #pragma omp parallel sections: one thread runs all sections, which it gets from
 * GOMP_sections_next. May be nested. */
void GOMP_parallel_sections(
    void (*region)(void *), void *data, unsigned threads, unsigned sections, unsigned flags);

/* The number of the next section, from 1 on; 0 after the last. */
unsigned GOMP_sections_next(void);

/* Ends sections for which no thread waits. */
void GOMP_sections_end_nowait(void);

#endif
