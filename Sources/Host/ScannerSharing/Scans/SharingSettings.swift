public import CaptureHost
import CaptureKit
import FoundationEssentials
import HTTPServer
public import UserFiles

/// The file with the shared devices: `$XDG_CONFIG_HOME/copystand/shares.json`.
public struct SharingSettings: Sendable {
    /// A shared device.
    public struct Share: Codable, Hashable, Sendable {
        /// The device's id, as `<backend>:<rest>`.
        public var device: String
        /// The name under which the device is listed on the network.
        public var name: String
        /// The share's UUID, in the form of RFC 9562.
        public var uuid: String
        /// The profile whose picture steps pages pass through; nil means `document` with a camera,
        /// and none with a scanner.
        public var profile: String?
        /// True for PDFs with the text that was read; nil for false.
        public var readsText: Bool?
        /// The last scan by a client; nil for none yet.
        public var lastUse: LastUse?

        /// True if both share the same device with the same settings; its last user is ignored.
        func isSame(as other: Share) -> Bool {
            var other = other
            other.lastUse = lastUse
            return self == other
        }

        /// The part of the share's addresses that identifies it.
        public var slug: String { String(uuid.prefix(8)) }

        /// The path of the share, without slashes around it.
        func root(isFirst: Bool) -> String { isFirst ? "eSCL" : "\(slug)/eSCL" }
    }

    /// A use of a shared device.
    public struct LastUse: Codable, Hashable, Sendable {
        /// The client's numeric address.
        public var address: String
        /// The time, in seconds since 1970.
        public var time: Double
        /// The number of fetched pages.
        public var pages: Int
    }

    private struct Contents: Codable {
        var shares: [Share] = []
        /// The port at which the devices were served last.
        var port: UInt16?
    }

    /// The default port.
    public static let usualPort: UInt16 = 8471

    private let file: UserFile

    /// The maximum number of devices to share.
    public static let most = 16

    /// The settings in the file at `path`.
    public init(path: String) { file = UserFile(path: path) }

    /// The user's own settings.
    ///
    /// - Throws: `UserFileError` when the user has no folder for them.
    public static func standard(environment: [String: String]) throws(UserFileError)
        -> SharingSettings
    {
        SharingSettings(
            path: try UserFolders(environment: environment).usable(.config) + "/shares.json")
    }

    /// The shared devices, in the order in which they were shared.
    ///
    /// - Throws: `UserFileError`, ``HostError`` `stateFile` for a damaged file.
    public func shares() throws -> [Share] { try contents(try file.read()).shares }

    /// The address of each shared device, in the order of ``shares()``, with the port at which the
    /// devices were served last.
    ///
    /// - Throws: the errors of ``shares()``.
    public func addresses() throws -> [String] {
        let contents = try contents(try file.read())
        let place = "http://\(ThisMachine.name):\(contents.port ?? Self.usualPort)/"
        return contents.shares.enumerated().map { index, share in
            place + share.root(isFirst: index == 0)
        }
    }

    /// Records the port at which the devices are served.
    ///
    /// - Throws: `UserFileError`, ``HostError`` `stateFile`.
    public func note(port: UInt16) throws { try change { $0.port = port } }

    /// True for another machine's scanner: sharing it again would make a loop.
    public static func isForeign(_ device: String) -> Bool {
        ["airscan:", "escl:"].contains { device.hasPrefix("sane:" + $0) }
    }

    /// Shares a device under its own or another name, or changes its sharing settings.
    ///
    /// - Parameters:
    ///   - name: the name in clients' lists; nil for the present one.
    ///   - profile: the profile with the steps for pictures; nil for the present one.
    ///   - readsText: whether clients' PDFs get text; nil for the present setting.
    /// - Returns: the share.
    /// - Throws: `UserFileError`; ``HostError`` `invalidValue` for a device that can't be shared,
    ///   `tooLarge` for too many devices, `stateFile`.
    @discardableResult
    public func share(
        _ device: ListedDevice, name: String? = nil, profile: String? = nil,
        readsText: Bool? = nil
    ) throws -> Share {
        guard !Self.isForeign(device.id) else {
            throw HostError(
                .invalidValue,
                "'\(device.id)' is a scanner of the network already, and everybody can use it",
                advice: "Share a device that is attached to this machine")
        }
        guard device.descriptor.kind != .files else {
            throw HostError(
                .invalidValue, "'\(device.id)' is neither a scanner nor a camera",
                advice: "Choose one of: copystand devices")
        }
        return try add(
            device: device.id, name: name, orCalled: device.descriptor.name, profile: profile,
            readsText: readsText)
    }

