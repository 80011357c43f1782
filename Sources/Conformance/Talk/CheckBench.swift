import CaptureHost
import CaptureKit

/// What a check works with: processes of the backend, and the usual steps of a conversation.
final class CheckBench {
    let run: ConformanceRun
    private var talks: [Talk] = []

    init(run: ConformanceRun) { self.run = run }

    var deadlines: Deadlines { run.deadlines }

    /// A fresh process of the backend, to which nothing was said.
    func start() throws -> Talk {
        let talk = try Talk(program: run.program, deadlines: deadlines)
        talks.append(talk)
        return talk
    }

    /// A fresh process that has answered `hello`.
    func greeted() throws -> Talk {
        let talk = try start()
        let number = try talk.ask(
            .hello, Wire.Hello(protocol: captureProtocolVersion, host: "copystand"))
        try accepted(talk.answer(number, "hello", within: deadlines.hello), "hello")
        return talk
    }

    /// The devices that the backend lists.
    func devices(_ talk: Talk, quick: Bool = false) throws -> [DeviceDescriptor] {
        let number = try talk.ask(.devices, DeviceQuery(quick: quick))
        let answer = try talk.answer(number, "devices", within: deadlines.devices)
        try accepted(answer, "devices")
        return try answer.line.decode(Wire.Devices.self).devices
    }

    /// The id of the device to try.
    func deviceID(_ talk: Talk) throws -> String {
        if let device = run.device { return device }
        guard let device = try devices(talk).first(where: { $0.state == .ready }) else {
            throw NotApplicable("no device is ready; name one with --device")
        }
        return device.id
    }

    /// The handle of the device to try, opened.
    func open(_ talk: Talk) throws -> Int {
        let number = try talk.ask(.open, Wire.Open(device: try deviceID(talk)))
        let answer = try talk.answer(number, "open", within: deadlines.open)
        try accepted(answer, "open")
        return try answer.line.decode(Wire.OpenAnswer.self).handle
    }

    /// The options of an open device.
    func options(_ talk: Talk, _ handle: Int) throws -> [DeviceOption] {
        let number = try talk.ask(.options, Wire.Handle(handle: handle))
        let answer = try talk.answer(number, "options", within: deadlines.options)
        try accepted(answer, "options")
        return try answer.line.decode(Wire.Options.self).options
    }

    /// Fails unless the answer is a success.
    func accepted(_ answer: Talk.Message, _ what: String) throws {
        guard let error = answer.line.header.error else { return }
        throw CheckFailure(
            "'\(what)' to succeed", came: "the error \(error.code.rawValue): \(error.message)")
    }

    /// Fails unless the answer is an error, of the code where one is given.
    func refused(_ answer: Talk.Message, _ what: String, _ code: CaptureError.Code? = nil) throws {
        let wanted = code.map { "the error \($0.rawValue)" } ?? "an error"
        guard let error = answer.line.header.error else {
            throw CheckFailure("\(wanted) for \(what)", came: "success")
        }
        if let code, error.code != code {
            throw CheckFailure("\(wanted) for \(what)", came: "the error \(error.code.rawValue)")
        }
        guard !error.message.isEmpty else {
            throw CheckFailure("a message with the error for \(what)", came: "none")
        }
    }

    /// Ends every process.
    func tidyUp() {
        for talk in talks {
            talk.hangUp()
            talk.process.stop(patience: deadlines.exit)
        }
    }
}
