import Archive
import CCurl
import Glibc
import Hashing
import HTTPClient

/// Transfers with protocols other than HTTP, one after another through one handle of libcurl, which
/// keeps its connection.
///
/// Calls block. It is not `Sendable`, because a handle belongs to one delivery.
final class CurlTransfer {
    /// An order for libcurl.
    struct Order {
        var url: String
        var texts: [(option: CURLoption, value: String)] = []
        var numbers: [(option: CURLoption, value: Int)] = []
        var lists: [(option: CURLoption, values: [String])] = []
        /// The bytes to send; nil for none.
        var source: (any TransferSource)?
        /// The options that replace `numbers` for a server that refused the first way of TLS; empty
        /// for none.
        var otherwise: [(option: CURLoption, value: Int)] = []
        /// The maximum number of received bytes; they are hashed but not stored.
        var most = 0
        /// Replaces the secrets of this order, such as a token that a service has just issued, in
        /// what people see; nil for only those of the sink.
        var secrets: SecretRedactor?
    }

    /// The result of a transfer.
    struct Ending {
        var code: CURLcode
        /// The number of the last answer, if the protocol has such numbers.
        var status: Int
        /// The reason why the transfer failed, without secrets.
        var words: String
        /// The line with which the server answered, without secrets.
        var answer: String
        /// The SHA-256 of the received bytes, in hexadecimal digits.
        var hash: String
        /// The length of the file at the address, if the server gave it.
        var length: Int?
        /// The number of bytes that were received.
        var taken: Int
        /// True if the transfer was ended because Copystand ends.
        var isStopped: Bool

        var isDone: Bool { code == CURLE_OK }
    }

    private let owned: CurlHandle
    private var handle: UnsafeMutableRawPointer { owned.raw }
    private let definition: SinkDefinition
    private let schemes: [String]
    private let tools: DeliveryTools
    private let secrets: SecretRedactor
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// A handle for the addresses and secrets of a sink.
    ///
    /// - Throws: ``DeliveryError`` `unreachable` where libcurl is not installed.
    init(_ definition: SinkDefinition, _ tools: DeliveryTools) throws(DeliveryError) {
        guard let handle = tools.connections.curl.take(definition) ?? CurlHandle() else {
            throw DeliveryError(
                .unreachable, "libcurl can't be started. It is in Debian's package libcurl4")
        }
        owned = handle
        self.definition = definition
        self.tools = tools
        schemes = definition.kind.schemes
        secrets = definition.secrets
    }

    deinit {
        // References to this transfer must not outlive it.
        curl_easy_reset(handle)
        tools.connections.curl.keep(owned, for: definition)
        message.deallocate()
    }

    /// Carries an order out.
    func perform(_ order: Order) -> Ending {
        let ending = performOnce(order)
        guard ending.code == CURLE_SSL_CONNECT_ERROR, !order.otherwise.isEmpty,
            order.source?.isUntouched ?? true
        else { return ending }
        var again = order
        again.numbers += order.otherwise
        return performOnce(again)
    }

    /// The seconds that a transfer may take: 300, and those that its bytes take at 20 kB a second.
    ///
    /// A server that reads or writes slowly would otherwise never end it.
    static func limit(_ order: Order) -> Int {
        300 + ((order.source?.length ?? 0) + order.most) / 20_000
    }

