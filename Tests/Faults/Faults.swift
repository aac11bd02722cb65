import Foundation
import Testing

/// What goes wrong on other people's machines, made to go wrong here: against the built executables, one after the
/// other, because each of them wants the processor for itself.
@Suite("Faults", .serialized, .timeLimit(.minutes(isProofRun ? 120 : 20)))
enum Faults {}

/// True for the long proofs, `make proofs`.
let isProofRun = ProcessInfo.processInfo.environment["ATELIER_PROOFS"] == "1"
