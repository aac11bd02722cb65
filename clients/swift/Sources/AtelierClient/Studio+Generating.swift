import AtelierProtocol
import Encodings
import JSON

extension Studio {
  /// Starts to make pictures and returns at once. The handle gives the progress and the result, and cancels.
  ///
  /// A photo of more than 7 MB or 4,096 pixels a side is scaled down to that first: the service prepares it, in memory.
  public func generate(_ request: Generate) -> GenerationHandle {
    begin(request.detach == true ? .itself : .waiters) { connection in
      (Generate.method, try await LargePhotos.params(of: request, over: connection))
    }
  }

  /// Starts to make an earlier generation again: the same request, a new result.
  public func regenerate(_ request: Regenerate) -> GenerationHandle {
    begin(request.detach == true ? .itself : .waiters) { _ in
      (Regenerate.method, try ServiceConnection.params(request))
    }
  }

  /// Follows a generation of any process to its end, such as a detached one. Whoever waits for it does not cancel it;
  /// ``GenerationHandle/cancel()`` does.
  public func attach(to id: GenerationID, account: AccountID? = nil) -> GenerationHandle {
    begin(.others, generationID: id) { _ in
      (GenerationWatch.method, try ServiceConnection.params(GenerationWatch(generationId: id, account: account)))
    }
  }

  /// The bytes of a picture of a generation, for a program that cannot read the service's files.
  /// - Parameters:
  ///   - index: which of its pictures.
  ///   - longestSide: for a small JPEG with at most so many pixels a side; nil for the file as it is.
  public func picture(
    of generation: GenerationID, index: Int = 0, longestSide: Int? = nil, account: AccountID? = nil
  ) async throws -> [UInt8] {
    try await picture(
      ImageRead(generationId: generation, index: index, maxSide: longestSide, account: account)
    ).bytes
  }

  /// The bytes of what `request` names, all of it from its `offset` on, and their media type.
  public func picture(_ request: ImageRead) async throws -> (bytes: [UInt8], mimeType: String) {
    var request = request
    var bytes: [UInt8] = []
    var mimeType = ""
    repeat {
      let slice = try await send(request)
      guard let part = Base64.decoded(slice.data), slice.nextOffset.map({ $0 > slice.offset }) ?? true else {
        throw AtelierError(.protocolError, "The service's answer is not understood: the picture's data is not base64.")
      }
      bytes += part
      mimeType = slice.mimeType
      request.offset = slice.nextOffset
    } while request.offset != nil
    return (bytes, mimeType)
  }

  private func begin(
    _ tie: GenerationTracker.Tie, generationID: GenerationID? = nil,
    _ request: @escaping @Sendable (ServiceConnection) async throws -> (method: String, params: JSONValue)
  ) -> GenerationHandle {
    let generation = GenerationHandle(self, tie, generationID: generationID)
    let isOpen = traffic.change { traffic in
      if !traffic.isClosed { traffic.generations[ObjectIdentifier(generation)] = generation }
      return !traffic.isClosed
    }
    if isOpen { generation.start(request) } else { generation.lose(.closed) }
    return generation
  }

  /// Nothing is owed to the generation any more.
  func settled(_ generation: GenerationHandle) {
    traffic.change { _ = $0.generations.removeValue(forKey: ObjectIdentifier(generation)) }
  }
}

extension Generation {
  /// The path of the first picture.
  /// - Throws: `no_file`, if it has no picture, or one that this program is not given as a file.
  public var path: String {
    get throws(AtelierError) {
      if let path = images.first?.path { return path }
      throw AtelierError(.noFile, "The generation \(generationId) has no picture in a file that this program can read.")
    }
  }
}
