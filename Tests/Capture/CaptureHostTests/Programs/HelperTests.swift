import CaptureHost
import CaptureKit
import ContractSupport
import Glibc
import Testing

/// Tests the libraries for Python and C beyond the contract: problems, metadata, sensors, options
/// during a capture, and captures that a cancel wakes.
@Suite struct HelperTests {
    enum Language: CaseIterable { case python, c }

    @Test("Both files implement the whole protocol", arguments: Language.allCases)
    func everything(_ language: Language) async throws {
        let folder = try TemporaryFolder()
        try Self.place(language, in: folder)
        let bench = try Bench([:]) {
            $0.backendFolders = [folder.path]
            $0.deadlines = Deadlines()
        }
        let listing = await bench.host.listDevices()
        #expect(listing.devices.map(\.id) == ["lib:d"])
        #expect(listing.problems.map(\.message) == ["one driver hung"])

        let device = try await bench.open("lib:d")
        try await settings(device)
        try await sensor(device, bench)
        try await kept(device, bench)
        try await woken(device, bench)
        try await failing(device)
        await bench.host.shutdown()
    }

    private func settings(_ device: OpenDevice) async throws {
        let options = try await device.options()
        let gain = try #require(options.first { $0.name == "gain" })
        #expect(gain.value == .integer(5) && gain.defaultValue == .integer(3))
        let gamma = try #require(options.first { $0.name == "gamma" })
        #expect(gamma.type == .number(range: 0...2, step: 0.5))
        #expect(try await device.set("gamma", to: .number(1.5)).value == .number(1.5))
        let mode = try #require(options.first { $0.name == "mode" })
        #expect(mode.type == .choice(["bilevel", "gray", "color"]))
        let brightness = try #require(options.first { $0.name == "brightness" })
        #expect(brightness.unit == .percent)
    }

    /// A press remains until the options are read, independent of the host's other requests.
    private func sensor(_ device: OpenDevice, _ bench: Bench) async throws {
        func isPressed() async throws -> OptionValue? {
            try await device.options().first { $0.name == "pressed" }?.value
        }
        _ = try await device.set("press", to: .bool(true))
        _ = try await device.set("gain", to: .integer(5))
        let outcome = await bench.capture(device, CaptureRequest(limit: 1))
        let page = try #require(outcome.pages.first?.description, "\(outcome.error as Any)")
        #expect(page.problems == ["One lamp is dark."])
        #expect(page.metadata == FrameMetadata(exposure: 0.25, focus: 0))
        #expect(try await isPressed() == .bool(true))
        #expect(try await isPressed() == .bool(false))
        _ = try await device.set("poke", to: .bool(true))
        #expect(try await device.options().first { $0.name == "pressed" }?.value == .bool(true))
        #expect(try await isPressed() == .bool(false))
    }

    /// A capture uses the options from its beginning; this capture waits until another value is
    /// set.
    private func kept(_ device: OpenDevice, _ bench: Bench) async throws {
        _ = try await device.set("waits", to: .bool(true))
        async let capture = bench.capture(device, CaptureRequest(limit: 1), from: 20)
        // The option shows that the capture has begun.
        while try await device.options().first(where: { $0.name == "pressed" })?.value
            != .bool(true)
        {}
        _ = try await device.set("gain", to: .integer(6))
        let outcome = await capture
        #expect(outcome.error == nil && outcome.pages.map(\.description.label) == ["gain 5"])
    }

    /// A capture that is blocked in a call ends when it is canceled.
    private func woken(_ device: OpenDevice, _ bench: Bench) async throws {
        _ = try await device.set("blocks", to: .bool(true))
        let capture = Task { await bench.capture(device, CaptureRequest(limit: 1), from: 30) }
        _ = try await device.options()
        capture.cancel()
        let outcome = await capture.value
        #expect(outcome.pages.isEmpty)
        #expect(outcome.hostError?.code != .hung, "\(outcome.error as Any)")
        _ = try await device.set("blocks", to: .bool(false))
        let again = await bench.capture(device, CaptureRequest(limit: 1), from: 40)
        #expect(again.pages.count == 1, "\(again.error as Any)")
    }

