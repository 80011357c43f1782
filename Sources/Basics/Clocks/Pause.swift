extension Clock {
    /// Waits, or until the task is canceled: then it returns at once.
    ///
    /// - Returns: false if the task is canceled.
    @discardableResult
    public func pause(for duration: Duration) async -> Bool {
        do { try await sleep(for: duration) } catch { return false }
        return true
    }
}
