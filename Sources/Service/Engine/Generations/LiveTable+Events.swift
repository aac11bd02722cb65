import AtelierProtocol
import Providers
import Store

extension LiveTable {
  /// What happens to a generation.
  enum Event: Sendable {
    /// Its row is written, and its credits are held.
    case accepted(Accepted)
    /// It was refused, or its idempotency key belongs to an earlier generation.
    case refused
    /// This process may work on it, in a slot that was reserved.
    case claimed(Claim)
    /// The slot that it waited for is free.
    case slotGiven
    /// Its work reports progress.
    case moved(WorkReport)
    /// Its work ended with what there is of its pictures.
    case delivered(Delivery)
    /// Its work ended without any.
    case failed(AtelierError)
    /// A caller cancels it, or the request that waits for it gives up.
    case cancelled
    /// Another process has ended it, or it has waited too long.
    case endedElsewhere
    /// No client of any process wants it any more.
    case interestLost
    /// It has waited for its provider for as long as it may.
    case deadlinePassed
    /// Its provider could not be reached, and it waits for it in the offline queue.
    case returnedToQueue(GenerationRow, QueueEntry)
    /// The process leaves. `isUnsent` is true when no provider may have begun its work, and it can be given back.
    case leaving(Leaving, isUnsent: Bool)
    /// It was sent in the moment in which its task was stopped to give it back.
    case foundSent
    /// It was given back to the queue, or could not be.
    case released(Bool)
    /// Its end is on record, or its record follows.
    case written(Generation)
  }

  /// What comes of the acceptance of a request.
  struct Accepted: Sendable {
    var row: GenerationRow
    /// The work in the form in which it continues.
    var work: GenerationWork
    /// Its entry in the offline queue when its provider cannot be reached.
    var entry: QueueEntry?
    /// Whether somebody who looked its key up cancels it.
    var isCancelled = false
    /// Whether the request itself was cancelled meanwhile.
    var hasGivenUp = false
    var leaving: Leaving
  }

  /// A generation that was taken out of the offline queue.
  struct Claim: Sendable {
    var row: GenerationRow
    /// The work, for one that was not in the table; nil when its record cannot be read.
    var work: GenerationWork?
    /// How long that one waits for its provider.
    var patience: LiveGeneration.Patience?
    var leaving: Leaving

    /// The provider of the reserved slot.
    var provider: ProviderID { row.provider ?? .ondevice }
  }

  /// What must be done because of an event.
  enum Action: Sendable {
    /// Begin the work. `mustBeWritten`: its row does not say yet that it runs. `isDurable`: another process could do it.
    case start(GenerationWork, mustBeWritten: Bool, isDurable: Bool)
    /// Stop the work.
    case stop(GenerationID)
    /// Tell hosts where it stands.
    case tell(GenerationID)
    /// Write the end; ``Event/written(_:)`` follows. `thenStops`: the work stops once the end is on record.
    case write(Ending, thenStops: Bool)
    /// Stop waiting to write pictures: it was cancelled, or the process leaves and they are handed over with a failure.
    case giveUpWriting(GenerationID, as: GenerationState)
    /// Give it back to the queue; ``Event/released(_:)`` or ``Event/foundSent`` follows.
    case release(GenerationID)
    /// Record that a claimed generation cannot be read.
    case failUnreadable(GenerationRow)
    /// Remove the files of pictures that came too late.
    case discard(Delivery)
    /// Count the end.
    case count(Generation)
    /// Learn how long the work took, and that its provider can be reached.
    case learn(DurationEstimator.Kind, durationMs: Int64?)
    /// Notify the host of the end of a detached generation.
    case announceEnd(Generation, of: AccountID)
    /// Answer those that wait, by their numbers.
    case answer([Int], Answer)
    /// Look at the offline queue soon.
    case lookAtQueue
    /// The same, if it holds anything: it may have waited for a slot.
    case slotFreed
  }
}
