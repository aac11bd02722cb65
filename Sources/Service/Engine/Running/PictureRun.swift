import AtelierProtocol
import Providers

/// Makes one picture of a generation: asks a provider as often as the policy allows, then the next one.
struct PictureRun: Sendable {
  /// A picture and its provider.
  struct Outcome: Sendable {
    var image: ProviderImage
    var provider: ProviderID
    /// The failures of the providers asked before.
    var passedOver: [AtelierError]
  }

  let lineup: ProviderLineup
  let calls: ProviderCalls
  let pictures: WorkPictures

  typealias Report = ProviderCalls.Report
  private var deadline: Deadline { calls.deadline }

  /// Makes the picture.
  /// - Throws: the failure of the provider asked first, with those of the others in its details; `timed_out`, which
  ///   says whether a provider may have charged for it; `CancellationError`.
  func make(_ request: ImageRequest, report: @escaping Report) async throws -> Outcome {
    do {
      return try await deadline.bound(provider: lineup.first.id) { try await makeInTime(request, report: report) }
    } catch var error as AtelierError where error.kind == .timedOut {
      if !calls.sending.isUnsent { error.details["mayHaveBeenCharged"] = true }
      throw error
    }
  }

  private func makeInTime(_ request: ImageRequest, report: @escaping Report) async throws -> Outcome {
    var failures: [AtelierError] = []
    for (position, provider) in ([lineup.first] + lineup.others).enumerated() {
      if position > 0, let refusal = await calls.refusal(of: provider, for: request) {
        failures.append(refusal)
        continue
      }
      let fitting = try await pictures.filled(request.fitting(provider, isFirst: isFirstWanted(provider)), for: provider)
      do throws(ProviderCalls.Failure) {
        var image = try await calls.ask(provider, fitting, report: report) { asked, progress in
          try await provider.makeImage(asked, progress: progress)
        }
        image.warnings = fitting.pictureWarnings + image.warnings
        return Outcome(image: image, provider: provider.id, passedOver: failures)
      } catch {
        switch error {
        case .cancelled: throw CancellationError()
        case .passOn(let failure): failures.append(failure)
        case .final(let failure): throw failure.followed(by: failures)
        }
      }
    }
    guard let first = failures.first else { throw AtelierError(.providerUnavailable) }
    throw first.followed(by: Array(failures.dropFirst()))
  }

  private func isFirstWanted(_ provider: any ImageProvider) -> Bool {
    lineup.passedOver.isEmpty && provider.id == lineup.first.id
  }
}

extension AtelierError {
  /// The same error with the failures of the other providers in its details.
  func followed(by others: [AtelierError]) -> AtelierError {
    guard !others.isEmpty else { return self }
    var error = self
    error.details["otherProviders"] = .array(
      others.map {
        .object([
          "provider": .string($0.provider?.rawValue ?? ""), "kind": .string($0.kind.rawValue),
          // For programs and whoever runs the service, in English like a hint.
          "message": .string($0.forOperators),
        ])
      })
    return error
  }
}
