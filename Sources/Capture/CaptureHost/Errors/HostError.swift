public import CaptureKit
public import Processes
import UserFiles

/// The reason why the host could not carry out a request: the failure and the advice.
public struct HostError: Error, Codable, Hashable, Sendable {
    /// The kind of failure; failures that a backend reports have the codes of ``CaptureError``.
    public struct Code: RawRepresentable, Codable, Hashable, Sendable {
        /// The code's name, as in JSON.
        public var rawValue: String
        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code of an error that a backend reported.
        public init(_ code: CaptureError.Code) { rawValue = code.rawValue }

        /// No device matches the name, or there is none.
        public static let noSuchDevice = Code(.noSuchDevice)
        /// Several devices match, or several exist and none was named.
        public static let severalDevices = Code(rawValue: "severalDevices")
        /// The default device is not connected now.
        public static let defaultAbsent = Code(rawValue: "defaultAbsent")
        /// No backend has that id.
        public static let noSuchBackend = Code(rawValue: "noSuchBackend")
        /// The backend's manifest or program can't be used.
        public static let brokenBackend = Code(rawValue: "brokenBackend")
        /// The backend speaks a newer protocol than this host.
        public static let newerProtocol = Code(rawValue: "newerProtocol")
        /// The backend's process was ended by a signal or exited, in the middle of its work.
        public static let crashed = Code(rawValue: "crashed")
        /// The backend did not answer in time and was stopped.
        public static let hung = Code(rawValue: "hung")
        /// The backend broke the protocol and was stopped.
        public static let nonsense = Code(rawValue: "nonsense")
        /// A page ended before its last row.
        public static let tornPage = Code(rawValue: "tornPage")
        /// The spool's disk is full.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The spool folder can't be written.
        public static let spoolFailed = Code(rawValue: "spoolFailed")
        /// The file of aliases and the default device can't be read or written.
        public static let stateFile = Code(rawValue: "stateFile")
        /// The alias can't be used.
        public static let badAlias = Code(rawValue: "badAlias")
        /// The option names a file on this machine, and the user may not choose one.
        public static let hostPath = Code(rawValue: "hostPath")
        /// The device was closed, or the host shut down, before the request.
        public static let closed = Code(rawValue: "closed")
        /// The backend can't be installed or removed in its present state.
        public static let installRefused = Code(rawValue: "installRefused")
        /// The device has no such option.
        public static let noSuchOption = Code(.noSuchOption)
        /// The option does not accept that value.
        public static let invalidValue = Code(.invalidValue)
        /// The frame is larger than the limits allow.
        public static let tooLarge = Code(.tooLarge)
    }

    /// The kind of failure.
    public var code: Code
    /// The failure, with the value that caused it: one sentence without a period.
    public var message: String
    /// The advice; nil if none would help.
    public var advice: String?
    /// The id of the backend that the failure is about; nil for none.
    public var backend: String?
    /// The end of the backend's process, if that is the reason.
    public var end: ProcessEnd?

    /// An error for people; without `advice`, it has the usual advice for `code`.
    public init(
        _ code: Code, _ message: String, advice: String? = nil, backend: String? = nil,
        end: ProcessEnd? = nil
    ) {
        self.code = code
        self.message = message
        self.advice = advice ?? usualAdvice(code, backend: backend)
        self.backend = backend
        self.end = end
    }

    /// A failure that a backend reported, or the host noticed, as the host's error.
    public init(_ error: CaptureError, backend: String? = nil) {
        self.init(Code(error.code), error.message, advice: error.advice, backend: backend)
    }
}

extension HostError: CustomStringConvertible {
    /// The message and the advice, as sentences.
    public var description: String {
        [message, advice].compactMap { $0 }
            .map { $0.last.map { ".?!".contains($0) } ?? true ? $0 : $0 + "." }
            .joined(separator: " ")
    }
}

/// A failure in the form in which backends report one page's failure.
package func captureError(_ error: any Error) -> CaptureError {
    switch error {
    case let error as CaptureError: error
    case let error as HostError:
        CaptureError(
            CaptureError.Code(rawValue: error.code.rawValue), error.message, advice: error.advice)
    default: CaptureError(.internalFault, "\(error)")
    }
}

/// A failure of any type as a ``HostError``.
func asHostError(_ error: any Error) -> HostError {
    if let error = error as? HostError { return error }
    if error is CancellationError {
        return HostError(HostError.Code(.cancelled), "the request was canceled")
    }
    if let error = error as? UserFileError { return HostError(.stateFile, error.message) }
    return HostError(HostError.Code(.internalFault), "\(error)")
}
