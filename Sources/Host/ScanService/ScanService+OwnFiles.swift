extension ScanService {
    /// Takes what a job can read only once into its folder, and gives the job's sources.
    ///
    /// A record stands there before the first byte, so that what has come by the time of a crash
    /// can be resumed.
    ///
    /// - Parameter files: files that become the job's own.
    /// - Throws: ``JobError`` `inputUnusable`, `spoolUnusable`.
    func take(
        _ order: ScanOrder, _ files: [String], in folder: String
    ) async throws -> [String] {
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
        let uploads = files.indices.map { "file:" + OwnFiles.path(ofUpload: $0, in: folder) }
        let sources = planned + uploads
        var record = JobRecord(order, sources, isRereadable: false, at: now())
        record.readsFiles = sources.allSatisfy { $0.hasPrefix("file:") }
        record.interruption = Interruption(
            code: Interruption.broken, reason: "the input was not read to its end", next: nil)
        try record.write(to: folder)
        for (number, input) in inputs.compactMap(\.self).enumerated() {
            try await spool(input, number, in: folder)
        }
        try adopt(files, in: folder)
        return sources
    }
}
