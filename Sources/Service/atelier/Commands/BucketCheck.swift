import Credentials
import ObjectStorage
import Store

/// What `doctor` checks of a bucket for pictures.
struct BucketCheck {
  let settings: BucketSettings
  /// Makes a name that nothing has.
  let probe: String

  private static let topic = "bucket"
  /// Servers refuse requests from a quarter of an hour on.
  private static let mostSecondsOff = 60

  func findings() async -> [DoctorCommand.Finding] {
    do {
      return try await findings(try await settings.bucket())
    } catch let lack as BucketKey.Fault {
      return [fault(lack.sentence)]
    } catch {
      return [fault("\(settings.address): \(error)")]
    }
  }

  private func findings(_ bucket: Bucket) async throws(BucketError) -> [DoctorCommand.Finding] {
    let ahead = try await bucket.reach() ?? 0
    var findings = [good("\(settings.address) can be reached, and takes the key.")]
    if ahead.magnitude > Self.mostSecondsOff {
      findings.append(
        fault("This machine's clock and the bucket's differ by \(ahead.magnitude) seconds: set this machine's clock."))
    }
    let keepsFirst = try await bucket.keepsFirst(probing: probe)
    findings.append(
      keepsFirst
        ? good("A second object of the same name is refused.")
        : fault("The server lets a second object of the same name win (If-None-Match is ignored). Use another one."))
    return findings + (try await deletionFindings(bucket))
  }

  private func deletionFindings(_ bucket: Bucket) async throws(BucketError) -> [DoctorCommand.Finding] {
    let keeping = try await bucket.keepsVersions()
    let isLocked = try await bucket.hasObjectLock() == true
    if !isLocked, keeping == .no { return [good("What is deleted is gone.")] }
    if !isLocked, keeping == .unknown {
      let sentence = "The server does not say whether it keeps versions."
      return [DoctorCommand.Finding(topic: Self.topic, .lack, sentence: sentence)]
    }
    let fact =
      isLocked
      ? "The bucket has an object lock, so pictures may not be deleted"
      : PictureBucket.versionsStay
    return [
      settings.mayKeepVersions
        ? good("\(fact), as artifacts.keepsVersions confirms.")
        : fault("\(fact). \(PictureBucket.confirmation)")
    ]
  }

  private func good(_ sentence: String) -> DoctorCommand.Finding {
    DoctorCommand.Finding(topic: Self.topic, sentence: sentence)
  }

  private func fault(_ sentence: String) -> DoctorCommand.Finding {
    DoctorCommand.Finding(topic: Self.topic, .fault, sentence: sentence)
  }
}
