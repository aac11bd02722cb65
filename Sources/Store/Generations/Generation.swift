import AtelierProtocol

/// The life of one generation, as a value: only this file says what may follow what. The store decides each stored
/// transition by it, and the live table of a process decides its own by it.
public struct Generation: Sendable, Equatable {
  /// What happens to a generation.
  public enum Event: Sendable, Equatable {
    /// It got a slot and its work begins.
    case started
    /// Every picture that can be had is there: `images` of `wanted`.
    case delivered(images: Int, wanted: Int)
    /// The work ended with an error and no picture.
    case failed
    /// Nothing was sent for it, or its provider did no work: it is to be tried again later, perhaps by another process.
    case returnedToQueue
    /// It has waited as long as it may.
    case deadlinePassed
    /// Somebody who may wants it to end.
    case cancelRequested
    /// The process that owned it is gone. `isRepeatable` is true when the store holds all that another process needs.
    case ownerDied(isRepeatable: Bool)
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

  /// Applies `event`. Reaching a final state ends the hold on its account's credits in the same transaction.
  /// - Throws: ``Refusal`` when the event cannot happen in this state; the state is unchanged.
  public mutating func apply(_ event: Event) throws(Refusal) {
    switch (state, event) {
    case (.queued, .started):
      state = .running
    case (.running, .delivered(let images, let wanted)) where images > 0:
      state = images >= wanted ? .succeeded : .partial
    case (.running, .delivered), (.queued, .failed), (.running, .failed):
      state = .failed
    case (.queued, .returnedToQueue), (.running, .returnedToQueue), (.queued, .ownerDied(isRepeatable: true)):
      state = .queued
    case (.queued, .deadlinePassed):
      state = .expired
    case (.queued, .cancelRequested), (.running, .cancelRequested), (.cancelled, .cancelRequested):
      state = .cancelled
    case (.queued, .ownerDied), (.running, .ownerDied):
      state = .interrupted
    default:
      throw Refusal(state: state, event: event)
    }
  }
}
