/// A document with every change that was ever made to it, on an original that never changes.
///
/// A change is one or several actions that are undone as one. Undo and redo reach back to the
/// original and forward again, for as long as the history is kept; a new change after an undo takes
/// the place of those that were undone.
public struct ReviewHistory: Codable, Hashable, Sendable {
    /// The document as it was captured.
    public let original: Review
    /// Every change, those that are undone included.
    public private(set) var changes: [[ReviewAction]]
    /// How many of the changes are in force.
    public private(set) var done: Int
    /// The document with these.
    public private(set) var current: Review

    /// A history that has just begun.
    public init(original: Review) {
        self.original = original
        changes = []
        done = 0
        current = original
    }

    /// A history as it was stored.
    ///
    /// - Parameter done: How many of the changes are in force.
    /// - Throws: ``ReviewError`` when the changes can't be applied to the original, or there are
    ///   too few.
    public init(original: Review, changes: [[ReviewAction]], done: Int) throws(ReviewError) {
        guard (0...changes.count).contains(done) else {
            throw ReviewError(
                .invalidValue, "\(done) of \(changes.count) changes can't be in effect.")
        }
        self.original = original
        self.changes = changes
        self.done = done
        current = try Self.replay(original, changes[..<done])
    }

    /// Makes a change; all of its actions, or none.
    ///
    /// - Throws: ``ReviewError``, and nothing has changed.
    public mutating func perform(_ actions: [ReviewAction]) throws(ReviewError) {
        guard !actions.isEmpty else { return }
        var next = current
        for action in actions { next = try next.applying(action) }
        changes.removeSubrange(done...)
        changes.append(actions)
        done += 1
        current = next
    }

    /// Undoes the last change that is in force.
    ///
    /// - Returns: What was undone.
    /// - Throws: ``ReviewError`` `nothingToUndo`.
    @discardableResult
    public mutating func undo() throws(ReviewError) -> [ReviewAction] {
        guard done > 0 else {
            throw ReviewError(
                .nothingToUndo, "There is nothing to undo: the document is as it was captured.")
        }
        current = try Self.replay(original, changes[..<(done - 1)])
        done -= 1
        return changes[done]
    }

    /// Makes the last change that was undone again.
    ///
    /// - Returns: What was redone.
    /// - Throws: ``ReviewError`` `nothingToUndo`.
    @discardableResult
    public mutating func redo() throws(ReviewError) -> [ReviewAction] {
        guard done < changes.count else {
            throw ReviewError(
                .nothingToUndo, "There is nothing to redo: the last change was not an undo.")
        }
        current = try Self.replay(current, changes[done...done])
        done += 1
        return changes[done - 1]
    }

    private static func replay(
        _ start: Review, _ changes: ArraySlice<[ReviewAction]>
    ) throws(ReviewError) -> Review {
        var review = start
        for change in changes {
            for action in change { review = try review.applying(action) }
        }
        return review
    }
}
