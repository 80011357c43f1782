import FileNames
import FoundationEssentials
import UserFiles

/// The named sinks in a file that only its owner can read, because it contains tokens and
/// passwords.
public struct SinkRegistry: Sendable {
    /// The sinks as they were when the file was last read or changed.
    public private(set) var list: SinkList
    /// The path of the file.
    public let path: String

    /// The registry in a file; empty when there is none.
    ///
    /// - Throws: ``DeliveryError``: `permissionDenied` when somebody else could read or change the
    ///   file, `invalidOption` when it is invalid.
    public init(path: String) throws(DeliveryError) {
        self.path = path
        do {
            list = try Self.list(try Self.file(path).read(), path)
        } catch let error as UserFileError {
            throw DeliveryError(error)
        } catch {
            throw error as? DeliveryError ?? DeliveryError(.inputOutput, "\(error)")
        }
    }

    /// The user's registry: `sinks.json` in the user's folder of settings.
    ///
    /// - Throws: `UserFileError` when there is no such folder, or somebody else could read or
    ///   change the file; ``DeliveryError`` when it is invalid.
    public static func standard(environment: [String: String]) throws -> SinkRegistry {
        let path = try UserFolders(environment: environment).usable(.config) + "/sinks.json"
        return SinkRegistry(list: try list(try file(path).read(), path), path: path)
    }

    private init(list: SinkList, path: String) {
        self.list = list
        self.path = path
    }

    /// The sinks by name.
    public var sinks: [String: SinkDefinition] { list.sinks }

    /// The sink of that name; nil when there is none.
    public func definition(_ name: String) -> SinkDefinition? { list.definition(name) }

    /// The sink with that name.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`, with the nearest name.
    public func sink(_ name: String) throws(DeliveryError) -> SinkDefinition {
        try list.sink(name)
    }

    /// Changes the list that is in the file now, while no other process can, and writes the file.
    ///
    /// - Throws: `UserFileError`, and the error of `body`; nothing is changed then.
    public mutating func change<Value>(
        _ body: (inout SinkList) throws -> Value
    ) throws -> Value {
        let (changed, value) = try Self.file(path).change { [path] bytes in
            var list = try Self.list(bytes, path)
            let value = try body(&list)
            bytes = try list.encoded()
            return (list, value)
        }
        list = changed
        return value
    }

    /// Adds a sink, or replaces the one with that name, and writes the file.
    ///
    /// - Throws: the errors of ``SinkList/add(_:_:)`` and ``change(_:)``.
    public mutating func add(_ name: String, _ definition: SinkDefinition) throws {
        try change { try $0.add(name, definition) }
    }

    /// Removes a sink, and writes the file.
    ///
    /// - Throws: the errors of ``SinkList/remove(_:)`` and ``change(_:)``.
    public mutating func remove(_ name: String) throws { try change { try $0.remove(name) } }

    private static func list(_ bytes: [UInt8]?, _ path: String) throws -> SinkList {
        guard let bytes else { return SinkList() }
        do {
            return try SinkList(bytes)
        } catch {
            throw DeliveryError(
                .invalidOption, "'\(path)' can't be read as a list of sinks: \(jsonFault(error))")
        }
    }

    private static func file(_ path: String) -> UserFile {
        UserFile(path: path, secret: "passwords")
    }
}

extension DeliveryError {
    /// The delivery error for a failure of one of the user's files.
    init(_ error: UserFileError) {
        let code: Code =
            switch error.code {
            case .noHome, .folderUnusable: .folderMissing
            case .untrusted, .readOnly: .permissionDenied
            case .noSpace: .noSpace
            case .inputOutput: .inputOutput
            }
        self.init(code, error.message)
    }
}
