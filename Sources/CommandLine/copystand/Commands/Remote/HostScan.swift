import CommandLine
import Delivery
import HostClient
import JobOptions
import Listings
import ScanService

/// Runs `scan --host`: another host scans, and the document is fetched here.
///
/// The task is canceled by the first Ctrl-C.
func runScan(_ arguments: ScanArguments, on host: HostConnection) async throws -> ExitCode {
    // A name in use, or a missing folder, is refused before the scan.
    for output in arguments.outputs { try HostConnection.checkOutput(output) }
    let order = arguments.request.fetched(into: arguments.outputs, arguments.pdf)
    return try await runHostJob(
        on: host, outputs: arguments.outputs,
        keepsBlankPages: arguments.request.options[.keepsBlankPages],
        pdf: PDFRequest(arguments.pdf), isJSON: arguments.isJSON, isCapture: true, arguments.console
    ) {
        try host.post("/api/v1/jobs", order)
    }
}

/// Runs a job on another host, shows its progress, fetches the document, and reports the result.
func runHostJob(
    on host: HostConnection, outputs: [String], keepsBlankPages: Bool = false,
    pdf: PDFRequest = PDFRequest(PDFOrder()), isJSON: Bool, isCapture: Bool = false,
    _ console: Console,
    begin: @escaping @Sendable () throws -> RemoteJob
) async throws -> ExitCode {
    let display = HostJobDisplay(console)
    let work = HostJob(host)
    var (job, result): (RemoteJob, ScanJSON)
    do {
        (job, result) = try await work.run(
            begin: begin, onChange: { display.show($0) }, onCut: { display.note($0) },
            onStop: { display.stopping() })
    } catch {
        display.clear()
        throw error
    }
    display.clear()
    result.error = result.error.map { "copystand: \($0)" }
    let ending = ScanEnding(console, host: host.address.text)
    do {
        let fetched = try await work.fetch(
            job, result, to: outputs, keepsBlankPages: keepsBlankPages, pdf: pdf)
        // In the list of places, the fetched files replace the host's own copy.
        result.delivered += fetched
    } catch {
        ending.writeSummary(result, seconds: display.seconds)
        throw error
    }
    ending.writeSummary(result, seconds: display.seconds)
    if isJSON {
        try console.json(result)
    } else {
        for receipt in result.delivered where receipt.sink != "archive" {
            for location in receipt.locations { try console.result(location + "\n") }
        }
        for document in job.archived {
            if outputs.isEmpty { try console.result("\(document)\n") }
            console.say(
                "Document \(document) is in the archive of \(host.address.text). See it with: copystand show \(document) --host \(host.address.text)"
            )
        }
    }
    // The capture never ended, but the result is complete: another process of the host has
    // delivered the pages.
    if isCapture, result.ending == .completed, result.continuation != nil {
        console.warn(
            "\(host.address.text) restarted during the scan. It delivered the pages that it had."
        )
        return .deviceFailed
    }
    return ExitCode(result)
}
