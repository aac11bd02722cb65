import ArgumentParser
import Crypto
import CurlHTTP
import Encodings
import Imaging
import POSIX

/// `atelier models add`: tries a network in the confined worker, and keeps it.
struct ModelsAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a network for headshots on this device, from a .tflite file or an address.",
    discussion: """
      The confined worker lets it look at one picture first; a network that cannot be used is not kept. It is copied into the
      data directory, and services that run use it from the next headshot on.

      An address needs --sha256, copied from where you read what the network is: it says that what came is what was
      published there. What a file does to pictures cannot be seen from the file.

        atelier models add modnet --file modnet.tflite --role matte --licence Apache-2.0
        atelier models add u2net --url https://example.org/u2net.tflite --sha256 … --values imagenet --licence Apache-2.0
        atelier models add multiclass --file selfie_multiclass.tflite --output classes --licence Apache-2.0
      """)

  @Argument(help: "A name for it, of lowercase letters, digits and hyphens.")
  var name: String

  @Option(help: "The .tflite file.", completion: .file(extensions: ["tflite"]))
  var file: String?

  @Option(help: "The address of the .tflite file, from which it is fetched now; needs --sha256.")
  var url: String?

  @Option(name: .customLong("sha256"), help: "The SHA-256 that the file must have.")
  var digest: String?

  @Option(help: "What it does: vote, as one more in the mean of the networks, or matte, in their place.")
  var role: OperatorNetwork.Role = .vote

  @Option(help: "The numbers that it takes for colours: 0..1, -1..1, 0..255 or imagenet.")
  var values: OperatorNetwork.Values = .unit

  @Option(
    help: """
      What its first output is: person, from 0 to 1; log-odds, the logarithm of the person's odds; or classes, of which the \
      first is the background.
      """)
  var output: OperatorNetwork.Output = .person

  @Option(help: "Its licence, which must allow what you do.")
  var licence: String

  @Option(help: "Where it comes from. (default: the address or the file's path)")
  var source: String?

  @Flag(help: "Replace the one of this name.")
  var replace = false

  @Flag(help: "Print the entry as JSON, or why there is none.")
  var json = false

  @OptionGroup var common: CommonOptions

  static func checkName(_ name: String) throws {
    guard OperatorNetwork.isName(name) else {
      throw ValidationError("The name must have 1 to 40 lowercase letters, digits and hyphens, such as modnet-512.")
    }
  }

  func validate() throws {
    try Self.checkName(name)
    guard (file == nil) != (url == nil), file != "", url != "" else {
      throw ValidationError("Name either a file with --file or an address with --url.")
    }
    guard url == nil || digest != nil else {
      throw ValidationError(
        "--url needs --sha256. Copy it from where the model is described: it says that what comes is what was published.")
    }
    if let digest, !OperatorNetwork.isDigest(digest.lowercased()) {
      throw ValidationError("--sha256 must have 64 hexadecimal digits.")
    }
    for (option, text) in [("--licence", licence), ("--source", source ?? "-")] {
      guard (1...1000).contains(text.unicodeScalars.count) else {
        throw ValidationError("\(option) must have 1 to 1000 characters.")
      }
    }
  }

  func run() async throws {
    let finding: NetworksJob.Finding
    let network: OperatorNetwork
    do {
      (network, finding) = try await add()
    } catch {
      throw try NetworkCatalogue.failure(error, asJSON: json)
    }
    if json { return try Console.printJSON(network) }
    print("“\(name)” is added. \(network.description)" + (finding.milliseconds.map { " One look takes \($0) ms." } ?? ""))
  }

  private func add() async throws -> (OperatorNetwork, NetworksJob.Finding) {
    let catalogue = try NetworkCatalogue(common.settings)
    let options = try await ConfigurationSource(common.settings).file.workerOptions
    let model = try await model()
    let found = Hexadecimal.text(SHA256.hash(data: model))
    if let digest, digest.lowercased() != found {
      throw NetworkRefusal(
        .checksumDiffers, "The SHA-256 is \(found), which is another one. Do not use the file before you know why.")
    }
    var network = OperatorNetwork(
      name: name, role: role, inputSide: 0, values: values, output: output, sha256: found, bytes: model.count,
      licence: licence, source: try source ?? url ?? FileSystem.resolved(file ?? ""))
    try catalogue.check(network, replaces: replace)
    let worker = ImagingWorker(executable: try ImagingWorker.locate(), options: options)
    let finding = try await worker.trial(of: network, model: model)
    await worker.shutDown()
    if let refusal = finding.refusal { throw refusal }
    network.inputSide = finding.inputSide ?? 0
    try catalogue.add(network, model: model, replaces: replace)
    return (network, finding)
  }

  private func model() async throws -> [UInt8] {
    if let url {
      let http = CurlClient(CurlSettings(environment: ProviderAssembly.certificates))
      return try await ModelDownload(http: http).bytes(at: url)
    }
    do {
      // Those that a cache of models gives out are links.
      let path = try FileSystem.resolved(file ?? "")
      let status = try FileStatus(path: path)
      guard status?.bytes ?? 0 <= NetworkCatalogue.maximumBytes else { throw NetworkRefusal.fileTooLarge }
      return try FileSystem.read(path)
    } catch let failure as FileFailure {
      throw NetworkRefusal(.fileUnusable, failure.sentence)
    }
  }
}

extension OperatorNetwork.Role: ExpressibleByArgument {}
extension OperatorNetwork.Values: ExpressibleByArgument {}
extension OperatorNetwork.Output: ExpressibleByArgument {}
