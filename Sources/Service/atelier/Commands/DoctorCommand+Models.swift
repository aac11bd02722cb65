import AtelierProtocol
import Imaging

extension DoctorCommand {
  /// What can be said of the operator's networks: each looks at a picture. None is usual, and nothing is said of it.
  static func modelFindings(_ worker: ImagingWorker, _ catalogue: NetworkCatalogue) async -> [Finding] {
    do {
      let contents = try catalogue.contents()
      var findings = contents.problems.map { Finding(topic: "model", .fault, sentence: $0) }
      for network in contents.networks { findings.append(try await finding(of: network, worker, catalogue)) }
      return findings
    } catch {
      let sentence = (error as? NetworkRefusal)?.sentence ?? AtelierError(wrapping: error).forOperators
      return [Finding(topic: "models of your own", .fault, sentence: sentence)]
    }
  }

  private static func finding(
    of network: OperatorNetwork, _ worker: ImagingWorker, _ catalogue: NetworkCatalogue
  ) async throws -> Finding {
    let topic = "model \(network.name)"
    func fault(_ sentence: String) -> Finding {
      Finding(topic: topic, .fault, sentence: "\(sentence) Or remove it: atelier models remove \(network.name)")
    }
    guard let model = try catalogue.model(of: network) else { return fault("Its file is missing. Add the model again.") }
    var tried = network
    tried.bytes = model.count
    let finding = try await worker.trial(of: tried, model: model)
    if let refusal = finding.refusal { return fault(refusal.sentence) }
    let time = finding.milliseconds.map { " One look takes \($0) ms." } ?? ""
    return Finding(
      topic: topic,
      sentence: "\(network.description)\(time) Licence: \(network.licence.onOneLine). From: \(network.source.onOneLine).")
  }
}
