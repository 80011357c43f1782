/// A possible action on a job that is not running, and its cost in pages.
public struct JobAdvice: Codable, Hashable, Sendable {
    /// The kind of action.
    public enum Action: String, Codable, CaseIterable, Sendable {
        /// Every page is delivered; a stack that was not captured completely stays open.
        case resume
        /// More pages are captured, and the whole document is delivered again.
        case append
        /// The files get the blank pages that were left out of them.
        case keepBlank
        /// The documents get the sheets between them.
        case keepSeparators
        /// The job is deleted.
        case discard
    }

    /// The kind of action.
    public let action: Action
    /// The command for the action on the job's own machine.
    public let command: String
    /// The number of never delivered pages that the action would lose.
    public let loses: Int
}

extension StoredJob {
    /// The possible actions, the safest first; empty while the job runs.
    public var advice: [JobAdvice] {
        guard !isRunning else { return [] }
        // Once a person has fixed the problem, the other actions are possible again.
        var found = problem == nil ? deliveries : []
        found.append(
            JobAdvice(
                action: .discard,
                command: "copystand jobs discard \(undeliveredPages > 0 ? "--force " : "")\(id)",
                loses: undeliveredPages))
        return found
    }

    /// The possible actions that deliver pages.
    private var deliveries: [JobAdvice] {
        var found: [JobAdvice] = []
        func add(_ action: JobAdvice.Action, _ command: String) {
            found.append(JobAdvice(action: action, command: "copystand \(command)", loses: 0))
        }
        if order == nil, pages > 0 {
            add(.resume, "jobs resume \(id) -o FILE")
        } else if order != nil, isResumable {
            add(.resume, "jobs resume \(id)")
        }
        if isOpen { add(.append, "scan --append \(id)") }
        if blankPages != nil { add(.keepBlank, "jobs resume --keep-blank \(id)") }
        if asidePages != nil { add(.keepSeparators, "jobs resume --split-page keep \(id)") }
        return found
    }

    /// True if resuming the job delivers anything.
    private var isResumable: Bool {
        if isRereadable, hasFiles { return true }
        // The pages of missing files were delivered, or are in the spool.
        guard pages > 0 || !isRereadable || isAtLeast else { return false }
        return undeliveredPages > 0 || !lost.isEmpty || isIncomplete
    }
}
