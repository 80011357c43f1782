import CCurl

/// The way from libcurl to a receiver, with the limit on silence.
final class CurlReception {
    private let receiver: any HTTPReceiver
    private let patience: Int
    private let clock = ContinuousClock()
    private var last: ContinuousClock.Instant
    private var hasBegun = false
    /// True once the receiver has left, which is not a failure.
    private(set) var isLeft = false
    /// The seconds of silence that ended the exchange; nil when nothing has.
    private(set) var silence: Int?

    init(_ receiver: any HTTPReceiver, patience: Int) {
        self.receiver = receiver
        self.patience = patience
        last = clock.now
    }

    /// Measures silence (`CURLOPT_XFERINFOFUNCTION`): libcurl's own limits count bytes a second,
    /// and events may be rare.
    func attend(_ handle: UnsafeMutableRawPointer) {
        copystand_curl_set_progress(
            handle, checkProgress, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Receives bytes of a success; false when the receiver leaves.
    func take(_ bytes: UnsafeRawBufferPointer, _ headers: [String: String]) -> Bool {
        last = clock.now
        if !hasBegun {
            hasBegun = true
            isLeft = !receiver.begin(headers)
        }
        if !isLeft { isLeft = !receiver.take(bytes) }
        // The time to handle the bytes is not silence of the service.
        last = clock.now
        return !isLeft
    }

    /// True while the transfer should continue.
    fileprivate var shouldContinue: Bool {
        if receiver.isOver { isLeft = true }
        if clock.now - last > .seconds(patience) { silence = patience }
        return !isLeft && silence == nil
    }
}

private func checkProgress(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> CInt {
    guard let context else { return 0 }
    return Unmanaged<CurlReception>.fromOpaque(context).takeUnretainedValue().shouldContinue ? 0 : 1
}