    /// Shares a device.
    ///
    /// - Parameters:
    ///   - name: the name in clients' lists; nil for the present one.
    ///   - usual: the name of a device that is not shared yet, unless `name` is given.
    ///   - profile: the profile for the pages; nil for the present one.
    ///   - readsText: whether PDFs get text; nil for the present setting.
    /// - Returns: the share; for a shared device, the present share with the given changes.
    /// - Throws: `UserFileError`, ``HostError`` `stateFile` or `tooLarge`.
    @discardableResult
    func add(
        device: String, name: String? = nil, orCalled usual: String = "Scanner",
        profile: String? = nil, readsText: Bool? = nil
    ) throws -> Share {
        try change { contents in
            if let index = contents.shares.firstIndex(where: { $0.device == device }) {
                if let name { contents.shares[index].name = name }
                if let profile { contents.shares[index].profile = profile }
                if let readsText { contents.shares[index].readsText = readsText }
                return contents.shares[index]
            }
            guard contents.shares.count < Self.most else {
                throw HostError(
                    .tooLarge, "\(Self.most) devices are shared already",
                    advice: "Stop sharing one, with: copystand share --stop DEVICE")
            }
            let share = Share(
                device: device, name: name ?? usual, uuid: UUID().uuidString.lowercased(),
                profile: profile, readsText: readsText)
            contents.shares.append(share)
            return share
        }
    }

    /// Changes the processing of a shared device's pages; the device may be absent.
    ///
    /// - Parameters:
    ///   - profile: the profile with the steps for pictures; nil for the present one.
    ///   - readsText: whether clients' PDFs get text; nil for the present setting.
    /// - Returns: false when the device is not shared.
    /// - Throws: `UserFileError`, ``HostError`` `stateFile`.
    public func change(
        _ device: String, profile: String? = nil, readsText: Bool? = nil
    ) throws -> Bool {
        try change { contents in
            guard let index = contents.shares.firstIndex(where: { $0.device == device }) else {
                return false
            }
            if let profile { contents.shares[index].profile = profile }
            if let readsText { contents.shares[index].readsText = readsText }
            return true
        }
    }

    /// Stops sharing a device; false when it was not shared.
    ///
    /// - Throws: `UserFileError`, ``HostError`` `stateFile`.
    public func remove(device: String) throws -> Bool {
        try change { contents in
            let before = contents.shares.count
            contents.shares.removeAll { $0.device == device }
            return contents.shares.count < before
        }
    }

    /// Records a use of a device, if it is still shared.
    ///
    /// - Throws: `UserFileError`, ``HostError`` `stateFile`.
    public func note(_ use: LastUse, of device: String) throws {
        try change { contents in
            for index in contents.shares.indices where contents.shares[index].device == device {
                contents.shares[index].lastUse = use
            }
        }
    }

    private func change<Value>(_ body: (inout Contents) throws -> Value) throws -> Value {
        try file.change { bytes in
            var contents = try contents(bytes)
            let value = try body(&contents)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            bytes = Array(try encoder.encode(contents)) + [UInt8(ascii: "\n")]
            return value
        }
    }

    private func contents(_ bytes: [UInt8]?) throws -> Contents {
        guard let bytes else { return Contents() }
        do { return try JSONDecoder().decode(Contents.self, from: Data(bytes)) } catch {
            throw HostError(
                .stateFile, "'\(file.path)', which keeps what you share, is damaged",
                advice: "Fix it, or delete it and share your devices again")
        }
    }
}
