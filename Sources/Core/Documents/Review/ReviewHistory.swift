/// A document with every change that was made to it, and the unchanged original.
///
/// A change has one or more actions that are undone together. Undo and redo reach back to the
/// original and forward again, as long as the history is kept. A new change after an undo replaces
/// the undone ones.
public struct ReviewHistory: Codable, Hashable, Sendable {
    /// The document as it was captured.
    public let original: Review
    /// Every change, including undone ones.
    public private(set) var changes: [[ReviewAction]]
    /// The number of changes that are applied.
    public private(set) var done: Int
    /// The document with the applied changes.
    public private(set) var current: Review

    /// A history without changes.
    public init(original: Review) {
        self.original = original
        changes = []
        done = 0
        current = original
    }

    /// A stored history.
    ///
    /// - Parameter done: the number of changes that are applied.
    /// - Throws: ``ReviewError`` when the changes can't be applied to the original, or there are
    ///   fewer than `done`.
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

    /// Makes a change, with all of its actions or none.
    ///
    /// - Throws: ``ReviewError``; nothing is changed then.
    public mutating func perform(_ actions: [ReviewAction]) throws(ReviewError) {
        guard !actions.isEmpty else { return }
        var next = current
        for action in actions { next = try next.applying(action) }
        changes.removeSubrange(done...)
        changes.append(actions)
        done += 1
        current = next
    }

    /// Undoes the last applied change.
    ///
    /// - Returns: the undone actions.
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

    /// Applies the last undone change again.
    ///
    /// - Returns: the redone actions.
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
