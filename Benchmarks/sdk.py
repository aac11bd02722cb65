"""Edits a photo COUNT times with Google's Python SDK and prints the median in milliseconds.

    python3 sdk.py PHOTO COUNT PROMPT
"""

import os
import statistics
import sys
import time

from google import genai
from google.genai import types

photo = open(sys.argv[1], "rb").read()
client = genai.Client(
    api_key=os.environ["GEMINI_API_KEY"],
    http_options=types.HttpOptions(base_url=os.environ["GOOGLE_GEMINI_BASE_URL"], api_version="v1beta"))
samples = []
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    response = client.models.generate_content(
        model="gemini-nano-banana-2.1",
        contents=[sys.argv[3], types.Part.from_bytes(data=photo, mime_type="image/jpeg")],
        config=types.GenerateContentConfig(response_modalities=["TEXT", "IMAGE"]))
    pictures = [part.inline_data.data for part in response.candidates[0].content.parts if part.inline_data]
    with open(os.devnull, "wb") as file:
        file.write(pictures[0])
    samples.append((time.perf_counter() - start) * 1000)
print(statistics.median(samples))
