import CaptureHost
import CaptureKit
import Processes

// Checks with messages that a host never sends: the program may exit with a status or continue, but
// must not crash or hang.
let nonsenseChecks = [
    nonsense("nonsense.garbage", "Survives lines that are not JSON") { _ in
        ["no message at all", "{\"", "}{", "request=1"].map { Array($0.utf8) }
    },
    nonsense(
        "nonsense.zeros",
        "Survives bytes of zero"
    ) { _ in [[UInt8](repeating: 0, count: 300)] },
    nonsense("nonsense.utf8", "Survives text that is not UTF-8") { number in
        [Array("{\"request\":\(number),\"verb\":\"".utf8) + [0xFF, 0xC0, 0x80, 34, 125]]
    },
    nonsense("nonsense.no-object", "Survives JSON that is not an object") { _ in
        ["[1]", "17", "null", "\"devices\"", "true"].map { Array($0.utf8) }
    },
    nonsense("nonsense.cut", "Survives a message that is cut off") { number in
        [Array("{\"request\":\(number),\"verb\":\"dev".utf8)]
    },
    nonsense("nonsense.deep", "Survives JSON nested 100,000 levels deep") { number in
        let levels = 100_000
        return [
            Array("{\"request\":\(number),\"verb\":\"devices\",\"later\":".utf8)
                + [UInt8](repeating: 91, count: levels) + [UInt8](repeating: 93, count: levels)
                + [125]
        ]
    },
    nonsense("nonsense.endless", "Survives a line of 4 MiB") { number in
        [[UInt8](repeating: 120, count: 4 << 20)]
    },
    nonsense("nonsense.types", "Survives fields of the wrong type") { number in
        [
            "{\"request\":\(number),\"verb\":7}",
            "{\"request\":\(number),\"verb\":\"open\",\"device\":7}",
            "{\"request\":\(number),\"verb\":\"options\",\"handle\":\"1\"}",
            "{\"request\":\(number),\"verb\":\"cancel\",\"capture\":[1]}", "{\"event\":{}}",
            "{\"event\":\"buffer\",\"capture\":\"6\",\"frame\":null,\"way\":1}",
        ].map { Array($0.utf8) }
    },
    nonsense("nonsense.numbers", "Survives impossible numbers") { number in
        [
            "{\"request\":\(number),\"verb\":\"options\",\"handle\":-1}",
            "{\"request\":\(number),\"verb\":\"options\",\"handle\":1e300}",
            "{\"request\":\(number),\"verb\":\"close\",\"handle\":99999999999999999999}",
            "{\"request\":\(number),\"verb\":\"cancel\",\"capture\":-9223372036854775808}",
            "{\"request\":-1,\"verb\":\"devices\"}",
        ].map { Array($0.utf8) }
    },
    nonsense("nonsense.missing", "Survives requests without their fields") { number in
        ["open", "options", "set", "capture", "cancel", "close"].map {
            Array("{\"request\":\(number),\"verb\":\"\($0)\"}".utf8)
        } + [Array("{}".utf8), Array("{\"event\":\"buffer\"}".utf8)]
    },
]

private func nonsense(
    _ id: String, _ title: String, _ lines: @escaping @Sendable (Int) -> [[UInt8]]
) -> ConformanceCheck {
    ConformanceCheck(id, .must, section: "Messages", title: title) { context in
        for line in lines(1_000_000) {
            let connection = try context.connection()
            connection.send(raw: line + [10])
            let number = connection.nextNumber()
            connection.send("{\"request\":\(number),\"verb\":\"dance\"}")
            do {
                try context.needs("message.unknown-verb")
                _ = try connection.answer(
                    number, "a verb after it", within: context.deadlines.options)
            } catch let failure as CheckFailure {
                // The protocol allows the program to exit here.
                guard case .status = connection.process.waitForEnd(context.deadlines.exit) else {
                    let end = connection.process.end
                    if end != nil { try context.needsCleanExit() }
                    throw CheckFailure(
                        "an answer to what follows, or an end with a status",
                        came: end.map { "it ended \($0.words)" } ?? failure.came)
                }
                context.tidyUp()
            }
        }
    }
}
