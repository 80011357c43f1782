import CaptureKit
import Dispatch
import ExpectedFailures
import Glibc
import GuardedFiles
import Synchronization

/// A frame whose pixels are arriving: where they go, and how many have arrived.
final class OpenFrame: Sendable {
    let number: Int
    let description: FrameDescription
    /// The maximum size of the frame in bytes.
    let most: Int
    let isInline: Bool
    let storage: Storage
    /// The bytes of the frame's file before row 0.
    let room: Int
    private let state = Mutex((received: 0, rows: 0, reported: 0))
    /// The page's note, if it is written while the pixels arrive.
    private let note = Mutex<WrittenNote?>(nil)
    private let ownText = Mutex<FrameText?>(nil)
    private let noteWriting = DispatchGroup()

    /// The buffer that receives the pixels.
    enum Storage: Sendable {
        case page(SpoolFile)
        case live(LiveBuffer)
    }

    init(
        number: Int, description: FrameDescription, most: Int, isInline: Bool, storage: Storage,
        room: Int = 0
    ) {
        self.number = number
        self.description = description
        self.most = most
        self.isInline = isInline
        self.storage = storage
        self.room = room
    }

    /// The descriptor that the backend gets for its pixels.
    var descriptor: OwnedDescriptor {
        switch storage {
        case .page(let file): file.descriptor
        case .live(let buffer): buffer.descriptor
        }
    }

    /// The number of bytes that arrived inline.
    var received: Int { state.withLock { $0.received } }

    /// Counts bytes that arrived inline; false when there are more than the frame may have.
    func receive(_ count: Int) -> Bool {
        state.withLock { state in
            guard count <= most - state.received else { return false }
            state.received += count
            return true
        }
    }

    /// The page's own text so far; nil when none has arrived.
    var text: FrameText? { ownText.withLock { $0 } }

    /// Adds words of the page's own text; false when they exceed the limit.
    func add(_ words: [FrameText.Word], isPartial: Bool) -> Bool {
        ownText.withLock { text in
            let before = text ?? FrameText(words: [])
            guard words.count <= FrameText.mostWords - before.words.count else { return false }
            text = FrameText(
                words: before.words + words, isPartial: before.isPartial || isPartial)
            return true
        }
    }

    /// Counts the rows that have arrived.
    ///
    /// Returns whether the number of rows grew, and whether it grew enough for a report.
    func advance(to rows: Int) -> (isAdvance: Bool, isWorthReporting: Bool) {
        state.withLock { state in
            guard rows > state.rows else { return (false, false) }
            state.rows = rows
            let step = max(1, (description.height ?? 3500) / 50)
            guard rows - state.reported >= step || rows == description.height else {
                return (true, false)
            }
            state.reported = rows
            return (true, true)
        }
    }

    /// Deletes the received data, after waiting for a note that is being written.
    func discard() {
        guard case .page(let file) = storage, !file.isComplete else { return }
        file.discard()
        if let note = writtenNote { GuardedFolder.removeFile(at: note.path) }
    }

    // MARK: The note of a page

    /// Writes the note of a page of known height while its pixels arrive, so that nothing waits for
    /// the note at the page's end.
    ///
    /// The page's end writes a note that is missing, and reports a failure of that.
    func writeNote(
        in spool: SpoolFolder, page: Int, _ note: SpoolFolder.Note, on queue: DispatchQueue
    ) {
        queue.async(group: noteWriting) { [self] in
            guard reportedLater({ try spool.writeNote(page, note) }) != nil else { return }
            self.note.withLock {
                $0 = WrittenNote(path: spool.pagePath(page, "json"), note: note)
            }
        }
    }

    /// The note that is on the disk; nil when there is none.
    var writtenNote: WrittenNote? {
        noteWriting.wait()
        return note.withLock { $0 }
    }

    /// A note that is on the disk.
    struct WrittenNote: Sendable {
        let path: String
        let note: SpoolFolder.Note
    }
}
