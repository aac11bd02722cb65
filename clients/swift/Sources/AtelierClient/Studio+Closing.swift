import AtelierProtocol

extension Studio {
  /// Ends the service after the generations and requests in flight are finished or, with `cancelling`, cancelled. Detached
  /// generations go on.
  ///
  /// May be called more than once; everything that is asked afterwards fails. When the task is cancelled, so is what is in
  /// flight. A service that does not end within ``Options/closeLimit`` is terminated.
  public func close(cancelling: Bool = false) async {
    if cancelling { cancelAll() }
    let closing = closing.change { closing in
      let task = closing ?? Task { await end() }
      closing = task
      return task
    }
    await withTaskCancellationHandler {
      await closing.value
    } onCancel: {
      cancelAll()
    }
  }

  /// Cancels every generation that belongs to its waiters; closing then waits no longer than the options say.
  private func cancelAll() {
    let generations = traffic.change { traffic in
      traffic.isCancelling = true
      return Array(traffic.generations.values)
    }
    for generation in generations where generation.tie == .waiters { generation.cancel() }
  }

  private func end() async {
    defer { subscriptions.finish(isOver: true) }
    let connection = await current.close(cancelling: traffic.read { $0.isCancelling })
    for generation in traffic.read({ Array($0.generations.values) }) { generation.stopWatching() }
    await drain()
    guard let connection else { return }
    if connection.isUsable, connection.listener.hasDetached || !options.endsWithProgram {
      // Only the end of its input lets the service finish what is detached; nobody waits here.
      return await connection.closeInput()
    }
    let isAnswered = await Deadline.reached(within: options.closeLimit) {
      (try? await connection.send(Shutdown())).map { _ in () }
    }
    if isAnswered, connection.process != nil { connection.peer.notify(Exit.method, [:]) }
    await connection.end(within: options.closeLimit)
  }

  /// Waits until nothing is in flight, and refuses what comes later.
  private func drain() async {
    _ = await traffic.wait { $0.isIdle || $0.isCancelling }
    if !traffic.read({ $0.isIdle }) {
      _ = await Deadline.reached(within: options.closeLimit) { [traffic] in
        await traffic.wait { $0.isIdle } ? () : nil
      }
    }
    let left = traffic.change { traffic in
      traffic.isClosed = true
      return Array(traffic.generations.values)
    }
    for generation in left { generation.lose(.closed) }
  }
}
