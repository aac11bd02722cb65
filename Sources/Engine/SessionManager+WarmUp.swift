import AtelierProtocol
import Providers

extension SessionManager {
  /// Has what takes long begin at once for the first request, so that whoever asks a program that has just started
  /// waits for the longest of these and not for their sum: the store's opening, the worker's start, the provider's.
  ///
  /// In this order, because no thread or process begins while a provider is loading libcurl: the dynamic linker's lock
  /// is held for that long.
  func warmUp(for request: Generate) {
    guard !isWarm, !isDraining else { return }
    isWarm = true
    Task {
      guard let provider = await likelyProvider(for: request), !isDraining else { return }
      warming = Task { [door, intake] in
        await door.beginOpening()
        if !provider.profile.isLocal, !Task.isCancelled { await intake.warmUp(for: request.pictures) }
        if !Task.isCancelled { provider.warmUp() }
      }
    }
  }

  /// Who will be asked, as far as can be said without the store; nil when it may well be nobody.
  private func likelyProvider(for request: Generate) async -> (any ImageProvider)? {
    let candidates = try? await monitor.candidates(for: request.recipe, wanted: request.provider, registry: providers)
    for (position, provider) in (candidates ?? []).enumerated() {
      let asked = request.completed.imageRequest(variation: 0, template: nil).fitting(provider, isFirst: position == 0)
      guard provider.profile.recipes.contains(request.recipe), (try? provider.check(asked)) != nil else { continue }
      if await provider.availability().available { return provider }
    }
    return nil
  }
}

extension Generate {
  /// Everything a provider is to look at.
  fileprivate var pictures: [ImageSource] { [image].compactMap { $0 } + (references ?? []) }
}
