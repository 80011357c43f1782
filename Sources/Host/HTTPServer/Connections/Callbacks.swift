import CMicroHTTPD
import Glibc
import Synchronization

// The functions that libmicrohttpd calls on its own threads. `context` is the listener's
// ListenerCore, which outlives the library's daemon.

private func core(_ context: UnsafeMutableRawPointer?) -> ListenerCore? {
    context.map { Unmanaged<ListenerCore>.fromOpaque($0).takeUnretainedValue() }
}

/// MHD_NotifyConnectionCallback: a connection was made or closed.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ record: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let core = core(context), let connection, let record else { return }
    if change == .CONNECTION_NOTIFY_STARTED {
        let socket = copystand_mhd_socket(connection)
        let new = ConnectionRecord(
            socket: socket, peer: PeerAddress(copystand_mhd_peer(connection)) ?? PeerAddress(""),
            watch: RequestWatch(
                socket: socket, limit: core.limits.headBytes, counters: core.counters),
            now: ListenerCore.now)
        core.add(new)
        // A connection whose requests can't be checked is refused.
        if !new.watch.begin(isTLS: core.isTLS) { shutdown(socket, CInt(SHUT_RDWR)) }
        record.pointee = Unmanaged.passRetained(new).toOpaque()
    } else if let old = record.pointee {
        record.pointee = nil
        let old = Unmanaged<ConnectionRecord>.fromOpaque(old).takeRetainedValue()
        old.watch.end()
        old.close()
        core.remove(old)
    }
}

/// MHD_AcceptPolicyCallback: a client is about to connect.
func accepts(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _: socklen_t
) -> MHD_Result {
    guard let core = core(context) else { return .NO }
    return core.admits(PeerAddress(address) ?? PeerAddress("")) ? .YES : .NO
}

/// MHD_OPTION_URI_LOG_CALLBACK: the first line of a request has arrived.
///
/// The result becomes the request's context.
func requestLine(
    _ context: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let core = core(context), let connection, let record = copystand_mhd_record(connection)
    else { return nil }
    let owner = Unmanaged<ConnectionRecord>.fromOpaque(record).takeUnretainedValue()
    owner.begin(now: ListenerCore.now, allowance: core.limits.head)
    return Unmanaged.passRetained(Exchange(owner, memory: core.memory)).toOpaque()
}

/// MHD_RequestCompletedCallback: an answer was sent, or its connection broke.
func completed(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ end: MHD_RequestTerminationCode
) {
    guard let old = exchange?.pointee else { return }
    exchange?.pointee = nil
    let ended = Unmanaged<Exchange>.fromOpaque(old).takeRetainedValue()
    ended.record.rest(now: ListenerCore.now)
    if ended.hasSlept { core(context)?.answered() }
    let answer = ended.answer.withLock { $0 }
    answer?.ending?.sent()
    answer?.whenGone?()
}

/// MHD_AccessHandlerCallback: called with the head, with each part of the body, at the body's end,
/// and after a sleep.
func access(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
    _ part: UnsafePointer<CChar>?,
    _ partSize: UnsafeMutablePointer<Int>?,
    _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let core = core(context), let connection, let url, let method, let partSize,
        let own = exchange?.pointee
    else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(own).takeUnretainedValue()
    switch exchange.stage {
    case .fresh:
        guard let head = head(of: connection, String(cString: method), String(cString: url)) else {
            return send(Problems.malformed, on: connection, core)
        }
        if let early = exchange.begin(head, core.handler.admit(head)) {
            return send(early, on: connection, core)
        }
        exchange.record.allow(exchange.allowance(core.limits))
        return .YES
    case .receiving where partSize.pointee > 0:
        let part = UnsafeRawBufferPointer(start: part, count: partSize.pointee)
        if let refusal = exchange.take(part) {
            core.counters.count(.refusedBody)
            // The library can't send an answer in the middle of a body.
            LastAnswer(refusal).send(
                copystand_mhd_socket(connection), copystand_mhd_session(connection))
            return .NO
        }
        exchange.record.allow(exchange.allowance(core.limits))
        partSize.pointee = 0
        return .YES
    case .receiving:
        guard let request = exchange.finish() else { return .NO }
        if request.isBodiless, let response = core.handler.answerAtOnce(request.head) {
            return send(response, on: connection, core)
        }
        guard core.sleep(connection) else { return send(Problems.stopping, on: connection, core) }
        exchange.hasSlept = true
        let sleeper = Sleeper(connection: connection)
        Task.detached {
            let response = await core.handler.respond(to: request)
            exchange.answer.withLock { $0 = response }
            core.wake(sleeper.connection)
        }
        return .YES
    case .handled:
        guard let response = exchange.answer.withLock({ $0 }) else { return .NO }
        let record = exchange.record
        if let ending = response.ending, !ending.begin({ record.cut() }) {
            if case .stream(let stream) = response.body { stream.close() }
            return .NO
        }
        return send(response, on: connection, core)
    }
}

/// A suspended connection, which no other code uses until it is resumed: so it is safe to pass on.
struct Sleeper: @unchecked Sendable {
    let connection: OpaquePointer
}

/// The decoded head of a request; nil when its path or query is malformed.
private func head(of connection: OpaquePointer, _ method: String, _ path: String)
    -> HTTPRequestHead?
{
    guard let parts = PercentCoding.parts(ofPath: path) else { return nil }
    var query: [(name: String, value: String)] = []
    for pair in pairs(of: connection, .GET_ARGUMENT_KIND) {
        guard let name = PercentCoding.decode(pair.name),
            let value = PercentCoding.decode(pair.value)
        else { return nil }
        query.append((name, value))
    }
    return HTTPRequestHead(
        method: method, path: parts, query: query, headers: pairs(of: connection, .HEADER_KIND),
        peer: PeerAddress(copystand_mhd_peer(connection))?.text ?? "")
}

/// The names and values of the query or of the headers.
private func pairs(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [(
    name: String, value: String
)] {
    var pairs: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &pairs) { pointer in
        _ = MHD_get_connection_values(
            connection, kind,
            { context, _, name, value in
                guard let context, let name else { return .YES }
                let pairs = context.assumingMemoryBound(to: [(name: String, value: String)].self)
                pairs.pointee.append(
                    (String(cString: name), value.map { String(cString: $0) } ?? ""))
                return .YES
            }, pointer)
    }
    return pairs
}
