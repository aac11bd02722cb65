import AtelierProtocol
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
    findings += try await keyFindings(bucket)
    try await bucket.tryStoring(as: probe)
    findings.append(good("Objects are stored, read, listed and deleted."))
    let keepsFirst = try await bucket.keepsFirst(probing: probe)
    findings.append(
      keepsFirst
        ? good("A second object of the same name is refused.")
        : lack(
          "The server does not refuse a second object of the same name (If-None-Match). Atelier stores without that: a "
            + "name stands for its content."))
    return findings + (try await deletionFindings(bucket))
  }

  /// A service does not end with its temporary key, so it must be able to read the next one.
  private func keyFindings(_ bucket: Bucket) async throws(BucketError) -> [DoctorCommand.Finding] {
    guard let end = try await bucket.keyEnd() else { return [] }
    let time = Timestamp(milliseconds: Int64(end) * 1000).localText
    let isRenewable = settings.accessKeyFile != nil || !Self.isInEnvironment
    return [
      isRenewable
        ? good("The key is a temporary one, until \(time). The next one is read before.")
        : fault(
          "The key is a temporary one, until \(time), and a service that runs gets no other one from its environment: "
            + "name a file with artifacts.accessKeyFile, and replace it before.")
    ]
  }

  private static var isInEnvironment: Bool { Environment.value(of: BucketKey.variables.key) != nil }

  private func deletionFindings(_ bucket: Bucket) async throws(BucketError) -> [DoctorCommand.Finding] {
    let keeping = try await bucket.keepsVersions()
    let isLocked = try await bucket.hasObjectLock() == true
    if !isLocked, keeping == .no { return [good("What is deleted is gone.")] }
    if !isLocked, keeping == .unknown { return [lack("The server does not say whether it keeps versions.")] }
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

  private func lack(_ sentence: String) -> DoctorCommand.Finding {
    DoctorCommand.Finding(topic: Self.topic, .lack, sentence: sentence)
  }

  private func fault(_ sentence: String) -> DoctorCommand.Finding {
    DoctorCommand.Finding(topic: Self.topic, .fault, sentence: sentence)
  }
}
