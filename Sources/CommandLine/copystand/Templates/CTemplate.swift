/// A new backend in C.
enum CTemplate {
    static let program = #"""
        /* A made-up scanner of test cards, to be replaced by a device of yours. */
        #define _GNU_SOURCE
        #include "copystand_backend.h"

        enum { WIDTH = 850, HEIGHT = 1100 };

        typedef struct { cs_option brightness; } card;

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
            opened->brightness = cs_common("brightness");
            opened->brightness.help = "How bright cards are.";
            return opened;
        }

        static cs_option *options(void *device, size_t *count) {
            *count = 1;
            return &((card *)device)->brightness;
        }

        static int capture(void *device, cs_sink *sink, int live, long limit) {
            unsigned char row[WIDTH];
            char label[40];
            /* What was set when the capture began; 0 % is the middle of the driver's own range. */
            int lift = (int)cs_level(cs_setting(sink, "brightness")->number, 0, 255);
            (void)device;
            if (live) return cs_fail("unsupported", "test cards have no live view");
            for (long number = 1; number <= (limit ? limit : 1); number++) {
                snprintf(label, sizeof label, "card %ld", number);
                cs_frame frame = {.format = "gray8", .width = WIDTH, .height = HEIGHT, .resolution = 100, .label = label};
                if (cs_begin(sink, &frame)) return -1;
                for (int y = 0; y < HEIGHT; y++) {
                    for (int x = 0; x < WIDTH; x++)
                        row[x] = (unsigned char)(x * 255 / WIDTH + lift + y);
                    /* Fails when the capture is cancelled: write often. return cs_fail("jammed", "...") for faults. */
                    if (cs_write(sink, row, WIDTH)) return -1;
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
}
