import CCurl
import Glibc
import GuardedFiles
import Hashing

/// One request that a handle of libcurl performs, with all memory that it refers to.
final class CurlExchange {
    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    private var isTooLong = false
    /// The number of bytes of the answer that are hashed without being stored, and the hash so far;
    /// nil for an answer that is stored.
    private var hashing: (most: Int, taken: Int, hasher: SHA256)?
    /// Receives the body of a success as it arrives; nil if the whole answer is stored.
    private let reception: CurlReception?
    private let stopTest: (@Sendable () -> Bool)?
    private var progress: WebRequest.Progress?
    /// The offset of the body in its file.
    private var start = 0
    private var largest = WebRequest.largestAnswer
    private let handle: UnsafeMutableRawPointer
    private var list: UnsafeMutablePointer<curl_slist>?
    private var form: OpaquePointer?
    private var upload: CInt?
    /// The open files of the form's parts.
    private var attachments: [CInt] = []
    /// The number of bytes of the body that are not sent yet.
    private var unsent = 0
    private var posted: [UInt8] = []
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(
        _ handle: UnsafeMutableRawPointer, _ reception: CurlReception? = nil,
        isStopped: (@Sendable () -> Bool)? = nil
    ) {
        stopTest = isStopped
        self.handle = handle
        self.reception = reception
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_slist_free_all(list)
        curl_mime_free(form)
        for file in attachments + [upload].compactMap(\.self) { close(file) }
        message.deallocate()
    }