    /// A list of options may fail.
    private func failing(_ device: OpenDevice) async throws {
        _ = try await device.set("fail", to: .bool(true))
        await #expect {
            _ = try await device.options()
        } throws: {
            ($0 as? HostError)?.message == "the cable is out"
        }
    }

    /// Puts the backend's program into a folder; the test is skipped if its compiler is missing.
    private static func place(_ language: Language, in folder: TemporaryFolder) throws {
        switch language {
        case .python:
            try placeProgram(pythonSource, at: folder.file("lib"))
        case .c:
            guard access("/usr/bin/gcc", X_OK) == 0 else { try Test.cancel("needs gcc") }
            Bench.write(cSource, to: folder.file("lib.c"))
            let line = """
                gcc -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Wall \
                -Wextra -Werror -pthread -I'\(repositoryRoot)/Examples/c' -o \
                '\(folder.file("lib"))' '\(folder.file("lib.c"))' -lm
                """
            try #require(system(line) == 0)
        }
        let limits = #""limits":{"memory":1073741824}"#
        let start = #"{"id":"lib","name":"Library","version":"1","protocol":1,"program":"lib","#
        Bench.write(start + limits + "}", to: folder.file("lib.json"))
    }

    @Test(
        "The file for Python has complete type annotations",
        .enabled(if: access("/usr/bin/mypy", X_OK) == 0, "needs mypy"))
    func typed() throws {
        let folder = try TemporaryFolder()
        let line = """
            /usr/bin/mypy --strict --python-version 3.9 --cache-dir '\(folder.file("cache"))' \
            '\(repositoryRoot)/Examples/python/copystand_backend.py' > '\(folder.file("said"))'
            """
        let said =
            system(line) == 0
            ? "" : String(decoding: Bench.read(folder.file("said")), as: UTF8.self)
        #expect(said == "")
    }

    private static let pythonSource = #"""
        #!/usr/bin/python3
        import sys, threading
        sys.dont_write_bytecode = True
        sys.path.insert(0, "\#(repositoryRoot)/Examples/python")
        import copystand_backend as copystand

        class Device(copystand.Device):
            def __init__(self):
                super().__init__(
                    copystand.integer("gain", "Gain", 5, 0, 10, defaultValue=3),
                    copystand.number("gamma", "Gamma", 1, 0, 2, step=0.5),
                    copystand.mode(), copystand.level("brightness"),
                    copystand.toggle("pressed", "Pressed", False, isReadOnly=True, sensor="button"),
                    copystand.toggle("waits", "Waits", False),
                    copystand.toggle("blocks", "Blocks", False),
                    copystand.button("press", "Press"), copystand.button("poke", "Poke"),
                    copystand.button("fail", "Fail"))
                self.latch, self.fails, self.wake = False, False, threading.Event()
            def options(self):
                if self.fails:
                    raise copystand.Failure("offline", "the cable is out")
                self.option("pressed")["value"], self.latch = self.latch, False
                return super().options()
            def changed(self, name, value):
                if name == "press":
                    self.latch = True
                if name == "poke":
                    self.report("pressed", True)
                if name == "fail":
                    self.fails = True
            def cancel(self):
                self.wake.set()
            def capture(self, sink, mode, limit):
                if sink["blocks"]:
                    self.wake.wait()
                    sink.check()
                if sink["waits"]:
                    self.report("pressed", True)
                while sink["waits"] and self["gain"] == 5:
                    sink.sleep(0.01)
                page = sink.begin("gray8", 8, 2, label=f"gain {sink['gain']}",
                                  problems=["One lamp is dark."],
                                  metadata=copystand.metadata(exposure=0.25, focus=0))
                page.write(bytes(16))
                page.finish()

        class Backend(copystand.Backend):
            def devices(self, quick):
                return [copystand.Failure("hung", "one driver hung"),
                        copystand.device("d", "Device", "scanner")]
            def open(self, id):
                return Device()

        copystand.run(Backend("Library", "1"))

        """#

    private static let cSource = #"""
        #define _GNU_SOURCE
        #include "copystand_backend.h"
        enum { GAIN, GAMMA, MODE, BRIGHTNESS, PRESSED, WAITS, BLOCKS, PRESS, POKE, FAIL, COUNT };
        static cs_option table[COUNT];
        static int latch, fails, wake[2];
        static int devices(cs_list *list, int quick) {
            (void)quick;
            cs_fail("hung", "one driver hung");
            cs_problem(list);
            cs_add(list, &(cs_device){.id = "d", .name = "Device", .kind = "scanner"});
            return 0;
        }
        static void *open_device(const char *id) {
            (void)id;
            if (pipe(wake)) return NULL;
            table[GAIN] = (cs_option){.name = "gain", .title = "Gain", .kind = CS_INTEGER,
                .number = 5, .maximum = 10, .has_default = 1, .default_number = 3};
            table[GAMMA] = (cs_option){.name = "gamma", .title = "Gamma", .kind = CS_NUMBER,
                .number = 1, .maximum = 2, .step = 0.5};
            table[MODE] = cs_common("mode");
            table[BRIGHTNESS] = cs_common("brightness");
            table[PRESSED] = (cs_option){.name = "pressed", .title = "Pressed", .kind = CS_TOGGLE,
                .read_only = 1, .sensor = "button"};
            table[WAITS] = (cs_option){.name = "waits", .title = "Waits", .kind = CS_TOGGLE};
            table[BLOCKS] = (cs_option){.name = "blocks", .title = "Blocks", .kind = CS_TOGGLE};
            table[PRESS] = (cs_option){.name = "press", .title = "Press", .kind = CS_BUTTON};
            table[POKE] = (cs_option){.name = "poke", .title = "Poke", .kind = CS_BUTTON};
            table[FAIL] = (cs_option){.name = "fail", .title = "Fail", .kind = CS_BUTTON};
            return table;
        }
        static cs_option *options(void *device, size_t *count) {
            (void)device;
            if (fails) { cs_fail("offline", "the cable is out"); return NULL; }
            *count = COUNT;
            return table;
        }
        static int read_sensors(void *device) {
            (void)device;
            table[PRESSED].number = latch;
            latch = 0;
            return 0;
        }
        static int changed(void *device, const cs_option *option) {
            if (!strcmp(option->name, "press")) latch = 1;
            if (!strcmp(option->name, "poke")) {
                cs_option pressed = table[PRESSED];
                pressed.number = 1;
                cs_report(device, &pressed);
            }
            if (!strcmp(option->name, "fail")) fails = 1;
            return 0;
        }
        static void cancel(void *device) {
            (void)device;
            if (write(wake[1], "x", 1) != 1) abort();
        }
        static int capture(void *device, cs_sink *sink, int live, long limit) {
            static const char *const problems[] = {"One lamp is dark.", NULL};
            cs_metadata known = {.exposure = 0.25, .gain = CS_UNKNOWN, .focus = 0,
                .temperature = CS_UNKNOWN, .monotonic = CS_UNKNOWN};
            char label[20], byte, pixels[16] = {0};
            (void)live, (void)limit;
            if (cs_setting(sink, "blocks")->number && read(wake[0], &byte, 1) == 1 &&
                cs_sleep(sink, 0)) return -1;
            if (cs_setting(sink, "waits")->number) {
                cs_option pressed = table[PRESSED];
                pressed.number = 1;
                cs_report(device, &pressed);
            }
            while (cs_setting(sink, "waits")->number &&
                   *(volatile double *)&table[GAIN].number == 5)
                if (cs_sleep(sink, 0.01)) return -1;
            snprintf(label, sizeof label, "gain %.0f", cs_setting(sink, "gain")->number);
            cs_frame frame = {.format = "gray8", .width = 8, .height = 2, .label = label,
                .problems = problems, .metadata = &known};
            if (cs_begin(sink, &frame) || cs_write(sink, pixels, sizeof pixels)) return -1;
            return cs_finish(sink, NULL, 0);
        }
        int main(void) {
            double width = 0, height = 0;
            if (cs_paper("a4", &width, &height) || width != 210 || height != 297) return 9;
            if (strcmp(cs_format("color", 16), "rgb16") || cs_level(0, 0, 255) != 127.5) return 9;
            return cs_run(&(cs_backend){.name = "Library", .version = "1", .devices = devices,
                .open = open_device, .options = options, .read = read_sensors, .changed = changed,
                .capture = capture, .cancel = cancel});
        }

        """#
}
