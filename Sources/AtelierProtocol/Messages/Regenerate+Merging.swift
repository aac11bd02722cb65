extension Regenerate {
  /// The whole request: what was asked then, with what is given here in its place.
  ///
  /// How the answer comes and what the host calls it belongs to each request alone and is not taken over.
  /// - Parameter earlier: the params of the generation, with pictures that can still be had.
  public func merged(into earlier: Generate) -> Generate {
    var request = earlier
    request.prompt = prompt ?? earlier.prompt
    request.style = style ?? earlier.style
    request.template = template ?? earlier.template
    request.output = output.map { $0.merged(into: earlier.output) } ?? earlier.output
    request.provider = provider ?? earlier.provider
    request.model = model ?? earlier.model
    request.temperature = temperature ?? earlier.temperature
    request.seed = seed ?? earlier.seed
    request.timeoutMs = timeoutMs ?? earlier.timeoutMs
    request.whenOffline = whenOffline ?? earlier.whenOffline
    request.waitMs = waitMs ?? (request.whenOffline == .queue ? earlier.waitMs : nil)
    request.private = `private`
    request.idempotencyKey = idempotencyKey
    request.detach = detach
    request.progress = progress
    request.metadata = metadata
    // The result is to be a new one.
    request.cache = .bypass
    return request
  }
}

extension Generate.Output {
  fileprivate func merged(into earlier: Generate.Output?) -> Generate.Output {
    Generate.Output(
      mode: mode ?? earlier?.mode, count: count ?? earlier?.count, directory: directory ?? earlier?.directory,
      inline: inline ?? earlier?.inline, aspectRatio: aspectRatio ?? earlier?.aspectRatio, size: size ?? earlier?.size)
  }
}
