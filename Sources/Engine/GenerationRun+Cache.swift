import AtelierProtocol
import Imaging
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
      guard let artifact = image.artifact, let bytes = try? await store.read(artifact) else { return nil }
      var matte: EncodedImage?
      if let stored = image.matte {
        guard let file = stored.artifact, let bytes = try? await store.read(file) else { return nil }
        matte = EncodedImage(bytes: bytes, format: .png, width: image.width, height: image.height)
      }
      let turn = turns.first { $0.index == image.index }.map { ModelTurn(json: $0.json) }
      var earlier = ProviderImage(
        bytes: bytes, mimeType: image.mimeType, width: image.width, height: image.height, model: row.model ?? "",
        usage: Usage(), turn: turn)
      earlier.matte = matte
      delivery.pictures.append(
        Delivery.Picture(
          index: image.index, view: image.view.flatMap(View.init), image: earlier, source: .stored(artifact),
          matte: image.matte?.artifact.map(ArtifactSource.stored), credits: 0))
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
  func resultKey(of pictures: WorkPictures) -> [UInt8] {
    let asked = (0..<wanted).map { imageRequest(index: $0).fitting(provider, isFirst: lineup.passedOver.isEmpty) }
    let (photo, references) = pictures.digests
    return ResultKey(
      account: account, provider: provider.id, model: asked.first?.model ?? provider.profile.models.first,
      recipe: request.recipe, template: request.templateId, mode: request.output?.mode ?? .single, photo: photo,
      references: references, pictures: asked
    ).bytes
  }

  /// Places are looked up each time: a shop of last month may be closed.
  var mayBeAnsweredFromHistory: Bool { request.cache != .bypass && !isPrivate && request.recipe != .places }
}

extension Delivery {
  /// The same delivery with stored files staged again, in case they were deleted from history meanwhile.
  func restaged(in store: Store) async throws -> Delivery {
    var delivery = self
    for index in delivery.pictures.indices {
      let image = delivery.pictures[index].image
      delivery.pictures[index].source = .staged(try await store.stage(image.bytes, mimeType: image.mimeType))
      if let matte = image.matte {
        delivery.pictures[index].matte = .staged(try await store.stage(matte.bytes, mimeType: matte.mimeType))
      }
    }
    return delivery
  }
}
