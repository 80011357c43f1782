import CaptureHost
import CaptureKit

let openChecks = [
    ConformanceCheck(
        "open.answers", .must, section: "open", title: "Opens a device that it lists as ready"
    ) {
        _ = try $0.open($0.connection())
        // Later checks open the device again.
        $0.tidyUp()
    },
    ConformanceCheck("close.answers", .must, section: "close", title: "Closes a device") {
        let connection = try $0.connection()
        try $0.close(connection, $0.open(connection))
    },
    ConformanceCheck(
        "open.again", .must, section: "close", title: "Opens a device again after it was closed"
    ) {
        let connection = try $0.connection()
        for _ in 1...3 { try $0.close(connection, $0.open(connection)) }
    },
    ConformanceCheck(
        "open.describes", .must, section: "open", title: "Describes the device that was opened"
    ) {
        struct Answer: Decodable { var device: Lenient<DeviceDescriptor>? }
        let connection = try $0.connection()
        let id = try $0.device().id
        let line = try $0.openAnswer(connection, id).line
        try $0.close(connection, line.decode(Wire.OpenAnswerHandle.self).handle)
        guard let reported = try line.decode(Answer.self).device else {
            throw NotApplicable("the answer leaves the device to the list")
        }
        guard let device = reported.value, DeviceRules.fault(device, isOpened: true) == nil else {
            throw CheckFailure("a description that the protocol allows", came: "another one")
        }
        guard device.id == id else {
            throw CheckFailure("the device '\(id)'", came: "'\(device.id)'")
        }
    },
    ConformanceCheck(
        "open.each", .must, section: "open", title: "Opens every device that is ready",
        isHarsh: true
    ) {
        let connection = try $0.connection()
        let ready = try $0.devices(connection).filter { $0.state == .ready }
        if ready.isEmpty { throw NotApplicable("no device is ready") }
        for device in ready.prefix(10) {
            let answer = try $0.openAnswer(connection, device.id)
            // Another program may use the device by now.
            if answer.line.header.error?.code == .busy { continue }
            try $0.accepted(answer, "open '\(device.id)'")
            try $0.close(connection, answer.line.decode(Wire.OpenAnswerHandle.self).handle)
        }
    },
    ConformanceCheck("open.unknown", .must, section: "open", title: "Refuses an unknown device") {
        let answer = try $0.openAnswer($0.connection(), "no-such-device-0")
        try $0.refused(answer, "an unknown device", .noSuchDevice)
    },
    ConformanceCheck(
        "open.strange", .must, section: "open", title: "Refuses names that no device can have"
    ) {
        let connection = try $0.connection()
        for name in ["", "\u{0}", "a\nb", String(repeating: "x", count: 5_000)] {
            try $0.refused($0.openAnswer(connection, name), "a device that can't be")
        }
    },
    ConformanceCheck(
        "open.twice", .must, section: "open", title: "Keeps two openings of a device apart"
    ) {
        let connection = try $0.connection()
        let first = try $0.open(connection)
        let answer = try $0.openAnswer(connection, $0.device().id)
        if let error = answer.line.header.error {
            guard error.code == .busy else {
                throw CheckFailure(
                    "success, or the error busy", came: "the error \(error.code.rawValue)")
            }
        } else {
            let second = try answer.line.decode(Wire.OpenAnswerHandle.self).handle
            guard first != second else {
                throw CheckFailure("another handle", came: "\(second) again")
            }
            try $0.close(connection, second)
        }
        try $0.close(connection, first)
    },
    ConformanceCheck(
        "open.unknown-handle", .must, section: "open",
        title: "Refuses a handle that it never issued"
    ) {
        try refusesHandle($0, $0.connection(), handle: 987_654, what: "an unknown handle")
    },
    ConformanceCheck(
        "close.handle", .must, section: "close", title: "Refuses the handle of a closed device"
    ) {
        let connection = try $0.connection()
        let handle = try $0.open(connection)
        try $0.close(connection, handle)
        try refusesHandle($0, connection, handle: handle, what: "a handle that was closed")
    },
]

private func refusesHandle(
    _ context: CheckContext, _ connection: CheckConnection, handle: Int, what: String
) throws {
    try context.needs("options.answers")
    for verb in [Verb.options, .capture, .close] {
        let number = try connection.ask(verb, Wire.Handle(handle: handle))
        let answer = try connection.answer(number, verb.rawValue, within: context.deadlines.options)
        try context.refused(answer, "'\(verb.rawValue)' with \(what)")
    }
}
