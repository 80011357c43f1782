/// Listens for captures by hand while a command watches: the typed keys and those of a foot pedal.
final class CaptureControls {
    private let keys: CaptureKeys?
    private let pedal: PedalKeys?

    /// Listens to standard input, and to the pedal that the arguments name.
    ///
    /// - Parameters:
    ///   - onCapture: gets each key that captures, on a separate thread.
    ///   - onNote: gets messages for the user, such as that the pedal is gone.
    /// - Throws: ``HostError`` when the pedal or standard input can't be watched.
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

    /// Stops listening and restores the terminal.
    func stop() {
        keys?.stop()
        pedal?.stop()
    }
}
