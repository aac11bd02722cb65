import AtelierClient
import Localization

/// The generations that somebody looks at. However many browsers look at one, the service is asked once.
actor Watches {
  private struct Key: Hashable {
    var generation: GenerationID
    var language: Language
  }

  private var watches: [Key: (handle: GenerationHandle, viewers: Int)] = [:]

  /// The progress and the end of a generation, in a language. Each join needs a ``leave(_:_:)``.
  func join(_ id: GenerationID, of account: AccountID, _ studio: Studio, _ language: Language) -> GenerationHandle {
    let key = Key(generation: id, language: language)
    let handle = watches[key]?.handle ?? studio.attach(to: id, account: account)
    watches[key, default: (handle, 0)].viewers += 1
    return handle
  }

  func leave(_ id: GenerationID, _ language: Language) {
    let key = Key(generation: id, language: language)
    watches[key]?.viewers -= 1
    if let watch = watches[key], watch.viewers <= 0 { watches[key] = nil }
  }

  /// Makes the next join ask anew, because the service was lost.
  func forget(_ id: GenerationID, _ language: Language) {
    watches[Key(generation: id, language: language)] = nil
  }
}
