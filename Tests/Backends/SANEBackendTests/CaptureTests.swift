import CaptureKit
import ContractSupport
import Glibc
import Synchronization
import Testing

@testable import SANEBackend

extension SANETests {
    /// Tests feeders, the ends of scans, and canceling, with drivers in this process.
    @Suite(.serialized) struct CaptureTests {
        private func value(_ name: String, _ device: any CaptureDevice) async throws -> OptionValue?
        {
            try await device.options().first { $0.name == name }?.value
        }

        @Test(
            "A scan calls sane_cancel once, at its end, never between sheets",
            arguments: [(nil, 5, 6), (3, 3, 3), (1, 1, 1)] as [(Int?, Int, Int)])
        func cancelsOnce(_ limit: Int?, _ pages: Int, _ starts: Int) async throws {
            let device = try await SANESetup.shared.get().open("fault:clean")
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(limit: limit), into: sink)
            #expect(sink.frames.count == pages)
            #expect(try await value("cancels", device) == .integer(1))
            #expect(try await value("starts", device) == .integer(starts))
            // Every page has different bytes from the driver: each byte of a row is the row's
            // number plus sixteen times the page's number.
            for (index, frame) in sink.frames.enumerated() {
                #expect(frame.description.height == 120)
                #expect(frame.bytes[150] == UInt8(16 * (index + 1) + 1))
            }
            await device.close()
        }

