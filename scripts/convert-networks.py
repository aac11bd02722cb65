"""Makes the two networks that are asked about doubtful areas from their originals, and compares them with these.

    python3 -m venv environment && environment/bin/pip install onnx==1.23.2 onnxruntime ai-edge-litert==2.3.0
    environment/bin/python scripts/convert-networks.py u2netp.onnx pose_landmark_full.tflite

Writes u2netp.tflite and pose_segmentation.tflite into Sources/Base/CEmbedded/models, whose NOTICE has the origin and the
digest of each. Of the outputs of both originals only the mask of the person is kept, and what computes it.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Callable, Dict, List

import numpy
import onnx
import onnxruntime
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter
from flatbuffers import Builder

MODELS = Path(__file__).resolve().parent.parent / "Sources/Base/CEmbedded/models"
ORIGINALS = {
    "u2netp.onnx": "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8",
    "pose_landmark_full.tflite": "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
}
#: The sides of U²-Net-p's input, in pixels; 320 in the original, which takes three times as long for hardly another answer.
SIDE = 192
#: The mask of the pose network among its outputs.
POSE_MASK = "Identity_2"
#: The most that the masks may differ: where weights are the same, and on average where they have half the precision.
SAME, HALVED = 1e-4, 2e-3
#: What computes a mask; the rest of U²-Net-p computes sizes.
KINDS = {"Conv", "Relu", "Sigmoid", "Add", "Concat", "MaxPool", "Resize"}

Code = schema.BuiltinOperator


class Writer:
    """A model of one graph, to which one operator after the other is added."""

    def __init__(self) -> None:
        # Computed tensors refer to the first buffer, which is empty.
        self.model = schema.ModelT(version=3, buffers=[schema.BufferT()], operatorCodes=[])
        self.graph = schema.SubGraphT(tensors=[], operators=[])
        self.model.subgraphs = [self.graph]

    def tensor(self, shape: List[int], kind: int = schema.TensorType.FLOAT32, data: bytes = b"") -> int:
        buffer = 0
        if data:
            buffer = len(self.model.buffers)
            self.model.buffers.append(schema.BufferT(data=list(data)))
        self.graph.tensors.append(schema.TensorT(shape=list(shape), type=kind, buffer=buffer))
        return len(self.graph.tensors) - 1

    def operator(self, code: int, inputs: List[int], output: int, options: object = None, kind: int = 0) -> int:
        codes = [each.builtinCode for each in self.model.operatorCodes]
        if code not in codes:
            codes.append(code)
            self.model.operatorCodes.append(schema.OperatorCodeT(deprecatedBuiltinCode=code, builtinCode=code, version=1))
        if options is not None and not kind:
            kind = getattr(schema.BuiltinOptions, type(options).__name__[:-1])
        self.graph.operators.append(
            schema.OperatorT(
                opcodeIndex=codes.index(code),
                inputs=inputs,
                outputs=[output],
                builtinOptions=options,
                builtinOptionsType=kind,
            )
        )
        return output

    def finished(self, entry: int, result: int) -> bytes:
        self.graph.inputs, self.graph.outputs = [entry], [result]
        return packed(self.model)


def packed(model: schema.ModelT) -> bytes:
    builder = Builder(1 << 23)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


class U2Net:
    """U²-Net-p, node by node: channels last, weights in single or half precision."""

    def __init__(self, original: bytes, is_halved: bool) -> None:
        self.model = onnx.load_from_string(original)
        self.is_halved = is_halved
        self.weights = {each.name: onnx.numpy_helper.to_array(each) for each in self.model.graph.initializer}
        self.shapes = self.shapes_of_results()
        self.writer = Writer()
        self.done: Dict[str, int] = {}

    def shapes_of_results(self) -> Dict[str, List[int]]:
        """They are known only by running the network: it computes the sizes that it enlarges to."""
        named = onnx.ModelProto()
        named.CopyFrom(self.model)
        results = [node.output[0] for node in named.graph.node if node.op_type in KINDS]
        del named.graph.output[:]
        named.graph.output.extend(onnx.ValueInfoProto(name=name) for name in results)
        values = run_onnx(named.SerializeToString(), numpy.zeros([1, SIDE, SIDE, 3], "f4"))
        return {name: list(value.shape) for name, value in zip(results, values)}

    def converted(self) -> bytes:
        graph = self.model.graph
        entry, result = graph.input[0].name, graph.output[0].name
        self.done[entry] = self.writer.tensor([1, SIDE, SIDE, 3])
        needed = {result}
        for node in reversed(graph.node):
            if node.output[0] in needed and node.op_type in KINDS:
                needed.update(self.sources(node))
        for node in graph.node:
            if node.output[0] in needed and node.op_type in KINDS:
                self.done[node.output[0]] = self.add(node)
        return self.writer.finished(self.done[entry], self.done[result])

    @staticmethod
    def sources(node: onnx.NodeProto) -> List[str]:
        """What is computed before; the size of a Resize is known."""
        return list(node.input[:1] if node.op_type in ("Conv", "Resize") else node.input)

    def add(self, node: onnx.NodeProto) -> int:
        given = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        inputs = [self.done[name] for name in self.sources(node)]
        _, channels, height, width = self.shapes[node.output[0]]
        output = self.writer.tensor([1, height, width, channels])
        add = self.writer.operator
        if node.op_type == "Conv":
            filters = self.weights[node.input[1]].transpose(0, 2, 3, 1)
            dilation = given["dilations"][0]
            # As "same" pads.
            assert given["strides"] == [1, 1] and given["group"] == 1
            assert given["pads"] == [dilation * (filters.shape[1] // 2)] * 4
            inputs += [self.constant(filters), self.constant(self.weights[node.input[2]])]
            options = schema.Conv2DOptionsT(strideW=1, strideH=1, dilationWFactor=dilation, dilationHFactor=dilation)
            return add(Code.CONV_2D, inputs, output, options)
        if node.op_type == "MaxPool":
            assert given["kernel_shape"] == given["strides"] == [2, 2] and given["ceil_mode"] == 1
            options = schema.Pool2DOptionsT(strideW=2, strideH=2, filterWidth=2, filterHeight=2)
            return add(Code.MAX_POOL_2D, inputs, output, options)
        if node.op_type == "Resize":
            assert given["coordinate_transformation_mode"] == b"pytorch_half_pixel" and given["mode"] == b"linear"
            size = numpy.array([height, width], "<i4").tobytes()
            inputs.append(self.writer.tensor([2], schema.TensorType.INT32, size))
            return add(Code.RESIZE_BILINEAR, inputs, output, schema.ResizeBilinearOptionsT(halfPixelCenters=True))
        if node.op_type == "Concat":
            assert given["axis"] == 1
            return add(Code.CONCATENATION, inputs, output, schema.ConcatenationOptionsT(axis=3))
        if node.op_type == "Add":
            return add(Code.ADD, inputs, output, schema.AddOptionsT())
        return add({"Relu": Code.RELU, "Sigmoid": Code.LOGISTIC}[node.op_type], inputs, output)

    def constant(self, numbers: numpy.ndarray) -> int:
        if not self.is_halved:
            return self.writer.tensor(list(numbers.shape), data=numbers.astype("<f4").tobytes())
        stored = self.writer.tensor(list(numbers.shape), schema.TensorType.FLOAT16, numbers.astype("<f2").tobytes())
        return self.writer.operator(Code.DEQUANTIZE, [stored], self.writer.tensor(list(numbers.shape)))


def trimmed(original: bytes, name: str) -> bytes:
    """The part of a model that computes the output `name`."""
    model = schema.ModelT.InitFromPackedBuf(original, 0)
    graph = model.subgraphs[0]
    result = next(index for index in graph.outputs if graph.tensors[index].name.decode() == name)
    needed, kept = {result}, []
    for step in reversed(graph.operators):
        if needed.intersection(step.outputs):
            needed.update(index for index in step.inputs if index >= 0)
            kept.insert(0, step)
    writer = Writer()
    places = {-1: -1}
    for index in sorted(needed):
        tensor = graph.tensors[index]
        data = model.buffers[tensor.buffer].data
        places[index] = writer.tensor(tensor.shape, tensor.type, b"" if data is None else bytes(data))
    for step in kept:
        code = model.operatorCodes[step.opcodeIndex]
        number = max(code.builtinCode, code.deprecatedBuiltinCode)
        inputs = [places[index] for index in step.inputs]
        writer.operator(number, inputs, places[step.outputs[0]], step.builtinOptions, step.builtinOptionsType)
    return writer.finished(places[graph.inputs[0]], places[result])


def resized(original: bytes) -> bytes:
    """The network says the sides of its input, but works with any."""
    model = onnx.load_from_string(original)
    for axis in model.graph.input[0].type.tensor_type.shape.dim[2:]:
        axis.dim_value = SIDE
    return bytes(model.SerializeToString())


def run_onnx(model: bytes, photo: numpy.ndarray) -> List[numpy.ndarray]:
    session = onnxruntime.InferenceSession(resized(model), providers=["CPUExecutionProvider"])
    return list(session.run(None, {session.get_inputs()[0].name: photo.transpose(0, 3, 1, 2)}))


def run(model: bytes, photo: numpy.ndarray, name: str = "") -> numpy.ndarray:
    interpreter = Interpreter(model_content=model)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], photo)
    interpreter.invoke()
    output = next(each for each in interpreter.get_output_details() if not name or each["name"] == name)
    return numpy.asarray(interpreter.get_tensor(output["index"]))


def photo(side: int) -> numpy.ndarray:
    """Noise of all scales, as strong as a normalised photo."""
    random = numpy.random.default_rng(1)
    scales = (side // 2, side // 8, side // 32, side)
    noise = [numpy.kron(random.normal(size=(count, count, 3)), numpy.ones([side // count] * 2 + [1])) for count in scales]
    return (sum(noise) / 2).astype("f4")[None]  # type: ignore[operator]


def check(what: str, mask: numpy.ndarray, other: numpy.ndarray, most: float, measure: Callable = numpy.max) -> None:
    found = float(measure(numpy.abs(mask.squeeze() - other.squeeze())))
    print(f"{what}: differs by {found:.6f}, at most {most} is expected")
    if found > most:
        raise SystemExit("The networks differ.")


def main() -> None:
    originals = []
    for path, digest in zip(map(Path, sys.argv[1:]), ORIGINALS.values(), strict=True):
        originals.append(path.read_bytes())
        if hashlib.sha256(originals[-1]).hexdigest() != digest:
            raise SystemExit(f"{path} is not the network that this script was written for.")
    mask = run_onnx(originals[0], photo(SIDE))[0]
    check("U²-Net-p", mask, run(U2Net(originals[0], False).converted(), photo(SIDE)), SAME)
    halved = U2Net(originals[0], True).converted()
    check("U²-Net-p in half precision, on average", mask, run(halved, photo(SIDE)), HALVED, numpy.mean)
    pose = trimmed(originals[1], POSE_MASK)
    check("The pose network", run(originals[1], photo(256), POSE_MASK), run(pose, photo(256)), SAME)
    for name, model in (("u2netp", halved), ("pose_segmentation", pose)):
        (MODELS / f"{name}.tflite").write_bytes(model)
        print(f"{hashlib.sha256(model).hexdigest()}  {name}.tflite, {len(model)} bytes")


if __name__ == "__main__":
    main()
