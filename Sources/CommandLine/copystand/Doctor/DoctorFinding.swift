/// What one check of `doctor` found.
struct DoctorFinding: Encodable, Hashable, Sendable {
    /// How bad it is.
    enum State: String, Encodable, Sendable {
        /// As it should be.
        case ok
        /// Something is missing that not everyone needs.
        case warning
        /// Something must be fixed before the program can work.
        case failure
    }

    /// What was checked, such as "Text recognition".
    var check: String
    /// How bad it is.
    var state: State
    /// What was found.
    var message: String
    /// What to type or do to fix it; nil if nothing is wrong.
    var remedy: String?

    /// A finding that everything is fine.
    static func ok(_ check: String, _ message: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .ok, message: message)
    }

    /// A finding that some may want to fix.
    static func warning(_ check: String, _ message: String, remedy: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .warning, message: message, remedy: remedy)
    }

    /// A finding that must be fixed.
    static func failure(_ check: String, _ message: String, remedy: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .failure, message: message, remedy: remedy)
    }
}
