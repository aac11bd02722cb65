import ObjectStorage
import Synchronization

/// Whether what is deleted from a bucket is gone: asked before anything is put there, once in the life of a process.
final class BucketVersions: Sendable {
  private let bucket: Bucket
  /// Whether the bucket may be used: nobody has to ask again.
  private let isSettled: Atomic<Bool>

  init(_ place: PictureBucket) {
    bucket = place.bucket
    isSettled = Atomic(place.mayKeepVersions)
  }

  /// - Throws: `StoreError`, where deleted pictures would stay and the operator has not confirmed that, and where the bucket
  ///   cannot be asked now. One that does not say may be used.
  func check() async throws(StoreError) {
    if isSettled.load(ordering: .relaxed) { return }
    let keeping: Bucket.Keeping
    do throws(BucketError) {
      keeping = try await bucket.keepsVersions()
    } catch {
      throw StoreError(error)
    }
    guard keeping == .no || keeping == .unknown else { throw StoreError(.bucketUnusable, PictureBucket.keepsVersions) }
    isSettled.store(true, ordering: .relaxed)
  }
}

extension PictureBucket {
  /// What is said of a bucket that keeps versions, if that is not confirmed.
  public static let keepsVersions = "\(versionsStay). \(confirmation)"

  public static let versionsStay = "The bucket keeps versions, so deleted pictures stay in it"
  public static let confirmation = "Use another bucket, or confirm it with artifacts.keepsVersions."
}
