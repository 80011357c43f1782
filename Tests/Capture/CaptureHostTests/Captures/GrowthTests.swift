import CaptureKit
import ContractSupport
import Glibc
import Testing

@testable import CaptureHost

/// Tests values of newer backends that this host does not know, and reports that come without a
/// request.
@Suite struct GrowthTests {
    private static let devices = """
        {"id": "d", "name": "Oven", "kind": "toaster"},
        {"id": "e", "name": "Away", "kind": "camera", "state": "sleeping"}
        """
    private static let options = """
        {"name": "length", "type": {"kind": "number"}, "unit": "furlongs", "value": 2},
        {"name": "tint", "type": {"kind": "gradient", "stops": [1, 2]}, "value": 7,
         "defaultValue": [1]}, {"name": "gain", "type": {"kind": "integer"}, "value": 3}
        """

    @Test("A device of an unknown kind or state is listed with the given words")
    func devices() async throws {
        let bench = try Bench(
            script: """
                hello()
                while True:
                    request = take()
                    answer(request, devices=[\(Self.devices)])
                """)
        let listing = await bench.host.listDevices()
        #expect(listing.problems == [])
        let (oven, away) = (listing.devices.first?.descriptor, listing.devices.last?.descriptor)
        #expect(oven?.kind == DeviceKind(rawValue: "toaster") && oven?.state == .ready)
        #expect(away?.state == .offline && away?.advice?.contains("'sleeping'") == true)
        await bench.host.shutdown()
    }

    @Test("An option of an unknown kind is read-only text, and an unknown unit stays")
    func options() async throws {
        let bench = try Bench(script: Self.answering("\(Self.options)"))
        let device = try await bench.open("bad:d")
        let options = try await device.options()
        #expect(options.map(\.name) == ["length", "tint", "gain"])
        #expect(options.first?.unit == OptionUnit(rawValue: "furlongs"))
        let tint = try #require(options.first { $0.name == "tint" })
        #expect(tint.type == .text(maximumLength: nil) && tint.isReadOnly)
        #expect(tint.value == .text("7") && tint.defaultValue == nil)
        #expect(options.last?.value == .integer(3))
        await #expect(throws: HostError.self) { _ = try await device.set("tint", to: .text("8")) }
        await bench.host.shutdown()
    }

    @Test("A reported press counts once, though the button is released before options are read")
    func press() async throws {
        let button = """
            {"name": "b", "type": {"kind": "toggle"}, "isReadOnly": True, "sensor": "button",
             "value": False}
            """
        let bench = try Bench(
            script: Self.answering(
                button,
                before: """
                    if asked == 1:
                        for value in (True, False):
                            send({"event": "optionChanged", "handle": 1, "option": "b",
                                  "value": value})
                    """))
        let device = try await bench.open("bad:d")
        var values: [OptionValue?] = []
        for _ in 1...3 { values.append(try await device.options().first?.value) }
        #expect(values == [.bool(true), .bool(false), .bool(false)])
        await bench.host.shutdown()
    }

    @Test("A backend that reports ever new options is stopped")
    func flood() async throws {
        let bench = try Bench(
            script: Self.answering(
                "",
                before: """
                    for number in range(200):
                        send({"event": "optionChanged", "handle": 1, "option": f"o{number}"})
                    """))
        let device = try await bench.open("bad:d")
        await #expect {
            _ = try await device.options()
            _ = try await device.options()
        } throws: {
            ($0 as? HostError)?.code == .nonsense
        }
        await bench.host.shutdown()
    }

    @Test("A camera's frame metadata stays with the page")
    func metadata() async throws {
        let bench = try Bench(
            script: """
                capture = opened()
                frame(capture, 1, height=30, metadata={"exposure": 0.01, "focus": 3, "later": []})
                send({"event": "pixels", "capture": capture, "frame": 1}, b"p" * 1200)
                send({"event": "done", "capture": capture, "frame": 1, "rows": 30})
                send({"answer": capture})
                take()
                """)
        let device = try await bench.open("bad:d")
        let outcome = await bench.capture(device)
        #expect(outcome.error == nil)
        let metadata = outcome.pages.first?.description.metadata
        #expect(metadata == FrameMetadata(exposure: 0.01, focus: 3))
        await bench.host.shutdown()
    }

    @Test("A page without its last row is incomplete", arguments: [0, 1])
    func lastRow(_ missing: Int) async throws {
        let bench = try Bench(
            script: """
                capture = opened("descriptors")
                send({"event": "frame", "capture": capture, "frame": 1, "format": "gray8",
                      "width": 40, "height": 30})
                line, files, _, _ = socket.recv_fds(host, 65536, 1)
                os.pwrite(files[0], bytes(40 * (30 - \(missing))), 0)
                send({"event": "done", "capture": capture, "frame": 1, "rows": 30})
                send({"answer": capture})
                take()
                """)
        let device = try await bench.open("bad:d")
        let outcome = await bench.capture(device)
        #expect(outcome.pages.count == 1 - missing)
        #expect(outcome.hostError?.code == (missing == 0 ? nil : .tornPage))
        await bench.host.shutdown()
    }

    @Test("A backend that dies while devices are followed is reported and restarted")
    func recovery() async throws {
        let lives = try TemporaryFolder()
        let bench = try Bench(
            script: """
                place = "\(lives.path)/lives"
                with open(place, "a") as file: file.write("x")
                life = os.path.getsize(place)
                hello()
                while True:
                    answer(take(), devices=[{**DEVICE, "id": f"life{life}"}])
                    if life < 3: os._exit(7)
                """)
        var (added, problems) = ([String](), 0)
        for await event in bench.host.followDevices(every: .seconds(1_000), clock: Quick()) {
            if case .added(let device) = event { added.append(device.descriptor.id) }
            if case .problem(let problem) = event {
                #expect(problem.code == .crashed && problem.message.contains("status 7"))
                problems += 1
            }
            if added.last == "life3" { break }
        }
        #expect(added == ["life1", "life2", "life3"])
        #expect(problems >= 1)
        await bench.host.shutdown()
    }

    @Test("A new description of a device changes it")
    func changed() async throws {
        let bench = try Bench(
            script: """
                hello()
                answer(take(), devices=[DEVICE])
                # The second request comes when the answer to the first has been handled.
                take()
                busy = {**DEVICE, "state": "busy", "advice": "Wait."}
                send({"event": "deviceChanged", "device": busy})
                take()
                """)
        for await event in bench.host.followDevices(every: .seconds(1), clock: Quick()) {
            guard case .changed(let device) = event else { continue }
            #expect(device.descriptor.state == .busy)
            break
        }
        await bench.host.shutdown()
    }

    /// A backend with one device and these options; it runs the script before it lists them.
    private static func answering(_ options: String, before: String = "pass") -> String {
        """
        hello()
        asked = 0
        while True:
            request = take()
            if request["verb"] == "devices": answer(request, devices=[DEVICE])
            elif request["verb"] == "open": answer(request, handle=1)
            elif request["verb"] == "options":
                asked += 1
        \(before.split(separator: "\n").map { "        " + $0 }.joined(separator: "\n"))
                answer(request, options=[\(options)])
            else: answer(request)
        """
    }
}

/// A clock on which waits up to a minute take no time, and longer waits never end.
private struct Quick: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if deadline - .now > .seconds(60) { try await Task.sleep(for: .seconds(100_000)) }
        try Task.checkCancellation()
    }
}
