/// The reason why a backend could not carry out a request, as a condition that its user knows.
///
/// A backend throws this error; the host shows `message` with the sentence and the advice that
/// belong to `code`.
public struct CaptureError: Error, Codable, Hashable, Sendable {
    /// The kind of failure.
    ///
    /// The set is open, so that a newer backend may use a newer code.
    public struct Code: RawRepresentable, Codable, Hashable, Sendable {
        /// The code on the wire.
        public var rawValue: String
        /// A code by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No device has that name.
        public static let noSuchDevice = Code(rawValue: "noSuchDevice")
        /// Another program uses the device.
        public static let busy = Code(rawValue: "busy")
        /// The user may not use the device.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The device is switched off, unplugged or out of reach.
        public static let offline = Code(rawValue: "offline")
        /// The feeder holds no paper.
        public static let feederEmpty = Code(rawValue: "feederEmpty")
        /// Paper is stuck.
        public static let jammed = Code(rawValue: "jammed")
        /// A cover is open.
        public static let coverOpen = Code(rawValue: "coverOpen")
        /// Two sheets were drawn in at once.
        public static let doubleFeed = Code(rawValue: "doubleFeed")
        /// No option has that name.
        public static let noSuchOption = Code(rawValue: "noSuchOption")
        /// The option does not accept that value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The backend lacks that verb, or that variant of it.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A page's data is damaged, or not what it claims to be.
        public static let damagedData = Code(rawValue: "damagedData")
        /// A file in a folder holds no page and does not claim to.
        ///
        /// This is not a failure; the file is left out and reported.
        public static let notAPage = Code(rawValue: "notAPage")
        /// The frame is larger than the limits allow.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The driver has too little memory for the page.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// A password is missing or wrong.
        public static let passwordNeeded = Code(rawValue: "passwordNeeded")
        /// A started camera sends no frames, or only damaged ones.
        public static let stalled = Code(rawValue: "stalled")
        /// The capture was canceled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Reading or writing failed in the device or the system.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The backend itself has a fault.
        public static let internalFault = Code(rawValue: "internalFault")
    }

    /// The kind of failure.
    public var code: Code
    /// The failure, with the value that caused it: one sentence without a period.
    public var message: String
    /// The advice, if the backend knows more than the usual advice for the code.
    public var advice: String?

    /// An error with a message for people.
    public init(_ code: Code, _ message: String, advice: String? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}
