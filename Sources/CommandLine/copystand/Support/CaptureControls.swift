/// What captures by hand while a command watches: the keys typed and those of a foot pedal.
final class CaptureControls {
    private let keys: CaptureKeys?
    private let pedal: PedalKeys?

    /// Listens to standard input, and to the pedal that the arguments name.
    ///
    /// - Parameters:
    ///   - onCapture: gets each key that captures, on a thread of its own.
    ///   - onNote: gets messages for the user: that the pedal is gone.
    /// - Throws: ``HostError`` when the pedal can't be read, or nothing can be waited for.
    init(
        _ arguments: WatchArguments, onCapture: @escaping @Sendable () -> Void,
        onNote: @escaping @Sendable (String) -> Void
    ) throws {
        keys = try CaptureKeys(takesPipe: arguments.isManual, onKey: onCapture)
        pedal = try arguments.pedal.map { path in
            try PedalKeys(path: path, onKey: onCapture) {
                onNote("The pedal '\(path)' is no longer connected.")
            }
        }
    }

    /// Stops listening and gives the terminal back.
    func stop() {
        keys?.stop()
        pedal?.stop()
    }
}
