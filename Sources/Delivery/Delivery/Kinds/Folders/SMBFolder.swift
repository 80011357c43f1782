import Archive
import Glibc
import Hashing
import HTTPClient
import SMBAccess

extension SinkDefinition.Kind {
    /// A folder of an SMB share, such as a Windows machine's or a NAS's.
    public static let smb = Self(
        "smb", "puts files into a folder of a Windows share or a NAS",
        reach: .network(["smb"]),
        settings: [
            SinkSetting(
                .url, "the folder's address, smb://host/share/path", isNeeded: true),
            SinkSetting(.user, "the name to sign in with", isNeeded: true),
            SinkSetting(.password, "the user's password", isNeeded: true),
            .parameter("domain", "the user's domain; WORKGROUP unless given"),
            .fileName,
        ],
        example: .init(
            "--url", "smb://nas.example/scans", "--user", "ada", "--password-file", "password"),
        check: { (sink) throws(DeliveryError) in
            try sink.checkName()
            _ = try SMBPlace(sink)
        }
    ) { (definition, tools) throws(DeliveryError) in
        RemoteFolderDeliverer(definition: definition) { () throws(DeliveryError) in
            try SMBFolder(definition, tools)
        }
    }
}

/// A folder of an SMB share, by SMB 2 or 3; SMB 1 is refused.
///
/// A file is first written under a hidden name. Libsmbclient removes a file that is in the way of a
/// rename, so the final name is reserved with a small file of ours, which fails if the name is in
/// use.
final class SMBFolder: RemoteFolder {
    private let place: SMBPlace
    private let tools: DeliveryTools
    private let definition: SinkDefinition
    private var connection: SMBConnection?
    /// The name that an earlier try had reserved, or was about to.
    private var reserved: String?
    let reservesNames = true

    init(_ definition: SinkDefinition, _ tools: DeliveryTools) throws(DeliveryError) {
        self.definition = definition
        self.tools = tools
        place = try SMBPlace(definition)
    }

    func remember(reserved name: String?) { reserved = name.map(SMBPlace.allowed) }

    func keep() {
        if let connection, connection.isSound {
            tools.connections.smb.keep(connection, for: definition)
        }
        connection = nil
    }

    /// The connection, which is made when it is first needed.
    private func connected() throws(SMBConnection.Failure) -> SMBConnection {
        if let connection { return connection }
        if let idle = tools.connections.smb.take(definition) {
            connection = idle
            return idle
        }
        let account = SMBAccount(
            user: definition.user ?? "", domain: definition.parameter("domain") ?? "WORKGROUP",
            password: definition.password ?? "", port: place.port, patience: tools.patience)
        let new = try SMBConnection(account, folder: place.share) { !tools.stop.isDue }
        connection = new
        return new
    }

    /// The obstacle to the delivery that a failure means.
    private func obstacle(_ failure: SMBConnection.Failure, _ what: String) -> Obstacle {
        let host = place.origin
        let hasConnected = connection != nil
        switch failure {
        case .silent(let words): return Obstacle(.later("\(host): \(words)", after: nil))
        case .noLibrary(let words):
            return Obstacle(
                .refused(
                    "libsmbclient can't be loaded (\(words)). Install it: sudo apt install libsmbclient"
                ))
        case .refused(let number):
            let said = "\(host): \(String(cString: strerror(number)))"
            switch number {
            case EACCES where !hasConnected, EPERM where !hasConnected:
                return Obstacle(
                    .refused(
                        "\(said). Give the correct user and password, with the right to use the share, then: copystand outbox retry"
                    ))
            case EACCES, EPERM, EROFS, ENAMETOOLONG, EISDIR:
                return Obstacle(.refused("\(said): \(what)"))
            case ENOENT where !hasConnected:
                return Obstacle(.later("\(host) has no share '\(place.share)' now", after: nil))
            default: return Obstacle(.later("\(said): \(what)", after: nil))
            }
        }
    }

    @discardableResult
    private func ask(
        _ request: SMBRequest, _ bytes: ArraySlice<UInt8> = [], of name: String
    ) throws(Obstacle) -> (answer: SMBAnswer, bytes: [UInt8]) {
        do {
            return try connected().ask(request, bytes) { !tools.stop.isDue }
        } catch {
            throw obstacle(error, place.address(name))
        }
    }

    /// Sends a request, for which some error numbers count as answers; nil for a success.
    private func ask(
        _ request: SMBRequest, of name: String, expecting numbers: Set<Int32>
    ) throws(Obstacle) -> Int32? {
        do {
            try connected().ask(request) { !tools.stop.isDue }
            return nil
        } catch {
            if connection != nil, case .refused(let number) = error, numbers.contains(number) {
                return number
            }
            throw obstacle(error, place.address(name))
        }
    }

    func look(_ name: String, for file: OutboxItem.File) throws(Obstacle) -> RemoteName {
        let name = SMBPlace.allowed(name)
        let size: Int?
        do {
            size = try connected().ask(.size(place.address(name))) { !tools.stop.isDue }.answer.size
        } catch {
            if connection != nil, case .refused(ENOENT) = error { return .nothing }
            throw obstacle(error, place.address(name))
        }
        // The file is empty for a moment after it is made.
        if size == 0, file.bytes > 0, name == reserved { return .nothing }
        let sign = Self.sign(file)
        guard size == file.bytes || size == sign.count else { return .other }
        let hash = try hash(name)
        if hash == file.sha256 { return .ours }
        return hash == ImageHash(of: sign).hexadecimal ? .nothing : .other
    }

