import CaptureHost
import CaptureKit

// Checks of a whole conversation with all verbs: a device is opened, its options are read, one is
// set, a page is captured, another is canceled, and the device is closed.
let conversationChecks = [
    ConformanceCheck(
        "message.once-each", .must, section: "Messages",
        title: "Answers every verb exactly once"
    ) {
        try $0.needs("message.one-answer")
        let connection = try $0.conversation()
        if let number = connection.asked.first(where: { connection.answerCount($0.number) > 1 }) {
            throw CheckFailure(
                "one answer to '\(number.verb)'",
                came: "\(connection.answerCount(number.number)) to request \(number.number)")
        }
    },
    ConformanceCheck(
        "message.no-stray", .must, section: "Messages",
        title: "Sends nothing but answers and events in a whole conversation"
    ) {
        try $0.needs("message.asked-only")
        let connection = try $0.conversation()
        if let number = connection.unasked.first {
            throw CheckFailure(
                "answers to requests", came: "one to \(number), which was never sent")
        }
    },
]

extension CheckContext {
    /// A connection on which that conversation has just ended.
    fileprivate func conversation() throws -> CheckConnection {
        let gives = try hasPage()
        tidyUp()
        let connection = try connection()
        _ = try devicesAnswer(connection, quick: true)
        let handle = try open(connection)
        let options = try options(connection, handle)
        // Setting an option to its present value changes nothing.
        if let option = options.first(where: { $0.isActive && !$0.isReadOnly && $0.value != nil }),
            let value = option.value
        {
            _ = try set(connection, handle, option: option.name, value: value)
        }
        if gives {
            try lighten(connection, handle)
            let whole = try WatchedCapture(self, connection, handle, limit: 1)
            try whole.untilEnd(usualWay())
            let other = try WatchedCapture(self, connection, handle, limit: 1)
            if try other.untilAnnounced() { try cancels(other) }
        }
        try close(connection, handle)
        try settle(connection)
        return connection
    }

    /// True if the device gives pages now.
    private func hasPage() throws -> Bool {
        do { _ = try sample() } catch is NotApplicable { return false }
        return true
    }
}
