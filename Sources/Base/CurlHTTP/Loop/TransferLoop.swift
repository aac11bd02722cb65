import CCurl
import POSIX

/// The work of the transfer thread. Created, used and released on that thread only.
final class TransferLoop {
  /// The maximum number of handles kept for later transfers; creating one costs little, so few are kept.
  private static let spareHandles = 16

  private let queue: TransferQueue
  private let settings: CurlSettings
  private let signal: WakeSignal
  private var poller: SocketPoller?
  private var multi: CurlMulti?
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private var handles: [Int: UnsafeMutableRawPointer] = [:]
  private var spare: [UnsafeMutableRawPointer] = []
  /// No time limit of a transfer expires before this.
  private var nextExpiry: ContinuousClock.Instant?
  private var idleSince = ContinuousClock.now
  /// Nil until they are looked up.
  private var systemCertificates: SystemCertificates??

  init(_ queue: TransferQueue, _ settings: CurlSettings, _ signal: WakeSignal) {
    self.queue = queue
    self.settings = settings
    self.signal = signal
  }

  deinit {
    for easy in spare { ccurl_easy_cleanup(easy) }
  }

  /// Returns when the queue is closed.
  func run() {
    // Before the first order; a failure here is repeated and reported by that order.
    try? prepare()
    while true {
      let batch = queue.takeBatch()
      for order in batch.orders { begin(order, isCancelled: batch.cancelled.contains(order.number)) }
      for number in batch.cancelled { cancel(number) }
      if batch.isClosed { return close() }
      finishEnded()
      expire()
      closeIdle()
      wait()
    }
  }

  private func prepare() throws(HTTPError) {
    try CurlLibrary.load()
    if poller == nil {
      do {
        let poller = try SocketPoller()
        poller.watch(signal.descriptor, reading: true, writing: false)
        self.poller = poller
      } catch {
        throw HTTPError(
          error.isOutOfDescriptors ? .noSocket : .unusable, mayHaveBeenSent: false, detail: error.description)
      }
    }
    if multi == nil, let poller { multi = CurlMulti(poller) }
    if multi == nil { throw .noMemory }
  }

  // MARK: Orders

  private func begin(_ order: TransferOrder, isCancelled: Bool) {
    if isCancelled { return queue.finish(order, with: .failure(CancellationError())) }
    do throws(HTTPError) {
      try prepare()
      guard let easy = spare.popLast() ?? ccurl_easy_init() else { throw .noMemory }
      let transfer = Transfer(order, easy)
      do throws(HTTPError) {
        try transfer.configure(settings, certificates(easy))
        guard let multi, multi.add(easy) else { throw .noMemory }
      } catch {
        release(easy)
        throw error
      }
      transfers[easy] = transfer
      handles[order.number] = easy
      expectExpiry(transfer.clocks.nextExpiry(from: .now))
    } catch {
      queue.finish(order, with: .failure(error))
    }
  }

  /// The certificates trusted by default, looked up once.
  private func certificates(_ easy: UnsafeMutableRawPointer) -> SystemCertificates? {
    guard settings.certificateFile == nil, settings.certificateDirectory == nil else { return nil }
    if case .some(let known) = systemCertificates { return known }
    let found = SystemCertificates(defaultsOf: easy)
    systemCertificates = .some(found)
    return found
  }

  private func cancel(_ number: Int) {
    guard let easy = handles[number], let transfer = transfers[easy] else { return }
    end(transfer, with: .failure(CancellationError()))
  }

  private func close() {
    for transfer in transfers.values {
      end(transfer, with: .failure(HTTPError.closed(mayHaveBeenSent: transfer.mayHaveBeenSent)))
    }
  }

  // MARK: Ends

  private func finishEnded() {
    while let (easy, code) = multi?.nextEnded() {
      guard let transfer = transfers[easy] else { continue }
      if transfer.canTryAgain(code) {
        multi?.remove(easy)
        if multi?.add(easy) == true { continue }
      }
      if transfer.isTrustedByFileAlone { systemCertificates??.isDirectoryEnough = false }
      end(transfer, with: transfer.result(code))
    }
  }

  private func expire() {
    let now = ContinuousClock.now
    guard let expiry = nextExpiry, expiry <= now else { return }
    nextExpiry = nil
    for transfer in transfers.values {
      if let clock = transfer.clocks.expired(at: now) {
        end(transfer, with: .failure(transfer.failure(clock)))
      } else {
        expectExpiry(transfer.clocks.nextExpiry(from: now))
      }
    }
  }

  private func end(_ transfer: Transfer, with result: Result<HTTPResponse, any Error>) {
    transfer.isOver = true
    transfers[transfer.easy] = nil
    handles[transfer.order.number] = nil
    if case .failure = result {
      breakOff(transfer)
    } else {
      multi?.remove(transfer.easy)
    }
    release(transfer.easy)
    if transfers.isEmpty { idleSince = .now }
    queue.finish(transfer.order, with: result)
  }

  /// Notifies the server at once: the connection is closed or, if it carries other HTTP/2 streams, the stream is reset.
  private func breakOff(_ transfer: Transfer) {
    transfer.forbidReuse()
    multi?.remove(transfer.easy)
    transfers.values.first { $0.sharesConnection(with: transfer) }?.flushConnection()
  }

  private func release(_ easy: UnsafeMutableRawPointer) {
    if spare.count < Self.spareHandles {
      ccurl_easy_reset(easy)
      spare.append(easy)
    } else {
      ccurl_easy_cleanup(easy)
    }
  }

  // MARK: Waiting

  private func wait() {
    // Without libcurl, only the next order can end the wait; it tries again to load libcurl.
    guard let poller, let multi else { return signal.wait() }
    for readiness in poller.wait(milliseconds: waitingTime()) {
      if readiness.descriptor == signal.descriptor {
        signal.lower()
      } else {
        multi.handle(readiness)
      }
    }
    multi.handleDeadline(now: .now)
  }

  private func waitingTime() -> Int32? {
    let idleEnd = transfers.isEmpty ? idleSince + settings.idleTime : nil
    guard let first = [multi?.deadline, nextExpiry, idleEnd].compactMap({ $0 }).min() else { return nil }
    return Int32(clamping: max(0, ContinuousClock.now.duration(to: first).wholeMilliseconds))
  }

  private func expectExpiry(_ instant: ContinuousClock.Instant) {
    nextExpiry = nextExpiry.map { min($0, instant) } ?? instant
  }

  /// Releases the multi handle, which keeps the connections; the next order creates a new one.
  private func closeIdle() {
    if multi != nil, transfers.isEmpty, ContinuousClock.now >= idleSince + settings.idleTime { multi = nil }
  }
}
