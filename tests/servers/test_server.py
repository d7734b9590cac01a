from __future__ import annotations

import http.client
import json
import subprocess
import sys
from urllib.parse import urlsplit

from tests.servers import outcomes
from tests.servers.vendors import VendorServer


def post(url: str, path: str, body: object) -> tuple[int, dict[str, object]]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    try:
        connection.request("POST", path, json.dumps(body), {"X-Mine": "yes"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


CHAT = {"model": "m", "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]}


def test_the_server_keeps_what_it_saw(server: VendorServer) -> None:
    post(server.url, "/v1/chat/completions", CHAT)
    (request,) = server.requests
    assert (request.method, request.vendor, request.model, request.system, request.user) == (
        "POST",
        "openai",
        "m",
        "S",
        "U",
    )
    assert request.headers["x-mine"] == "yes"
    assert request.schema is None


def test_the_script_comes_before_what_is_always_said(server: VendorServer) -> None:
    server.reply_json({"score": 3})
    server.script([outcomes.server_error(), outcomes.rate_limited()])
    statuses = [post(server.url, "/v1/chat/completions", CHAT)[0] for _ in range(3)]
    assert statuses == [500, 429, 200]


def test_a_path_of_no_protocol_is_not_found(server: VendorServer) -> None:
    status, _ = post(server.url, "/v2/chat/completions", CHAT)
    assert status == 404


def test_behavior_can_depend_on_the_request(server: VendorServer) -> None:
    server.behave(lambda request: outcomes.say(request.user))
    _, body = post(server.url, "/v1/chat/completions", CHAT)
    assert "U" in json.dumps(body["choices"])


def test_the_server_runs_in_a_process_of_its_own() -> None:
    command = [sys.executable, "-m", "tests.servers", "--score", "4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        schema = {"type": "object", "properties": {"score": {"type": "integer"}}}
        asked = CHAT | {"response_format": {"json_schema": {"schema": schema}}}
        _, body = post(url, "/v1/chat/completions", asked)
        process.terminate()
    assert '{\\"score\\": 4}' in json.dumps(body)
