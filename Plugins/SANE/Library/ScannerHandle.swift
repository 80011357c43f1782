import CSANE
import Glibc

/// An open scanner: the calls of SANE that take its handle.
@SANEActor final class ScannerHandle {
    private let handle: SANE_Handle
    private var isOpen = true

    /// Opens a scanner by SANE's name (`sane_open`).
    init(opening name: String) throws(SANEFailure) {
        var handle: SANE_Handle?
        let (status, asked) = Authorization.watching { sane_open(name, &handle) }
        guard status == SANE_STATUS_GOOD, let handle else {
            throw SANEFailure(
                status: status == SANE_STATUS_GOOD ? SANE_STATUS_IO_ERROR : status,
                activity: .opening, askedForPassword: asked)
        }
        self.handle = handle
    }

    /// Gives the scanner back (`sane_close`); a second call does nothing.
    func close() {
        if isOpen { sane_close(handle) }
        isOpen = false
    }

    /// A gate that ends this scanner's scan with `sane_cancel`.
    func gate() -> CancelGate {
        // The handle's address as a number: handles are opaque, and the gate is gone before the
        // scanner is closed.
        let address = UInt(bitPattern: handle)
        return CancelGate { sane_cancel(SANE_Handle(bitPattern: address)) }
    }

    // MARK: Options

    /// Every option with its value now (`sane_get_option_descriptor`, `sane_control_option`).
    ///
    /// The descriptor of option 0 is asked for first: after a change of the options, the `net`
    /// driver answers no other request before it.
    func options() throws(SANEFailure) -> NativeOptions {
        var count: SANE_Int = 0
        _ = sane_get_option_descriptor(handle, 0)
        let status = sane_control_option(handle, 0, SANE_ACTION_GET_VALUE, &count, nil)
        guard status == SANE_STATUS_GOOD, (1...5000).contains(count) else {
            throw SANEFailure(
                status: status == SANE_STATUS_GOOD ? SANE_STATUS_IO_ERROR : status,
                activity: .readingOptions)
        }
        var group: String?
        var options: [NativeOption] = []
        for index in 1..<count {
            guard let descriptor = sane_get_option_descriptor(handle, index)?.pointee else {
                continue
            }
            if descriptor.type == SANE_TYPE_GROUP {
                let title = driverText(descriptor.title)
                group = title.isEmpty ? nil : title
            } else if var option = NativeOption(descriptor, index: Int(index), group: group) {
                option.value = value(of: option)
                options.append(option)
            }
        }
        return NativeOptions(all: options)
    }

    /// The option's value now; nil when it can't be read.
    func value(of option: NativeOption) -> NativeValue? {
        guard option.isReadable, option.isActive, option.kind != .button else { return nil }
        let buffer = ValueBuffer(option)
        let status = sane_control_option(
            handle, SANE_Int(option.index), SANE_ACTION_GET_VALUE, buffer.address, nil)
        return status == SANE_STATUS_GOOD ? buffer.value(of: option) : nil
    }

    /// The outcome of setting an option.
    struct WriteOutcome {
        /// The value that the driver wrote back into the buffer.
        var value: NativeValue?
        /// True when other options changed with it.
        var reloadOptions: Bool
    }

    /// Sets an option to a value that its constraint allows (`sane_control_option`).
    func write(_ value: NativeValue, to option: NativeOption) throws(SANEFailure) -> WriteOutcome {
        let buffer = ValueBuffer(option)
        if option.kind != .button, !buffer.store(value, option) {
            throw SANEFailure(status: SANE_STATUS_INVAL, activity: .setting(option.name))
        }
        var info: SANE_Int = 0
        let (status, asked) = Authorization.watching {
            sane_control_option(
                handle, SANE_Int(option.index), SANE_ACTION_SET_VALUE, buffer.address, &info)
        }
        guard status == SANE_STATUS_GOOD else {
            throw SANEFailure(
                status: status, activity: .setting(option.name), askedForPassword: asked)
        }
        return WriteOutcome(
            value: option.kind == .button ? nil : buffer.value(of: option),
            reloadOptions: info & SANE_INFO_RELOAD_OPTIONS != 0)
    }

    // MARK: Scanning

    /// Starts the next frame, and returns its parameters (`sane_start`, `sane_get_parameters`).
    func start(page: Int) throws(SANEFailure) -> SANE_Parameters {
        let (status, asked) = Authorization.watching { sane_start(handle) }
        guard status == SANE_STATUS_GOOD else {
            throw SANEFailure(
                status: status, activity: .starting(page: page), askedForPassword: asked)
        }
        // The parameters are read only now, because before the start they are a guess.
        var parameters = SANE_Parameters()
        let answer = sane_get_parameters(handle, &parameters)
        guard answer == SANE_STATUS_GOOD else {
            throw SANEFailure(status: answer, activity: .starting(page: page))
        }
        DriverPipes.widen()
        return parameters
    }

    /// Reads until `buffer` is full, the frame ends, or a tenth of a second has passed
    /// (`sane_read`).
    ///
    /// A driver that does not block answers with no bytes while it has none. Few drivers offer
    /// anything to wait on, so the driver is asked again after two milliseconds.
    ///
    /// - Returns: the bytes read, and whether the frame has ended.
    /// - Throws: ``SANEFailure``; `CancellationError` when `gate` was stopped.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, page: Int, gate: CancelGate
    ) throws -> (count: Int, isEnd: Bool) {
        let due = ContinuousClock.now + .milliseconds(100)
        var count = 0
        while count < buffer.count {
            let room = min(buffer.count - count, 1 << 24)
            var got: SANE_Int = 0
            let status = try gate.reading {
                sane_read(
                    handle,
                    buffer.baseAddress?.advanced(by: count)
                        .assumingMemoryBound(to: SANE_Byte.self), SANE_Int(room), &got)
            }
            if status == SANE_STATUS_EOF { return (count, true) }
            guard status == SANE_STATUS_GOOD, (0...room).contains(Int(got)) else {
                let isLie = status == SANE_STATUS_GOOD
                throw SANEFailure(
                    status: isLie ? SANE_STATUS_IO_ERROR : status, activity: .reading(page: page))
            }
            count += Int(got)
            if ContinuousClock.now >= due { break }
            if got == 0 {
                guard !isCutOff else {
                    throw SANEFailure(status: SANE_STATUS_IO_ERROR, activity: .reading(page: page))
                }
                gate.waitForCancel(.milliseconds(2))
            }
        }
        return (count, false)
    }

    /// True when the driver's data come through a connection whose other end is closed
    /// (`sane_get_select_fd`).
    ///
    /// The `net` driver then returns zero bytes forever, as if there were none yet.
    private var isCutOff: Bool {
        var descriptor: SANE_Int = -1
        guard sane_get_select_fd(handle, &descriptor) == SANE_STATUS_GOOD else { return false }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && [ECONNRESET, ETIMEDOUT, ENOTCONN].contains(errno)
    }
}
