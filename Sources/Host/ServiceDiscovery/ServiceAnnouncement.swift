import CAvahi
import Glibc
import Synchronization

/// Services that are announced on the network by mDNS under one name, for as long as the value
/// lives.
///
/// The Avahi daemon makes the announcement. If the name is in use, it chooses another one. If the
/// daemon starts later, it makes the announcement then.
public final class ServiceAnnouncement: Sendable {
    /// A service of this machine.
    public struct Service: Hashable, Sendable {
        /// The service's type, such as `_uscan._tcp`.
        public var type: String
        /// The service's port.
        public var port: UInt16
        /// Entries of the form `KEY=VALUE`, with at most 255 bytes each; `%h` stands for the
        /// machine's announced name.
        public var records: [String]

        /// A service.
        public init(type: String, port: UInt16, records: [String]) {
            (self.type, self.port, self.records) = (type, port, records)
        }
    }

    /// An event of an announcement.
    public enum Event: Hashable, Sendable {
        /// The machine has this name on the network, such as `desk.local`.
        case machine(String)
        /// The service is announced, under this name.
        case announced(String)
        /// Another service has the name; this one is tried instead.
        case renamed(String)
        /// No daemon is running; the announcement waits for one.
        case noDaemon
        /// The announcement failed, for this reason.
        case failed(String)
    }

    private final class Listener: Sendable {
        let onEvent: @Sendable (Event) -> Void
        init(_ onEvent: @escaping @Sendable (Event) -> Void) { self.onEvent = onEvent }
    }

    private struct Handle: @unchecked Sendable {
        /// Any thread may end the announcement, but only once.
        let announcer: OpaquePointer
        let listener: Unmanaged<Listener>
    }

    private let handle: Mutex<Handle?>

    /// The maximum size of a name in bytes (RFC 6763, 4.1.1).
    private static let mostName = 63

    /// Starts to announce a service.
    ///
    /// - Parameters:
    ///   - name: the name; it is cut to 63 bytes.
    ///   - onEvent: gets each event, from any thread.
    /// - Throws: ``DiscoveryError`` when Avahi's library is missing.
    public init(
        _ name: String, _ services: [Service], onEvent: @escaping @Sendable (Event) -> Void
    ) throws(DiscoveryError) {
        let listener = Unmanaged.passRetained(Listener(onEvent))
        var problem: UnsafePointer<CChar>?
        let announcer = withCopies(services) { services in
            Self.cut(name).withCString {
                copystand_announce(
                    $0, services.baseAddress, services.count,
                    { context, what, text in
                        guard let context else { return }
                        Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().onEvent(
                            event(what, text.map { String(cString: $0) } ?? ""))
                    }, listener.toOpaque(), &problem)
            }
        }
        guard let announcer else {
            listener.release()
            throw DiscoveryError(
                message:
                    "Nothing can be announced on the network: \(problem.map { String(cString: $0) } ?? "Avahi can't be used"). Install and start Avahi: sudo apt install avahi-daemon libavahi-client3"
            )
        }
        handle = Mutex(Handle(announcer: announcer, listener: listener))
    }

    /// Withdraws the announcement.
    public func end() {
        let last = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        guard let last else { return }
        copystand_announce_end(last.announcer)
        last.listener.release()
    }

    deinit { end() }

    /// As much of a name as an announcement can have, in whole characters.
    static func cut(_ name: String) -> String {
        var result = ""
        for character in name {
            guard result.utf8.count + character.utf8.count <= mostName else { break }
            result.append(character)
        }
        return result
    }
}

/// The reason why nothing can be announced.
public struct DiscoveryError: Error, Sendable {
    /// The failure, and the advice.
    public let message: String
}

private func event(_ what: copystand_announcement, _ text: String) -> ServiceAnnouncement.Event {
    switch what {
    case copystand_named: .machine(text)
    case copystand_announced: .announced(text)
    case copystand_renamed: .renamed(text)
    case copystand_no_daemon: .noDaemon
    default: .failed(text)
    }
}

/// Calls `body` with services in their form for C.
private func withCopies<Value>(
    _ services: [ServiceAnnouncement.Service],
    _ body: (UnsafeBufferPointer<copystand_service>) -> Value
) -> Value {
    let types = services.map { strdup($0.type) }
    let records = services.map { service in
        service.records.map { UnsafePointer(strdup(String($0.utf8.prefix(255)) ?? "")) }
    }
    defer {
        for type in types { free(type) }
        for record in records.joined() { free(UnsafeMutablePointer(mutating: record)) }
    }
    let lists = records.map { list in
        let copy = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: list.count)
        _ = copy.initialize(from: list)
        return copy
    }
    defer { for list in lists { list.deallocate() } }
    let copies = services.indices.map { index in
        copystand_service(
            type: types[index], port: services[index].port, records: lists[index].baseAddress,
            count: lists[index].count)
    }
    return copies.withUnsafeBufferPointer(body)
}
