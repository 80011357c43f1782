import CCurl
import HTTPClient

/// A folder that libcurl reaches by transfers and by commands of the protocol: FTP and SFTP.
///
/// A file goes there under a hidden name and is renamed.
protocol CommandFolder: RemoteFolder {
    var address: WebAddress { get }
    var transfer: CurlTransfer { get }
    /// The settings of every request: the sign-in and its security.
    var base: CurlTransfer.Order { get }
    /// True if the server can report the length of a file without sending it.
    var asksLength: Bool { get }
    /// libcurl's errors for a missing file.
    var missing: [CURLcode] { get }
    /// The commands that rename a file; both names are within the same folder.
    func renaming(_ name: String, to goal: String) -> [String]
    /// The command that removes a file.
    func removing(_ name: String) -> String
}

extension CommandFolder {
    /// The maximum number of bytes that libcurl writes for an answer without a body: a line with
    /// the file's length.
    private static var mostOfAnswer: Int { 1 << 10 }

    func look(_ name: String, for file: OutboxItem.File) throws(Obstacle) -> RemoteName {
        var order = base
        order.url = place(of: name)
        if asksLength {
            // Nearly always there is no file or a different one; then no data connection is needed.
            order.numbers.append((CURLOPT_NOBODY, 1))
            order.most = Self.mostOfAnswer
            let ending = transfer.perform(order)
            if missing.contains(ending.code) { return .nothing }
            if ending.isDone, let length = ending.length, length != file.bytes { return .other }
            order.numbers.removeLast()
        }
        order.most = file.bytes
        let ending = transfer.perform(order)
        switch ending.code {
        case CURLE_OK:
            return ending.taken == file.bytes && ending.hash == file.sha256 ? .ours : .other
        case CURLE_WRITE_ERROR: return .other
        case _ where missing.contains(ending.code): return .nothing
        default: throw Obstacle(ending.obstacle(address.origin))
        }
    }

    func put(
        _ path: String, _ file: OutboxItem.File, as name: String, mark: String
    ) throws(Obstacle) -> Bool {
        let folder = name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        let hidden = folder + ".copystand-\(mark).part"
        var order = base
        order.url = place(of: hidden)
        do {
            order.source = try FileSource(path)
        } catch {
            throw Obstacle(.later(error.message, after: nil))
        }
        order.numbers.append((CURLOPT_FTP_CREATE_MISSING_DIRS, 1))
        order.lists = [(CURLOPT_POSTQUOTE, renaming(hidden, to: name))]
        let ending = transfer.perform(order)
        if ending.code == CURLE_QUOTE_ERROR { return false }
        guard !ending.isDone else {
            try confirm(name, file)
            return true
        }
        // An incomplete file takes space on a disk that is full already. After an interruption, the
        // server is not asked anything more.
        let isThere = [CURLE_SSH, CURLE_REMOTE_DISK_FULL, CURLE_UPLOAD_FAILED].contains(ending.code)
        if isThere, !ending.isStopped { discard(hidden, in: folder) }
        guard ending.code == CURLE_SSH else { throw Obstacle(ending.obstacle(address.origin)) }
        // The protocol has no answer for a full disk, and libcurl has no error for a refused write.
        throw Obstacle(
            .later(
                "\(address.origin) did not accept the whole file (\(ending.words)): the disk there may be full",
                after: nil))
    }

    /// Checks that a file has its name and its whole length.
    ///
    /// Some servers confirm what a full disk, or something in front of it, did not take. A server
    /// that does not give the length is believed.
    private func confirm(_ name: String, _ file: OutboxItem.File) throws(Obstacle) {
        var order = base
        order.url = place(of: name)
        if asksLength { order.numbers.append((CURLOPT_NOBODY, 1)) }
        order.most = Self.mostOfAnswer
        let ending = transfer.perform(order)
        // Where the file itself is sent, all of it has arrived; an empty one has no length.
        let length = ending.length ?? (ending.isDone && !asksLength ? ending.taken : nil)
        let words: String
        if missing.contains(ending.code) {
            words = "it is not there"
        } else if [CURLE_OK, CURLE_WRITE_ERROR].contains(ending.code), let length,
            length != file.bytes
        {
            words = "\(length) of \(file.bytes) bytes are there"
        } else {
            return
        }
        throw Obstacle(
            .later(
                "\(address.origin) accepted the document as '\(name)', and \(words). Check the disk there, and whether files may be looked at",
                after: nil))
    }

    /// Removes an incomplete file, if possible.
    private func discard(_ hidden: String, in folder: String) {
        var order = base
        order.url = place(of: folder)
        if !order.url.hasSuffix("/") { order.url += "/" }
        order.numbers.append((CURLOPT_NOBODY, 1))
        order.lists = [(CURLOPT_POSTQUOTE, [removing(hidden)])]
        _ = transfer.perform(order)
    }

    func remove(_ name: String) throws(Obstacle) {
        var order = base
        order.url = place(of: name)
        order.most = 1 << 20
        order.lists = [(CURLOPT_POSTQUOTE, [removing(name)])]
        let ending = transfer.perform(order)
        guard ending.isDone else { throw Obstacle(ending.obstacle(address.origin)) }
    }

    func place(of name: String) -> String {
        address.appending(
            name.split(separator: "/").map { WebAddress.encoded(String($0)) }
                .joined(separator: "/"))
    }
}
