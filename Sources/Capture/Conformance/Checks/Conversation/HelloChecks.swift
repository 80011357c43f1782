import CaptureHost
import CaptureKit

let helloChecks = [
    ConformanceCheck("hello.answers", .must, section: "hello", title: "Answers hello in time") {
        _ = try $0.greeted()
    },
    ConformanceCheck(
        "hello.version", .must, section: "hello", title: "Speaks the host's version and has a name"
    ) {
        let answer = try hello($0, #""protocol":1,"host":"copystand""#)
        guard answer.protocol == captureProtocolVersion, !answer.name.isEmpty else {
            throw CheckFailure(
                "protocol 1 and a name", came: "\(answer.protocol) and '\(answer.name)'")
        }
    },
    ConformanceCheck(
        "hello.newer-host", .must, section: "Versions",
        title: "Reports its own version to a newer host"
    ) {
        let answer = try hello($0, #""protocol":99,"host":"copystand""#)
        guard answer.protocol <= captureProtocolVersion else {
            throw CheckFailure("a version of the protocol that exists", came: "\(answer.protocol)")
        }
    },
    ConformanceCheck("clients.two", .must, section: "Life cycle", title: "Serves two hosts at once")
    {
        let one = try $0.greeted()
        let two = try $0.greeted()
        for connection in [one, two, one] {
            let number = try connection.ask(.devices, DeviceQuery(quick: true))
            _ = try connection.answer(number, "devices", within: $0.deadlines.devices)
        }
    },
    ConformanceCheck(
        "hello.unknown-fields", .must, section: "Messages", title: "Ignores unknown fields of hello"
    ) {
        _ = try hello($0, #""protocol":1,"host":"copystand","later":{"a":[1,null]}"#)
    },
    ConformanceCheck(
        "hello.capabilities", .must, section: "Room before a page",
        title: "Accepts files if it leaves room in them"
    ) {
        let names = try $0.capabilities()
        guard names.contains(Wire.HelloAnswer.offsets) else {
            throw NotApplicable("it has no capability 'offsets'")
        }
        guard names.contains(Wire.HelloAnswer.descriptors) else {
            throw CheckFailure(
                "'descriptors' along with 'offsets'", came: names.joined(separator: ", "))
        }
    },
    ConformanceCheck(
        "hello.by-hand", .must, section: "Life cycle",
        title: "Exits with status 2 when started by hand"
    ) {
        let status = statusByHand(
            $0.run.program, within: $0.deadlines.hello)
        guard status == 2 else {
            throw CheckFailure(
                "status 2 without a connection", came: status.map { "\($0)" } ?? "no exit")
        }
    },
]

private func hello(_ context: CheckContext, _ fields: String) throws -> Wire.HelloAnswer {
    try context.needs("hello.answers")
    let connection = try context.start()
    let number = connection.nextNumber()
    connection.send("{\"request\":\(number),\"verb\":\"hello\",\(fields)}")
    let answer = try connection.answer(number, "hello", within: context.deadlines.hello)
    try context.accepted(answer, "hello")
    return try answer.line.decode(Wire.HelloAnswer.self)
}
