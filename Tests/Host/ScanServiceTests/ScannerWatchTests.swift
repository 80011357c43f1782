import CaptureHost
import ContractSupport
import CaptureKit
import FoundationEssentials
import Processing
import Synchronization
import Testing

@testable import ScanService

@Suite struct ScannerWatchTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    /// A summary of the reports of a watch.
    private final class Told: Sendable {
        private let list = Mutex<[String]>([])

        func take(_ event: ScannerWatchEvent) -> String? {
            let word: String? =
                switch event {
                case .waiting: "waiting"
                case .triggered(let trigger, let job): "\(trigger) \(job)"
                case .scan: nil
                case .ended(let job, let outcome): "ended \(job): \(outcome.pages.count) pages"
                case .refused(let job, _): "refused \(job)"
                case .lost(let error): "lost: \(error.code.rawValue)"
                case .back: "back"
                }
            if let word { list.withLock { $0.append(word) } }
            return word
        }

        var all: [String] { list.withLock { $0 } }
    }

    /// Watches the feeder, runs `script` after each sleep with the number of sleeps, and stops
    /// after the script's end.
    private func watch(
        _ outputs: [String] = ["scan-{n}.json"], settings: [String: String] = [:],
        isManual: Bool = false, until last: Int,
        _ script: @escaping @Sendable (Int, ScannerWatchControl) -> Void
    ) async throws -> (told: [String], delivered: Int) {
        var order = bench.order(settings: settings)
        // The panel sets the number of sheets in the feeder.
        order.settings.removeAll { $0.option == "pages" && settings["pages"] == nil }
        order.outputs = outputs.map { bench.folder + "/" + $0 }
        let control = ScannerWatchControl()
        let sleeps = Mutex(0)
        bench.clock.onSleep { _ in
            let number = sleeps.withLock { sleeps in
                sleeps += 1
                return sleeps
            }
            script(number, control)
            if number >= last { control.stop() }
        }
        // The script may refer to the bench, whose clock refers to the script.
        defer { bench.clock.onSleep { _ in } }
        // The feeder is empty at first, since the open one has ten sheets already.
        try bench.put("paper", "0")
        let told = Told()
        let feeder = try await bench.host.find("virtual:feeder")
        let delivered = try await bench.service.watch(
            scanner: feeder, ScannerWatchPlan(order, isManual: isManual), control: control
        ) { _ = told.take($0) }
        return (told.all, delivered)
    }

    @Test("A press of the button starts a job, and another press another")
    func button() async throws {
        let bench = bench
        let (told, delivered) = try await watch(settings: ["pages": "2"], until: 8) { number, _ in
            if number == 2 || number == 5 { try? bench.put("button") }
        }
        let press = #"button("scan-button")"#
        #expect(
            told == [
                "waiting", press + " 1", "ended 1: 2 pages", "waiting", press + " 2",
                "ended 2: 2 pages", "waiting",
            ])
        #expect(delivered == 2)
        #expect(bench.exists("scan-001.json") && bench.exists("scan-002.json"))
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("Paper that appears and stays starts a job from the feeder")
    func paper() async throws {
        let bench = bench
        let (told, _) = try await watch(until: 5) { number, _ in
            // The job opens the feeder again, which has ten sheets then.
            if number == 2 { try? bench.put("paper", "3") }
            if number == 3 { try? bench.put("paper", "3") }
        }
        #expect(told.prefix(2) == ["waiting", "paper 1"])
        #expect(told.contains { $0.hasPrefix("ended 1: ") })
    }

    @Test("Names that are in use are skipped, and nothing is overwritten")
    func takenNames() async throws {
        let bench = bench
        let mine = Data("mine".utf8)
        try mine.write(to: URL(filePath: bench.folder + "/scan-001.json"))
        let (told, _) = try await watch(settings: ["pages": "1"], until: 4) { number, _ in
            if number == 1 { try? bench.put("button") }
        }
        #expect(told.contains("ended 2: 1 pages"))
        let kept = try Data(contentsOf: URL(filePath: bench.folder + "/scan-001.json"))
        #expect(kept == mine)
    }

    @Test("A jam ends its job and not the watch")
    func jam() async throws {
        let bench = bench
        let (told, delivered) = try await watch(
            settings: ["pages": "3", "fault": "jam", "fault-page": "2"], until: 8
        ) { number, _ in
            if number == 1 || number == 4 { try? bench.put("button") }
        }
        #expect(told.filter { $0.hasPrefix("ended") } == ["ended 1: 1 pages", "ended 2: 1 pages"])
        #expect(delivered == 2)
        #expect(bench.store.jobs().filter { $0.isContinuable }.count == 2)
    }

    @Test("A scanner that is unplugged and comes back is watched again")
    func unplugged() async throws {
        let bench = bench
        let (told, delivered) = try await watch(settings: ["pages": "1"], until: 14) { number, _ in
            if number == 2 { try? bench.put("unplugged") }
            if number == 6 {
                try? FileManager.default.removeItem(atPath: bench.panel + "/unplugged")
            }
            if number == 9 { try? bench.put("button") }
        }
        #expect(told.prefix(4) == ["waiting", "lost: offline", "back", "waiting"])
        #expect(delivered == 1)
    }

    @Test("A mistake in a setting refuses the job, and the watch continues")
    func mistake() async throws {
        let bench = bench
        let (told, delivered) = try await watch(settings: ["resolutoin": "75"], until: 4) {
            number, _ in
            if number == 1 { try? bench.put("button") }
        }
        #expect(told == ["waiting", #"button("scan-button") 1"#, "ended 1: 0 pages", "waiting"])
        #expect(delivered == 0)
    }

    @Test("By hand, the sensors do not count")
    func byHand() async throws {
        let bench = bench
        let (told, delivered) = try await watch(
            settings: ["pages": "1"], isManual: true, until: 6
        ) { number, control in
            if number == 1 { try? bench.put("button") }
            if number == 3 { control.scanNow() }
        }
        #expect(told.filter { $0.hasSuffix(" 1") } == ["hand 1"])
        #expect(delivered == 1)
    }

    @Test("The watch ends if no job begins within the time limit")
    func idle() async throws {
        var order = bench.order()
        order.outputs = [bench.folder + "/scan-{n}.json"]
        let feeder = try await bench.host.find("virtual:feeder")
        let delivered = try await bench.service.watch(
            scanner: feeder, ScannerWatchPlan(order, idle: .seconds(30)),
            control: ScannerWatchControl()
        ) { _ in }
        #expect(delivered == 0)
    }

    @Test("For a scanner without sensors, a message says how to start jobs")
    func noSensors() async throws {
        let host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: bench.folder + "/other.json")
                .patient,
            inProcess: ["bare": BareScanner()])
        let service = ScanService(
            host: host, store: bench.store,
            profiles: ProfileLibrary(folder: bench.folder + "/profiles"), recognizer: NoReader(),
            workers: 1, clock: bench.clock, namedSink: noNamedSink)
        let bare = try await host.find("bare:it")
        let error = await #expect(throws: HostError.self) {
            try await service.watch(
                scanner: bare, ScannerWatchPlan(bench.order("x.pdf")),
                control: ScannerWatchControl()
            ) { _ in }
        }
        #expect(error?.advice?.contains("--manual") == true)
    }

    // MARK: Functions without a device

    private func sensors(button: OptionValue?, paper: OptionValue?) -> [DeviceOption] {
        [("press", OptionSensor.button, button), ("tray", .paper, paper)].map {
            DeviceOption(
                name: $0.0, title: "", help: "", type: .toggle, value: $0.2, isReadOnly: true,
                sensor: $0.1)
        }
    }

    @Test("Only a change starts a job: a held button and paper that stays do not")
    func edges() {
        var edges = SensorEdges()
        let readings: [(OptionValue?, OptionValue?, ScanTrigger?)] = [
            // A button that is on at the beginning does not count.
            (.bool(true), .bool(true), nil), (.bool(false), .bool(true), nil),
            (.bool(true), .bool(true), .button("press")), (.bool(true), .bool(true), nil),
            (.bool(false), .bool(false), nil),
            // Paper that is removed again immediately.
            (.bool(false), .bool(true), nil), (.bool(false), .bool(false), nil),
            (.bool(false), .integer(3), nil), (.bool(false), .integer(3), .paper),
            (.bool(false), .bool(true), nil),
            (.integer(0), .integer(0), nil), (.integer(7), .integer(0), .button("press")),
        ]
        for (number, reading) in readings.enumerated() {
            let trigger = edges.read(sensors(button: reading.0, paper: reading.1))
            #expect(trigger == reading.2, "reading \(number)")
        }
    }

    @Test(
        "The number is inserted at its placeholder, otherwise before the extension",
        arguments: [
            ("scan-{n}.pdf", "scan-007.pdf"), ("letters.pdf", "letters-007.pdf"),
            ("a.b/letters.alto.xml", "a.b/letters-007.alto.xml"), ("/x/{n}/p.png", "/x/007/p.png"),
            (".pdf", ".pdf-007"), ("none", "none-007"), ("archive:/a", "archive:/a"),
        ])
    func numbered(_ template: String, _ name: String) {
        #expect(OutputNumbering([template]).outputs(7) == [name])
    }
}

/// A scanner without any option.
private struct BareScanner: CaptureBackend, CaptureDevice {
    var descriptor: DeviceDescriptor? { DeviceDescriptor(id: "it", name: "It", kind: .scanner) }

    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        [DeviceDescriptor(id: "it", name: "It", kind: .scanner)]
    }

    func open(_ id: String) async throws -> any CaptureDevice { self }
    func options() async throws -> [DeviceOption] { [] }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        throw CaptureError(.noSuchOption, option)
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {}
    func close() async {}
}
