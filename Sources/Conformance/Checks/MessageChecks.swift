import CaptureHost
import CaptureKit

let messageChecks = [
    ConformanceCheck("verb.unknown", .must, "Messages", "Refuses an unknown verb and goes on") {
        let talk = try $0.greeted()
        let number = talk.nextNumber()
        talk.send("{\"request\":\(number),\"verb\":\"dance\"}")
        let answer = try talk.answer(number, "'dance'", within: $0.deadlines.options)
        try $0.refused(answer, "the verb 'dance'", .unsupported)
        _ = try $0.devices(talk)
    },
    ConformanceCheck("fields.unknown", .must, "Messages", "Ignores unknown fields of a request") {
        try devices($0) { "{\"later\":[1],\"request\":\($0),\"verb\":\"devices\",\"quick\":true}" }
    },
    ConformanceCheck("json.escapes", .must, "Messages", "Reads JSON with blanks and escapes") {
        try devices($0) { "{ \"request\" : \($0) , \"verb\" : \"\\u0064evices\" }" }
    },
    ConformanceCheck("message.long", .must, "Messages", "Reads a message of nearly 1 MiB") {
        let filler = String(repeating: "x", count: 1_000_000)
        try devices($0) { "{\"request\":\($0),\"verb\":\"devices\",\"later\":\"\(filler)\"}" }
    },
    ConformanceCheck("event.unknown", .must, "Messages", "Ignores unknown events") {
        let talk = try $0.greeted()
        talk.send(#"{"event":"weather","is":"fine"}"#)
        _ = try $0.devices(talk)
    },
    ConformanceCheck("answer.once", .must, "Messages", "Answers each request exactly once") {
        let talk = try $0.greeted()
        let numbers = try (1...3).map { _ in try talk.ask(.devices, DeviceQuery(quick: true)) }
        for number in numbers {
            _ = try talk.answer(number, "devices", within: $0.deadlines.devices)
        }
        _ = try talk.listen(for: .milliseconds(300))
        for number in numbers where talk.answersLeft(to: number) > 0 {
            throw CheckFailure("one answer to each request", came: "several to request \(number)")
        }
    },
]

private func devices(_ bench: CheckBench, _ line: (Int) -> String) throws {
    let talk = try bench.greeted()
    let number = talk.nextNumber()
    talk.send(line(number))
    let answer = try talk.answer(number, "devices", within: bench.deadlines.devices)
    try bench.accepted(answer, "devices")
}