    /// The content of the file that reserves a name, which a later try recognizes.
    private static func sign(_ file: OutboxItem.File) -> [UInt8] {
        Array("Copystand is about to put a document here: \(file.sha256)\n".utf8)
    }

    private func hash(_ name: String) throws(Obstacle) -> String {
        try ask(.read(place.address(name)), of: name)
        var hasher = SHA256()
        while true {
            let bytes = try ask(.next, of: name).bytes
            if bytes.isEmpty { break }
            bytes.withUnsafeBytes { hasher.update($0) }
        }
        try ask(.close, of: name)
        return hasher.hexadecimal()
    }

    func put(
        _ path: String, _ file: OutboxItem.File, as wanted: String, mark: String
    ) throws(Obstacle) -> Bool {
        let name = SMBPlace.allowed(wanted)
        let folders = name.split(separator: "/").dropLast().map(String.init)
        let hidden = (folders + [".copystand-\(mark).part"]).joined(separator: "/")
        if try ask(.write(place.address(hidden), isNew: false), of: name, expecting: [ENOENT])
            != nil
        {
            try makeFolders(folders)
            try ask(.write(place.address(hidden), isNew: false), of: name)
        }
        try send(path, file, as: hidden)
        if try ask(.write(place.address(name), isNew: true), of: name, expecting: [EEXIST]) == nil {
            try ask(.more, Self.sign(file)[...], of: name)
            try ask(.close, of: name)
        } else if try look(name, for: file) != .nothing {
            try remove(hidden)
            return false
        }
        let goal = place.address(name)
        let isTaken =
            try ask(
                .rename(place.address(hidden), to: goal), of: name, expecting: [EEXIST]) != nil
        if isTaken { try remove(hidden) }
        return !isTaken
    }

    /// Writes the file's bytes, and checks that all of them arrived.
    private func send(
        _ path: String, _ file: OutboxItem.File, as hidden: String
    ) throws(Obstacle) {
        let source: FileSource
        do {
            source = try FileSource(path)
        } catch {
            throw Obstacle(.later(error.message, after: nil))
        }
        var chunk = [UInt8](repeating: 0, count: SMBChannel.largest)
        var sent = 0
        while true {
            let count = chunk.withUnsafeMutableBytes { source.read(into: $0) }
            guard count <= chunk.count else {
                throw Obstacle(.later("'\(path)' can't be read", after: nil))
            }
            if count == 0 { break }
            try ask(.more, chunk[..<count], of: hidden)
            sent += count
            tools.progress?.note(sent, of: file.bytes)
        }
        try ask(.close, of: hidden)
        let size = try ask(.size(place.address(hidden)), of: hidden).answer.size
        guard size == file.bytes else {
            throw Obstacle(
                .later(
                    "\(place.origin) has \(size ?? 0) of \(file.bytes) bytes after the upload",
                    after: nil))
        }
    }

    private func makeFolders(_ names: [String]) throws(Obstacle) {
        for path in place.folders(names) {
            _ = try ask(.makeFolder(path), of: path, expecting: [EEXIST])
        }
    }

    func remove(_ name: String) throws(Obstacle) {
        _ = try ask(.remove(place.address(SMBPlace.allowed(name))), of: name, expecting: [ENOENT])
    }

    func place(of name: String) -> String {
        place.shown + (name.isEmpty ? "" : "/" + SMBPlace.allowed(name))
    }
}

/// The place of a folder in an SMB share.
private struct SMBPlace {
    let origin: String
    let port: Int
    /// `smb://host/share`, without the port.
    let share: String
    /// The folder's names below the share, percent-encoded.
    private let path: [String]
    /// The place for people.
    let shown: String

    init(_ sink: SinkDefinition) throws(DeliveryError) {
        let address = try WebAddress(sink: sink.url ?? "", schemes: sink.kind.schemes)
        origin = address.origin
        shown = address.shown.hasSuffix("/") ? String(address.shown.dropLast()) : address.shown
        let colon = address.origin.dropFirst("smb://".count).firstIndex(of: ":")
        let digits = colon.map { String(address.origin[$0...].dropFirst()) } ?? "445"
        guard let port = Int(digits),
            (1...65_535).contains(port)
        else {
            throw DeliveryError(.invalidOption, "The address '\(origin)' has an invalid port.")
        }
        self.port = port
        let host = colon.map { String(address.origin[..<$0]) } ?? address.origin
        let names = address.rest.split(separator: "/").map(String.init)
        guard let first = names.first, !address.rest.contains("?") else {
            throw DeliveryError(
                .invalidOption,
                "The address '\(address.shown)' names no share. It should look like smb://host/share/path."
            )
        }
        share = host + "/" + first
        path = Array(names.dropFirst())
    }

    /// The address of a file below the folder.
    func address(_ name: String) -> String {
        ([share] + path + name.split(separator: "/").map { WebAddress.encoded(String($0)) })
            .joined(separator: "/")
    }

    /// The addresses of the folder and of its nested subfolders, the outer first.
    func folders(_ names: [String]) -> [String] {
        let all = path + names.map { WebAddress.encoded($0) }
        return all.indices.map { ([share] + all[...$0]).joined(separator: "/") }
    }

    /// A name without the characters that Windows forbids: `<>"|?*`, and a dot or space at the end.
    static func allowed(_ name: String) -> String {
        name.split(separator: "/").map { part in
            var part = String(part.map { "<>\"|?*".contains($0) ? "-" : $0 })
            while let last = part.last, last == "." || last == " " { part.removeLast() }
            return part.isEmpty ? "-" : part
        }.joined(separator: "/")
    }
}
