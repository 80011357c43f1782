import CaptureKit
import Clocks
import Synchronization

extension CaptureSession {
    /// The maximum number of reading places that a capture may report: one for each file of a
    /// folder, pages or not.
    private static let mostReadings = 400_000

    /// Keeps the place where the backend reads next, and the pages that it holds back.
    func read(_ place: ReadingPlace) throws -> Effect {
        guard place.next.utf8.count <= ReadingPlace.longest,
            place.rest.utf8.count <= ReadingPlace.longest
        else { throw link.nonsense("reported a place in a file that is too long") }
        return try state.withLock { state in
            state.readings += 1
            guard state.readings <= Self.mostReadings else {
                throw link.nonsense("reported more than \(Self.mostReadings) places that it reads")
            }
            let isNew = state.reading?.next != place.next
            let held = (state.reading?.held ?? []) + (place.held ?? [])
            state.reading = place
            state.reading?.held = held.isEmpty ? nil : held
            if isNew { state.sinceAdvance = Stopwatch(link.clock) }
            return isNew ? .advance : .idle
        }
    }
}
