/// The operators this interpreter knows. Numbers: schema.fbs, `BuiltinOperator`.
enum OperatorCode: Equatable {
  case add
  case averagePool
  case concatenation
  case convolution
  case depthwiseConvolution
  case dequantize
  case hardSwish
  case logistic
  case maximumPool
  case mean
  case multiply
  case pad
  case parametricRelu
  case relu
  case relu6
  case reshape
  case resizeBilinear
  /// MediaPipe's `Convolution2DTransposeBias`.
  case transposeConvolutionBias

  init(number: Int, customName: String) throws(ModelError) {
    switch number {
    case 0: self = .add
    case 1: self = .averagePool
    case 2: self = .concatenation
    case 3: self = .convolution
    case 4: self = .depthwiseConvolution
    case 6: self = .dequantize
    case 14: self = .logistic
    case 17: self = .maximumPool
    case 18: self = .multiply
    case 19: self = .relu
    case 21: self = .relu6
    case 22: self = .reshape
    case 23: self = .resizeBilinear
    case 32 where customName == "Convolution2DTransposeBias": self = .transposeConvolutionBias
    case 34: self = .pad
    case 40: self = .mean
    case 54: self = .parametricRelu
    case 117: self = .hardSwish
    default: throw .unsupported("operator \(number) \(customName)")
    }
  }
}
