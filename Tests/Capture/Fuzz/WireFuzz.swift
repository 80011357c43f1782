import ContractSupport

/// What libFuzzer calls with bytes of its invention; Scripts/fuzz builds and runs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWire(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let fault = WireProperties.fault(UnsafeRawBufferPointer(start: start, count: count)) {
        fatalError(fault)
    }
    return 0
}
