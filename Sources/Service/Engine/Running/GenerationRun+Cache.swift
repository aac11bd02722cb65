import AtelierProtocol
import Providers
import Store

extension GenerationRun {
  /// The result of an identical earlier request, which answers in place of a provider.
  ///
  /// Any fault of that result, a missing or altered file included, counts as no result.
  /// - Returns: nil when the provider must be asked.
  func earlierResult(for key: [UInt8], of work: GenerationWork) async -> Delivery? {
    guard work.mayBeAnsweredFromHistory,
      let row = try? await store.cachedResult(for: key, account: work.account),
      let turns = try? await store.turns(of: row.id)
    else { return nil }
    var delivery = Delivery()
    for image in row.images {
      var files: [Delivery.File] = []
      for file in row.files where file.index == image.index && file.role != .thumbnail {
        guard let artifact = file.artifact, let bytes = try? await store.read(artifact) else { return nil }
        var again = file
        again.outputPath = nil
        files.append(Delivery.File(file: again, bytes: bytes))
      }
      guard let bytes = files.first(where: { $0.file.role == .image })?.bytes else { return nil }
      let turn = turns.first { $0.index == image.index }.map { ModelTurn(json: $0.json) }
      let earlier = ProviderImage(
        bytes: bytes, mimeType: image.mimeType, width: image.width, height: image.height, model: row.model ?? "",
        usage: Usage(), turn: turn)
      delivery.pictures.append(Delivery.Picture(index: image.index, image: earlier, files: files))
    }
    delivery.isCached = true
    delivery.provider = row.provider
    delivery.model = row.model
    delivery.text = row.text
    // The providers passed over at that time do not matter now.
    delivery.warnings = row.warnings.filter { !$0.tellsOfAFallback }
    return delivery
  }
}

extension GenerationWork {
  /// The key that identifies an identical request.
  ///
  /// Only the provider that is asked first counts: a later one is wanted only while those before it cannot do the work,
  /// so its earlier picture is not the wanted one once they can.
  func resultKey(of pictures: WorkPictures) async throws -> [UInt8] {
    let asked = (0..<wanted).map { imageRequest(index: $0).fitting(provider, isFirst: lineup.passedOver.isEmpty) }
    let (photo, references) = pictures.digests
    let size = request.output?.passportSize?.text
    let dependencies = await provider.dependencies()
    return try ResultKey(
      account: account, provider: provider.id, model: asked.first?.model ?? provider.profile.models.first,
      dependencies: dependencies.isEmpty ? nil : dependencies, recipe: request.recipe, template: request.templateId,
      mode: request.output?.mode ?? .single, photo: photo, references: references, pictures: asked,
      passportPreset: provider.profile.output?.passportPresets?.first { $0.id == size },
      params: ResultKey.params(of: request)
    ).bytes()
  }

  /// Places are looked up each time: a shop of last month may be closed.
  var mayBeAnsweredFromHistory: Bool { request.cache != .bypass && !isPrivate && request.recipe != .places }
}

extension Delivery {
  /// The same delivery with stored files staged again, in case they were deleted from history meanwhile.
  func restaged(in store: Store) async throws -> Delivery {
    var delivery = self
    for index in delivery.pictures.indices {
      for position in delivery.pictures[index].files.indices {
        let delivered = delivery.pictures[index].files[position]
        delivery.pictures[index].files[position].file.source = .staged(
          try await store.stage(delivered.bytes, mimeType: delivered.file.mimeType))
      }
    }
    return delivery
  }
}
