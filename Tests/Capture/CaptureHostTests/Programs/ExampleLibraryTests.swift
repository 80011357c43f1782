import CaptureHost
import ContractSupport
import Glibc
import Testing

/// Tests the libraries for Python and C, each with a small backend that has an option of every
/// type.
@Suite struct ExampleLibraryTests {
    private static let hasCompiler = access("/usr/bin/gcc", X_OK) == 0

    @Test(
        "A backend made with the file for Python passes the contract tests",
        arguments: ContractCheck.allCases)
    func python(_ check: ContractCheck) async throws {
        let folder = try Self.pythonFolder()
        try await Self.contract(folder, "feeder").run(check, .program)
    }

    @Test(
        "A camera made with the file for Python passes the tests", arguments: LiveCheck.allCases
    )
    func pythonLive(_ check: LiveCheck) async throws {
        let folder = try Self.pythonFolder()
        try await Self.contract(folder, "camera").run(check, .program)
    }

    @Test(
        "A backend made with the file for C passes the tests, with sanitizers too",
        .enabled(if: hasCompiler, "needs gcc"))
    func c() async throws {
        let folder = try TemporaryFolder()
        let source = folder.file("lib.c")
        Bench.write(Self.cSource, to: source)
        // All checks use one build, since building takes longer than checking.
        let line =
            "gcc -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -pthread -I'\(repositoryRoot)/Examples/c' -o '\(folder.file("lib"))' '\(source)' -lm"
        try #require(system(line) == 0)
        Bench.write(Self.manifest("lib"), to: folder.file("lib.json"))
        for check in ContractCheck.allCases {
            try await Self.contract(folder, "feeder").run(check, .program)
        }
        for check in LiveCheck.allCases {
            try await Self.contract(folder, "camera").run(check, .program)
        }
    }

    private static func contract(_ folder: TemporaryFolder, _ device: String) -> BackendContract {
        BackendContract(
            backend: "lib", device: device, value: FakeBackend(),
            configuration: HostConfiguration(
                backendFolders: [folder.path], stateFile: folder.file("devices-state")))
    }

    private static func manifest(_ program: String) -> String {
        // The address sanitizer reserves terabytes.
        #"{"id":"lib","name":"Library","version":"1","protocol":1,"program":"\#(program)","limits":{"memory":1073741824}}"#
    }

