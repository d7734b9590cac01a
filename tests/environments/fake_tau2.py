"""A package that looks like tau2 from outside: a registry with one domain of counters, and ways to misbehave."""

from __future__ import annotations

from pathlib import Path

_REGISTRY = """
from types import SimpleNamespace

class DB:
    def __init__(self, data):
        self.data = data

    def model_dump(self):
        return self.data

class Toolkit:
    kinds = {}

    def __init__(self, data):
        self.db = data if data is None else DB(data)

    @property
    def tools(self):
        return {name: getattr(self, name) for name in self.kinds}

    def tool_type(self, name):
        return SimpleNamespace(value=self.kinds[name])

    def update_db(self, patch):
        for table, rows in patch.items():
            self.db.data[table].update(rows)

class Tools(Toolkit):
    kinds = {"look": "read", "add": "write", "shout": "generic", "drop": "write", "die": "write", "sleep": "write",
             "answer": "odd"}

    def look(self, key):
        return self.db.data["counters"][key]

    def add(self, key, amount):
        counter = self.db.data["counters"][key]
        counter["n"] += amount
        if counter["n"] > 100:
            raise ValueError("too much")
        return counter

    def drop(self, key):
        del self.db.data["counters"][key]

    def shout(self, text):
        print("noise on standard output")
        return text.upper()

    def answer(self):
        raise KeyError()

    def die(self):
        import os, sys
        sys.stderr.write("first line\\nthe floor is lava\\n")
        sys.stderr.flush()
        os._exit(3)

    def sleep(self):
        import time
        time.sleep(60)

    def is_at(self, key, n):
        return self.db.data["counters"][key]["n"] == n

    def tell_keys(self):
        import os
        return [name for name in os.environ if "KEY" in name]

    def _hidden(self):
        return "secret"

class UserTools(Toolkit):
    kinds = {"ring": "write"}

    def ring(self):
        self.db.data["phone"]["rings"] += 1
        return None

class Environment:
    def __init__(self):
        import datetime
        self.tools = Tools({
            "counters": {"a": {"n": 1}, "b": {"n": 2.0, "since": datetime.date(2025, 1, 2)}},
            "plans": [{"name": "x", "plan_id": 7}, {"name": "y", "plan_id": 8}],
            "steps": [{"n": 1}, {"n": 1}],
            "noted": {"data": {"r1": {"x": 1}}, "notes": "text"},
            "version": 3,
        })
        self.user_tools = UserTools({"phone": {"rings": 0}})

    def make_tool_call(self, tool_name, requestor="assistant", **arguments):
        toolkit = self.user_tools if requestor == "user" else self.tools
        if tool_name not in toolkit.tools:
            raise ValueError("no such tool")
        return toolkit.tools[tool_name](**arguments)

    def sync_tools(self):
        pass

    def to_json_str(self, result):
        import json
        return json.dumps(result, default=str)

class Bare(Environment):
    def __init__(self):
        self.tools, self.user_tools = Tools(None), None

class Registry:
    def get_info(self):
        return SimpleNamespace(domains=["counters", "bare"])

    def get_env_constructor(self, name):
        return {"counters": Environment, "bare": Bare}[name]

registry = Registry()
"""


def install(folder: Path) -> Path:
    """Write the package below ``folder`` and return that folder, for ``PYTHONPATH``."""
    package = folder / "tau2"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "registry.py").write_text(_REGISTRY)
    return folder


def install_other(folder: Path) -> Path:
    """Write another package of the same name."""
    (folder / "tau2").mkdir()
    (folder / "tau2" / "__init__.py").write_text('"""Particle physics."""\n')
    return folder
