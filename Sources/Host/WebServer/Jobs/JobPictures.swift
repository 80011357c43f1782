import Synchronization

/// Small pictures of the pages of the latest jobs, in memory; the oldest are dropped when there are
/// too many.
final class JobPictures: Sendable {
    /// A picture as a client gets it.
    struct Picture: Sendable {
        /// A JPEG file.
        var bytes: [UInt8]
        /// A number that no other picture of this store has.
        var serial: Int
    }

    private struct Place: Hashable {
        var job: String
        var number: Int
    }

    private struct State {
        var pictures: [Place: Picture] = [:]
        var bytes = 0
        var serial = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// A store without pictures.
    ///
    /// - Parameter limit: bytes of all pictures together; about four thousand pages unless given.
    init(limit: Int = 64 << 20) { self.limit = limit }

    /// Stores a picture of a job's capture with this number, replacing the previous one.
    func keep(_ bytes: [UInt8], of job: String, _ number: Int) {
        state.withLock { state in
            let place = Place(job: job, number: number)
            state.bytes += bytes.count - (state.pictures[place]?.bytes.count ?? 0)
            state.serial += 1
            state.pictures[place] = Picture(bytes: bytes, serial: state.serial)
            guard state.bytes > limit else { return }
            // A quarter of the pictures is removed at once, so that the search for the oldest is
            // rare.
            for (place, picture) in state.pictures.sorted(by: { $0.value.serial < $1.value.serial })
            where state.bytes > limit / 4 * 3 {
                state.bytes -= picture.bytes.count
                state.pictures[place] = nil
            }
        }
    }

    /// The picture that a job captured under that number; nil if there is none, or no longer.
    func picture(of job: String, _ number: Int) -> Picture? {
        state.withLock { $0.pictures[Place(job: job, number: number)] }
    }
}