    private static func pythonFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        Bench.write(pythonSource, to: folder.file("lib.py"))
        chmod(folder.file("lib.py"), 0o755)
        Bench.write(manifest("lib.py"), to: folder.file("lib.json"))
        return folder
    }

    private static let pythonSource = #"""
        #!/usr/bin/python3
        import sys, time
        sys.dont_write_bytecode = True
        sys.path.insert(0, "\#(repositoryRoot)/Examples/python")
        import copystand_backend as copystand

        class Device(copystand.Device):
            def __init__(self):
                super().__init__(
                    copystand.toggle("dark", "Dark", False), copystand.integer("gain", "Gain", 3, 1, 9, 2),
                    copystand.number("gamma", "Gamma", 1.5, 0.5, 2.5), copystand.choice("mode", "Mode", "Gray", ["Gray", "Color"]),
                    copystand.choice("dpi", "Resolution", 300, [75, 300, 600], unit="dpi"), copystand.text("note", "Note", "", 40),
                    copystand.button("calibrate", "Calibrate"))
            def changed(self, name, value):
                return name == "mode"
            def capture(self, sink, mode, limit):
                number = 0
                while number < (limit or (3 if mode == "pages" else 1 << 30)):
                    frame = sink.begin("rgb8", 120, 90, time=time.monotonic()) if mode == "live" else sink.begin("gray8", 200, 300)
                    for _ in range(90 if mode == "live" else 300):
                        frame.write(bytes(360 if mode == "live" else 200))
                    frame.finish()
                    number += frame.wanted
                    if mode == "live":
                        sink.sleep(0.002)

        class Backend(copystand.Backend):
            def devices(self, quick):
                return [copystand.device("feeder", "Feeder", "scanner"), copystand.device("camera", "Camera", "camera")]
            def open(self, id):
                if id not in ("feeder", "camera"):
                    raise copystand.Failure("noSuchDevice", f"there is no '{id}'")
                return Device()

        copystand.run(Backend("Library", "1"))

        """#

    private static let cSource = #"""
        #define _GNU_SOURCE
        #include "copystand_backend.h"
        static const char *const modes[] = {"Gray", "Color", NULL};
        static const int dpis[] = {75, 300, 600, 0};
        enum { COUNT = 7 };
        static int devices(cs_list *list, int quick) {
            (void)quick;
            cs_add(list, &(cs_device){.id = "feeder", .name = "Feeder", .kind = "scanner"});
            cs_add(list, &(cs_device){.id = "camera", .name = "Camera", .kind = "camera"});
            return 0;
        }
        static void *open_device(const char *id) {
            cs_option *options;
            if (strcmp(id, "feeder") && strcmp(id, "camera")) { cs_fail("noSuchDevice", "there is no '%s'", id); return NULL; }
            if (!(options = calloc(COUNT, sizeof *options))) abort();
            options[0] = (cs_option){.name = "dark", .title = "Dark", .kind = CS_TOGGLE};
            options[1] = (cs_option){.name = "gain", .title = "Gain", .kind = CS_INTEGER, .number = 3, .minimum = 1, .maximum = 9, .step = 2};
            options[2] = (cs_option){.name = "gamma", .title = "Gamma", .kind = CS_NUMBER, .number = 1.5, .minimum = 0.5, .maximum = 2.5};
            options[3] = (cs_option){.name = "mode", .title = "Mode", .kind = CS_CHOICE, .text = "Gray", .choices = modes};
            options[4] = (cs_option){.name = "dpi", .title = "Resolution", .kind = CS_INTEGER_CHOICE, .number = 300, .numbers = dpis};
            options[5] = (cs_option){.name = "note", .title = "Note", .kind = CS_TEXT};
            options[6] = (cs_option){.name = "calibrate", .title = "Calibrate", .kind = CS_BUTTON};
            return options;
        }
        static cs_option *options(void *device, size_t *count) { *count = COUNT; return device; }
        static int changed(void *device, const cs_option *option) { (void)device; return !strcmp(option->name, "mode"); }
        static int capture(void *device, cs_sink *sink, int live, long limit) {
            unsigned char row[360] = {0};
            (void)device;
            for (long number = 0; live ? !limit || number < limit : number < (limit ? limit : 3);) {
                struct timespec now;
                clock_gettime(CLOCK_MONOTONIC, &now);
                int width = live ? 120 : 200, height = live ? 90 : 300, bytes = live ? 360 : 200;
                int dropped = cs_begin(sink, &(cs_frame){.format = live ? "rgb8" : "gray8", .width = width, .height = height,
                    .time = live ? (double)now.tv_sec + (double)now.tv_nsec / 1e9 : 0});
                if (dropped < 0) return -1;
                if (live && !dropped) {
                    void *memory = cs_memory(sink, (size_t)(bytes * height));
                    if (!memory) return -1;
                    memset(memory, 7, (size_t)(bytes * height));
                } else for (int y = 0; y < height; y++) if (cs_write(sink, row, (size_t)bytes)) return -1;
                if (cs_finish(sink, NULL, 0)) return -1;
                if (!dropped) number++;
                if (live && cs_sleep(sink, 0.002)) return -1;
            }
            return 0;
        }
        static void close_device(void *device) { free(device); }
        int main(void) {
            return cs_run(&(cs_backend){.name = "Library", .version = "1", .devices = devices, .open = open_device,
                .options = options, .changed = changed, .capture = capture, .close = close_device});
        }

        """#
}
