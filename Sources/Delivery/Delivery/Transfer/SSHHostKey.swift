import Archive
import CCurl
import FoundationEssentials
import HTTPClient

/// The key that an SSH server shows before anyone signs in.
enum SSHHostKey {
    /// The key's SHA-256 in the form of `ssh-keygen -l`, such as `SHA256:47DEQpj8HBSa+/TImW…`.
    ///
    /// - Throws: ``DeliveryError``: `invalidOption`, `unreachable`.
    static func shown(by sink: SinkDefinition) throws(DeliveryError) -> String {
        let address = try WebAddress(sink: sink.url ?? "", schemes: sink.kind.schemes)
        guard let handle = CurlHandle() else {
            throw DeliveryError(
                .unreachable, "libcurl can't be started. It is in Debian's package libcurl4")
        }
        let seen = SeenKey()
        copystand_curl_set_text(handle.raw, CURLOPT_URL, address.text)
        copystand_curl_set_text(handle.raw, CURLOPT_PROTOCOLS_STR, "sftp")
        copystand_curl_set_number(handle.raw, CURLOPT_NOSIGNAL, 1)
        copystand_curl_set_number(handle.raw, CURLOPT_CONNECTTIMEOUT, 15)
        copystand_curl_set_host_key(
            handle.raw, look, Unmanaged.passUnretained(seen).toOpaque())
        let code = curl_easy_perform(handle.raw)
        guard !seen.key.isEmpty else {
            throw DeliveryError(
                .unreachable,
                "\(address.origin) shows no key: \(String(cString: curl_easy_strerror(code)))")
        }
        let hash = Data(ImageHash(of: seen.key).bytes).base64EncodedString()
        return "SHA256:" + hash.filter { $0 != "=" }
    }
}

/// The bytes of a key (RFC 4253, 6.6).
private final class SeenKey {
    var key: [UInt8] = []
}

/// Keeps the key, and ends the connection (`CURLKHMATCH_MISMATCH`).
private func look(
    _ context: UnsafeMutableRawPointer?, _ kind: CInt, _ key: UnsafePointer<CChar>?, _ count: Int
) -> CInt {
    if let context, let key {
        Unmanaged<SeenKey>.fromOpaque(context).takeUnretainedValue().key = Array(
            UnsafeRawBufferPointer(start: key, count: count))
    }
    return 1
}
