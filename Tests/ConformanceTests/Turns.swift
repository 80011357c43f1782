/// Lets a few runs go on at once: each keeps a core busy with processes, and a hundred together would starve every other test.
actor Turns {
    static let few = Turns(2)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ free: Int) { self.free = free }

    /// Waits for a turn, which ``give()`` gives back.
    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
