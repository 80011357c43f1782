/* The floor to compare with: two Tesseract engines in one process, with one thread each, which
 * only write hOCR for the same images. */
#include <leptonica/allheaders.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <tesseract/capi.h>

static char **names;
static int count;
static atomic_int next;

static void *work(void *unused)
{
    TessBaseAPI *engine = TessBaseAPICreate();
    if (TessBaseAPIInit3(engine, NULL, "eng") != 0) exit(3);
    for (int i; (i = atomic_fetch_add(&next, 1)) < count;) {
        PIX *image = pixRead(names[i]);
        if (!image) exit(4);
        TessBaseAPISetImage2(engine, image);
        char *text = TessBaseAPIGetHOCRText(engine, i);
        if (!text) exit(5);
        TessDeleteText(text);
        pixDestroy(&image);
    }
    TessBaseAPIDelete(engine);
    return unused;
}

int main(int argc, char **argv)
{
    names = argv + 1;
    count = argc - 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
