import Documents
import FileNames
import Glibc
import Imaging
import Synchronization

/// Adds a document's pages, and gives the files their names at the end.
final class FileWriter: SinkWriter {
    private struct State {
        /// The format's writer; nil once the document is finished or abandoned.
        var writer: (any FormatWriter)?
        var pages = 0
        /// The reason why the document was abandoned; nil if it was not.
        var failure: DeliveryError?
    }

    private let sink: String
    private let file: FileName
    private let folder: OutputFolder
    private let earlier: EarlierDelivery?
    private let state: Mutex<State>

    init(
        sink: String, file: FileName, context: FormatContext, earlier: EarlierDelivery? = nil
    ) throws {
        self.sink = sink
        self.file = file
        self.earlier = earlier
        folder = context.folder
        state = Mutex(State(writer: try file.format.writer(context)))
    }

    func add(_ page: DeliveredPage) throws {
        try attempt { state in
            try state.writer?.add(page)
            state.pages += 1
        }
    }

    func note(_ found: DocumentFindings) throws {
        try attempt { state in try state.writer?.note(found) }
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
            let replaced = try replace(files)
            let names = try replaced ?? place(files)
            do {
                try folder.sync()
            } catch {
                files.forEach { $0.withdraw() }
                throw error
            }
            if replaced != nil { dropEarlier(files, names) }
            let notes = writer.notes
            state.writer = nil
            let left = known(files, names)
            var receipt = Receipt(
                sink: sink, locations: names.map { joined(file.folder, $0) }, pages: state.pages,
                bytes: files.reduce(0) { $0 + $1.count }, notes: notes.isEmpty ? nil : notes,
                files: left)
            let places = zip(left, receipt.locations).map { file, path in
                file.renamed(path.hasPrefix("/") ? path : FileNames.currentFolder + "/" + path)
            }
            receipt.location = .files(places, showsPages: file.format.showsPages)
            return receipt
        }
    }

    func cancel() {
        state.withLock { state in
            guard state.writer != nil else { return }
            state.writer = nil
            state.failure = DeliveryError(.inputOutput, "'\(sink)' was canceled.")
        }
    }

    /// Runs a step; a failure removes all of the document, and then every later step fails as
    /// well.
    private func attempt<Result: Sendable>(_ step: (inout State) throws -> Result) throws -> Result
    {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.writer != nil else {
                throw DeliveryError(
                    .inputOutput, "'\(sink)' is finished and accepts no more pages.")
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

    private func known(_ files: [PartialFile], _ names: [String]) -> [DeliveredFile] {
        zip(files, names).compactMap { $0.delivered(as: $1) }
    }

    /// Reports how the files can be recognized, just before they get their names.
    private func announce(_ files: [PartialFile], _ names: [String]) throws(DeliveryError) {
        if !files.allSatisfy(\.isLinked) { try earlier?.willPlace(known(files, names)) }
    }

    /// Gives all files the names of the earlier delivery, whose files they replace, or none.
    ///
    /// - Returns: the names; nil when a file of the earlier delivery was changed, or another name
    ///   is in use.
    private func replace(_ files: [PartialFile]) throws(DeliveryError) -> [String]? {
        guard let (state, attempt) = standingState else { return nil }
        let names = file.names(count: files.count, attempt: attempt)
        try announce(files, names)
        for (index, name) in names.enumerated() {
            let placed: Bool
            do {
                placed =
                    if let old = state.first(where: { $0.name == name }) {
                        try files[index].place(insteadOf: old)
                    } else { try files[index].place(as: name) }
            } catch {
                files[..<index].forEach { $0.withdraw() }
                throw error
            }
            if !placed {
                files[..<index].forEach { $0.withdraw() }
                return nil
            }
        }
        return names
    }

    /// The untouched earlier state of the document, and the index of its name.
    private var standingState: (files: [DeliveredFile], attempt: Int)? {
        guard let earlier, let standing = folder.standing(earlier.states) else { return nil }
        let attempt = (1...100).first {
            file.names(count: standing.count, attempt: $0) == standing.map(\.name)
        }
        return attempt.map { (standing, $0) }
    }

    /// Removes the replaced files, and files of the earlier state without a successor.
    private func dropEarlier(_ files: [PartialFile], _ names: [String]) {
        files.forEach { $0.dropReplaced() }
        for old in (earlier?.states ?? []).joined() where !names.contains(old.name) {
            if folder.delivered(old.name) == old { unlinkat(folder.descriptor, old.name, 0) }
        }
    }

    /// Gives all files their final names or none: the requested ones, or the next that are all
    /// unused.
    private func place(_ files: [PartialFile]) throws(DeliveryError) -> [String] {
        attempts: for attempt in 1...10_000 {
            let names = file.names(count: files.count, attempt: attempt)
            try announce(files, names)
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
