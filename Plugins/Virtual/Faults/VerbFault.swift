import CaptureKit

/// A fault of a verb other than capture, as the environment variable `COPYSTAND_VIRTUAL_FAULT` asks
/// for it.
///
/// The variable is `VERB` or `VERB:WHAT`, with the verbs `devices`, `open` and `options`, and the
/// faults `crash` (the default), `exit`, `hang`, `freeze`, `garbage`, `noise` or `error`. Any other
/// text requests no fault.
struct VerbFault: Hashable, Sendable {
    /// A verb that can be made to fail.
    enum Verb: String, Sendable {
        case devices
        case open
        case options
    }

    /// The verb that fails.
    var verb: Verb
    /// The effect on the process; nil when the verb only returns an error.
    var act: FaultAct?

    /// Reads the variable's value; nil when it asks for nothing.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = parts.first, let verb = Verb(rawValue: String(first)), parts.count <= 2
        else {
            return nil
        }
        self.verb = verb
        switch parts.dropFirst().first ?? "crash" {
        case "crash": act = .crash
        case "exit": act = .exit(3)
        case "hang": act = .hang
        case "freeze": act = .freeze
        case "garbage": act = .garbage
        case "noise": act = .noise
        case "error": act = nil
        default: return nil
        }
    }

    /// Triggers the fault if `verb` is the one.
    func trigger(_ verb: Verb, _ actuator: any FaultActuator) async throws {
        guard verb == self.verb else { return }
        guard let act else {
            throw CaptureError(
                .inputOutput, "The verb '\(verb.rawValue)' failed, as requested",
                advice: "Unset COPYSTAND_VIRTUAL_FAULT.")
        }
        try await actuator.perform(act)
    }
}
