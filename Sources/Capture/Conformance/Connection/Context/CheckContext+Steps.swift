import CaptureHost
import CaptureKit
import ExpectedFailures

// The common steps of a conversation.
extension CheckContext {
    /// The devices that the backend lists, except those whose form is wrong.
    func devices(_ connection: CheckConnection, quick: Bool = false) throws -> [DeviceDescriptor] {
        let answer = try devicesAnswer(connection, quick: quick)
        return try answer.line.decode(LenientDevices.self).devices.compactMap(\.value)
    }

    /// The answer to `devices`, which is a success.
    func devicesAnswer(_ connection: CheckConnection, quick: Bool = false) throws -> ReceivedMessage
    {
        try needs("devices.answers")
        let number = try connection.ask(.devices, DeviceQuery(quick: quick))
        let answer = try connection.answer(number, "devices", within: deadlines.devices)
        try accepted(answer, "devices")
        return answer
    }

    /// The device to test: the named device, or else the first device that is ready.
    func device() throws -> DeviceDescriptor {
        try needs("devices.answers")
        if findings.device == nil {
            let all = try devices(connection())
            if let name = run.device {
                // A backend may open devices that it does not list.
                let listed = all.first { $0.id == name }
                findings.device = .success(
                    listed ?? DeviceDescriptor(id: name, name: name, kind: .scanner))
            } else if let first = all.first(where: { $0.state == .ready }) {
                findings.device = .success(first)
            } else {
                findings.device = .failure(
                    NotApplicable("no device is ready; name one with --device"))
            }
        }
        return try findings.device!.get()
    }

    /// Opens the device to test and returns its handle.
    func open(_ connection: CheckConnection) throws -> Int {
        try needs("open.again")
        let answer = try openAnswer(connection, device().id)
        try accepted(answer, "open")
        let handle = try answer.line.decode(Wire.OpenAnswerHandle.self).handle
        for (name, text) in run.settings { try apply(connection, handle, name: name, text: text) }
        return handle
    }

    /// The answer to `open`.
    func openAnswer(_ connection: CheckConnection, _ id: String) throws -> ReceivedMessage {
        try needs("open.answers")
        let number = try connection.ask(.open, Wire.Open(device: id))
        return try connection.answer(number, "open", within: deadlines.open)
    }

    /// Closes an open device.
    func close(_ connection: CheckConnection, _ handle: Int) throws {
        try needs("close.answers")
        let number = try connection.ask(.close, Wire.Handle(handle: handle))
        try accepted(connection.answer(number, "close", within: deadlines.close), "close")
    }

    /// Opens the device in the process that checks share, runs `body` with it, and closes it.
    func withDevice<Result>(_ body: (CheckConnection, Int) throws -> Result) throws -> Result {
        let connection = try connection()
        let handle = try open(connection)
        let result = try body(connection, handle)
        try close(connection, handle)
        return result
    }

    /// The options of an open device, except those whose form is wrong.
    func options(_ connection: CheckConnection, _ handle: Int) throws -> [DeviceOption] {
        let answer = try optionsAnswer(connection, handle)
        return try answer.line.decode(LenientOptions.self).options.compactMap(\.value)
    }

    /// The answer to `options`, which is a success.
    func optionsAnswer(_ connection: CheckConnection, _ handle: Int) throws -> ReceivedMessage {
        try needs("options.answers")
        let number = try connection.ask(.options, Wire.Handle(handle: handle))
        let answer = try connection.answer(number, "options", within: deadlines.options)
        try accepted(answer, "options")
        return answer
    }

    /// The answer to `set`.
    func set(_ connection: CheckConnection, _ handle: Int, option: String, value: OptionValue)
        throws
        -> ReceivedMessage
    {
        try needs("set.answers")
        let body = Wire.Set(handle: handle, option: option, value: value)
        let number = try connection.ask(.set, body)
        let what = "set '\(option)' to \(value.shown)"
        return try connection.answer(number, what, within: deadlines.options)
    }

    /// Waits until earlier requests are answered: every backend refuses an unknown verb
    /// immediately.
    func settle(_ connection: CheckConnection) throws {
        try needs("message.unknown-verb")
        let number = connection.nextNumber()
        connection.send("{\"request\":\(number),\"verb\":\"x-settle\"}")
        _ = try connection.answer(number, "an unknown verb", within: deadlines.options)
        try connection.listen(for: run.silence)
    }

    /// Fails unless the answer is a success.
    func accepted(_ answer: ReceivedMessage, _ what: String) throws {
        guard let error = answer.line.header.error else { return }
        throw CheckFailure(
            "'\(what)' to succeed", came: "the error \(error.code.rawValue): \(error.message)")
    }

    /// Fails unless the answer is an error, with one of the codes if some are given.
    func refused(_ answer: ReceivedMessage, _ what: String, _ codes: CaptureError.Code...) throws {
        let names = codes.map(\.rawValue).joined(separator: " or ")
        let wanted = codes.isEmpty ? "an error" : "the error \(names)"
        guard let error = answer.line.header.error else {
            throw CheckFailure("\(wanted) for \(what)", came: "success")
        }
        guard codes.isEmpty || codes.contains(error.code) else {
            throw CheckFailure("\(wanted) for \(what)", came: "the error \(error.code.rawValue)")
        }
    }
}

/// A value that can be decoded, or nothing if it can't.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = ofKnownForm { try Value(from: decoder) } }
}

private struct LenientDevices: Decodable { var devices: [Lenient<DeviceDescriptor>] }

private struct LenientOptions: Decodable { var options: [Lenient<DeviceOption>] }

extension OptionValue {
    /// The value as it is written, at most 60 characters of it.
    var shown: String {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): value.utf8.count > 60 ? "'\(value.prefix(60))…'" : "'\(value)'"
        }
    }
}

extension Wire {
    /// The answer to `open`, without its description of the device.
    struct OpenAnswerHandle: Decodable {
        var handle: Int
    }
}
