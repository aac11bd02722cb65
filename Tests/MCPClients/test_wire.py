"""The server without an SDK: what clients do to it that no SDK lets one do. Needs only the standard library."""

from __future__ import annotations

import base64
import json
import shutil
import signal
import struct
import subprocess
import time
import tomllib
import unittest
import zlib
from pathlib import Path

from support import ATELIER, LIMIT, PHOTO, ROOT, TASKS, VERSION, Host, ServerCase, meta, text_of

CREATE = {"prompt": "a lighthouse"}


def wide_photo(folder: Path) -> Path:
    """A photo with more pixels than a request may have."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = (b"\0" + b"\x80\x90\xa0" * 5000) * 1500
    photo = folder / "wide.png"
    photo.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 5000, 1500, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return photo


class Eras(ServerCase):
    def test_a_request_of_no_era_names_both_ways(self) -> None:
        host = Host(self, recorded=False)
        host.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
        error = host.answer(1)["error"]
        self.assertEqual(error["code"], -32602)
        self.assertIn("initialize", error["message"])
        self.assertIn(VERSION, error["message"])

    def test_an_unknown_modern_version_is_refused_with_those_that_are_known(self) -> None:
        host = Host(self, recorded=False)
        params = {"_meta": {**meta(), "io.modelcontextprotocol/protocolVersion": "1900-01-01"}}
        host.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params}))
        error = host.answer(1)["error"]
        self.assertEqual((error["code"], error["data"]), (-32022, {"supported": [VERSION], "requested": "1900-01-01"}))

    def test_both_eras_share_a_process(self) -> None:
        host = Host(self, recorded=False)
        host.write('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2024-11-05",'
                   '"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}')
        self.assertEqual(host.answer("i")["result"]["protocolVersion"], "2024-11-05")
        host.write('{"jsonrpc":"2.0","id":"l","method":"tools/list"}')
        self.assertNotIn("resultType", host.answer("l")["result"])
        self.assertEqual(host.call("tools/list")["result"]["resultType"], "complete")
        self.assertEqual(host.call("ping")["error"]["code"], -32601)

    def test_a_server_without_pictures_says_where_they_are(self) -> None:
        host = Host(self, "--no-pictures", recorded=False)
        made = host.tool("make_headshot", {"photo": PHOTO})
        shown = host.tool("show_picture", {"generation": made["structuredContent"]["generationId"]})
        path = made["structuredContent"]["pictures"][0]["path"]
        for result in (made, shown, host.tool("get_generation", {"generation": made["structuredContent"]["generationId"]})):
            self.assertEqual([each["type"] for each in result["content"]], ["text"])
            self.assertIn(path, text_of(result))
            self.assertIn(path, result["structuredContent"]["message"])
        self.assertFalse(shown["isError"])
        self.assertLess(len(json.dumps(shown)), 2_000)

    def test_a_client_of_2024_receives_the_same(self) -> None:
        host = Host(self, recorded=False)
        host.write('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2024-11-05",'
                   '"capabilities":{}}}')
        call = {"name": "make_headshot", "arguments": {"photo": PHOTO}}
        host.write(json.dumps({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": call}))
        self.assertEqual([each["type"] for each in host.answer("c")["result"]["content"]], ["text", "image"])


class Waiting(ServerCase):
    def test_an_impatient_client_pays_once_whatever_it_says(self) -> None:
        host = Host(self, recorded=False)
        for number, reason in enumerate(["Délai dépassé", "context deadline exceeded", "the person pressed Esc", None]):
            with self.subTest(reason):
                self.simulator.hold()
                call = {"name": "create_picture", "arguments": {"prompt": f"a lighthouse {number}"}}
                first = host.send("tools/call", call)
                self.until_sent(more_than=number)
                host.notify("notifications/cancelled", {"requestId": first, **({"reason": reason} if reason else {})})
                again = host.send("tools/call", call, progressToken=number)
                host.until_told(number)
                self.simulator.release()
                self.assertEqual(host.answer(again)["result"]["structuredContent"]["state"], "succeeded")
                self.assertEqual(len(self.simulator.requests()), number + 1)
                self.assertIsNone(next((each for each in host.messages if each.get("id") == first), None))

    def test_the_same_call_makes_another_picture_once_the_first_is_received(self) -> None:
        host = Host(self, recorded=False)
        second = host.tool("create_picture", CREATE)
        third = host.tool("create_picture", CREATE)
        self.assertNotEqual(third["structuredContent"]["generationId"], second["structuredContent"]["generationId"])
        self.assertEqual(len(self.simulator.requests()), 2)

    def test_two_processes_share_a_generation_under_way(self) -> None:
        self.simulator.hold()
        first, second = Host(self, recorded=False), Host(self, recorded=False)
        create = {"name": "create_picture", "arguments": CREATE}
        call = first.send("tools/call", create)
        self.until_sent()
        joined = second.send("tools/call", create, progressToken=1)
        second.until_told(1)
        self.simulator.release()
        made = first.answer(call)["result"]["structuredContent"]
        self.assertEqual(second.answer(joined)["result"]["structuredContent"], made)
        self.assertEqual(len(self.simulator.requests()), 1)

    def test_two_processes_that_are_called_at_once_make_one_picture(self) -> None:
        self.simulator.hold()
        hosts = [Host(self, recorded=False), Host(self, recorded=False)]
        create = {"name": "create_picture", "arguments": CREATE}
        calls = [host.send("tools/call", create, progressToken=1) for host in hosts]
        for host in hosts:
            host.until_told(1)
        self.simulator.release()
        first, second = (host.answer(call)["result"]["structuredContent"] for host, call in zip(hosts, calls))
        self.assertEqual(first, second)
        self.assertEqual(len(self.simulator.requests()), 1)

    def test_two_calls_at_once_that_prepare_their_photo_make_one_picture(self) -> None:
        self.simulator.hold()
        host = Host(self, recorded=False)
        call = {"name": "edit_photo", "arguments": {"photo": str(wide_photo(self.folder)), "instruction": "make it red"}}
        first, second = (host.send("tools/call", call, progressToken=token) for token in (1, 2))
        host.until_told(1)
        host.until_told(2)
        self.simulator.release()
        made = host.answer(first)["result"]["structuredContent"]["generationId"]
        self.assertEqual(host.answer(second)["result"]["structuredContent"]["generationId"], made)
        self.assertEqual(len(self.simulator.requests()), 1)


    def test_a_call_learns_that_the_process_at_work_was_killed_or_told_to_stop(self) -> None:
        self.simulator.hold()
        for signal_, isError in [(signal.SIGKILL, True), (signal.SIGTERM, False)]:
            with self.subTest(signal_):
                first, second = Host(self, recorded=False), Host(self, recorded=False)
                call = {"name": "create_picture", "arguments": {"prompt": f"killed by {signal_}"}}
                sent = len(self.simulator.requests())
                first.send("tools/call", call)
                self.until_sent(more_than=sent)
                joined = second.send("tools/call", call, progressToken=1)
                second.until_told(1)
                first.process.send_signal(signal_)
                result = second.answer(joined)["result"]
                self.assertEqual(result["isError"], isError, result)
                self.assertIn("othing was charged", text_of(result))
                self.assertEqual(len(self.simulator.requests()), sent + 1)

    def test_each_call_of_a_generation_is_told_its_progress(self) -> None:
        self.simulator.hold()
        first, second = Host(self, recorded=False), Host(self, recorded=False)
        call = {"name": "create_picture", "arguments": CREATE}
        calls = [(first, first.send("tools/call", call, progressToken="one"), "one")]
        self.until_sent()
        calls += [
            (host, host.send("tools/call", call, progressToken=token), token)
            for host, token in [(first, "two"), (second, "three")]
        ]
        for host, _, token in calls:
            host.until_told(token, times=2)
        self.simulator.release()
        for host, identifier, token in calls:
            self.assertFalse(host.answer(identifier)["result"]["isError"])
            numbers = host.progress(token)
            self.assertEqual(numbers, sorted(set(numbers)), token)

    def test_a_cancelled_wait_leaves_the_generation(self) -> None:
        self.simulator.hold()
        host = Host(self, recorded=False)
        created = host.send("tools/call", {"name": "create_picture", "arguments": CREATE}, extensions={TASKS: {}})
        generation = {"generation": host.answer(created)["result"]["taskId"]}
        waiting = host.send("tools/call", {"name": "get_generation", "arguments": generation}, progressToken=1)
        host.until_told(1)
        host.notify("notifications/cancelled", {"requestId": waiting, "reason": "the person pressed Esc"})
        # Messages are taken in their order: the wait is cancelled before the picture is made.
        self.assertFalse(host.tool("list_generations", {})["isError"])
        self.simulator.release()
        self.assertEqual(host.tool("get_generation", generation)["structuredContent"]["state"], "succeeded")
        self.assertIsNone(next((each for each in host.messages if each.get("id") == waiting), None))

    def test_the_handle_says_what_to_do_and_the_result_is_fetched_with_it(self) -> None:
        self.simulator.hold()
        host = Host(self, "--wait", "1", recorded=False)
        handle = host.tool("create_picture", CREATE)
        self.assertFalse(handle["isError"])
        self.assertEqual(handle["structuredContent"]["state"], "working")
        self.assertIn("Call get_generation", text_of(handle))
        self.assertIn("Do not start another one", text_of(handle))
        generation = handle["structuredContent"]["generationId"]
        self.simulator.release()
        ended = host.tool("get_generation", {"generation": generation, "wait_seconds": 50})
        self.assertEqual(ended["structuredContent"]["state"], "succeeded")

    def test_a_call_instead_of_get_generation_receives_the_same_picture(self) -> None:
        self.simulator.hold()
        host = Host(self, "--wait", "1", recorded=False)
        handle = host.tool("create_picture", CREATE)["structuredContent"]
        self.simulator.release()
        self.wait_for_state(host, "succeeded")
        self.assertEqual(host.tool("create_picture", CREATE)["structuredContent"]["generationId"], handle["generationId"])
        self.assertEqual(len(self.simulator.requests()), 1)

    def test_progress_rises_and_stops_at_the_answer(self) -> None:
        self.simulator.hold()
        host = Host(self, recorded=False)
        call = host.send("tools/call", {"name": "create_picture", "arguments": CREATE}, progressToken="p")
        host.until_told("p", times=3)
        self.simulator.release()
        host.answer(call)
        host.close()
        told = host.progress("p")
        self.assertEqual(told, sorted(set(told)))
        self.assertLess(told[-1], 100)
        self.assertEqual(host.messages[-1].get("id"), 1)

    def test_cancelling_a_task_cancels_its_generation_and_a_cancelled_request_does_not(self) -> None:
        self.simulator.hold()
        host = Host(self, recorded=False)
        capabilities = {"extensions": {TASKS: {}}}
        request = host.send("tools/call", {"name": "create_picture", "arguments": CREATE}, **capabilities)
        task = host.answer(request)["result"]
        self.assertEqual((task["resultType"], task["status"]), ("task", "working"))
        host.notify("notifications/cancelled", {"requestId": request})
        named = {"taskId": task["taskId"]}
        self.assertEqual(host.call("tasks/get", named, **capabilities)["result"]["status"], "working")
        self.assertEqual(host.call("tasks/cancel", named, **capabilities)["result"]["resultType"], "complete")
        self.assertEqual(host.call("tasks/get", named, **capabilities)["result"]["status"], "cancelled")
        for unknown in ("gen_none", "x" * 5_000, "", "gen_\0", "../data", 5, None):
            error = host.call("tasks/get", {"taskId": unknown}, **capabilities)["error"]
            self.assertEqual(error["code"], -32602)
            self.assertLess(len(error["message"]), 300)
        self.assertEqual(host.call("tasks/get", named)["error"]["code"], -32021)
        self.assertEqual(host.call("tasks/list", {}, **capabilities)["error"]["code"], -32601)

    def test_the_input_ends_while_pictures_are_made(self) -> None:
        self.simulator.hold()
        host = Host(self, recorded=False)
        call = host.send("tools/call", {"name": "create_picture", "arguments": CREATE})
        self.until_sent()
        host.end_input()
        self.simulator.release()
        self.assertEqual(host.close(), 0)
        self.assertEqual(host.answer(call)["result"]["structuredContent"]["state"], "succeeded")

    def test_a_process_that_is_killed_leaves_a_truthful_record(self) -> None:
        for moment in ("before", "accepted", "sent"):
            with self.subTest(moment):
                self.simulator.hold()
                host = Host(self, recorded=False)
                arguments = {"prompt": f"killed {moment}"}
                sent = len(self.simulator.requests())
                if moment != "before":
                    host.answer(host.send(
                        "tools/call", {"name": "create_picture", "arguments": arguments}, extensions={TASKS: {}}))
                else:
                    host.send("tools/call", {"name": "create_picture", "arguments": arguments})
                if moment == "sent":
                    self.until_sent(more_than=sent)
                host.process.send_signal(signal.SIGKILL)
                host.process.wait()
                self.simulator.release()
                again = Host(self, recorded=False)
                made = again.tool("create_picture", arguments)
                self.assertEqual(made["structuredContent"]["state"], "succeeded", made)
                again.kill()

    def test_sigterm_ends_the_server_while_pictures_are_made(self) -> None:
        self.simulator.hold()
        host = Host(self, recorded=False)
        host.send("tools/call", {"name": "create_picture", "arguments": CREATE})
        self.until_sent()
        host.process.send_signal(signal.SIGTERM)
        # It takes two seconds at most; by itself, what it makes would end after a minute.
        host.process.wait(20)


class GivenUp(ServerCase):
    def setUp(self) -> None:
        super().setUp()
        self.simulator.hold()

    def test_a_cancelled_call_is_never_answered_and_its_generation_is_cancelled(self) -> None:
        host = Host(self, recorded=False)
        call = host.send("tools/call", {"name": "create_picture", "arguments": CREATE}, progressToken=1)
        self.until_sent()
        host.notify("notifications/cancelled", {"requestId": call, "reason": "the person pressed Esc"})
        self.wait_for_state(host, "cancelled")
        host.notify("notifications/cancelled", {"requestId": call})
        host.notify("notifications/cancelled", {"requestId": {}})
        self.assertEqual(host.close(), 0)
        self.assertFalse([each for each in host.messages if each.get("id") == call])

    def test_a_cancelled_call_leaves_the_generation_to_the_call_of_another_server(self) -> None:
        for gives_up_first in (True, False):
            with self.subTest(gives_up_first):
                self.simulator.hold()
                sent = len(self.simulator.requests())
                hosts = [Host(self, recorded=False), Host(self, recorded=False)]
                call = {"name": "create_picture", "arguments": {"prompt": f"shared {gives_up_first}"}}
                calls = [hosts[0].send("tools/call", call)]
                self.until_sent(more_than=sent)
                calls.append(hosts[1].send("tools/call", call, progressToken=1))
                hosts[1].until_told(1)
                impatient, patient = (0, 1) if gives_up_first else (1, 0)
                hosts[impatient].notify("notifications/cancelled", {"requestId": calls[impatient], "reason": "Esc"})
                # Longer than what was sent goes on after its last call was cancelled.
                time.sleep(11)
                self.simulator.release()
                answer = hosts[patient].answer(calls[patient])["result"]
                self.assertEqual(answer["structuredContent"]["state"], "succeeded")
                self.assertEqual(len(self.simulator.requests()), sent + 1)

    def test_a_server_that_was_killed_keeps_nothing_alive(self) -> None:
        first, second = Host(self, recorded=False), Host(self, recorded=False)
        call = first.send("tools/call", {"name": "create_picture", "arguments": CREATE})
        self.until_sent()
        second.send("tools/call", {"name": "create_picture", "arguments": CREATE}, progressToken=1)
        second.until_told(1)
        second.kill()
        first.notify("notifications/cancelled", {"requestId": call, "reason": "Esc"})
        self.wait_for_state(first, "cancelled")


class Cost(ServerCase):
    def test_a_modern_client_that_can_ask_is_told_to(self) -> None:
        host = Host(self, recorded=False)
        call = {"name": "create_picture", "arguments": {**CREATE, "count": 4}}
        forms = {"elicitation": {"form": {}}}
        asked = host.call("tools/call", call, **forms)["result"]
        self.assertEqual(asked["resultType"], "input_required")
        self.assertIn("4 pictures", asked["inputRequests"]["confirm"]["params"]["message"])
        self.assertEqual(self.simulator.requests(), [])

        agreed = {"confirm": {"action": "accept", "content": {"ok": True}}}
        forged = host.call("tools/call", {**call, "inputResponses": agreed, "requestState": "AAAA"}, **forms)["result"]
        self.assertEqual(forged["resultType"], "input_required")
        other = {**call, "arguments": {**CREATE, "count": 4, "prompt": "another"}}
        moved = {**other, "inputResponses": agreed, "requestState": asked["requestState"]}
        self.assertEqual(host.call("tools/call", moved, **forms)["result"]["resultType"], "input_required")
        declined = {**call, "inputResponses": {"confirm": {"action": "decline"}}, "requestState": asked["requestState"]}
        self.assertTrue(host.call("tools/call", declined, **forms)["result"]["isError"])
        self.assertEqual(self.simulator.requests(), [])

        made = host.call(
            "tools/call", {**call, "inputResponses": agreed, "requestState": asked["requestState"]}, **forms)["result"]
        self.assertEqual(len(made["structuredContent"]["pictures"]), 4)
        self.assertLess(len(json.dumps(made)), 1_000_000)
        sent = len(self.simulator.requests())
        for arguments in [call["arguments"], {**call["arguments"], "prompt": CREATE["prompt"] + " "}]:
            again = {**call, "arguments": arguments, "inputResponses": agreed, "requestState": asked["requestState"]}
            repeated = host.call("tools/call", again, **forms)["result"]
            self.assertEqual(
                repeated["structuredContent"]["generationId"], made["structuredContent"]["generationId"])
        self.assertEqual(len(self.simulator.requests()), sent)
        self.assertEqual(host.call("tools/call", call, **forms)["result"]["resultType"], "input_required")

    def test_a_client_that_cannot_ask_is_not_asked_nor_is_a_cheap_request(self) -> None:
        host = Host(self, recorded=False)
        dear = host.tool("create_picture", {**CREATE, "count": 4})
        self.assertEqual(len(dear["structuredContent"]["pictures"]), 4)
        cheap = host.tool("create_picture", CREATE, elicitation={"form": {}})
        self.assertEqual(cheap["resultType"], "complete")

    def test_a_legacy_client_is_asked_by_a_request(self) -> None:
        host = Host(self, recorded=False)
        host.write('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",'
                   '"capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}')
        call = {"name": "create_picture", "arguments": {**CREATE, "count": 4}}
        host.write(json.dumps({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": call}))
        question = host.wait(lambda each: each.get("method") == "elicitation/create")
        answer = {"action": "accept", "content": {"ok": True}}
        host.write(json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": answer}))
        self.assertEqual(len(host.answer("c")["result"]["structuredContent"]["pictures"]), 4)


    def test_an_answer_that_does_not_agree_makes_nothing(self) -> None:
        host = Host(self, recorded=False)
        host.write('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",'
                   '"capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}')
        declined, unasked = "did not agree", "--ask-above"
        answers = [
            ({"result": 5}, unasked), ({"result": {}}, unasked), ({"result": {"action": "accept"}}, unasked),
            ({"result": {"action": "accept", "content": {"ok": "yes"}}}, unasked),
            ({"result": {"action": "other", "content": []}}, unasked),
            ({"error": {"code": -32601, "message": "no such method"}}, unasked), ({"error": "rubbish"}, unasked),
            ({"result": {"action": "accept", "content": {"ok": False}}}, declined),
            ({"result": {"action": "decline"}}, declined), ({"result": {"action": "cancel"}}, declined),
        ]
        for number, (answer, sentence) in enumerate(answers):
            with self.subTest(answer):
                call = {"name": "create_picture", "arguments": {"prompt": f"picture {number}", "count": 4}}
                asked = len(host.messages)
                host.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}))
                question = host.wait(
                    lambda each: each.get("method") == "elicitation/create" and each in host.messages[asked:])
                host.write(json.dumps({"jsonrpc": "2.0", "id": question["id"], **answer}))
                result = host.wait(
                    lambda each: each.get("id") == number and each in host.messages[asked:] and "method" not in each
                )["result"]
                self.assertTrue(result["isError"])
                self.assertIn(sentence, text_of(result))
        self.assertEqual(self.simulator.requests(), [])


class Configuration(unittest.TestCase):
    def printed(self, *arguments: str) -> str:
        environment = {"HOME": "/none", "ATELIER_DATA_DIR": "/srv/data"}
        return subprocess.run(
            [str(ATELIER), "mcp", *arguments], env=environment, capture_output=True, text=True, check=True).stdout

    def test_every_host_is_given_the_command_the_options_and_the_data_directory(self) -> None:
        wanted = {"command": str(ATELIER), "args": ["mcp", "--wait", "20"], "env": {"ATELIER_DATA_DIR": "/srv/data"}}
        for host in ["claude", "cursor", "gemini", "windsurf", "cline"]:
            printed = json.loads(self.printed("config", host, "--wait", "20"))
            self.assertEqual(printed, {"mcpServers": {"atelier": wanted}})
        self.assertEqual(
            json.loads(self.printed("config", "--wait", "20", "zed")), {"context_servers": {"atelier": wanted}})
        typed = {**wanted, "type": "stdio"}
        code = json.loads(self.printed("config", "vscode", "--wait=20"))
        self.assertEqual(code, {"servers": {"atelier": typed}})
        self.assertEqual(
            json.loads(self.printed("config", "claude-code", "--wait", "20")), {"mcpServers": {"atelier": typed}})
        self.assertEqual(
            tomllib.loads(self.printed("config", "codex", "--wait", "20")), {"mcp_servers": {"atelier": wanted}})
        local = {
            "type": "local", "command": [wanted["command"], *wanted["args"]], "enabled": True,
            "environment": wanted["env"],
        }
        self.assertEqual(
            json.loads(self.printed("config", "opencode", "--wait", "20")), {"mcp": {"atelier": local}})

    def test_the_registry_is_told_this_version_and_finds_the_name_in_the_readme(self) -> None:
        server = json.loads((ROOT / "packaging/server.json").read_text())
        version = subprocess.run([str(ATELIER), "--version"], capture_output=True, text=True, check=True).stdout.strip()
        self.assertEqual([server["version"], server["packages"][0]["version"]], [version, version])
        self.assertIn(f"mcp-name: {server['name']} ", (ROOT / "clients/python/README.md").read_text())
        self.assertLessEqual(len(server["description"]), 100)


class Hostile(ServerCase):
    def test_wrong_values_are_answered_with_what_is_right(self) -> None:
        host = Host(self, recorded=False)
        wrong = [
            ("make_headshot", {}, "photo must be"),
            ("make_headshot", {"photo": 5}, "photo must be"),
            ("make_headshot", {"photo": PHOTO, "count": 9}, "count must be a whole number from 1 to 4"),
            ("make_headshot", {"photo": PHOTO, "background": "pink"}, "professional, casual"),
            ("make_headshot", {"photo": PHOTO, "colour": 1}, "It takes: photo"),
            ("make_headshot", {"photo": "no.jpg"}, "Relative paths start in “"),
            ("make_headshot", {"photo": "https://example.org/a.jpg"}, "Save the picture to a file"),
            ("make_headshot", {"photo": "gen_none"}, "list_generations"),
            ("make_headshot", {"photo": "/"}, "folder"),
            ("make_headshot", {"photo": "a\0b"}, "photo must be"),
            ("edit_photo", {"photo": PHOTO, "instruction": "x" * 9000}, "instruction must be"),
            ("change_hairstyle", {"photo": PHOTO}, "Say which hairstyle"),
            ("change_hairstyle", {"photo": PHOTO, "hairstyle": "none-such"}, "template"),
            ("show_picture", {"generation": "gen_none"}, "could not be found"),
            ("cancel_generation", {"generation": "gen_none"}, "could not be found"),
            ("list_generations", {"cursor": "x"}, "cursor"),
            ("make_headshot", {"photo": "data:image/png;base64,~"}, "data: URL"),
            ("make_headshot", {"photo": "null"}, "photo must be"),
        ]
        for tool, arguments, sentence in wrong:
            with self.subTest(tool=tool, arguments=str(arguments)[:60]):
                result = host.tool(tool, arguments)
                self.assertTrue(result.get("isError"), result)
                self.assertIn(sentence, text_of(result))
                self.assertNotIn("structuredContent", result)

    def test_arguments_count_as_what_they_mean(self) -> None:
        host = Host(self, recorded=False)
        made = host.tool("make_headshot", {
            "photo": PHOTO, "count": "2", "background": "", "format": "null", "quality": "80", "angle": None, "folder": " ",
            "provider": "None"})
        self.assertFalse(made["isError"], text_of(made))
        self.assertEqual(len(made["structuredContent"]["pictures"]), 2)
        self.assertFalse(host.tool("list_generations", {"cursor": "", "search": "null"})["isError"])

    def test_a_photo_may_be_a_data_url(self) -> None:
        host = Host(self, recorded=False)
        photo = "data:image/jpeg;base64," + base64.b64encode(Path(PHOTO).read_bytes()).decode()
        made = host.tool("make_headshot", {"photo": photo})
        self.assertFalse(made["isError"], text_of(made)[:300])
        edited = host.tool("edit_photo", {"photo": PHOTO, "reference": photo, "instruction": "make it red"})
        self.assertFalse(edited["isError"], text_of(edited)[:300])

    def test_a_photo_with_too_many_pixels_is_prepared(self) -> None:
        host = Host(self, recorded=False)
        made = host.tool("edit_photo", {"photo": str(wide_photo(self.folder)), "instruction": "make it red"})
        self.assertFalse(made["isError"], text_of(made))

    @unittest.skipIf(shutil.which("vips") is None, "vips is not installed: it makes the photo")
    def test_a_photo_of_48_megapixels_is_a_photo_and_a_reference(self) -> None:
        host = Host(self, recorded=False)
        photo = self.folder / "big.jpg"
        subprocess.run([ROOT / "scripts/large-photo.sh", photo], check=True)
        self.assertGreater(photo.stat().st_size, 7_000_000)
        for tool, arguments in [
            ("make_headshot", {"photo": str(photo)}), ("change_hairstyle", {"photo": PHOTO, "reference": str(photo)})]:
            made = host.tool(tool, arguments)
            # A machine that is busy with other tests may need more time than a preparation has.
            while made["isError"] and "took too long" in text_of(made):
                made = host.tool(tool, arguments)
            self.assertFalse(made["isError"], text_of(made))
        # Cancelled before or while the photo is prepared: nothing is made of it.
        sent = len(self.simulator.requests())
        call = {"name": "edit_photo", "arguments": {"photo": str(photo), "instruction": "make it red"}}
        host.notify("notifications/cancelled", {"requestId": host.send("tools/call", call)})
        self.assertFalse(host.tool("list_generations", {})["isError"])
        self.assertEqual(len(self.simulator.requests()), sent)

    def test_a_photo_that_even_a_preparation_refuses_is_refused_with_a_reason(self) -> None:
        host = Host(self, recorded=False)
        heavy = self.folder / "heavy.jpg"
        with heavy.open("wb") as file:
            file.truncate(40_000_001)
        for photo, sentence in [(heavy, "at most 40 MB"), (ROOT / "Tests/Fixtures/images/too-large.png", "60 megapixels")]:
            for arguments in [{"photo": str(photo)}, {"photo": PHOTO, "reference": str(photo)}]:
                with self.subTest(arguments=arguments):
                    result = host.tool("edit_photo", {**arguments, "instruction": "make it red"})
                    self.assertTrue(result.get("isError"), result)
                    self.assertIn(sentence, text_of(result))

    def test_a_cancel_after_the_answer_changes_nothing(self) -> None:
        host = Host(self, recorded=False)
        call = host.send("tools/call", {"name": "create_picture", "arguments": CREATE})
        generation = host.answer(call)["result"]["structuredContent"]["generationId"]
        host.notify("notifications/cancelled", {"requestId": call})
        self.assertEqual(host.tool("get_generation", {"generation": generation})["structuredContent"]["state"], "succeeded")

    def test_faults_of_the_protocol_are_errors(self) -> None:
        host = Host(self, recorded=False)
        faults = [
            ("tools/call", {"name": "none"}, -32602), ("tools/call", {"name": 5}, -32602), ("tools/call", {}, -32602),
            ("tools/call", {"name": "get_credits", "arguments": []}, -32602),
            ("resources/read", {"uri": "atelier://pictures/gen_none/0"}, -32602),
            ("resources/read", {"uri": "file:///etc/passwd"}, -32602), ("resources/read", {}, -32602),
            ("resources/list", {"cursor": "x"}, -32602), ("resources/list", {"cursor": 5}, -32602),
            ("tools/list", {"cursor": "x"}, -32602), ("prompts/list", {"cursor": {}}, -32602),
            ("resources/templates/list", {"cursor": "x"}, -32602),
            ("prompts/get", {"name": "none"}, -32602), ("prompts/get", {"name": "headshot"}, -32602),
            ("completion/complete", {"ref": {"type": "ref/none"}, "argument": {"name": "x", "value": ""}}, -32602),
            ("initialized", {}, -32601), ("resources/subscribe", {}, -32601), ("logging/setLevel", {}, -32601),
        ]
        for method, params, code in faults:
            with self.subTest(method=method, params=params):
                self.assertEqual(host.call(method, params)["error"]["code"], code)

    def test_nonsense_does_not_end_the_server(self) -> None:
        host = Host(self, recorded=False)
        for line in ["", "{", "[]", "null", "5", '{"jsonrpc":"2.0","id":{},"method":"ping"}', '{"jsonrpc":"2.0","method":5}',
                     "[" * 5000, '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
                     '{"jsonrpc":"2.0","id":9,"result":{}}']:
            host.write(line)
        host.write(json.dumps({
            "jsonrpc": "2.0", "id": "long", "method": "server/discover", "params": {"x": "y" * 1_000_000, "_meta": meta()},
        }))
        self.assertEqual(host.answer("long")["result"]["supportedVersions"], [VERSION])

    def test_two_hundred_calls_are_all_answered(self) -> None:
        host = Host(self, recorded=False)
        calls = [
            host.send("tools/call", {"name": "make_headshot", "arguments": {"photo": "/none.jpg"}}) if number % 4 else
            host.send(
                "tools/call", {"name": "create_picture", "arguments": {"prompt": f"picture {number % 12}"}},
                progressToken=number)
            for number in range(200)
        ]
        for call in calls:
            self.assertIn("result", host.answer(call))
        self.assertLessEqual(len(self.simulator.requests()), 50)
        self.assertEqual(host.close(), 0)

    def test_a_client_that_leaves_without_reading_ends_the_server(self) -> None:
        process = subprocess.Popen(
            [str(ATELIER), "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment)
        assert process.stdin and process.stdout
        process.stdout.close()
        call = {"name": "create_picture", "arguments": CREATE, "_meta": {**meta(), "progressToken": 1}}
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}) + "\n"
        process.stdin.write(line.encode())
        process.stdin.close()
        # 1 if the client had left before the server looked: nobody has ever read anything then.
        self.assertIn(process.wait(LIMIT), (0, 1))


if __name__ == "__main__":
    unittest.main()
