import NIOCore
import Synchronization

/// What the simulator has seen, and who waits for it.
final class Journal: Sendable {
  private struct Waiter {
    var isMet: @Sendable (RequestRecord) -> Bool
    var request: Int
    var continuation: CheckedContinuation<RequestRecord, any Error>
  }

  private struct State {
    var requests: [Int: RequestRecord] = [:]
    var lastRequest = 0
    /// Requests below this one are forgotten.
    var firstRequest = 1
    var connections: [Int: ConnectionRecord] = [:]
    var lastConnection = 0
    var firstConnection = 1
    var bodies: CircularBuffer<(id: Int, bytes: Int)> = []
    var bodyBytes = 0
    var waiters: [UInt64: Waiter] = [:]
    var nextWaiter: UInt64 = 0
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let start = NIODeadline.now()
  private let capacity: Int

  /// - Parameter capacity: how many requests, and how many connections, are remembered.
  init(capacity: Int) { self.capacity = capacity }

  /// Milliseconds since the start.
  var now: Double { Double((NIODeadline.now() - start).nanoseconds) / 1e6 }

  // MARK: Connections

  func connectionOpened() -> Int {
    let time = now
    return state.withLock { state in
      state.lastConnection += 1
      state.connections[state.lastConnection] = ConnectionRecord(id: state.lastConnection, opened: time)
      while state.connections.count > capacity {
        state.connections[state.firstConnection] = nil
        state.firstConnection += 1
      }
      return state.lastConnection
    }
  }

  func connectionClosed(_ id: Int, by end: ConnectionRecord.End) {
    let time = now
    state.withLock { state in
      guard state.connections[id]?.end == nil else { return }
      state.connections[id]?.closed = time
      state.connections[id]?.end = end
    }
  }

  func connectionBrought(_ id: Int) { state.withLock { $0.connections[id]?.requests += 1 } }

  var connections: [ConnectionRecord] {
    state.withLock { state in state.connections.values.sorted { $0.id < $1.id } }
  }

  // MARK: Requests

  /// Adds what `make` makes of its number.
  func requestBegan(_ make: (Int) -> RequestRecord) -> Int {
    let (id, due) = state.withLock { state in
      state.lastRequest += 1
      let id = state.lastRequest
      state.requests[id] = make(id)
      while state.requests.count > capacity {
        state.requests[state.firstRequest] = nil
        state.firstRequest += 1
      }
      return (id, Self.due(id, in: &state))
    }
    for (waiter, record) in due { waiter.continuation.resume(returning: record) }
    return id
  }

  /// Changes the record of a request, unless it is forgotten.
  func change(_ id: Int, _ body: (inout RequestRecord) -> Void) {
    let due: [(Waiter, RequestRecord)] = state.withLock { state in
      guard var record = state.requests[id] else { return [] }
      // Not copied while it is changed.
      state.requests[id] = nil
      body(&record)
      state.requests[id] = record
      return Self.due(id, in: &state)
    }
    for (waiter, record) in due { waiter.continuation.resume(returning: record) }
  }

  private static func due(_ id: Int, in state: inout State) -> [(Waiter, RequestRecord)] {
    guard !state.waiters.isEmpty, let record = state.requests[id] else { return [] }
    let due = state.waiters.filter { $0.value.request == id && $0.value.isMet(record) }
    for number in due.keys { state.waiters[number] = nil }
    return due.values.map { ($0, record) }
  }

  func request(_ id: Int) -> RequestRecord? { state.withLock { $0.requests[id] } }

  var requests: [RequestRecord] { state.withLock { state in state.requests.values.sorted { $0.id < $1.id } } }

  /// Whether the request is still to come, or is remembered.
  func isAwaited(_ id: Int) -> Bool { state.withLock { id >= $0.firstRequest } }

  /// Forgets all requests. Numbers go on, so that one still under way is not taken for a later one.
  func reset() {
    let waiters = state.withLock { state in
      state.requests = [:]
      state.firstRequest = state.lastRequest + 1
      let forgotten = state.waiters.filter { $0.value.request <= state.lastRequest }
      for number in forgotten.keys { state.waiters[number] = nil }
      return Array(forgotten.values)
    }
    for waiter in waiters { waiter.continuation.resume(throwing: CancellationError()) }
  }

  // MARK: Bodies

  private static let keptBodyBytes = 64 << 20

  /// Keeps the body of a request, and lets go of those before as far as there is no room for them.
  func keep(_ body: ByteBuffer, of id: Int) {
    state.withLock { state in
      guard state.requests[id] != nil, body.readableBytes <= Self.keptBodyBytes else { return }
      state.requests[id]?.body = Array(body.readableBytesView)
      state.bodies.append((id, body.readableBytes))
      state.bodyBytes += body.readableBytes
      while state.bodyBytes > Self.keptBodyBytes, let oldest = state.bodies.popFirst() {
        state.requests[oldest.id]?.body = nil
        state.bodyBytes -= oldest.bytes
      }
    }
  }

  // MARK: Waiting

  /// Nothing more comes: whoever waits, or begins to, does so in vain.
  func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(throwing: CancellationError()) }
  }

  /// Waits until request `id` is there and `isMet` is true of it.
  /// - Throws: `CancellationError` when the task is cancelled, the request is forgotten, or nothing more comes.
  func wait(for id: Int, until isMet: @escaping @Sendable (RequestRecord) -> Bool) async throws -> RequestRecord {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<RequestRecord, any Error>? = state.withLock { state in
          if let record = state.requests[id], isMet(record) { return .success(record) }
          if Task.isCancelled || state.hasEnded || id < state.firstRequest { return .failure(CancellationError()) }
          state.waiters[number] = Waiter(isMet: isMet, request: id, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
  }
}

/// One connection as the simulator saw it.
public struct ConnectionRecord: Sendable, Hashable {
  public enum End: String, Sendable {
    case peer
    /// The peer reset it.
    case peerReset
    case simulator
  }

  /// 1 for the first.
  public var id: Int
  /// In milliseconds since the simulator started.
  public var opened: Double
  public var closed: Double?
  /// Who ended it.
  public var end: End?
  /// How many requests it has brought, those to `/_simulator/` included.
  public var requests = 0
}

/// How a request says who it is. The secret itself is not kept.
public struct Credential: Sendable, Hashable {
  public enum Place: String, Sendable {
    case none
    /// `x-goog-api-key`.
    case header
    /// `?key=`, which puts the key into URLs and logs.
    case query
    /// `Authorization: Bearer`.
    case bearer
  }

  public var place: Place
  /// FNV-1a (64 bits) of the key as hexadecimal digits, to tell keys apart; empty when there is none.
  public var fingerprint: String
  /// True when the simulator takes the key for a wrong one.
  public var isBad: Bool

  init(place: Place, key: String) {
    self.place = place
    fingerprint = place == .none ? "" : Checksum.hexadecimal(Checksum.fnv1a(key.utf8))
    isBad = key.lowercased().hasPrefix("bad")
  }
}

/// One header field of a request or an answer.
public struct HeaderField: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
