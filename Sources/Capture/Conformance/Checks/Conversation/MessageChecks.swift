import CaptureHost
import CaptureKit

let messageChecks = [
    ConformanceCheck(
        "message.unknown-verb", .must, section: "Messages",
        title: "Refuses an unknown verb and continues"
    ) {
        let connection = try $0.connection()
        for _ in 1...2 {
            let number = connection.nextNumber()
            connection.send("{\"request\":\(number),\"verb\":\"dance\"}")
            let answer = try connection.answer(number, "'dance'", within: $0.deadlines.options)
            try $0.refused(answer, "the verb 'dance'", .unsupported)
        }
    },
    ConformanceCheck(
        "message.error", .must, section: "Messages",
        title: "Says in an error what failed, without a period"
    ) {
        let connection = try $0.connection()
        let number = connection.nextNumber()
        connection.send("{\"request\":\(number),\"verb\":\"dance\"}")
        let answer = try connection.answer(number, "'dance'", within: $0.deadlines.options)
        let message = answer.line.header.error?.message ?? "-"
        guard !message.allSatisfy(\.isWhitespace), message.last != "." else {
            throw CheckFailure("a sentence without a period", came: "'\(message)'")
        }
    },
    ConformanceCheck(
        "message.unknown-field", .must, section: "Messages",
        title: "Ignores unknown fields of a request"
    ) {
        try devices($0) { "{\"later\":[1],\"request\":\($0),\"verb\":\"devices\",\"quick\":true}" }
    },
    ConformanceCheck(
        "message.escapes", .must, section: "Messages", title: "Reads JSON with blanks and escapes"
    ) {
        try devices($0) { "{ \"request\" : \($0) , \"verb\" : \"\\u0064evices\",\"quick\":true }" }
    },
    ConformanceCheck(
        "message.unicode", .must, section: "Messages", title: "Reads text in every script"
    ) {
        let connection = try $0.connection()
        for name in ["Gerät-☃-𝄞-0", #"\u2603\ud834\udd1e-0"#] {
            let number = connection.nextNumber()
            connection.send("{\"request\":\(number),\"verb\":\"open\",\"device\":\"\(name)\"}")
            let answer = try connection.answer(number, "open", within: $0.deadlines.open)
            guard answer.line.header.error != nil else {
                throw CheckFailure("an error for the device '\(name)'", came: "success")
            }
        }
    },
    ConformanceCheck(
        "message.long", .must, section: "Messages", title: "Reads a message of nearly 1 MiB"
    ) {
        let filler = String(repeating: "x", count: 1_000_000)
        try devices($0) {
            "{\"request\":\($0),\"verb\":\"devices\",\"quick\":true,\"later\":\"\(filler)\"}"
        }
    },
    ConformanceCheck(
        "message.pieces", .must, section: "Messages", title: "Reads a message that comes in pieces"
    ) {
        let connection = try $0.connection()
        let (number, bytes) = try connection.line(.devices, DeviceQuery(quick: true))
        for piece in [bytes[..<3], bytes[3..<20], bytes[20...]] {
            connection.send(raw: Array(piece))
            connection.awaitReading()
        }
        try $0.accepted(
            connection.answer(number, "devices", within: $0.deadlines.devices), "devices")
    },
    ConformanceCheck(
        "message.together", .must, section: "Messages", title: "Reads messages that come together"
    ) {
        let connection = try $0.connection()
        let lines = try (1...5).map { _ in try connection.line(.devices, DeviceQuery(quick: true)) }
        connection.send(raw: lines.flatMap(\.bytes))
        for (number, _) in lines {
            try $0.accepted(
                connection.answer(number, "devices", within: $0.deadlines.devices), "devices")
        }
    },
    ConformanceCheck(
        "message.unknown-event", .must, section: "Messages", title: "Ignores unknown events"
    ) {
        let connection = try $0.connection()
        connection.send(#"{"event":"weather","is":"fine"}"#)
        try $0.settle(connection)
    },
    ConformanceCheck(
        "message.one-answer", .must, section: "Messages", title: "Answers each request exactly once"
    ) {
        let connection = try $0.connection()
        let numbers = try (1...3).map { _ in try connection.ask(.devices, DeviceQuery(quick: true))
        }
        for number in numbers {
            _ = try connection.answer(number, "devices", within: $0.deadlines.devices)
        }
        try $0.settle(connection)
        for number in numbers where connection.answerCount(number) > 1 {
            throw CheckFailure("one answer to each request", came: "several to request \(number)")
        }
    },
    ConformanceCheck(
        "message.asked-only", .must, section: "Messages", title: "Sends no answer without a request"
    ) {
        let connection = try $0.connection()
        try $0.settle(connection)
        let before = connection.unasked.count
        _ = try connection.answer(
            connection.ask(.devices, DeviceQuery(quick: true)), "devices",
            within: $0.deadlines.devices)
        try $0.settle(connection)
        if let number = connection.unasked.dropFirst(before).first {
            throw CheckFailure(
                "answers to requests",
                came: "one to \(number), which was never sent")
        }
    },
]

private func devices(_ context: CheckContext, _ line: (Int) -> String) throws {
    try context.needs("message.unknown-verb")
    let connection = try context.connection()
    let number = connection.nextNumber()
    connection.send(line(number))
    let answer = try connection.answer(number, "devices", within: context.deadlines.devices)
    try context.accepted(answer, "devices")
}