    private func performOnce(_ order: Order) -> Ending {
        curl_easy_reset(handle)
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let context = TransferContext(order.source, most: order.most, tools)
        let pointer = Unmanaged.passUnretained(context).toOpaque()
        copystand_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
        copystand_curl_set_text(handle, CURLOPT_URL, order.url)
        copystand_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, schemes.joined(separator: ","))
        copystand_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        copystand_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, min(15, tools.patience))
        copystand_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        copystand_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, tools.patience)
        copystand_curl_set_number(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, tools.patience)
        copystand_curl_set_number(handle, CURLOPT_TIMEOUT, Self.limit(order))
        copystand_curl_set_progress(handle, reportProgress, pointer)
        copystand_curl_set_transfer(handle, CURLOPT_HEADERFUNCTION, receiveHeader)
        copystand_curl_set_pointer(handle, CURLOPT_HEADERDATA, pointer)
        copystand_curl_set_transfer(handle, CURLOPT_WRITEFUNCTION, receiveBody)
        copystand_curl_set_pointer(handle, CURLOPT_WRITEDATA, pointer)
        for (option, value) in order.texts { copystand_curl_set_text(handle, option, value) }
        for (option, value) in order.numbers { copystand_curl_set_number(handle, option, value) }
        if let source = order.source {
            copystand_curl_set_number(handle, CURLOPT_UPLOAD, 1)
            copystand_curl_set_transfer(handle, CURLOPT_READFUNCTION, fillBuffer)
            copystand_curl_set_pointer(handle, CURLOPT_READDATA, pointer)
            copystand_curl_set_size(
                handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(source.length))
        }
        var lists: [UnsafeMutablePointer<curl_slist>?] = []
        for (option, values) in order.lists {
            let list = values.reduce(nil) { curl_slist_append($0, $1) }
            lists.append(list)
            copystand_curl_set_list(handle, option, list)
        }
        let code = curl_easy_perform(handle)
        lists.forEach { curl_slist_free_all($0) }
        let detail = String(cString: message)
        let words = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        let secrets = order.secrets ?? secrets
        return Ending(
            code: code, status: copystand_curl_status(handle),
            words: secrets.redacted(words, isCut: true),
            answer: secrets.redacted(
                context.answer(copystand_curl_status(handle)), isCut: true), hash: context.hash,
            length: copystand_curl_length(handle) < 0 ? nil : copystand_curl_length(handle),
            taken: context.taken,
            isStopped: code == CURLE_ABORTED_BY_CALLBACK && tools.stop.isDue)
    }
}

extension CurlTransfer.Ending {
    /// The meaning of a failure for the delivery.
    ///
    /// - Parameter host: the name in the message.
    func obstacle(_ host: String) -> DeliveryAttempt {
        let said =
            status >= 400
            ? "\(host) answered \(status)\(ForeignWords.quoted(answer))" : "\(host): \(words)"
        let full = [452, 552]
        switch code {
        case _ where isStopped:
            return .later("\(host) was left when Copystand was stopped", after: nil)
        case CURLE_LOGIN_DENIED:
            return .refused(
                "\(said). Correct the user and the password, then: copystand outbox retry")
        case CURLE_USE_SSL_FAILED:
            return .refused(
                "\(host) offers no TLS. If no one else can read the traffic on the way there, allow that with --parameter encryption=none"
            )
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_REMOTE_ACCESS_DENIED:
            return .refused(said)
        case _ where (500..<600).contains(status) && !full.contains(status): return .refused(said)
        default: return .later(said, after: nil)
        }
    }
}

/// The sent and received data of a transfer.
private final class TransferContext {
    private let source: (any TransferSource)?
    private let most: Int
    private let stop: DeliveryStop
    private let progress: UploadProgress?
    private var hasher = SHA256()
    private(set) var taken = 0
    /// The server's last line, and the last one that refused a command.
    private var (line, refusal) = ("", "")

    init(_ source: (any TransferSource)?, most: Int, _ tools: DeliveryTools) {
        self.source = source
        self.most = most
        (stop, progress) = (tools.stop, tools.progress)
    }

    /// The line with this number, since libcurl ends the conversation after it.
    func answer(_ status: Int) -> String { refusal.hasPrefix("\(status)") ? refusal : line }

    var hash: String { hasher.hexadecimal() }
    var isStopped: Bool { stop.isDue }

    func note(sent: Int) {
        if let source { progress?.note(sent, of: source.length) }
    }

    func receiveHeader(_ bytes: UnsafeRawBufferPointer) {
        let text = String(decoding: bytes.prefix(400), as: UTF8.self)
        line = String(
            text.filter { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } })
        if line.hasPrefix("4") || line.hasPrefix("5") { refusal = line }
    }

    func fillBuffer(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        source?.read(into: buffer) ?? 0
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= most - taken else { return false }
        taken += bytes.count
        hasher.update(bytes)
        return true
    }
}

private func fillBuffer(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    return Unmanaged<TransferContext>.fromOpaque(context).takeUnretainedValue().fillBuffer(
        UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    // Returning fewer bytes than were received ends the transfer.
    return Unmanaged<TransferContext>.fromOpaque(context).takeUnretainedValue().receiveBody(
        UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    Unmanaged<TransferContext>.fromOpaque(context).takeUnretainedValue().receiveHeader(
        UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func reportProgress(
    _ pointer: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t,
    _ sent: curl_off_t
) -> CInt {
    guard let pointer else { return 0 }
    let context = Unmanaged<TransferContext>.fromOpaque(pointer).takeUnretainedValue()
    context.note(sent: Int(sent))
    return context.isStopped ? 1 : 0
}
