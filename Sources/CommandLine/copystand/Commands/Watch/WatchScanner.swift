import CaptureHost
import CommandLine
import FoundationEssentials
import Readers
import Recognition
import ScanService

/// Watches a scanner: its button, and paper in its feeder.
///
/// The first Ctrl-C cancels the task, which is a normal end: the captured pages of a job are
/// delivered.
func watchScanner(
    _ device: ListedDevice, _ arguments: WatchArguments, _ host: CaptureHost
) async throws -> ExitCode {
    let console = arguments.console
    let recognizer = Readers(workers: ProcessInfo.processInfo.activeProcessorCount)
    let service = try ScanService(host: host, recognizer: recognizer)
    let display = ScannerWatchDisplay(console, isJSON: arguments.isJSON)
    let control = ScannerWatchControl()
    let controls = try CaptureControls(arguments) {
        control.scanNow()
    } onNote: {
        console.warn($0)
    }
    defer { controls.stop() }
    var order = try arguments.order(of: device.id)
    if arguments.outputs.isEmpty, order.sinks.isEmpty { order.outputs = ["scan-{n}.pdf"] }
    let plan = ScannerWatchPlan(order, idle: arguments.idle, isManual: arguments.isManual)
    // A separate task, because canceling this one must not cancel the pages in progress.
    let work = Task {
        try await service.watch(scanner: device, plan, control: control) { event in
            display.show(event)
            // No one reads the output anymore.
            if display.failure != nil { control.stop() }
        }
    }
    let result = await withTaskCancellationHandler {
        await work.result
    } onCancel: {
        control.stop()
        display.stopping()
    }
    controls.stop()
    await recognizer.shutdown()
    let delivered = try result.get()
    if let failure = display.failure { throw failure }
    return delivered == 0 && Task.isCancelled ? .cancelled : .done
}
