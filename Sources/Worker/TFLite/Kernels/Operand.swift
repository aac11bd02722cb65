/// A tensor that a kernel reads.
struct Operand {
  enum Place {
    /// Computed in this run: the slot's number.
    case activation(slot: Int)
    /// A constant: the index of its first number among the constants.
    case constant(offset: Int)
  }

  let place: Place
  let shape: Shape
}
