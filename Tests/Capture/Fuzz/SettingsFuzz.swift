import ESCL

/// The function that libFuzzer calls with generated documents, as a scanning program could send.
///
/// Scripts/fuzz builds and runs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSettings(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let settings = try? ScanSettings(bytes) else { return 0 }
    if let region = settings.region {
        let isSane =
            (0...120_000).contains(region.x) && (0...120_000).contains(region.y)
            && (1...120_000).contains(region.width) && (1...120_000).contains(region.height)
        if !isSane { fatalError("a region of \(region)") }
    }
    for resolution in [settings.xResolution, settings.yResolution].compactMap(\.self)
    where !(1...9600).contains(resolution) { fatalError("a resolution of \(resolution)") }
    return 0
}
