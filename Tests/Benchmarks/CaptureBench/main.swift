import CaptureHost
import CaptureKit
import Glibc

// Measures the way from a backend's program through the host, as Scripts/bench backends calls it.
//
//     capture-bench frames FOLDER DEVICE SECONDS   frames a second of a live capture of 1080p RGB,
//                                                  none dropped
//     capture-bench recording FOLDER DEVICE        frames a second of a whole recording
//     capture-bench first FOLDER DEVICE            milliseconds from nothing to the first frame,
//                                                  the program's start included
//     capture-bench devices FOLDER BACKEND         milliseconds for a list of devices, the
//                                                  program's start included, and their number
//
// FOLDER holds the backends' manifests; DEVICE is BACKEND:ID.

func fail(_ message: String) -> Never {
    print("capture-bench: \(message)")
    exit(1)
}

let words = CommandLine.arguments.dropFirst().map { $0 }
guard words.count >= 3 else {
    fail("say frames, recording, first or devices, a folder and a device")
}
let configuration = HostConfiguration(
    backendFolders: [words[1]], stateFile: words[1] + "/devices-state.json")
let host = CaptureHost(configuration)
let clock = ContinuousClock()

func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

/// The length of a measurement.
enum Span {
    case toFirst
    case seconds(Int)
    case toEnd
}

/// Captures live frames for this many seconds; the first frame includes the program's start and
/// does not count.
func capture(_ span: Span) async throws -> (frames: Int, time: Duration) {
    let start = clock.now
    let device = try await host.open(host.find(words[2]))
    var first: ContinuousClock.Instant?
    var frames = 0
    let stream = device.capture(
        CaptureRequest(mode: .live), spool: SpoolFolder(path: "/nowhere"), whenFull: .wait)
    for try await event in stream {
        guard case .page(let page) = event else { continue }
        page.release()
        if case .toFirst = span { return (1, clock.now - start) }
        if let first, case .seconds(let seconds) = span, case let time = clock.now - first,
            time > .seconds(seconds)
        {
            return (frames, time)
        }
        if first == nil { first = clock.now } else { frames += 1 }
    }
    guard let first, case .toEnd = span else { fail("the capture ended by itself") }
    return (frames, clock.now - first)
}

do {
    switch words[0] {
    case "frames":
        let (frames, time) = try await capture(.seconds(words.count > 3 ? Int(words[3]) ?? 3 : 3))
        print(Double(frames) / (time / .seconds(1)))
    case "recording":
        let (frames, time) = try await capture(.toEnd)
        print(Double(frames) / (time / .seconds(1)))
    case "first":
        print(milliseconds(try await capture(.toFirst).time))
    case "devices":
        let start = clock.now
        let listing = await host.listDevices(backend: words[2])
        print(milliseconds(clock.now - start), listing.devices.count)
    default: fail("there is nothing called '\(words[0])' to measure")
    }
    await host.shutdown()
} catch {
    fail("\(error)")
}
