import ObjectStorage
import POSIX
import Synchronization

/// Whether what is deleted from a bucket is gone: asked before anything is put there, once in the life of a process.
final class BucketVersions: Sendable {
  private let bucket: Bucket
  /// Whether the bucket may be used: nobody has to ask again.
  private let isSettled: Atomic<Bool>
  /// What concurrent callers ask together: on a slow bucket, a question for each of hundreds is what it could not answer.
  private let question = SharedTask<Result<Bucket.Keeping, BucketError>>()

  init(_ place: PictureBucket) {
    bucket = place.bucket
    isSettled = Atomic(place.mayKeepVersions)
  }

  /// - Throws: `StoreError`, where deleted pictures would stay and the operator has not confirmed that, and where the bucket
  ///   cannot be asked now. One that does not say may be used.
  func check() async throws(StoreError) {
    if isSettled.load(ordering: .relaxed) { return }
    let answer = await question.value { [self] in
      do throws(BucketError) {
        let keeping = try await bucket.keepsVersions()
        // Before the question is over, so that nobody asks again who comes just then.
        if keeping == .no || keeping == .unknown { isSettled.store(true, ordering: .relaxed) }
        return .success(keeping)
      } catch {
        return .failure(error)
      }
    }
    switch answer {
    case .success(.no), .success(.unknown): break
    case .success(.versions), .success(.earlierVersions):
      throw StoreError(.bucketUnusable, PictureBucket.keepsVersions)
    case .failure(let error): throw StoreError(error)
    }
  }
}

extension PictureBucket {
  /// What is said of a bucket that keeps versions, if that is not confirmed.
  public static let keepsVersions = "\(versionsStay). \(confirmation)"

  public static let versionsStay = "The bucket keeps versions, so deleted pictures stay in it"
  public static let confirmation = "Use another bucket, or confirm it with artifacts.keepsVersions."
}
