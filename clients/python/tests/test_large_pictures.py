"""Photos that ``generate`` would refuse for their size: the client has them prepared first."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from typing import Any, Dict, List

import atelier_studio
from atelier_studio import Atelier
from atelier_studio._picture_sides import longest_side

from .support import LARGE_PHOTO, PICTURES, PORTRAIT, ServiceCase, fake_peer, needs_service

WIDE = PICTURES / "wide.png"

#: The longest side of each, which every one of these formats says elsewhere.
SIDES = {
    "plain.jpg": 400,
    "progressive.jpg": 400,
    "private.jpg": 120,
    "orientation-6.jpg": 120,
    "plain.png": 400,
    "wide.png": 5000,
    "too-large.png": 9000,
    "plain.webp": 400,
    "lossless.webp": 400,
    "alpha.webp": 400,
    "orientation-6.webp": 120,
    "plain.heic": 400,
    "rotated.heic": 120,
    "plain.avif": 400,
    "other.gif": 0,
    "other.bmp": 0,
    "ORIGIN.md": 0,
}


class SidesTests(unittest.TestCase):
    def test_the_header_of_every_format_tells_the_sides(self) -> None:
        for name, side in SIDES.items():
            with self.subTest(name):
                self.assertEqual(longest_side((PICTURES / name).read_bytes()), side)

    def test_a_header_that_ends_early_tells_nothing(self) -> None:
        for name in ["plain.jpg", "plain.png", "plain.webp", "lossless.webp", "plain.heic"]:
            picture = (PICTURES / name).read_bytes()
            for length in range(0, 60):
                with self.subTest(name, length=length):
                    self.assertIn(longest_side(picture[:length]), (0, SIDES[name]))

    def test_fill_bytes_and_boxes_of_other_lengths_are_passed_over(self) -> None:
        jpeg = (PICTURES / "plain.jpg").read_bytes()
        self.assertEqual(longest_side(jpeg[:2] + b"\xff\xff" + jpeg[2:]), 400)
        heic = (PICTURES / "plain.heic").read_bytes()
        self.assertEqual(longest_side(heic[:4] + b"ftyp" + heic[8:]), 400)
        length = int.from_bytes(heic[:4], "big")
        long_box = b"\0\0\0\1free" + (24).to_bytes(8, "big") + bytes(8)
        self.assertEqual(longest_side(heic[:length] + long_box + heic[length:]), 400)
        self.assertEqual(longest_side(heic[:length] + b"\0\0\0\4free" + heic[length:]), 0)


class PreparingTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="atelier-python-")
        self.addCleanup(folder.cleanup)
        self.heavy = pathlib.Path(folder.name) / "heavy.jpg"
        with open(self.heavy, "wb") as file:
            file.truncate((7 << 20) + 1)

    async def requests(self, studio: Atelier) -> List[Dict[str, Any]]:
        received = await studio.request("received")
        return [each for each in received if each["method"] in ("image/prepare", "generate", "credits/estimate")]

    async def test_what_is_too_large_is_prepared_inline_and_the_rest_sent_as_it_is(self) -> None:
        async with Atelier(fake_peer()) as studio:
            result = await studio.generate(
                "edit", image=self.heavy, references=[WIDE, PORTRAIT], account="anna", prompt="a hat"
            )
            requests = await self.requests(studio)
        self.assertEqual([each["method"] for each in requests], ["image/prepare", "image/prepare", "generate"])
        for asked, path in zip(requests, [self.heavy, WIDE]):
            parameters = {"image": {"path": str(path)}, "longestSide": 4096, "inline": True, "account": "anna"}
            self.assertEqual(asked["params"], parameters)
        sent = json.loads(result.text or "{}")
        prepared = {"data": "AAAA", "mimeType": "image/jpeg"}
        self.assertEqual(sent["image"], prepared)
        self.assertEqual(sent["references"], [prepared, {"path": str(PORTRAIT)}])

    async def test_bytes_and_estimates_are_treated_alike(self) -> None:
        async with Atelier(fake_peer()) as studio:
            await studio.generate("edit", image=WIDE.read_bytes(), prompt="a hat")
            try:
                await studio.credits_estimate("edit", image=WIDE, prompt="a hat")
            except atelier_studio.ProtocolError:
                pass
            requests = await self.requests(studio)
        methods = ["image/prepare", "generate", "image/prepare", "credits/estimate"]
        self.assertEqual([each["method"] for each in requests], methods)
        self.assertEqual(requests[-1]["params"]["image"]["data"], "AAAA")

    async def test_what_cannot_be_read_here_is_left_to_the_service(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            async with Atelier(fake_peer()) as studio:
                for image in [pipe, folder, "/nowhere/photo.jpg", b"no picture"]:
                    await studio.generate("edit", image=image, prompt="a hat")
                self.assertEqual({each["method"] for each in await self.requests(studio)}, {"generate"})

    async def test_a_cancel_ends_the_preparation(self) -> None:
        async with Atelier(fake_peer("patient")) as studio:
            generation = studio.generate("edit", image=self.heavy, prompt="a hat")
            while not await self.requests(studio):
                await asyncio.sleep(0.01)
            generation.cancel()
            with self.assertRaises(atelier_studio.AtelierError) as caught:
                await generation
            self.assertEqual(caught.exception.kind, "request_cancelled")
            received = await studio.request("received")
            self.assertEqual([each["method"] for each in received[-2:]], ["image/prepare", "$/cancelRequest"])

    async def test_a_cancelled_waiter_ends_the_preparation(self) -> None:
        async with Atelier(fake_peer("patient")) as studio:
            waiter = asyncio.ensure_future(studio.generate("edit", image=self.heavy, prompt="a hat")._wait())
            while not await self.requests(studio):
                await asyncio.sleep(0.01)
            waiter.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiter
            received = await studio.request("received")
            self.assertEqual([each["method"] for each in received[-2:]], ["image/prepare", "$/cancelRequest"])


@needs_service
@unittest.skipIf(shutil.which("vips") is None, "vips is not installed: it makes the photo")
class LargePhotoTests(ServiceCase):
    async def test_a_photo_of_48_megapixels_makes_a_headshot_and_leaves_nothing_behind(self) -> None:
        photo = self.folder / "big.jpg"
        subprocess.run([LARGE_PHOTO, photo], check=True)
        self.assertGreater(photo.stat().st_size, 7_000_000)
        async with self.studio() as studio:
            with self.assertRaises(atelier_studio.InvalidImage) as refused:
                await studio.request("generate", {"recipe": "headshot", "image": {"path": str(photo)}})
            self.assertEqual(refused.exception.kind, "image_too_large")
            self.assertEqual(refused.exception.details["remedy"], "image/prepare")
            self.assertIn("image/prepare", refused.exception.hint or "")
            made = await self.made(studio, photo)
            self.assertEqual(made.state, "succeeded")
            self.assertTrue((made.images[0].data or b"").startswith(b"\xff\xd8\xff"))
            kept = [each for each in self.data_dir.rglob("*") if each.is_file() and each.parent.name != "data"]
            self.assertEqual([each for each in kept if each.stat().st_size > 0], [])
            again = await self.made(studio, photo)
            self.assertEqual(again.generation_id, made.generation_id)

    async def made(self, studio: Atelier, photo: pathlib.Path) -> atelier_studio.GenerationResult:
        while True:
            try:
                return await studio.generate(image=photo, private=True, output={"inline": True}, idempotency_key="k")
            except atelier_studio.TimedOut:
                # A machine that is busy with other tests may need more time than a preparation has.
                pass

    async def test_what_even_image_prepare_refuses_costs_its_clear_error(self) -> None:
        heavy = self.folder / "heavy.jpg"
        with open(heavy, "wb") as file:
            file.truncate(40_000_001)
        async with self.studio() as studio:
            for photo, kind, says in [
                (heavy, "image_too_large", "at most 40 MB"),
                (PICTURES / "too-large.png", "invalid_dimensions", "60 megapixels"),
            ]:
                with self.assertRaises(atelier_studio.InvalidImage) as refused:
                    await studio.generate(image=photo)
                self.assertEqual(refused.exception.kind, kind)
                self.assertIn(says, str(refused.exception))
                self.assertNotIn("remedy", refused.exception.details)
