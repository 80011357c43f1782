import FoundationEssentials
import Glibc

// A page whose last row has arrived is not on the disk yet. If this process is killed now, another
// process finishes the page with the help of `page-0001.arrived`. That file is not synced, so it is
// trusted only until the machine restarts.
extension SpoolFolder {
    /// The data for finishing a page whose bytes have all been written.
    struct Arrival: Codable {
        /// The note that the page gets.
        var note: Note
        /// The size of the page's file in bytes, with the room for a header.
        var size: Int
        /// The size of the encoded original's file in bytes; 0 for none.
        var originalSize: Int
        /// The size of the file with the page's own text in bytes; nil for none.
        var textSize: Int?
        /// The ``bootID`` at the time when the page arrived.
        var boot: String
    }

    /// The kernel's id for the machine's current start; nil on a machine without such an id.
    static let bootID: String? =
        (try? Data(
            contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"))).map {
            String(decoding: $0, as: UTF8.self)
        }

    private func arrivalPath(_ number: Int) -> String { pagePath(number, "arrived") }

    /// Notes that a page's last row has arrived.
    ///
    /// A failure matters only if this process is killed within the next moment, so it is not
    /// reported.
    func noteArrival(
        _ number: Int, _ note: Note, size: Int, originalSize: Int, textSize: Int? = nil
    ) {
        guard isKept, let boot = Self.bootID,
            let bytes = try? JSONEncoder().encode(
                Arrival(
                    note: note, size: size, originalSize: originalSize, textSize: textSize,
                    boot: boot))
        else { return }
        let raw = open(arrivalPath(number), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard raw >= 0 else { return }
        // The note is written in one call: a partial note can't be read, so it does not count.
        _ = bytes.withUnsafeBytes { write(raw, $0.baseAddress, $0.count) }
        close(raw)
    }

    /// Removes the note of an arrival, when the page is on the disk or lost.
    func forgetArrival(_ number: Int) { if isKept { unlink(arrivalPath(number)) } }

    /// The pages that have arrived and are not finished, sorted by number.
    private func arrivals() throws -> [(number: Int, arrival: Arrival)] {
        try pageFiles().compactMap { name in
            name.hasSuffix(".arrived") ? Int(name.dropFirst(5).dropLast(8)) : nil
        }.sorted().compactMap { number in
            var status = stat()
            guard stat(pagePath(number, "raw"), &status) != 0,
                let data = try? Data(contentsOf: URL(filePath: arrivalPath(number))),
                let arrival = try? JSONDecoder().decode(Arrival.self, from: data),
                arrival.boot == Self.bootID,
                stat(pagePath(number, "raw.part"), &status) == 0, status.st_size >= arrival.size
            else { return nil }
            return (number, arrival)
        }
    }

    /// The numbers of the pages that have arrived completely and wait to be finished by
    /// ``takeUp()``.
    public var arrivedNumbers: [Int] { (try? arrivals().map(\.number)) ?? [] }

    /// Finishes what a killed process left: pages whose last row had arrived are synced and get
    /// their names; the remains of other unfinished pages are deleted.
    ///
    /// - Throws: ``HostError`` `noSpace` or `spoolFailed`; unfinished pages stay for the next call.
    public func takeUp() throws {
        for (number, arrival) in try arrivals() {
            let pixels = pagePath(number, "raw")
            // The note may already exist, written before the page's end, and it may be incomplete.
            for ending in ["json", "json.part"] { unlink(pagePath(number, ending)) }
            if let original = arrival.note.original, access(original.path, F_OK) != 0 {
                try SpoolFile(unfinished: original.path).complete(size: arrival.originalSize)
            }
            if let text = arrival.note.text, access(text, F_OK) != 0 {
                try SpoolFile(unfinished: text).complete(size: arrival.textSize ?? 0)
            }
            try writeNote(number, arrival.note)
            try SpoolFile(unfinished: pixels)
                .complete(size: arrival.size, modified: arrival.note.modified)
            try sync()
        }
        try removeUnfinished()
    }
}
