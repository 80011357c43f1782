/* Preloaded into scanimage: loads the unwinder before SANE's `test` driver may cancel the thread that loads it, which would keep the
   dynamic loader's lock and let scanimage wait for ever in the dlclose of its own end. */
#include <execinfo.h>

__attribute__((constructor)) static void load_unwinder(void) {
    void *frame;
    backtrace(&frame, 1);
}
