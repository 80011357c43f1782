import CaptureHost
import CaptureKit

let deviceChecks = [
    ConformanceCheck(
        "devices.answers", .must, section: "devices", title: "Lists its devices in time"
    ) {
        _ = try $0.devicesAnswer($0.connection())
    },
    ConformanceCheck(
        "devices.prompt", .should, section: "devices", title: "Lists its devices in 5 seconds"
    ) {
        let begun = ContinuousClock.now
        _ = try $0.devicesAnswer($0.connection())
        let taken = ContinuousClock.now - begun
        guard taken <= $0.run.promptness else {
            throw CheckFailure(
                "the list within \($0.run.promptness), so that people do not wait",
                came: "\(taken)")
        }
    },
    ConformanceCheck(
        "devices.form", .must, section: "devices",
        title: "Describes devices as the protocol requires"
    ) {
        let answer = try $0.devicesAnswer($0.connection())
        let devices: [DeviceDescriptor]
        do throws(WireError) {
            devices = try answer.line.decode(Wire.Devices.self).devices
        } catch {
            throw CheckFailure("devices that match the schema", came: error.message)
        }
        for device in devices {
            if let fault = DeviceRules.fault(device) {
                throw CheckFailure(
                    "descriptions that the protocol allows",
                    came: "one whose \(fault)")
            }
        }
        for words in try answer.line.decode(DeviceWords.self).devices {
            try words.kind.isOne(of: DeviceKind.all.map(\.rawValue), "kind of a device")
            try words.state?.isOne(of: DeviceState.allCases.map(\.rawValue), "state of a device")
        }
    },
    ConformanceCheck("devices.unique", .must, section: "devices", title: "Lists each device once") {
        var ids: Set<String> = []
        for device in try $0.devices($0.connection()) where !ids.insert(device.id).inserted {
            throw CheckFailure("each id once", came: "'\(device.id)' twice")
        }
    },
    ConformanceCheck(
        "devices.count", .must, section: "devices", title: "Lists at most 2,000 devices"
    ) {
        let count = try $0.devices($0.connection()).count
        guard count <= DeviceRules.most else {
            throw CheckFailure("at most 2,000 devices", came: "\(count)")
        }
    },
    ConformanceCheck(
        "devices.stable", .must, section: "devices",
        title: "Gives devices the same ids after a restart"
    ) {
        let first = Set(try $0.devices($0.connection()).map(\.id))
        $0.tidyUp()
        let second = Set(try $0.devices($0.connection()).map(\.id))
        guard first == second else {
            let different = first.symmetricDifference(second).sorted().prefix(3)
            throw CheckFailure(
                "the same ids from two processes",
                came: "only one of them has \(different.map { "'\($0)'" }.joined(separator: ", "))")
        }
    },
    ConformanceCheck(
        "devices.quick", .must, section: "devices",
        title: "Lists quickly only what the full list has"
    ) {
        let connection = try $0.connection()
        let all = Set(try $0.devices(connection).map(\.id))
        for device in try $0.devices(connection, quick: true) where !all.contains(device.id) {
            throw CheckFailure(
                "a quick list within the full one", came: "'\(device.id)', which it lacks")
        }
    },
    ConformanceCheck(
        "devices.advice", .must, section: "devices", title: "Says why a device can't be used"
    ) {
        let devices = try $0.devices($0.connection()).filter { $0.state != .ready }
        if devices.isEmpty { throw NotApplicable("every device is ready") }
        for device in devices where device.advice?.isEmpty != false {
            throw CheckFailure("advice for '\(device.id)', which is not ready", came: "none")
        }
    },
    ConformanceCheck(
        "devices.problems", .must, section: "devices",
        title: "Says why a search was incomplete"
    ) {
        struct Problems: Decodable { var problems: [Lenient<CaptureError>]? }
        let answer = try $0.devicesAnswer($0.connection())
        guard let problems = try answer.line.decode(Problems.self).problems else {
            throw NotApplicable("nothing kept it from finding devices")
        }
        for problem in problems where problem.value?.message.isEmpty != false {
            throw CheckFailure("problems with a code and a message", came: "one without")
        }
    },
    ConformanceCheck(
        "devices.events", .must, section: "Other events",
        title: "Reports devices and log lines as the protocol requires"
    ) {
        let connection = try $0.connection()
        _ = try $0.devices(connection)
        try $0.settle(connection)
        if connection.asides.isEmpty { throw NotApplicable("it reported nothing") }
        for message in connection.asides {
            switch message.event {
            case .deviceAdded:
                let device = try message.line.decode(Wire.DeviceAdded.self).device
                guard let fault = DeviceRules.fault(device) else { continue }
                throw CheckFailure(
                    "a description that the protocol allows",
                    came: "one whose \(fault)")
            case .deviceRemoved: _ = try message.line.decode(Wire.DeviceRemoved.self)
            case .log: _ = try message.line.decode(Wire.Log.self)
            // Events of later versions of the protocol are not checked.
            default: break
            }
        }
    },
]

/// The words of devices that hosts know, as they were sent.
private struct DeviceWords: Decodable {
    struct Device: Decodable {
        var kind: String
        var state: String?
    }
    var devices: [Device]
}

extension String {
    /// Fails unless the protocol has the word: a host can only show any other word as text.
    func isOne(of words: [String], _ what: String) throws {
        guard !words.contains(self) else { return }
        throw CheckFailure(
            "a \(what) that hosts know: \(words.joined(separator: ", "))",
            came: "'\(prefix(60))'")
    }
}