        @Test("An empty feeder is reported at the first page; the flatbed gives one page")
        func empty() async throws {
            let device = try await SANESetup.shared.get().open("fault:empty")
            let error = await #expect(throws: CaptureError.self) {
                try await device.capture(CaptureRequest(), into: RecordingSink())
            }
            #expect(error?.code == .feederEmpty)
            #expect(try await value("cancels", device) == .integer(1))
            _ = try await device.set("source", to: .text("flatbed"))
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(), into: sink)
            #expect(sink.frames.count == 1)
            #expect(sink.frames.first?.description.label == nil)
            await device.close()
        }

        @Test("Source 'auto' uses the feeder while it has paper, and otherwise the flatbed")
        func automatic() async throws {
            let setup = try SANESetup.shared.get()
            for (name, pages) in [("fault:clean", 5), ("fault:empty", 1)] {
                let device = try await setup.open(name)
                _ = try await device.set("source", to: .text("auto"))
                #expect(try await value("source", device) == .text("auto"))
                let sink = RecordingSink()
                try await device.capture(CaptureRequest(), into: sink)
                #expect(sink.frames.count == pages)
                #expect(try await value("source", device) == .text("auto"))
                await device.close()
            }
        }

        @Test(
            "Canceling ends a page, even during a blocking read, and the next scan is complete",
            arguments: ["fault:slow", "fault:stuck"])
        func cancel(_ name: String) async throws {
            let setup = try SANESetup.shared.get()
            let device = try await setup.open(name)
            let (begun, events) = AsyncStream<Void>.makeStream()
            let task = Task {
                try await device.capture(
                    CaptureRequest(), into: RecordingSink(onBegin: { events.yield() }))
            }
            for await _ in begun { break }
            if name == "fault:stuck" { try await waitUntilStuck(setup) }
            task.cancel()
            // A stuck driver never returns by itself; without canceling, this would wait forever.
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await value("cancels", device) == .integer(1))
            await device.close()
            let again = try await setup.open("fault:clean")
            let sink = RecordingSink()
            try await again.capture(CaptureRequest(limit: 2), into: sink)
            #expect(sink.frames.count == 2)
            await again.close()
        }

        /// Waits until the driver blocks in a read.
        ///
        /// The driver reports this through a variable.
        private func waitUntilStuck(_ setup: SANESetup) async throws {
            let driver = try #require(
                dlopen(setup.folder.file("libsane-fault.so.1"), RTLD_NOW | RTLD_NOLOAD))
            defer { dlclose(driver) }
            let isStuck = try #require(dlsym(driver, "fault_is_stuck"))
                .assumingMemoryBound(to: Int32.self)
            while isStuck.pointee == 0 { sched_yield() }
        }

        @Test("A host that refuses a page ends the scan with its error, and the scanner is free")
        func refused() async throws {
            let device = try await SANESetup.shared.get().open("fault:clean")
            let error = await #expect(throws: CaptureError.self) {
                try await device.capture(CaptureRequest(), into: RecordingSink(most: 100))
            }
            #expect(error?.code == .tooLarge)
            #expect(try await value("cancels", device) == .integer(1))
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(limit: 1), into: sink)
            #expect(sink.frames.count == 1)
            await device.close()
        }

        @Test("Settings do not outlast the opening of a device")
        func fresh() async throws {
            let setup = try SANESetup.shared.get()
            let device = try await setup.open("test:0")
            _ = try await device.set("hand-scanner", to: .bool(true))
            await device.close()
            let again = try await setup.open("test:0")
            #expect(try await value("hand-scanner", again) == .bool(false))
            await again.close()
        }

        @Test("Setting the area keeps the last set value and adapts its counterpart")
        func area() async throws {
            let device = try await SANESetup.shared.get().open("test:0")
            _ = try await device.set("paper", to: .text("a5"))
            #expect(try await value("area-width", device) == .number(148))
            #expect(try await value("paper", device) == .text("a5"))
            _ = try await device.set("area-left", to: .number(250))
            #expect(try await value("area-width", device) == .number(50))
            _ = try await device.set("area-width", to: .number(100))
            #expect(try await value("area-left", device) == .number(200))
            #expect(try await value("paper", device) == .text("custom"))
            let outcome = try await device.set("resolution", to: .integer(123))
            #expect(outcome.value == .integer(123))
            await device.close()
        }

        @Test("A feeder gets the paper size before the area, which can't reach beyond it")
        func paper() async throws {
            let device = try await SANESetup.shared.get().open("fault:clean")
            #expect(try await value("area-height", device) == .number(279.4))
            let outcome = try await device.set("paper", to: .text("a4"))
            #expect(outcome.value == .text("a4"))
            #expect(try await value("area-height", device) == .number(297))
            #expect(try await value("area-width", device) == .number(210))
            #expect(try await value("page-height", device) == .number(297))
            _ = try await device.set("area-height", to: .number(380))
            #expect(try await value("area-height", device) == .number(380))
            await device.close()
        }

        @Test(
            "Every status that a read can return has a separate error",
            arguments: [
                (1, CaptureError.Code.unsupported), (2, .cancelled),
                (3, .busy), (4, .invalidValue), (5, .damagedData),
                (6, .jammed), (7, .feederEmpty), (8, .coverOpen),
                (9, .inputOutput), (10, .outOfMemory),
                (11, .permissionDenied), (99, .inputOutput),
            ])
        func statuses(_ status: Int, _ code: CaptureError.Code) async throws {
            // The test driver is not used here: it kills its reading thread, which may hold
            // malloc's lock so early in a page.
            let device = try await SANESetup.shared.get().open("fault:status-\(status)")
            let error = await #expect(throws: CaptureError.self) {
                try await device.capture(CaptureRequest(), into: RecordingSink())
            }
            #expect(error?.code == code)
            #expect(error?.advice?.isEmpty == false)
            await device.close()
        }

        @Test("A vector option accepts numbers separated by commas, or one for all")
        func vectors() async throws {
            let device = try await SANESetup.shared.get().open("test:0")
            _ = try await device.set("enable-test-options", to: .bool(true))
            let option = try #require(
                try await device.options().first { $0.name == "int-constraint-array" })
            guard case .text(let text) = option.value else {
                Issue.record("the vector has no value: \(option)")
                return
            }
            let count = text.split(separator: ",").count
            #expect(count > 1)
            let outcome = try await device.set(option.name, to: .text("7"))
            let sevens = Array(repeating: "7", count: count).joined(separator: ",")
            #expect(outcome.value == .text(sevens))
            await #expect(throws: CaptureError.self) {
                _ = try await device.set(option.name, to: .text("1,2"))
            }
            await device.close()
        }
    }
}