    /// Sets all options of a request.
    ///
    /// - Throws: ``HTTPFailure`` for a header, address or file that can't be used.
    func prepare(_ request: WebRequest, limits: CurlClient) throws(HTTPFailure) {
        largest = request.largest
        copystand_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
        copystand_curl_set_text(handle, CURLOPT_URL, request.url)
        copystand_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        copystand_curl_set_text(handle, CURLOPT_USERAGENT, "copystand")
        copystand_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        copystand_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        copystand_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, limits.connectLimit)
        if let reception {
            reception.attend(handle)
        } else {
            copystand_curl_set_number(handle, CURLOPT_TIMEOUT, limits.timeLimit)
            // An exchange with a service that stops answering is ended long before the total limit.
            copystand_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
            copystand_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, limits.silenceLimit)
            progress = request.progress
            if case .part(_, let from, _, _) = request.body { start = from }
            if stopTest != nil || progress != nil {
                copystand_curl_set_progress(
                    handle, noteProgress, Unmanaged.passUnretained(self).toOpaque())
            }
        }
        set(request.trust)
        let context = Unmanaged.passUnretained(self).toOpaque()
        copystand_curl_set_transfer(handle, CURLOPT_WRITEFUNCTION, receiveBody)
        copystand_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        copystand_curl_set_transfer(handle, CURLOPT_HEADERFUNCTION, receiveHeader)
        copystand_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        hashing = request.hashing.map { ($0, 0, SHA256()) }
        try set(request.body)
        copystand_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        // libcurl itself repeats a request if a reused connection is lost without an answer. A
        // request that must not be repeated gets a new connection.
        if request.method == "POST" { copystand_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1) }
        if request.method == "HEAD" { copystand_curl_set_number(handle, CURLOPT_NOBODY, 1) }
        // The header `Expect` is removed, because many servers do not know it.
        for (name, value) in request.headers + [(name: "Expect", value: "")] {
            try add(name, value)
        }
        copystand_curl_set_list(handle, CURLOPT_HTTPHEADER, list)
    }

    private func set(_ trust: HTTPTrust) {
        switch trust {
        case .system: break
        case .authority(let file): copystand_curl_set_text(handle, CURLOPT_CAINFO, file)
        case .key(let hash):
            // The key is checked instead of the certificate, so the certificate may be for any
            // name.
            copystand_curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 0)
            copystand_curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 0)
            copystand_curl_set_text(handle, CURLOPT_PINNEDPUBLICKEY, hash)
        }
    }

    private func add(_ name: String, _ value: String) throws(HTTPFailure) {
        // A line end in a value would begin another header.
        let isClean = (name + value).unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
        guard isClean, !name.isEmpty, !name.contains(":") else {
            throw HTTPFailure(
                message:
                    "the header '\(name.prefix(40).filter { $0.isLetter || $0 == "-" })' has characters that no header may have",
                isPermanent: true)
        }
        guard let longer = curl_slist_append(list, value.isEmpty ? "\(name):" : "\(name): \(value)")
        else {
            throw HTTPFailure(message: "no memory is left for a request")
        }
        list = longer
    }

    private func set(_ body: WebRequest.Body) throws(HTTPFailure) {
        switch body {
        case .none: break
        case .bytes(let bytes, let mediaType):
            posted = bytes
            try add("Content-Type", mediaType)
            copystand_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
            posted.withUnsafeMutableBytes { bytes in
                _ = copystand_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
            }
        case .file(let path, let mediaType):
            try add("Content-Type", mediaType)
            try send(path, from: 0, count: nil)
        case .part(let path, let start, let count, let mediaType):
            try add("Content-Type", mediaType)
            try send(path, from: start, count: count)
        case .form(let parts):
            form = curl_mime_init(handle)
            for part in parts {
                guard let field = curl_mime_addpart(form) else {
                    throw HTTPFailure(message: "no memory is left for a request")
                }
                curl_mime_name(field, part.name)
                switch part.content {
                case .text(let text): curl_mime_data(field, text, text.utf8.count)
                case .file(let path, let name, let mediaType):
                    let file = try Self.opened { () throws(GuardedFileError) in
                        try GuardedFolder.openFile(at: path).descriptor
                    }
                    attachments.append(file)
                    // libcurl opens a file itself, and would wait for a pipe.
                    guard curl_mime_filedata(field, "/proc/self/fd/\(file)") == CURLE_OK else {
                        throw HTTPFailure(message: "'\(path)' can't be read")
                    }
                    curl_mime_filename(field, name)
                    curl_mime_type(field, mediaType)
                }
            }
            copystand_curl_set_mime(handle, form)
        }
    }

    /// Sends bytes of a file: `count` of them, or all up to the file's end.
    private func send(_ path: String, from start: Int, count: Int?) throws(HTTPFailure) {
        let (file, status) = try Self.opened { () throws(GuardedFileError) in
            try GuardedFolder.openFile(at: path)
        }
        upload = file
        guard lseek(file, off_t(start), SEEK_SET) >= 0 else {
            throw HTTPFailure(
                message: "'\(path)' can't be read: \(String(cString: strerror(errno)))")
        }
        unsent = count ?? max(0, Int(status.st_size) - start)
        copystand_curl_set_number(handle, CURLOPT_UPLOAD, 1)
        copystand_curl_set_transfer(handle, CURLOPT_READFUNCTION, sendFile)
        copystand_curl_set_pointer(
            handle, CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
        copystand_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(unsent))
    }

    private static func opened<Value>(
        _ body: () throws(GuardedFileError) -> Value
    ) throws(HTTPFailure) -> Value {
        do throws(GuardedFileError) { return try body() } catch {
            throw HTTPFailure(message: error.message)
        }
    }

    fileprivate func give(_ bytes: UnsafeMutableRawPointer, _ most: Int) -> Int {
        guard let upload else { return 0 }
        let count = max(0, retryingInterrupts { read(upload, bytes, min(most, unsent)) })
        unsent -= count
        return count
    }

    /// The reason why `curl_easy_perform` gave no answer.
    func failure(_ code: CURLcode, host: String) -> HTTPFailure {
        if isTooLong {
            return HTTPFailure(
                message: hashing.map { "\(host) answers with more than \($0.most) bytes" }
                    ?? "\(host) answers with more than \(largest >> 20) MiB",
                isPermanent: true, mayHaveArrived: true, isUnfit: true)
        }
        if let seconds = reception?.silence {
            return HTTPFailure(
                message: "\(host) has sent nothing for \(seconds) s", mayHaveArrived: true)
        }
        if code == CURLE_ABORTED_BY_CALLBACK, isStopped {
            return HTTPFailure(
                message: "\(host) had not answered when Copystand was stopped",
                mayHaveArrived: true)
        }
        let detail = String(cString: message)
        let words = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        let before: [CURLcode] = [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_URL_MALFORMAT,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_READ_ERROR,
        ]
        let untrusted: [CURLcode] = [
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_CACERT_BADFILE,
        ]
        let permanent = untrusted + [CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL]
        return HTTPFailure(
            message: "\(host): \(words)", isPermanent: permanent.contains(code),
            mayHaveArrived: !before.contains(code), isUntrusted: untrusted.contains(code),
            isUnfit: code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY)
    }

    /// The hash of an answer that was not stored; nil for a stored one.
    func hash() -> String? { hashing?.hasher.hexadecimal() }

    fileprivate var isStopped: Bool { stopTest?() ?? false }

    fileprivate func note(_ sent: Int, of length: Int) {
        // The length of a part does not reveal the whole.
        progress?(sent, start > 0 ? 0 : length, start)
    }

    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let reception, (200..<300).contains(copystand_curl_status(handle)) {
            return reception.take(bytes, headers)
        }
        if let (most, taken, _) = hashing {
            isTooLong = bytes.count > most - taken
            if isTooLong { return false }
            hashing?.taken += bytes.count
            hashing?.hasher.update(bytes)
            return true
        }
        guard body.count + bytes.count <= largest else {
            isTooLong = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    fileprivate func take(header line: String) {
        // A status line begins the headers of another answer, such as 100 Continue.
        if line.hasPrefix("HTTP/") { return headers = [:] }
        guard headers.count < 200, let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        headers[line[..<colon].lowercased()] = value
    }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    // Returning fewer bytes than were received ends the transfer.
    return exchange.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        ? size * count : 0
}

/// Notes how much is sent, and ends a transfer when the program is about to end
/// (`CURLOPT_XFERINFOFUNCTION`, at least once a second).
private func noteProgress(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _ length: curl_off_t,
    _ sent: curl_off_t
) -> CInt {
    guard let context else { return 0 }
    let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    exchange.note(Int(sent), of: Int(length))
    return exchange.isStopped ? 1 : 0
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    exchange.take(
        header: String(
            decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self))
    return size * count
}

private func sendFile(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context, let bytes else { return 0 }
    return Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().give(
        bytes, size * count)
}
