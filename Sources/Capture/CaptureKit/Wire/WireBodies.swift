/// The bodies of messages: the fields besides those of the ``WireHeader``; unknown fields are
/// ignored.
package enum Wire {
    /// No fields.
    package struct Empty: Codable, Hashable, Sendable {
        package init() {}
    }

    /// `hello`, from the host.
    package struct Hello: Codable, Hashable, Sendable {
        /// The newest protocol version the host speaks.
        package var `protocol`: Int
        /// The host's name, for the backend's log.
        package var host: String

        package init(protocol: Int, host: String) {
            self.protocol = `protocol`
            self.host = host
        }
    }

    /// The answer to `hello`.
    package struct HelloAnswer: Codable, Hashable, Sendable {
        /// The protocol version the backend speaks.
        package var `protocol`: Int
        /// The backend's name for people.
        package var name: String
        /// The backend's version.
        package var version: String
        /// The backend's optional capabilities; unknown ones are ignored.
        package var capabilities: [String]?

        /// The backend accepts a file descriptor as a buffer.
        package static let descriptors = "descriptors"

        /// The backend can begin a page at an offset within its file.
        package static let offsets = "offsets"

        package init(protocol: Int, name: String, version: String, capabilities: [String]?) {
            self.protocol = `protocol`
            self.name = name
            self.version = version
            self.capabilities = capabilities
        }
    }

    /// The answer to `devices`, whose request's body is a ``DeviceQuery``.
    package struct Devices: Codable, Hashable, Sendable {
        package var devices: [DeviceDescriptor]
        /// The problems that kept other devices from being found.
        package var problems: [CaptureError]?
        package init(devices: [DeviceDescriptor], problems: [CaptureError]? = nil) {
            self.devices = devices
            self.problems = problems
        }
    }

    /// `open`.
    package struct Open: Codable, Hashable, Sendable {
        /// The device's id within its backend.
        package var device: String
        package init(device: String) { self.device = device }
    }

    /// The answer to `open`.
    package struct OpenAnswer: Codable, Hashable, Sendable {
        /// The number of the open device in later requests.
        package var handle: Int
        /// The device's description, if the backend gives one.
        package var device: DeviceDescriptor?
    }

    /// `options` and `close`.
    package struct Handle: Codable, Hashable, Sendable {
        package var handle: Int
        package init(handle: Int) { self.handle = handle }
    }

    /// The answer to `options`.
    package struct Options: Codable, Hashable, Sendable {
        package var options: [DeviceOption]
    }

    /// `set`.
    package struct Set: Codable, Hashable, Sendable {
        package var handle: Int
        package var option: String
        package var value: OptionValue
        package init(handle: Int, option: String, value: OptionValue) {
            self.handle = handle
            self.option = option
            self.value = value
        }
    }

    /// `capture`.
    package struct Capture: Codable, Hashable, Sendable {
        package var handle: Int
        package var mode: CaptureRequest.Mode?
        package var limit: Int?
        /// The place to continue from, as reported in ``Reading``; the start if absent.
        package var after: String?
        package init(handle: Int, mode: CaptureRequest.Mode?, limit: Int?, after: String? = nil) {
            self.handle = handle
            self.mode = mode
            self.limit = limit
            self.after = after
        }
    }

    /// `cancel`: the number of the capture's request.
    package struct Cancel: Codable, Hashable, Sendable {
        package var capture: Int
        package init(capture: Int) { self.capture = capture }
    }
}
