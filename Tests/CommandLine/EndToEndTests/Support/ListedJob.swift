import Foundation

/// A job in the output of `copystand jobs --json`.
struct ListedJob: Decodable {
    struct Advice: Decodable {
        var action: String
        var command: String
        var loses: Int
    }
    var id: String
    var state: String
    var pages: Int
    var undelivered: Int
    var advice: [Advice]
}

extension Program {
    /// The jobs in the spool.
    func jobs() throws -> [ListedJob] {
        struct Answer: Decodable { var jobs: [ListedJob] }
        let listed = try run(["jobs", "--json"])
        return try JSONDecoder().decode(Answer.self, from: Data(listed.output.utf8)).jobs
    }

    /// Follows the first advice for the only job.
    func followAdvice() throws -> Ending {
        let advice = try jobs().first?.advice.first
        guard let advice else { throw CocoaError(.fileNoSuchFile) }
        return try run(advice.command.split(separator: " ").dropFirst().map(String.init))
    }
}
