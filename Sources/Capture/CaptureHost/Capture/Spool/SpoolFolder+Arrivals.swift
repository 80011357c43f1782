import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles

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
        ifSupported {
            String(
                decoding: try GuardedFolder.readFile(
                    at: "/proc/sys/kernel/random/boot_id", atMost: 100), as: UTF8.self)
        }

    private func arrivalPath(_ number: Int) -> String { pagePath(number, "arrived") }

    /// Notes that a page's last row has arrived.
    ///
    /// A failure matters only if this process is killed within the next moment, so it is not
    /// reported.
    func noteArrival(
        _ number: Int, _ note: Note, size: Int, originalSize: Int, textSize: Int? = nil
    ) {
        guard isKept, let boot = Self.bootID else { return }
        let arrival = Arrival(
            note: note, size: size, originalSize: originalSize, textSize: textSize, boot: boot)
        GuardedFolder.removeFile(at: arrivalPath(number))
        // A partial note can't be read, so it does not count.
        asHint {
            let bytes = Array(try JSONEncoder().encode(arrival))
            let (folder, name) = try GuardedFolder.above(arrivalPath(number))
            try folder.write(bytes, new: name)
        }
    }

    /// Removes the note of an arrival, when the page is on the disk or lost.
    func forgetArrival(_ number: Int) {
        if isKept { GuardedFolder.removeFile(at: arrivalPath(number)) }
    }

    /// The pages that have arrived and are not finished, sorted by number.
    private func arrivals() throws -> [(number: Int, arrival: Arrival)] {
        try pageFiles().compactMap { name in
            name.hasSuffix(".arrived") ? Int(name.dropFirst(5).dropLast(8)) : nil
        }.sorted().compactMap { number in
            guard GuardedFolder.status(at: pagePath(number, "raw")) == nil else { return nil }
            let bytes = try spooling { () throws(GuardedFileError) in
                try GuardedFolder.readFile(at: arrivalPath(number), atMost: Self.mostNoteBytes)
            }
            let known = ofKnownForm { try JSONDecoder().decode(Arrival.self, from: Data(bytes)) }
            guard let arrival = known,
                arrival.boot == Self.bootID,
                let status = GuardedFolder.status(at: pagePath(number, "raw.part")),
                status.st_size >= arrival.size
            else { return nil }
            return (number, arrival)
        }
    }

    /// The numbers of the pages that have arrived completely and wait to be finished by
    /// ``takeUp()``.
    ///
    /// - Throws: ``HostError`` `spoolFailed` when the folder, or a note in it, can't be read.
    public func arrivedNumbers() throws -> [Int] { try arrivals().map(\.number) }

    /// Finishes what a killed process left: pages whose last row had arrived are synced and get
    /// their names; the remains of other unfinished pages are deleted.
    ///
    /// - Throws: ``HostError`` `noSpace` or `spoolFailed`; unfinished pages stay for the next call.
    public func takeUp() throws {
        for (number, arrival) in try arrivals() {
            let pixels = pagePath(number, "raw")
            // The note may already exist, written before the page's end, and it may be incomplete.
            for ending in ["json", "json.part"] {
                GuardedFolder.removeFile(at: pagePath(number, ending))
            }
            try finish(arrival.note.original?.path, size: arrival.originalSize)
            try finish(arrival.note.text, size: arrival.textSize ?? 0)
            try writeNote(number, arrival.note)
            try SpoolFile(unfinished: pixels)
                .complete(size: arrival.size, modified: arrival.note.modified)
            try sync()
        }
        try removeUnfinished()
    }

    /// Gives another file of a page its name, if it lacks it.
    private func finish(_ file: String?, size: Int) throws {
        guard let file = file.map(own), GuardedFolder.status(at: file) == nil else { return }
        try SpoolFile(unfinished: file).complete(size: size)
    }
}
