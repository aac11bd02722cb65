import AtelierProtocol

/// The life of one generation, as a value. Actors hold it; only this file says what may follow what.
public struct Generation: Sendable, Equatable {
  /// What happens to a generation.
  public enum Event: Sendable, Equatable {
    /// A place became free and the work begins.
    case started
    /// Every picture that can be had is there: `images` of `wanted`.
    case delivered(images: Int, wanted: Int)
    /// The work ended with an error and no picture.
    case failed
    /// The provider was not reached, or refused before doing any work: it is to be tried again later.
    case turnedAway
    /// It has waited as long as it may.
    case waitedTooLong
    /// Somebody who may wants it to end.
    case cancelRequested
    /// The process that owned it is gone. `provablyUnsent` is true when nothing had been started for it.
    case ownerDied(provablyUnsent: Bool)
  }

  /// What the caller must do because of an event, in this order, in one transaction with the new state.
  public enum Effect: Sendable, Equatable {
    case stopWork
    case capture(credits: Int)
    case releaseHold
    case answer
  }

  /// An event that cannot happen in this state.
  public struct Refusal: Error, Equatable {
    public var state: GenerationState
    public var event: Event
  }

  public private(set) var state: GenerationState

  /// A generation begins `queued`; one read back from the store begins as it was stored.
  public init(state: GenerationState = .queued) {
    self.state = state
  }

  /// Applies `event`.
  /// - Returns: the effects to carry out, in one transaction with the new state.
  /// - Throws: ``Refusal`` when the event cannot happen in this state; the state is unchanged.
  public mutating func apply(_ event: Event) throws(Refusal) -> [Effect] {
    switch (state, event) {
    case (.queued, .started):
      state = .running
      return []
    case (.running, .delivered(let images, let wanted)) where images > 0:
      state = images >= wanted ? .succeeded : .partial
      return images >= wanted
        ? [.capture(credits: images), .answer] : [.capture(credits: images), .releaseHold, .answer]
    case (.running, .delivered), (.queued, .failed), (.running, .failed):
      state = .failed
      return [.releaseHold, .answer]
    case (.running, .turnedAway):
      state = .queued
      return []
    case (.queued, .waitedTooLong):
      state = .expired
      return [.releaseHold, .answer]
    case (.queued, .cancelRequested), (.running, .cancelRequested):
      state = .cancelled
      return [.stopWork, .releaseHold, .answer]
    case (.cancelled, .cancelRequested):
      return []
    case (.queued, .ownerDied), (.running, .ownerDied(provablyUnsent: true)):
      state = .queued
      return []
    case (.running, .ownerDied):
      state = .interrupted
      return [.releaseHold]
    default:
      throw Refusal(state: state, event: event)
    }
  }
}
