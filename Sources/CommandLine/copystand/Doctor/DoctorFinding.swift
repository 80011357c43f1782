/// A result of one check of `doctor`.
struct DoctorFinding: Encodable, Hashable, Sendable {
    /// The severity of the result.
    enum State: String, Encodable, Sendable {
        /// No fault was found.
        case ok
        /// Something is missing that not everyone needs.
        case warning
        /// Something must be fixed before the program can work.
        case failure
    }

    /// The checked part, such as "Text recognition".
    var check: String
    /// The severity of the result.
    var state: State
    /// The result in words.
    var message: String
    /// A command or another remedy; nil if nothing is wrong.
    var remedy: String?

    /// A finding without a problem.
    static func ok(_ check: String, _ message: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .ok, message: message)
    }

    /// A finding of a problem that some users may want to fix.
    static func warning(_ check: String, _ message: String, remedy: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .warning, message: message, remedy: remedy)
    }

    /// A finding that must be fixed.
    static func failure(_ check: String, _ message: String, remedy: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .failure, message: message, remedy: remedy)
    }
}
