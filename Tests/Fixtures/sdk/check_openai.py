"""Uses OpenAI's own SDK against the simulator. Arguments: its base URL. Prints "ok" and the number of checks."""

import base64
import io
import sys
import zlib

import openai

MODEL = "gpt-image-2"
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"not so: {what}")


def png(name, width=32, height=32):
    def chunk(kind, data):
        checked = kind + data
        return len(data).to_bytes(4, "big") + checked + zlib.crc32(checked).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    rows = b"".join(b"\0" + bytes(range(width)) for _ in range(height))
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    file = io.BytesIO(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    file.name = name
    return file


def size(data):
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def generates(api):
    response = api.images.generate(model=MODEL, prompt="a lighthouse", size="1536x1024", n=2, quality="low")
    check(len(response.data) == 2, "two pictures were asked for")
    pictures = [base64.b64decode(image.b64_json) for image in response.data]
    check(pictures[0] != pictures[1], "they differ")
    check(size(pictures[0]) == (96, 64), "they have the shape asked for, sixteen times smaller")
    check(response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens, "usage adds up")


def edits(api):
    one = api.images.edit(model=MODEL, prompt="red", image=png("a.png"), mask=png("mask.png"), n=1)
    check(one.data[0].b64_json, "one picture is edited")
    three = api.images.edit(
        model=MODEL, prompt="red", image=[png("a.png"), png("b.png"), png("c.png")], size="1024x1024",
        input_fidelity="high",
    )
    check(three.usage.input_tokens_details.image_tokens == 3 * 323, "three pictures were received")


def streams(api):
    events = list(api.images.generate(model=MODEL, prompt="a lighthouse", stream=True, partial_images=2))
    kinds = [event.type for event in events]
    check(
        kinds == ["image_generation.partial_image"] * 2 + ["image_generation.completed"],
        f"two partial pictures come before the whole one, not {kinds}",
    )
    events = list(api.images.edit(model=MODEL, prompt="red", image=png("a.png"), stream=True, partial_images=1))
    check([event.type for event in events][-1] == "image_edit.completed", "an edit is streamed too")


def meets_errors(api, base_url):
    for fault, kind, code in [
        ("openai:invalid_api_key", openai.AuthenticationError, "invalid_api_key"),
        ("openai:insufficient_quota", openai.RateLimitError, "insufficient_quota"),
        ("openai:rate_limit", openai.RateLimitError, "rate_limit_exceeded"),
        ("openai:moderation_blocked", openai.BadRequestError, "moderation_blocked"),
        ("openai:verification_needed", openai.PermissionDeniedError, None),
        ("openai:server_error", openai.InternalServerError, None),
        ("503-overloaded", openai.InternalServerError, None),
    ]:
        try:
            api.images.generate(model=MODEL, prompt=f"x [[fault:{fault}]]")
            sys.exit(f"not so: {fault} is an error")
        except openai.APIStatusError as error:
            check(type(error) is kind and error.code == code, f"{fault} is {kind.__name__}, not {error!r}")
    try:
        api.images.generate(model=MODEL, prompt="x", size="17x17")
        sys.exit("not so: a bad size is refused")
    except openai.BadRequestError as error:
        check(error.param == "size", "the refusal names the parameter")
    stranger = openai.OpenAI(api_key="bad-key", base_url=base_url, max_retries=0)
    try:
        stranger.images.generate(model=MODEL, prompt="x")
        sys.exit("not so: a bad key is refused")
    except openai.AuthenticationError as error:
        check(error.code == "invalid_api_key", "a bad key is told so")


def main():
    base_url = sys.argv[1]
    api = openai.OpenAI(api_key="simulated-key", base_url=base_url, max_retries=0)
    check(MODEL in [model.id for model in api.models.list()], "the model is listed")
    generates(api)
    edits(api)
    streams(api)
    meets_errors(api, base_url)
    print("ok", checks)


main()
