import Documents
import HTTPServer

/// A request about the archive, for the cache of answers: equal ones have the same answer.
///
/// Parts are compared by their bytes: texts that look alike can be different questions.
struct ArchiveQuestion: Hashable {
    private let parts: [[[UInt8]]]

    init(_ call: Call) {
        // Everyone who sees all documents gets the same answer; only administrators see places.
        let asker =
            call.user.sees == .all ? ["all"] : ["own"] + (call.user.name.map { [$0] } ?? [])
        let head = call.request.head
        parts = [
            [call.scope == .admin ? "admin" : ""], asker, head.path, head.query.map(\.name),
            head.query.map(\.value),
        ].map { $0.map { Array($0.utf8) } }
    }
}
