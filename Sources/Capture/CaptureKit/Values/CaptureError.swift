/// Why a backend could not do what was asked, as a state its user knows.
///
/// A backend throws it; the host shows `message` with the sentence and the next step that belong to
/// `code`.
public struct CaptureError: Error, Codable, Hashable, Sendable {
    /// What sort of failure it is; an open set, so that a newer backend may use a newer code.
    public struct Code: RawRepresentable, Codable, Hashable, Sendable {
        /// The code on the wire.
        public var rawValue: String
        /// A code by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No device of that name.
        public static let noSuchDevice = Code(rawValue: "noSuchDevice")
        /// Another program uses the device.
        public static let busy = Code(rawValue: "busy")
        /// The user may not use it.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// Switched off, unplugged or out of reach.
        public static let offline = Code(rawValue: "offline")
        /// The feeder holds no paper.
        public static let feederEmpty = Code(rawValue: "feederEmpty")
        /// Paper is stuck.
        public static let jammed = Code(rawValue: "jammed")
        /// A cover is open.
        public static let coverOpen = Code(rawValue: "coverOpen")
        /// Two sheets were drawn in at once.
        public static let doubleFeed = Code(rawValue: "doubleFeed")
        /// No option of that name.
        public static let noSuchOption = Code(rawValue: "noSuchOption")
        /// The option does not take that value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// A verb, or a variant of it, that the backend does not have.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A page's data is damaged, or not what it claims to be.
        public static let damagedData = Code(rawValue: "damagedData")
        /// A file of a folder holds no page and does not claim to: nothing failed; it is left out
        /// and reported.
        public static let notAPage = Code(rawValue: "notAPage")
        /// Larger than the limits allow.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The driver can't hold such a page.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// A password is needed, or is wrong.
        public static let passwordNeeded = Code(rawValue: "passwordNeeded")
        /// A camera was started and sends no frames, or only damaged ones.
        public static let stalled = Code(rawValue: "stalled")
        /// The capture was canceled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Reading or writing failed in the device or the system.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// A fault of the backend itself.
        public static let internalFault = Code(rawValue: "internalFault")
    }

    /// What sort of failure it is.
    public var code: Code
    /// What failed, with the value it failed on: one sentence without a full stop.
    public var message: String
    /// What to do next, if the backend knows more than the code says.
    public var advice: String?

    /// An error for people to read.
    public init(_ code: Code, _ message: String, advice: String? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}
