import CaptureKit

extension ScanService {
    /// Copies inputs that a job can read only once into its folder, and returns the job's sources.
    ///
    /// The record is written before the first byte, so that a job with a part of its input can be
    /// resumed after a crash.
    ///
    /// - Parameter files: files that become the job's own.
    /// - Returns: the sources, and the streams of several that could not be read.
    /// - Throws: ``JobError`` `inputUnusable`, `spoolUnusable`; `CancellationError` after a stop.
    func take(
        _ order: ScanOrder, _ files: [AdoptedFile], in folder: String, control: ScanControl
    ) async throws -> (sources: [String], skipped: [SkippedPage]) {
        let inputs = order.sources.map { StreamedInput(source: $0) }
        guard inputs.count(where: { $0 == .standard }) <= 1 else {
            throw JobError(
                .inputUnusable,
                "Standard input is named more than once, and can be read only once. Name it once, or give the files themselves."
            )
        }
        var number = 0
        let planned = zip(order.sources, inputs).map { source, input in
            guard input != nil else { return source }
            defer { number += 1 }
            return "file:\(folder)/\(OwnFiles.name(ofInput: number))"
        }
        let uploads = files.enumerated().map {
            "file:" + OwnFiles.path(ofUpload: $0, $1, in: folder)
        }
        var sources = planned + uploads
        var record = JobRecord(order, sources, isRereadable: false, at: now())
        record.readsFiles = sources.allSatisfy { $0.hasPrefix("file:") }
        record.interruption = Interruption(
            code: Interruption.broken, reason: "the input was not read to its end", next: nil)
        try record.write(to: folder)
        var skipped: [SkippedPage] = []
        for (number, input) in inputs.compactMap(\.self).enumerated() {
            do {
                try await spool(input, number, in: folder, control: control)
            } catch let error as JobError where error.code == .inputUnusable && sources.count > 1 {
                sources.removeAll { $0 == "file:\(folder)/\(OwnFiles.name(ofInput: number))" }
                let fault = CaptureError(.damagedData, error.message)
                skipped.append(SkippedPage(label: input.name, error: fault))
            }
        }
        try adopt(files, in: folder)
        return (sources, skipped)
    }
}
