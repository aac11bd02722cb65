import AtelierProtocol

/// The state machine of one generation, as a value: only this file defines which transitions are allowed. The store
/// uses it for each stored transition, and the live table of a process for its own.
public struct GenerationLifecycle: Sendable, Equatable {
  /// What happens to a generation.
  public enum Event: Sendable, Equatable {
    /// It got a slot and its work starts.
    case started
    /// All available pictures are there: `images` of `wanted`.
    case delivered(images: Int, wanted: Int)
    /// The work ended with an error and no picture.
    case failed
    /// Nothing was sent for it, or its provider did no work: it must be tried again later, perhaps by another process.
    case returnedToQueue
    /// Its deadline has passed.
    case deadlinePassed
    /// An authorised caller requested its end.
    case cancelRequested
    /// Its process is dead. `isRepeatable` is true when the store holds everything that another process needs, and nothing
    /// was sent.
    case processDied(isRepeatable: Bool)
  }

  /// An event that cannot happen in this state.
  public struct Refusal: Error, Equatable {
    public var state: GenerationState
    public var event: Event
  }

  public private(set) var state: GenerationState

  /// A new generation is `queued`; one read from the store has its stored state.
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
    case (.queued, .returnedToQueue), (.running, .returnedToQueue), (.queued, .processDied(isRepeatable: true)),
      (.running, .processDied(isRepeatable: true)):
      state = .queued
    case (.queued, .deadlinePassed):
      state = .expired
    case (.queued, .cancelRequested), (.running, .cancelRequested), (.cancelled, .cancelRequested):
      state = .cancelled
    case (.queued, .processDied), (.running, .processDied):
      state = .interrupted
    default:
      throw Refusal(state: state, event: event)
    }
  }
}
