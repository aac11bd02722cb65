import AtelierProtocol
import Credentials
import CurlHTTP
import Imaging
import JSON

extension OpenAIProvider {
  func headers(_ key: APIKey?) -> [HTTPHeader] {
    let common = [
      HTTPHeader("Accept", "application/json, text/event-stream"),
      HTTPHeader("User-Agent", "atelier/\(Version.current)"),
    ]
    return common + (key.map { [HTTPHeader("Authorization", "Bearer \($0.text)")] } ?? [])
  }

  func context(_ key: APIKey?, _ request: ImageRequest? = nil) -> ServerRefusal.Context {
    ServerRefusal.Context(
      key: key, model: request?.model ?? settings.cloud.model,
      hasPictures: request.map { $0.photo != nil || !$0.references.isEmpty } ?? false, prompt: request?.prompt ?? "")
  }

  /// Performs one exchange and collects the response.
  func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
      return try await http.perform(request, takesPieces: false) { _ in }
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw AtelierError(error, provider: id)
    }
  }

  func models(in body: [UInt8]) throws(AtelierError) -> [String] {
    guard let json = try? JSONValue(parsing: body.span, maximumValues: 100_000),
      let list = json["data"]?.array ?? json["models"]?.array
    else { throw unreadable(mayHaveBeenCharged: false) }
    return list.compactMap { $0["id"]?.string }
  }

  // MARK: A picture

  /// Makes one attempt.
  /// - Throws: `ServerRefusal` when the server refuses, `AtelierError`, `CancellationError`.
  func make(
    _ call: OpenAICall, _ request: ImageRequest, key: APIKey?, tellsUpload: Bool,
    progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage {
    // Progress never returns to an earlier phase.
    let upload = tellsUpload ? UploadReport(pictures: call.pictures.count, progress: progress) : nil
    let limits = settings.cloud.limits(totalMs: request.timeoutMs)
    let deadline = ContinuousClock.now + limits.total
    var random = SystemRandomNumberGenerator()
    let answer = try await exchange(
      call.request(to: server, headers: headers(key), limits: limits, random: &random), upload: upload
    ) { shown in
      let all = max(call.partialImages, shown)
      progress(
        ImageProgress(
          phase: .processing, message: "Your picture is taking shape…", fraction: Double(shown) / Double(all + 1)))
    }
    let (picture, bytes) = try await picture(in: answer, key: key, limits: limits, until: deadline)
    let model = answer.model ?? request.model ?? settings.cloud.model
    return ProviderImage(
      bytes: bytes, mimeType: picture.mimeType, width: picture.width, height: picture.height, model: model,
      usage: answer.usage(model: model, prices: prices), warnings: warnings(for: request, call))
  }

  /// Sends the request, and parses the answer while it arrives.
  /// - Parameter partial: called with the number of partial images received.
  private func exchange(
    _ request: HTTPRequest, upload: UploadReport?, partial: (Int) -> Void
  ) async throws -> OpenAIAnswer {
    // Megabytes of base64 must not block the transfer thread.
    let (pieces, incoming) = AsyncStream<[UInt8]>.makeStream()
    async let transfer = perform(request) { event in
      if case .received(let piece) = event { incoming.yield(piece) } else { upload?.note(event) }
    } ending: {
      incoming.finish()
    }
    var reader = OpenAIAnswerReader(mostBytes: request.limits.responseBytes)
    do throws(OpenAIAnswerReader.Problem) {
      for await piece in pieces {
        // The received data may be large, and take longer to parse than the time limit allows.
        if Task.isCancelled { break }
        let before = reader.partialImages
        try reader.append(piece)
        if reader.partialImages > before { partial(reader.partialImages) }
      }
    } catch {
      if let answer = reader.completedAnswer { return answer }
      throw failure(error, of: reader, headers: [])
    }
    let response: HTTPResponse
    do {
      response = try await transfer
    } catch let error as AtelierError {
      // What has come complete is not lost with the connection.
      if let answer = reader.answerDespiteBreak() { return answer }
      throw error
    }
    try Task.checkCancellation()
    guard (200..<300).contains(response.status) else { throw ServerRefusal(response) }
    do throws(OpenAIAnswerReader.Problem) {
      return try reader.finish(status: response.status)
    } catch {
      throw failure(error, of: reader, headers: response.headers, status: response.status)
    }
  }

  private func perform(
    _ request: HTTPRequest, event: @escaping @Sendable (HTTPTransferEvent) -> Void, ending: @Sendable () -> Void
  ) async throws -> HTTPResponse {
    defer { ending() }
    do {
      return try await http.perform(request, takesPieces: true, event: event)
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw AtelierError(error, provider: id)
    }
  }

  /// The image of the answer; downloaded if the answer only has a link.
  private func picture(
    in answer: OpenAIAnswer, key: APIKey?, limits: HTTPLimits, until deadline: ContinuousClock.Instant
  ) async throws -> (ReceivedPicture, [UInt8]) {
    do {
      switch answer.picture {
      case .base64(let text):
        let (picture, decoded) = try PictureProblem.check(text)
        return (picture, decoded.bytes)
      case .link(let link):
        return try Self.received(try await download(link, key: key, limits: limits, until: deadline))
      case .bytes(let bytes): return try Self.received(bytes)
      case nil: throw AtelierError.emptyAnswer(from: id)
      }
    } catch let problem as PictureProblem {
      throw AtelierError(
        .providerError, problem.sentence, provider: id,
        details: ["reason": .string(problem.name), "mayHaveBeenCharged": true])
    }
  }

  private static func received(_ bytes: [UInt8]) throws(PictureProblem) -> (ReceivedPicture, [UInt8]) {
    do throws(ReceivedPicture.Problem) {
      return (try ReceivedPicture(bytes), bytes)
    } catch {
      throw .received(error)
    }
  }

  private func download(
    _ link: String, key: APIKey?, limits: HTTPLimits, until deadline: ContinuousClock.Instant
  ) async throws -> [UInt8] {
    var headers = headers(key)
    headers.removeAll { $0.name == "Accept" }
    headers.append(HTTPHeader("Accept", "image/*, */*"))
    return try await PictureDownload(
      server: server, http: http, headers: headers, limits: limits, deadline: deadline, sleep: sleep
    ).picture(at: link)
  }

  // MARK: Failures and warnings

  private func failure(
    _ problem: OpenAIAnswerReader.Problem, of reader: OpenAIAnswerReader, headers: [HTTPHeader], status: Int = 200
  ) -> any Error {
    switch problem {
    case .refused(let json): ServerRefusal(inAnswer: json, headers: headers, hasBegun: reader.partialImages > 0)
    case .unreadable: unreadable(mayHaveBeenCharged: true)
    case .other(let shape): AtelierError.unexpectedAnswer(shape, status: status, from: id)
    case .incomplete:
      AtelierError(HTTPError(.truncated, mayHaveBeenSent: true, detail: "The stream ended early."), provider: id)
    case .tooLarge:
      AtelierError(HTTPError(.tooLarge, mayHaveBeenSent: true, detail: "An event is too large."), provider: id)
    }
  }

  private func unreadable(mayHaveBeenCharged: Bool) -> AtelierError {
    var details: JSONObject = ["reason": "malformed_response"]
    if mayHaveBeenCharged { details["mayHaveBeenCharged"] = true }
    return AtelierError(
      .providerError, "The provider's answer could not be understood. Please try again later.",
      hint: "Check the base URL.", provider: id, details: details)
  }

  private func warnings(for request: ImageRequest, _ call: OpenAICall) -> [Warning] {
    var warnings: [Warning] = []
    if request.seed != nil, !call.has(.seed) {
      warnings.append(
        Warning(
          kind: "seed_ignored", message: "\(server.title) takes no seed: the same request gives another picture."))
    }
    if request.temperature != nil, !request.isTemperatureOurs {
      warnings.append(
        Warning(
          kind: "temperature_ignored",
          message: "\(server.title) takes no temperature: say in the prompt how free the picture may be."))
    }
    return warnings
  }
}
