"""Uses Google's own SDK against the simulator. Arguments: its base URL. Prints "ok" and the number of checks."""

import sys
import zlib

from google import genai
from google.genai import errors, types

MODEL = "gemini-nano-banana-2.1"
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"not so: {what}")


def client(base_url, key="simulated-key"):
    return genai.Client(api_key=key, http_options=types.HttpOptions(base_url=base_url))


def png(width, height):
    def chunk(kind, data):
        checked = kind + data
        return len(data).to_bytes(4, "big") + checked + zlib.crc32(checked).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    rows = b"".join(b"\0" + bytes(range(width)) for _ in range(height))
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def picture(response):
    parts = response.candidates[0].content.parts
    return next(part.inline_data for part in parts if part.inline_data and not part.thought)


def texts(response):
    return [part.text for part in response.candidates[0].content.parts if part.text and not part.thought]


def size(data):
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def edits_a_picture(api):
    response = api.models.generate_content(
        model=MODEL,
        contents=[
            types.Content(
                role="user",
                parts=[
                    types.Part.from_text(text="make it red"),
                    types.Part.from_bytes(data=png(64, 36), mime_type="image/png"),
                ],
            )
        ],
        config=types.GenerateContentConfig(
            system_instruction="be brief",
            response_modalities=["TEXT", "IMAGE"],
            image_config=types.ImageConfig(aspect_ratio="16:9", image_size="2K"),
            thinking_config=types.ThinkingConfig(thinking_level="HIGH", include_thoughts=True),
            temperature=1.0,
            top_p=0.95,
            seed=7,
            candidate_count=1,
            max_output_tokens=32768,
            safety_settings=[
                types.SafetySetting(category="HARM_CATEGORY_HARASSMENT", threshold="BLOCK_ONLY_HIGH")
            ],
        ),
    )
    image = picture(response)
    check(image.mime_type == "image/png", "the picture is a PNG")
    check(size(image.data) == (1376 * 2 // 16, 768 * 2 // 16), "the picture is 16:9 at 2K, sixteen times smaller")
    check(response.candidates[0].finish_reason == types.FinishReason.STOP, "it ended with STOP")
    check(texts(response) == ["Here is your picture."], "its text is without the thoughts")
    check(any(part.thought for part in response.candidates[0].content.parts), "thoughts were asked for")
    check(response.model_version == MODEL and response.response_id, "it says who made it")
    usage = response.usage_metadata
    total = usage.prompt_token_count + usage.candidates_token_count + usage.thoughts_token_count
    check(usage.total_token_count == total, "the usage adds up")
    check(usage.candidates_tokens_details[0].token_count == 1680, "a picture of 2K costs 1680")


def follows_the_input(api):
    contents = ["brighter", types.Part.from_bytes(data=png(90, 160), mime_type="image/png")]
    response = api.models.generate_content(model="gemini-2.5-flash-image", contents=contents)
    check(size(picture(response).data) == (768 // 16, 1344 // 16), "without a ratio it is that of the picture sent")


def streams(api):
    chunks = list(api.models.generate_content_stream(model=MODEL, contents="a lighthouse"))
    check(len(chunks) == 3, "text, picture and end come one by one")
    check(chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP, "the last one says how it ended")
    check(any(part.inline_data for part in chunks[1].candidates[0].content.parts), "the picture is in the second")


def converses(api):
    chat = api.chats.create(model=MODEL)
    first = picture(chat.send_message("a cat")).data
    second = picture(chat.send_message("now with a hat")).data
    check(first != second, "each turn has its own picture")
    history = chat.get_history()
    check(len(history) == 4, "the history has four turns")
    for part in history[1].parts:
        part.thought_signature = None
    try:
        api.models.generate_content(model=MODEL, contents=[*history, types.UserContent("and a scarf")])
        sys.exit("not so: a turn without its signatures is refused")
    except errors.ClientError as error:
        check(error.code == 400 and "thought_signature" in error.message, "the refusal names the signature")


def lists_models(api):
    names = [model.name for model in api.models.list(config={"page_size": 3})]
    check(f"models/{MODEL}" in names and len(names) > 3, "the pages together hold the model")
    model = api.models.get(model=MODEL)
    check("generateContent" in model.supported_actions, "the model generates content")


def meets_errors(api, base_url):
    for fault, code, status in [
        ("503-overloaded", 503, "UNAVAILABLE"),
        ("503-in-array", 503, "UNAVAILABLE"),
        ("429-three-violations", 429, "RESOURCE_EXHAUSTED"),
        ("400-key-invalid", 400, "INVALID_ARGUMENT"),
        ("404-model", 404, "NOT_FOUND"),
        ("502-html", 502, "Bad Gateway"),
    ]:
        try:
            api.models.generate_content(model=MODEL, contents=f"x [[fault:{fault}]]")
            sys.exit(f"not so: {fault} is an error")
        except errors.APIError as error:
            check((error.code, error.status) == (code, status), f"{fault} is {code} {status}, not {error.status}")
    blocked = api.models.generate_content(model=MODEL, contents="x [[fault:block:PROHIBITED_CONTENT]]")
    check(blocked.candidates is None, "a blocked prompt has no candidates")
    check(blocked.prompt_feedback.block_reason == types.BlockedReason.PROHIBITED_CONTENT, "it says why")
    stranger = client(base_url, key="bad-key")
    try:
        stranger.models.generate_content(model=MODEL, contents="x")
        sys.exit("not so: a bad key is refused")
    except errors.ClientError as error:
        check(error.code == 400, "a bad key is a bad request")
    stream = api.models.generate_content_stream(model=MODEL, contents="x [[fault:sse-error]]")
    try:
        list(stream)
        sys.exit("not so: an error in a stream is an error")
    except errors.ServerError as error:
        check(error.code == 503, "an error in a stream has its code")


def main():
    base_url = sys.argv[1]
    api = client(base_url)
    edits_a_picture(api)
    follows_the_input(api)
    streams(api)
    converses(api)
    lists_models(api)
    meets_errors(api, base_url)
    print("ok", checks)


main()
