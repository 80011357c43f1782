import CaptureHost
import CaptureKit
import CommandLine
import Delivery
import FoundationEssentials
import Listings
import LiveCapture
import Readers
import Recognition
import ScanService

/// Watches a camera or a recording, and captures page after page.
///
/// The task is canceled by the first Ctrl-C, which is a regular end: the document is written.
func watchCamera(
    _ device: ListedDevice, _ arguments: WatchArguments, _ host: CaptureHost
) async throws -> ExitCode {
    let console = arguments.console
    guard arguments.request.common?.isEmpty != false else {
        throw HostError(
            .noSuchOption,
            "'\(device.descriptor.name)' is not a scanner: it has no source, paper or area to choose",
            advice: "Set its options with --set; see: copystand options \(device.id)")
    }
    let recognizer = Readers(workers: ProcessInfo.processInfo.activeProcessorCount)
    let service = try ScanService(host: host, recognizer: recognizer)
    let display = WatchDisplay(console, isJSON: arguments.isJSON)
    let control = LiveControl()
    let controls = try CaptureControls(arguments) {
        control.captureNow()
    } onNote: {
        display.note($0)
    }
    defer { controls.stop() }
    // A separate task, because canceling this one must not cancel the pages in progress.
    let work = Task {
        try await service.watch(
            device, try arguments.order(of: device.id),
            options: LiveOptions(
                idle: arguments.idle, isManual: arguments.isManual, stills: arguments.stills),
            control: control
        ) { (event: ScanEvent) in
            display.show(event)
        } onLive: { event in
            display.show(event)
            // No one reads the output anymore.
            if display.failure != nil { control.scan.stop() }
        }
    }
    let outcome = try await withTaskCancellationHandler {
        try await work.value
    } onCancel: {
        control.scan.stop()
        display.stopping()
    }
    controls.stop()
    await recognizer.shutdown()
    let result = ScanJSON(outcome)
    display.finish(result, showsStatistics: arguments.showsStatistics)
    if let failure = display.failure { throw failure }
    if !arguments.isJSON {
        for receipt in outcome.receipts {
            for location in receipt.locations { try console.result(location + "\n") }
        }
    }
    if outcome.pages.isEmpty, control.scan.isStopped, outcome.failures.isEmpty { return .cancelled }
    return ExitCode(result)
}
