import CSANE

extension NativeOption {
    /// Copies a descriptor; nil for a type that SANE does not know.
    init?(_ descriptor: SANE_Option_Descriptor, index: Int, group: String?) {
        let kind: Kind
        switch descriptor.type {
        case SANE_TYPE_BOOL: kind = .toggle
        case SANE_TYPE_INT: kind = .integer
        case SANE_TYPE_FIXED: kind = .fixed
        case SANE_TYPE_STRING: kind = .text
        case SANE_TYPE_BUTTON: kind = .button
        default: return nil
        }
        let size = Int(descriptor.size)
        // A driver that needs more for one value than a large gamma table takes is broken.
        guard kind == .button || (1...(1 << 20)).contains(size) else { return nil }
        let name = driverText(descriptor.name)
        let title = driverText(descriptor.title)
        self.init(
            index: index, name: name, title: title.isEmpty ? name : title,
            help: onOneLine(driverText(descriptor.desc)), group: group, kind: kind,
            unit: Unit(descriptor.unit), constraint: Constraint(descriptor, kind),
            size: max(0, size),
            isActive: descriptor.cap & SANE_CAP_INACTIVE == 0,
            isSettable: descriptor.cap & SANE_CAP_SOFT_SELECT != 0,
            isReadable: descriptor.cap & SANE_CAP_SOFT_DETECT != 0,
            isAdvanced: descriptor.cap & SANE_CAP_ADVANCED != 0)
    }
}

extension NativeOption.Unit {
    fileprivate init(_ unit: SANE_Unit) {
        switch unit {
        case SANE_UNIT_PIXEL: self = .pixels
        case SANE_UNIT_BIT: self = .bits
        case SANE_UNIT_MM: self = .millimeters
        case SANE_UNIT_DPI: self = .dpi
        case SANE_UNIT_PERCENT: self = .percent
        case SANE_UNIT_MICROSECOND: self = .microseconds
        default: self = .none
        }
    }
}

extension NativeOption.Constraint {
    fileprivate init(_ descriptor: SANE_Option_Descriptor, _ kind: NativeOption.Kind) {
        self = .none
        let isNumber = kind == .integer || kind == .fixed
        switch descriptor.constraint_type {
        case SANE_CONSTRAINT_RANGE:
            guard isNumber, let range = descriptor.constraint.range?.pointee else { return }
            self = .range(
                lower: number(range.min, kind), upper: number(range.max, kind),
                step: max(0, number(range.quant, kind)))
        case SANE_CONSTRAINT_WORD_LIST:
            guard isNumber, let list = descriptor.constraint.word_list, list[0] > 0 else { return }
            self = .numbers((1...Int(min(list[0], 10_000))).map { number(list[$0], kind) })
        case SANE_CONSTRAINT_STRING_LIST:
            guard kind == .text, let list = descriptor.constraint.string_list else { return }
            var texts: [String] = []
            while texts.count < 10_000, let text = list[texts.count] {
                texts.append(driverText(text))
            }
            self = .texts(texts)
        default: return
        }
    }
}

/// The number of a SANE word: a whole number, or 16-bit fixed point (`SANE_UNFIX`).
private func number(_ word: SANE_Word, _ kind: NativeOption.Kind) -> Double {
    kind == .fixed ? Double(word) / 65_536 : Double(word)
}

/// A driver's text: UTF-8, or otherwise Latin-1; empty for none.
func driverText(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    if let valid = String(validatingCString: text) { return valid }
    var scalars = String.UnicodeScalarView()
    var place = text
    while place.pointee != 0 {
        scalars.append(Unicode.Scalar(UInt8(bitPattern: place.pointee)))
        place += 1
    }
    return String(scalars)
}

/// A text with single spaces for the line ends and runs of spaces between its words.
func onOneLine(_ text: String) -> String {
    var line: [UInt8] = []
    line.reserveCapacity(text.utf8.count)
    var isApart = false
    for byte in text.utf8 {
        if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
            isApart = true
            continue
        }
        if isApart, !line.isEmpty { line.append(UInt8(ascii: " ")) }
        isApart = false
        line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
}

/// The memory in which a value travels to and from a driver: writable and `opt->size` bytes long,
/// whatever the value.
struct ValueBuffer: ~Copyable {
    let address: UnsafeMutableRawPointer
    private let size: Int

    init(_ option: NativeOption) {
        // Some drivers write a terminating zero, or a word, beyond the announced size.
        size = option.size + 16
        address = .allocate(byteCount: size, alignment: 16)
        address.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    deinit { address.deallocate() }

    /// Stores `value`; false when it does not fit the option's type or size.
    func store(_ value: NativeValue, _ option: NativeOption) -> Bool {
        switch (option.kind, value) {
        case (.toggle, .toggle(let isOn)):
            address.storeBytes(of: isOn ? SANE_TRUE : SANE_FALSE, as: SANE_Word.self)
        case (.integer, .numbers(let numbers)), (.fixed, .numbers(let numbers)):
            guard numbers.count == option.wordCount else { return false }
            let scale = option.kind == .fixed ? 65_536.0 : 1
            for (index, number) in numbers.enumerated() {
                guard let word = SANE_Word(exactly: (number * scale).rounded()) else {
                    return false
                }
                address.storeBytes(of: word, toByteOffset: 4 * index, as: SANE_Word.self)
            }
        case (.text, .text(let text)):
            return store(text, option)
        default: return false
        }
        return true
    }

    private func store(_ text: String, _ option: NativeOption) -> Bool {
        var bytes = [UInt8](text.utf8)
        if bytes.count >= option.size, text.unicodeScalars.allSatisfy({ $0.value < 256 }) {
            // A choice in the driver's Latin-1 is shorter than in UTF-8.
            bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
        guard bytes.count < option.size, !bytes.contains(0) else { return false }
        bytes.withUnsafeBytes { address.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        return true
    }

    /// The value in the buffer.
    func value(of option: NativeOption) -> NativeValue? {
        switch option.kind {
        case .button: return nil
        case .toggle: return .toggle(address.load(as: SANE_Word.self) != SANE_FALSE)
        case .integer, .fixed:
            return .numbers(
                (0..<option.wordCount).map {
                    number(address.load(fromByteOffset: 4 * $0, as: SANE_Word.self), option.kind)
                })
        case .text:
            // The last bytes are the buffer's own zeros, so the text ends within it.
            return .text(driverText(address.assumingMemoryBound(to: CChar.self)))
        }
    }
}
