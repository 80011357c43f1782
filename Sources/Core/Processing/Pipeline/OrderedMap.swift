import Synchronization

/// Maps the elements of `source`, several at a time, and returns the results in the order of the
/// elements.
///
/// Never more elements are held than `holding` allows; an element counts from its request to the
/// source until its result is returned. So memory does not grow with the number of elements, and a
/// slow receiver slows the source. When the source or `transform` fails, the earlier results come
/// out first, then the error. Leaving the loop, or canceling its task, cancels the source and every
/// transform.
///
/// - Parameters:
///   - holding: the limit on elements that are held at once.
///   - weight: the weight of an element, for `holding`.
///   - transform: maps an element; its index counts from 0.
public func orderedMap<Source: AsyncSequence & Sendable, Output: Sendable>(
    _ source: Source, holding: HoldingLimit,
    weight: @escaping @Sendable (Source.Element) -> Int = { _ in 0 },
    _ transform: @escaping @Sendable (Int, Source.Element) async throws -> Output
) -> AsyncThrowingStream<Output, any Error> where Source.Element: Sendable {
    let state = OrderedMapState<Output>(holding)
    let producer = Task {
        await withDiscardingTaskGroup { group in
            var elements = source.makeAsyncIterator()
            var index = 0
            do {
                while try await state.waitForPlace(at: index) {
                    guard let element = try await elements.next() else { break }
                    let position = index
                    state.weigh(weight(element), at: position)
                    group.addTask {
                        let result: Result<Output, any Error>
                        do {
                            result = .success(try await transform(position, element))
                        } catch {
                            result = .failure(error)
                        }
                        state.put(result, at: position)
                    }
                    index += 1
                }
                state.end(at: index, with: nil)
            } catch {
                state.end(at: index, with: error)
            }
        }
    }
    let line = OrderedMapHandle(state: state, producer: producer)
    return AsyncThrowingStream(unfolding: { try await line.next() })
}

/// Stops the work when the receiver releases it.
private final class OrderedMapHandle<Output: Sendable>: Sendable {
    private let state: OrderedMapState<Output>
    private let producer: Task<Void, Never>

    init(state: OrderedMapState<Output>, producer: Task<Void, Never>) {
        self.state = state
        self.producer = producer
    }

    deinit { stop() }

    private func stop() {
        producer.cancel()
        state.cancel()
    }

    func next() async throws -> Output? {
        try await withTaskCancellationHandler {
            do {
                let output = try await state.next()
                if output == nil { stop() }
                return output
            } catch {
                stop()
                throw error
            }
        } onCancel: {
            stop()
        }
    }
}

/// The results to be returned, in order, and the free places for elements.
private final class OrderedMapState<Output: Sendable>: Sendable {
    private struct State {
        /// The weights of the elements in flight, by index.
        var held: [Int: Int] = [:]
        var head = 0
        var ready: [Int: Result<Output, any Error>] = [:]
        var end: Int?
        var endError: (any Error)?
        var hasFailed = false
        var isCancelled = false
        var receiver: CheckedContinuation<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?
    }

    private enum Step {
        case deliver(Result<Output, any Error>)
        case finish((any Error)?)
        case wait
    }

    private let holding: HoldingLimit
    private let state = Mutex(State())

    init(_ holding: HoldingLimit) { self.holding = holding }

    private func hasRoom(_ state: State) -> Bool {
        holding.hasRoom(beside: state.held.count, weighing: state.held.values.reduce(0, +))
    }

    /// Reserves a place for an element, once there is room; false when no more elements are wanted.
    func waitForPlace(at index: Int) async throws -> Bool {
        while true {
            try Task.checkCancellation()
            let answer: Bool? = state.withLock { state in
                if state.isCancelled || state.hasFailed { return false }
                guard hasRoom(state) else { return nil }
                state.held[index] = 0
                return true
            }
            if let answer { return answer }
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if hasRoom(state) || state.isCancelled || state.hasFailed { return true }
                    state.producer = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        }
    }

    /// Records the weight of the element at an index.
    func weigh(_ weight: Int, at index: Int) {
        state.withLock { $0.held[index] = max(0, weight) }
    }

    func put(_ result: Result<Output, any Error>, at index: Int) {
        wake { state in
            if case .failure = result { state.hasFailed = true }
            state.ready[index] = result
        }
    }

    func end(at index: Int, with error: (any Error)?) {
        wake { state in
            state.end = index
            state.endError = error
        }
    }

    func cancel() { wake { $0.isCancelled = true } }

    func next() async throws -> Output? {
        while true {
            let (step, producer) = state.withLock { state in
                let step = Self.step(&state)
                guard case .deliver = step else {
                    return (step, nil as CheckedContinuation<Void, Never>?)
                }
                defer { state.producer = nil }
                return (step, state.producer)
            }
            producer?.resume()
            switch step {
            case .deliver(let result): return try result.get()
            case .finish(let error?): throw error
            case .finish(nil): return nil
            case .wait: break
            }
            await withCheckedContinuation { continuation in
                let hasNews = state.withLock { state in
                    if state.isCancelled || state.ready[state.head] != nil
                        || state.end == state.head
                    {
                        return true
                    }
                    state.receiver = continuation
                    return false
                }
                if hasNews { continuation.resume() }
            }
        }
    }

    private static func step(_ state: inout State) -> Step {
        if state.isCancelled { return .finish(CancellationError()) }
        if let result = state.ready.removeValue(forKey: state.head) {
            state.held[state.head] = nil
            state.head += 1
            return .deliver(result)
        }
        return state.end == state.head ? .finish(state.endError) : .wait
    }

    /// Changes the state and wakes the waiting tasks.
    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer {
                state.receiver = nil
                state.producer = nil
            }
            return [state.receiver, state.producer]
        }
        for continuation in waiting { continuation?.resume() }
    }
}
