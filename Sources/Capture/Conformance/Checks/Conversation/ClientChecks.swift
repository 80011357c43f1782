import CaptureHost
import CaptureKit
import Glibc
import Processes

// Two hosts at once, each with a process of the backend.
let clientChecks = [
    ConformanceCheck(
        "clients.same-device", .must, section: "open",
        title: "Shares a device with another host, or reports that it is busy"
    ) {
        let one = try $0.greeted()
        let handle = try $0.open(one)
        let two = try $0.greeted()
        let answer = try $0.openAnswer(two, $0.device().id)
        if let error = answer.line.header.error, error.code != .busy {
            throw CheckFailure(
                "success, or the error busy", came: "the error \(error.code.rawValue)")
        }
        // The second host must not affect the first one.
        _ = try $0.optionsAnswer(one, handle)
        try $0.close(one, handle)
    },
    ConformanceCheck(
        "clients.killed", .must, section: "open",
        title: "Opens a device again after its process was killed",
        isHarsh: true
    ) {
        let one = try $0.greeted()
        _ = try $0.open(one)
        one.process.signal(SIGKILL)
        _ = one.process.waitForEnd($0.deadlines.exit)
        let two = try $0.greeted()
        try $0.close(two, $0.open(two))
    },
]
