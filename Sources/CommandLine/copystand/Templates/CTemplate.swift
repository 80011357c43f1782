/// The files of a new backend in C.
enum CTemplate {
    static let program = #"""
        /* A made-up scanner of test cards, to be replaced by a device of yours. */
        #define _GNU_SOURCE
        #include "copystand_backend.h"
        #include "fake_scanner.h"

        typedef struct { cs_option brightness; fake_scanner scanner; } card;

        /* Replace the fake device with yours; use it only if {{variable}} is set, as in tests. */
        static int devices(cs_list *list, int quick) {
            (void)quick;
            cs_add(list, &(cs_device){.id = "card", .name = "Test cards", .kind = "scanner", .sources = {"feeder"}});
            return 0;
        }

        static void *open_card(const char *id) {
            card *opened;
            if (strcmp(id, "card")) {
                cs_fail("noSuchDevice", "there is no device '%.100s'", id);
                return NULL;
            }
            if (!(opened = calloc(1, sizeof *opened))) {
                cs_fail("outOfMemory", "there is no memory for the device");
                return NULL;
            }
            opened->scanner.fault = getenv("{{variable}}");
            opened->brightness = cs_common("brightness");
            opened->brightness.help = "How bright cards are.";
            return opened;
        }

        static cs_option *options(void *device, size_t *count) {
            *count = 1;
            return &((card *)device)->brightness;
        }

        static int capture(void *device, cs_sink *sink, int live, long limit) {
            fake_scanner *scanner = &((card *)device)->scanner;
            unsigned char row[FAKE_WIDTH];
            char label[40];
            /* What was set when the capture began; 0 % is the middle of the driver's own range. */
            int lift = (int)cs_level(cs_setting(sink, "brightness")->number, 0, 255);
            if (live) return cs_fail("unsupported", "test cards have no live view");
            for (long number = 1; number <= (limit ? limit : 1); number++) {
                int fed = fake_feed(scanner);
                if (fed < 0) return cs_fail("jammed", "card %ld is jammed", number), cs_advise("Pull it out.");
                if (!fed) return cs_fail("feederEmpty", "there is no card in the feeder");
                snprintf(label, sizeof label, "card %ld", number);
                cs_frame frame = {.format = "gray8", .width = FAKE_WIDTH, .height = FAKE_HEIGHT, .resolution = 100, .label = label};
                if (cs_begin(sink, &frame)) return -1;
                for (int y = 0; y < FAKE_HEIGHT; y++) {
                    fake_row(y, lift, row);
                    /* Fails when the capture is canceled: write often. */
                    if (cs_write(sink, row, FAKE_WIDTH)) return -1;
                }
                if (cs_finish(sink, NULL, 0)) return -1;
            }
            return 0;
        }

        static void close_card(void *device) { free(device); }

        int main(void) {
            return cs_run(&(cs_backend){.name = "{{title}}", .version = "1.0", .devices = devices, .open = open_card,
                                        .options = options, .capture = capture, .close = close_card});
        }

        """#

    static let fake = #"""
        /* A made-up scanner, so that tests need no hardware. `fault` is "empty", "jam"
           (at the second card), or anything else for none. */
        #include <string.h>

        enum { FAKE_WIDTH = 850, FAKE_HEIGHT = 1100 };

        typedef struct { const char *fault; long fed; } fake_scanner;

        /* Feeds the next card: 1. 0: there is none. -1: it is stuck. */
        static int fake_feed(fake_scanner *scanner) {
            const char *fault = scanner->fault ? scanner->fault : "";
            if (++scanner->fed == 2 && !strcmp(fault, "jam")) return -1;
            return strcmp(fault, "empty") != 0;
        }

        /* The pixels of a row: a ramp that is shifted row by row. */
        static void fake_row(int number, int lift, unsigned char *row) {
            for (int x = 0; x < FAKE_WIDTH; x++)
                row[x] = (unsigned char)(x * 255 / FAKE_WIDTH + lift + number);
        }

        """#
}
