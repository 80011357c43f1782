import Imaging
import Synchronization

/// Takes a document's pages, and gives its files their names when all is written.
final class FileWriter: SinkWriter {
    private struct State {
        /// Nil once the document is finished or given up.
        var writer: (any FormatWriter)?
        var pages = 0
        /// Why it was given up.
        var failure: DeliveryError?
    }

    private let sink: String
    private let file: FileName
    private let folder: OutputFolder
    private let state: Mutex<State>

    init(sink: String, file: FileName, context: FormatContext) throws {
        self.sink = sink
        self.file = file
        folder = context.folder
        state = Mutex(State(writer: try makeWriter(file.format, context)))
    }

    func add(_ page: DeliveredPage) throws {
        try attempt { state in
            try state.writer?.add(page)
            state.pages += 1
        }
    }

    func finish() throws -> Receipt {
        try attempt { state in
            guard state.pages > 0, let writer = state.writer else {
                throw DeliveryError(
                    .unsupported,
                    "'\(sink)' was not written: the document has no pages. "
                        + "Check that the source has any.")
            }
            let files = try writer.finish()
            for file in files { try file.seal() }
            let names = try place(files)
            do {
                try folder.sync()
            } catch {
                files.forEach { $0.withdraw() }
                throw error
            }
            state.writer = nil
            return Receipt(
                sink: sink, locations: names.map { joined(file.folder, $0) }, pages: state.pages,
                bytes: files.reduce(0) { $0 + $1.count })
        }
    }

    func cancel() {
        state.withLock { state in
            guard state.writer != nil else { return }
            state.writer = nil
            state.failure = DeliveryError(.inputOutput, "'\(sink)' was cancelled.")
        }
    }

    /// Runs a step; after a failure nothing of the document is left, and every further step fails likewise.
    private func attempt<Result: Sendable>(_ step: (inout State) throws -> Result) throws -> Result
    {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.writer != nil else {
                throw DeliveryError(.inputOutput, "'\(sink)' is finished and takes no more.")
            }
            do {
                return try step(&state)
            } catch {
                state.writer = nil
                let failure = deliveryError(error, to: sink)
                state.failure = failure
                throw failure
            }
        }
    }

    /// Gives all files their final names or none: those asked for, or the next that are all free.
    private func place(_ files: [PartialFile]) throws(DeliveryError) -> [String] {
        attempts: for attempt in 1...10_000 {
            let names = file.names(count: files.count, attempt: attempt)
            for (index, name) in names.enumerated() {
                let placed: Bool
                do {
                    placed = try files[index].place(as: name)
                } catch {
                    files[..<index].forEach { $0.withdraw() }
                    throw error
                }
                if !placed {
                    files[..<index].forEach { $0.withdraw() }
                    continue attempts
                }
            }
            return names
        }
        throw DeliveryError(
            .alreadyExists,
            "'\(sink)' and 10,000 names like it are taken. Choose another name.")
    }
}

private func deliveryError(_ error: any Error, to sink: String) -> DeliveryError {
    if let error = error as? DeliveryError { return error }
    let reason = (error as? ImagingError)?.message ?? "\(error)"
    return DeliveryError(.unsupported, "'\(sink)' could not be written. \(reason)")
}

private func makeWriter(_ format: FileFormat, _ context: FormatContext) throws -> any FormatWriter {
    switch format {
    case .pdf: try PDFFormat(context)
    case .tiff: try TIFFFormat(context)
    case .text: try TextFormat(context)
    case .hocr: try HOCRFormat(context)
    case .alto: try ALTOFormat(context)
    case .json: try JSONFormat(context)
    case .png, .jpeg, .webp: ImageFilesFormat(context, format)
    }
}
