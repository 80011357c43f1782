package import Archive
import FoundationEssentials
import Glibc
import GuardedFiles
import HTTPClient
import Synchronization

/// An archive's images in a bucket of a store that speaks S3.
///
/// A key is the prefix and the hash of the bytes, so an upload is signed with the hash that the
/// store itself checks, and overwriting a key changes nothing. Images that were read are kept in a
/// folder of this machine, whose size is limited.
package struct S3Images: ImageStore {
    package let place: String
    private let base: WebAddress
    private let prefix: String
    private let signing: WebRequest.Signing
    private let secrets: SecretRedactor
    private let client: any WebClient
    private let copies: LocalCopies

    /// A bucket with a prefix, as an archive's database names it.
    ///
    /// - Parameters:
    ///   - settings: with `s3://BUCKET/PREFIX` as the place.
    ///   - folder: the folder for copies of images that were read.
    /// - Throws: ``ArchiveError`` `refused` for settings that can't be right.
    package init(_ settings: ImageSettings, copies folder: String) throws(ArchiveError) {
        try self.init(settings, copies: folder, client: CurlClient())
    }

    init(
        _ settings: ImageSettings, copies folder: String, client: any WebClient
    ) throws(ArchiveError) {
        guard settings.place.hasPrefix("s3://") else {
            throw ArchiveError(
                .refused, "'\(settings.place)' is not a bucket, such as s3://BUCKET/PREFIX.")
        }
        let parts = settings.place.dropFirst("s3://".count)
            .split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard let bucket = parts.first, let key = settings.key, let secret = settings.secret else {
            throw ArchiveError(
                .refused,
                "The bucket '\(settings.place)' needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
            )
        }
        // Programs sign other characters in different ways.
        let isPlain = parts.dropFirst().joined().utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte)
        }
        guard isPlain else {
            throw ArchiveError(
                .refused,
                "The prefix of '\(settings.place)' may have only lowercase letters, digits and slashes."
            )
        }
        do {
            try S3Folder.checkName(bucket: bucket)
            let store = try WebAddress(sink: settings.endpoint ?? "https://s3.amazonaws.com")
            base = try WebAddress(sink: store.appending(bucket))
        } catch { throw ArchiveError(.refused, error.message) }
        place = settings.place
        prefix = parts.dropFirst().map { $0 + "/" }.joined()
        signing = WebRequest.Signing(
            region: settings.region ?? "us-east-1", key: key, secret: secret)
        secrets = SecretRedactor([secret])
        self.client = client
        copies = LocalCopies(folder: folder)
    }

    package func name(of hash: ImageHash) -> String {
        let name = hash.hexadecimal
        return "\(prefix)\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
    }

    package func add(_ bytes: [UInt8], as hash: ImageHash) throws(ArchiveError) {
        if try size(of: hash) == bytes.count { return }
        try put(.bytes(bytes, mediaType: "application/octet-stream"), hash, bytes.count)
    }

    package func add(
        fileAt path: String, _ willAdd: (ImageHash, Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> (hash: ImageHash, bytes: Int) {
        let text: String
        do { text = try fileHash(path) } catch { throw ArchiveError(.inputOutput, error.message) }
        guard let hash = ImageHash(hexadecimal: text), let status = GuardedFolder.status(at: path)
        else {
            throw ArchiveError(.inputOutput, "'\(path)' can't be read.")
        }
        let count = Int(status.st_size)
        try willAdd(hash, count)
        // The store refuses a file that changed since it was hashed.
        if try size(of: hash) != count {
            try put(.file(path: path, mediaType: "application/octet-stream"), hash, count)
        }
        return (hash, count)
    }

    private func put(
        _ body: WebRequest.Body, _ hash: ImageHash, _ count: Int
    ) throws(ArchiveError) {
        let answer = try send(
            "PUT", base.appending(name(of: hash)), hash: hash.hexadecimal, body: body)
        guard (200..<300).contains(answer.status) else { throw failure(answer, "accept an image") }
        // Something between here and the store, such as a sign-in page, may answer in its place.
        guard try size(of: hash) == count else {
            throw ArchiveError(
                .unreachable,
                "'\(place)' accepted an image and does not have it: \(base.origin) answered \(answer.status)\(ForeignWords.quoted(answer.excerpt)). Check that this is the store's address, and try again."
            )
        }
    }

    package func read(_ hash: ImageHash) throws(ArchiveError) -> [UInt8] {
        if let bytes = copies.read(hash) { return bytes }
        let bytes = try fetch(hash)
        copies.keep(bytes, hash)
        return bytes
    }

    /// The bytes of an image, from the store.
    private func fetch(_ hash: ImageHash) throws(ArchiveError) -> [UInt8] {
        let answer = try send("GET", base.appending(name(of: hash)), largest: Self.largest)
        try check(answer, ImageHash(of: answer.body).hexadecimal, is: hash)
        return answer.body
    }

    private func check(
        _ answer: WebAnswer, _ found: String?, is hash: ImageHash
    ) throws(ArchiveError) {
        if answer.status == 404 {
            throw ArchiveError(
                .damaged,
                "The image '\(name(of: hash))' is not in '\(place)'. Restore it from a backup.")
        }
        guard answer.status == 200 else { throw failure(answer, "return an image") }
        guard found == hash.hexadecimal else {
            throw ArchiveError(
                .damaged,
                "The image '\(name(of: hash))' in '\(place)' is damaged: its SHA-256 is not its name. Restore it from a backup."
            )
        }
    }

    /// The maximum size of an image or imported file in bytes; the archive keeps files of up to
    /// 512 MB.
    private static let largest = 513 << 20

    package func open(
        _ hash: ImageHash
    ) throws(ArchiveError) -> (descriptor: Int32, count: Int) {
        if let file = copies.open(hash) { return file }
        return try copies.add(fetch(hash), hash)
    }

    package func checkedPath(of hash: ImageHash) throws(ArchiveError) -> String {
        close(try open(hash).descriptor)
        return copies.path(of: hash)
    }

    package func fault(of hash: ImageHash) -> String? {
        do throws(ArchiveError) {
            let answer = try send(
                "GET", base.appending(name(of: hash)), hashing: Self.largest)
            try check(answer, answer.hash, is: hash)
            return nil
        } catch { return error.message }
    }

    package func size(of hash: ImageHash) throws(ArchiveError) -> Int? {
        let answer = try send("HEAD", base.appending(name(of: hash)))
        switch answer.status {
        case 404: return nil
        case 200: return answer.headers["content-length"].flatMap { Int($0) }
        default: throw failure(answer, "look for an image")
        }
    }

    package func eachFile(
        _ body: (StoredImage) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var after = ""
        for _ in 0..<Self.mostLists {
            // The parameters are in the order in which they are signed.
            let query =
                "list-type=2&max-keys=1000&prefix=\(WebAddress.encoded(prefix))"
                + (after.isEmpty ? "" : "&start-after=\(WebAddress.encoded(after))")
            let answer = try send("GET", base.text + "?" + query)
            guard answer.status == 200 else { throw failure(answer, "list its images") }
            let list = ObjectList(answer, below: prefix)
            for file in list.files {
                // Other objects in the bucket belong to others, even those below the prefix.
                guard let last = file.key.split(separator: "/").last,
                    let hash = ImageHash(hexadecimal: last), name(of: hash) == file.key
                else { continue }
                try body(
                    StoredImage(name: file.key, hash: hash, bytes: file.bytes, age: file.age))
            }
            guard list.isCut, let last = list.last, last > after else { return }
            after = last
        }
        throw ArchiveError(
            .unreachable,
            "The list of the images in '\(place)' has no end: after \(Self.mostLists) answers, the store still reports more. Check that \(base.origin) is the store's address."
        )
    }

    /// The maximum number of answers that make up a list: enough for 100 million images.
    private static let mostLists = 100_000

    package func remove(_ name: String) throws(ArchiveError) {
        let answer = try send("DELETE", base.appending(name))
        guard (200..<300).contains(answer.status) || answer.status == 404 else {
            throw failure(answer, "remove an image")
        }
    }

    // MARK: Requests

    /// The maximum number of times that a request is sent when the store gives no proper answer;
    /// each may be repeated.
    private static let tries = 3

    private func send(
        _ method: String, _ url: String, hash: String = S3Folder.hashOfNothing,
        body: WebRequest.Body = .none, largest: Int = WebRequest.largestAnswer,
        hashing: Int? = nil
    ) throws(ArchiveError) -> WebAnswer {
        var request = WebRequest(
            method, url, headers: [("x-amz-content-sha256", hash)], body: body)
        request.signing = signing
        request.secrets = secrets
        request.largest = largest
        request.hashing = hashing
        for attempt in 1... {
            do throws(HTTPFailure) {
                let answer = try client.send(request)
                if attempt == Self.tries || !(500..<600).contains(answer.status) { return answer }
            } catch {
                guard attempt < Self.tries, !error.isPermanent, !error.isUnfit else {
                    throw ArchiveError(
                        .unreachable,
                        "The images of the archive, in '\(place)', can't be reached: \(error.message). Check the network, and try again."
                    )
                }
            }
        }
        preconditionFailure("the last try answers or throws")
    }

    private func failure(_ answer: WebAnswer, _ verb: String) -> ArchiveError {
        let said = ForeignWords.quoted(answer.excerpt)
        let words = "The store '\(place)' did not \(verb): it answered \(answer.status)\(said)."
        let isFull = ["QuotaExceeded", "StorageFull"].contains { answer.excerpt.contains($0) }
        switch answer.status {
        case 507: return ArchiveError(.noSpace, words + " Make room there, and try again.")
        case _ where isFull:
            return ArchiveError(.noSpace, words + " Make room there, and try again.")
        case 401, 403: return ArchiveError(.notAdmitted, words + " Check the archive's key.")
        case 500..<600: return ArchiveError(.unreachable, words + " Try again later.")
        default: return ArchiveError(.inputOutput, words)
        }
    }
}
