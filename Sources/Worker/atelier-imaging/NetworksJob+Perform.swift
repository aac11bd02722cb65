import Imaging
import Portrait
import TFLite

extension NetworksJob: WorkerJob {
  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<Report> {
    if !isTrial { context.networks = [] }
    var findings: [Finding] = []
    // From the last one on: the bytes of each are given up before the next ones are read.
    for network in networks.reversed() {
      guard let model = input.takeLast(network.bytes) else { throw .unreadable }
      do throws(PersonNetwork.Failure) {
        let loaded = try PersonNetwork(network, bytes: model.withBytes { Array($0) })
        var finding = Finding(name: network.name, inputSide: loaded.inputSide)
        if isTrial {
          let start = ContinuousClock.now
          try loaded.tryOnce()
          finding.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        } else {
          context.networks.insert(loaded, at: 0)
        }
        findings.insert(finding, at: 0)
      } catch {
        findings.insert(Finding(name: network.name, refusal: NetworkRefusal(error)), at: 0)
      }
    }
    return JobOutcome(report: Report(findings: findings))
  }
}

extension JobContext {
  /// Takes the operator's networks away that have failed.
  /// - Returns: nil when none has.
  func takeFailedNetworks() -> [NetworksJob.Finding]? {
    let findings = networks.compactMap { network in
      network.failure.map { NetworksJob.Finding(name: network.name, refusal: NetworkRefusal($0)) }
    }
    networks.removeAll { $0.failure != nil }
    return findings.isEmpty ? nil : findings
  }
}

extension PersonNetwork {
  fileprivate convenience init(_ network: OperatorNetwork, bytes: [UInt8]) throws(Failure) {
    try self.init(
      name: network.name, bytes: bytes, digest: network.sha256, isMatte: network.role == .matte,
      values: Values(network.values), output: Output(network.output))
  }
}

extension PersonNetwork.Values {
  fileprivate init(_ values: OperatorNetwork.Values) {
    self =
      switch values {
      case .unit: .unit
      case .signed: .signed
      case .bytes: .bytes
      case .imagenet: .imagenet
      }
  }
}

extension PersonNetwork.Output {
  fileprivate init(_ output: OperatorNetwork.Output) {
    self =
      switch output {
      case .person: .person
      case .logOdds: .logOdds
      case .classes: .classes
      }
  }
}

extension NetworkRefusal {
  fileprivate init(_ failure: PersonNetwork.Failure) {
    switch failure {
    case .otherDigest:
      self.init(.checksumDiffers, "The file is not the one that its SHA-256 names. Add the model again.")
    case .model(.malformed(let reason)):
      self.init(.notTFLite, "The file is no TensorFlow Lite model that can be read: \(reason).")
    case .model(.unknownOperator(let name)):
      self.init(.unsupportedOperator, "The model has the operator \(name), which is not supported.")
    case .model(.unsupported(let reason)):
      self.init(.unsupportedModel, "The model cannot be run: \(reason) is not supported.")
    case .model(.wrongInputSize):
      self.init(.wrongShape, "The model takes another input than it says.")
    case .shapes(let input, let output):
      self.init(
        .wrongShape,
        "The model's input has the shape \(input) and its first output \(output). It must look at one square picture of "
          + "three channels with sides of 32 to 1024 pixels, and give a square of one channel, or with --output classes of "
          + "several.")
    case .values(let range):
      let found = range.map { "numbers from \($0.lowerBound) to \($0.upperBound)" } ?? "what are no numbers"
      self.init(
        .wrongValues,
        "The model gives \(found) instead of 0 to 1 for a picture that was made to try it. Choose another --values, or "
          + "--output log-odds.")
    }
  }
}
