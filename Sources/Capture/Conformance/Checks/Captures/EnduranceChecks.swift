import CaptureHost
import CaptureKit
import ExpectedFailures
import Processes

// Checks for faults that appear only after a while.
let enduranceChecks = [
    ConformanceCheck(
        "endurance.descriptors", .must, section: "Buffers",
        title: "Leaves no descriptor open, however often it is used"
    ) { context in
        try context.needs("buffer.closed")
        try context.needs("capture.again")
        let givesPages = context.givesPages
        let connection = try context.greeted()
        let look = ProcessLook(id: connection.process.id)
        let rounds = context.run.isReal ? 3 : 12
        for _ in 1...2 { try context.useDevice(connection, givesPages) }
        try context.settle(connection)
        let before = look.descriptors
        for _ in 1...rounds { try context.useDevice(connection, givesPages) }
        try context.settle(connection)
        let after = look.descriptors
        // The program may keep one or two descriptors for later use, but one more in each round is
        // a leak.
        guard after.count - before.count < rounds / 2 else {
            let new = after.filter { before[$0.key] != $0.value }.values.sorted().first ?? ""
            throw CheckFailure(
                "\(before.count) descriptors, as before",
                came: "\(after.count) after \(rounds) rounds, such as \(new)")
        }
    },
    ConformanceCheck(
        "endurance.memory", .should, section: "Buffers",
        title: "Does not grow with the pages that it captures",
        isHarsh: true
    ) { context in
        _ = try context.sample()
        try context.needs("capture.again")
        let way = try context.usualWay()
        try context.withPages { connection, handle in
            let look = ProcessLook(id: connection.process.id)
            let rounds = context.run.rounds
            let capture = {
                let seen = try WatchedCapture(context, connection, handle, limit: 1).untilEnd(way)
                if seen.error?.code == .feederEmpty { throw NotApplicable("its feeder ran empty") }
                try CheckContext.hasPages(seen)
            }
            // The first rounds let libraries fill their caches.
            for _ in 1...max(1, rounds / 5) { try capture() }
            guard let before = look.memory else { return }
            for _ in 1...rounds { try capture() }
            guard let after = look.memory else { return }
            guard after - before < 16 << 20 else {
                throw CheckFailure(
                    "less than 16 MiB more after \(rounds) pages",
                    came: "\((after - before) >> 20) MiB more")
            }
        }
    },
    ConformanceCheck(
        "endurance.output", .should, section: "Life cycle",
        title: "Writes little to its output when all is well"
    ) { context in
        let givesPages = context.givesPages
        try context.needs("capture.again")
        let connection = try context.greeted()
        _ = try context.devicesAnswer(connection)
        if ifSupported({ try context.device() }) != nil {
            try context.useDevice(connection, givesPages)
        }
        try context.settle(connection)
        connection.hangUp()
        connection.process.stop(patience: context.deadlines.exit)
        _ = connection.process.waitForOutput(context.deadlines.exit)
        let count = connection.written.count
        guard count <= 50 else {
            throw CheckFailure(
                "at most 50 lines", came: "\(count), such as '\(connection.written[0].prefix(80))'")
        }
    },
    ConformanceCheck(
        "endurance.log", .should, section: "Life cycle",
        title: "Leaves its standard output and error to the host"
    ) { context in
        let connection = try context.greeted()
        _ = try context.devicesAnswer(connection)
        let open = ProcessLook(id: connection.process.id).descriptors
        // Both descriptors lead to the host's pipe from the start.
        guard let one = open[1], let two = open[2], one == two, one.hasPrefix("pipe:") else {
            throw CheckFailure(
                "the pipe that the host reads",
                came: "\(open[1] ?? "none") and \(open[2] ?? "none")")
        }
    },
]

extension CheckContext {
    /// True if the device can give pages.
    fileprivate var givesPages: Bool { ifSupported { try sample() } != nil }

    /// Opens the device, captures a page, begins and cancels another, and closes it.
    fileprivate func useDevice(_ connection: CheckConnection, _ givesPages: Bool) throws {
        let handle = try open(connection)
        if givesPages {
            try lighten(connection, handle)
            try WatchedCapture(self, connection, handle, limit: 1).untilEnd(usualWay())
            let capture = try WatchedCapture(self, connection, handle, limit: 1)
            if try capture.untilAnnounced() { try cancels(capture) }
        }
        try close(connection, handle)
    }
}
