import CaptureHost
import CaptureKit
import ExpectedFailures

// The device and the options that the user of the run requests, which the backend may lack.
extension CheckContext {
    /// The reason why the device or the options that the user named can't be used; nil when they
    /// can, or when the backend's answers are faulty, which the checks then report.
    func mistake() -> HostError? {
        guard let connection = reportedLater({ try connection() }) else { return nil }
        if let name = run.device,
            let answer = reportedLater({ try openAnswer(connection, name) })
        {
            if let error = answer.line.header.error, error.code == .noSuchDevice {
                let known = reportedLater { try devices(connection).map(\.id) } ?? []
                let list = known.isEmpty ? "none" : known.joined(separator: ", ")
                return HostError(
                    .noSuchDevice, "the backend has no device '\(name)'",
                    advice: "It lists: \(list)")
            }
            reportedLater {
                try close(
                    connection, answer.line.decode(Wire.OpenAnswerHandle.self).handle)
            }
        }
        do {
            _ = try run.settings.isEmpty ? nil : open(connection)
        } catch {
            return (error as? OptionRefused)?.error
        }
        return nil
    }

    /// Sets an option as the run's user requested.
    func apply(_ connection: CheckConnection, _ handle: Int, name: String, text: String) throws {
        let wanted: OptionValue
        do {
            let option = try OpenDevice.option(name, among: options(connection, handle))
            wanted = try OpenDevice.parse(text, for: option)
        } catch let error as HostError {
            throw OptionRefused(error: error)
        }
        if let error = try set(connection, handle, option: name, value: wanted).line.header.error {
            throw OptionRefused(error: HostError(error, backend: "backend"))
        }
    }
}

/// An option that can't be set as the run's user wants it.
struct OptionRefused: Error {
    let error: HostError
}
