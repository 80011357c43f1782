import CaptureHost
import CaptureKit

let deviceChecks = [
    ConformanceCheck("devices.well-formed", .must, "devices", "Lists devices that are well formed")
    {
        if let fault = DeviceRules.fault(try $0.devices($0.greeted())) {
            throw CheckFailure("a list of devices by the rules", came: "one whose \(fault)")
        }
    },
    ConformanceCheck(
        "devices.quick", .must, "devices", "Lists nothing quickly that the full list lacks"
    ) {
        let talk = try $0.greeted()
        let all = Set(try $0.devices(talk).map(\.id))
        for device in try $0.devices(talk, quick: true) where !all.contains(device.id) {
            throw CheckFailure("a quick list within the full one", came: "'\(device.id)' beside it")
        }
    },
    ConformanceCheck("devices.advice", .must, "devices", "Says why a device can't be used") {
        for device in try $0.devices($0.greeted()) where device.state != .ready {
            guard device.advice?.isEmpty == false else {
                throw CheckFailure("advice for '\(device.id)', which is not ready", came: "none")
            }
        }
    },
]

let openChecks = [
    ConformanceCheck("open.unknown", .must, "open", "Refuses an unknown device") {
        let talk = try $0.greeted()
        let number = try talk.ask(.open, Wire.Open(device: "no-such-device-0"))
        let answer = try talk.answer(number, "open", within: $0.deadlines.open)
        try $0.refused(answer, "an unknown device", .noSuchDevice)
    },
    ConformanceCheck("open.again", .must, "close", "Opens a device again after it was closed") {
        let talk = try $0.greeted()
        for _ in 1...3 {
            let number = try talk.ask(.close, Wire.Handle(handle: try $0.open(talk)))
            try $0.accepted(talk.answer(number, "close", within: $0.deadlines.close), "close")
        }
    },
    ConformanceCheck("handle.unknown", .must, "open", "Refuses a handle that it never gave") {
        let talk = try $0.greeted()
        let number = try talk.ask(.options, Wire.Handle(handle: 987_654))
        let answer = try talk.answer(number, "options", within: $0.deadlines.options)
        try $0.refused(answer, "an unknown handle")
    },
]

let optionChecks = [
    ConformanceCheck("options.well-formed", .must, "options", "Lists options that are well formed")
    {
        let talk = try $0.greeted()
        if let fault = DeviceRules.fault(try $0.options(talk, $0.open(talk))) {
            throw CheckFailure("a list of options by the rules", came: "one whose \(fault)")
        }
    },
    ConformanceCheck("options.sensor", .must, "options", "Has sensors only as read-only options") {
        let talk = try $0.greeted()
        for option in try $0.options(talk, $0.open(talk)) where option.sensor != nil {
            guard option.isReadOnly else {
                throw CheckFailure("a read-only sensor", came: "'\(option.name)', which can be set")
            }
        }
    },
    ConformanceCheck("set.unknown", .must, "set", "Refuses an unknown option") {
        let talk = try $0.greeted()
        let body = Wire.Set(
            handle: try $0.open(talk), option: "no-such-option-0", value: .bool(true))
        let number = try talk.ask(.set, body)
        let answer = try talk.answer(number, "set", within: $0.deadlines.options)
        try $0.refused(answer, "an unknown option", .noSuchOption)
    },
]

let lifeChecks = [
    ConformanceCheck("exit.clean", .must, "Life cycle", "Exits by itself when the host is gone") {
        let talk = try $0.greeted()
        talk.hangUp()
        let end = talk.process.waitForEnd($0.deadlines.exit)
        guard case .status(0) = end else {
            throw CheckFailure("an exit with status 0", came: end.map(\.words) ?? "no exit")
        }
    }
]
