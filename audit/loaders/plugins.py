"""Formats that other installed packages bring: found by their entry points, imported when one is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from audit.errors import LoadError
from audit.loaders.protocol import Loader
from audit.records.source import Source
from audit.records.task import Benchmark

GROUP = "bench_audit.loaders"
_FAULTS = (
    ImportError,
    SyntaxError,
    AttributeError,
    LookupError,
    NameError,
    TypeError,
    ValueError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    OSError,
)
"""What a package that is not ours may raise when it is at fault."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A format, and the package that brings it."""

    name: str
    package: str
    version: str
    entry_point: EntryPoint

    @property
    def label(self) -> str:
        """The package as it is named in errors."""
        return f"the package {self.package} {self.version}".rstrip()


def list_plugins() -> tuple[Plugin, ...]:
    """Return every format that a package brings, by name; none of them is imported."""
    found = (_describe(point) for point in entry_points(group=GROUP))
    return tuple(sorted(found, key=lambda plugin: (plugin.name, plugin.package)))


def find_loader(name: str) -> Loader | None:
    """Import and return the loader of a format; ``None`` where no package brings it.

    Raises
    ------
    LoadError
        Naming the package, if it can't be imported or brings no loader, or if two packages bring the format.
    """
    found = [plugin for plugin in list_plugins() if plugin.name == name]
    if not found:
        return None
    if len({plugin.package for plugin in found}) > 1:
        packages = " and ".join(plugin.label for plugin in found)
        raise LoadError(f"{packages} bring it both", where=f"the format {name!r}", mend="Uninstall one of them")
    return _PluginLoader(found[0], _import(found[0]))


@dataclass(frozen=True, slots=True)
class _PluginLoader:
    """A package's loader, whose faults are told as the package's own."""

    plugin: Plugin
    loader: Loader

    def load(self, source: Source) -> Benchmark:
        """Read every task of ``source``."""
        try:
            benchmark = self.loader.load(source)
        except _FAULTS as error:
            raise _blame(self.plugin, f"failed over this benchmark ({_said(error)})", where=source.name) from error
        if not isinstance(benchmark, Benchmark):
            raise _blame(self.plugin, f"gave a {type(benchmark).__name__}, not a Benchmark", where=source.name)
        return benchmark


def _describe(point: EntryPoint) -> Plugin:
    made_by = point.dist
    return Plugin(point.name, made_by.name if made_by else "unknown", made_by.version if made_by else "", point)


def _import(plugin: Plugin) -> Loader:
    try:
        found = plugin.entry_point.load()
        loader = found() if isinstance(found, type) else found
    except _FAULTS as error:
        raise _blame(plugin, f"can't be imported ({_said(error)})", where=f"the format {plugin.name!r}") from error
    if not callable(getattr(loader, "load", None)):
        what = f"brings a {type(loader).__name__} without a method 'load'"
        raise _blame(plugin, what, where=f"the format {plugin.name!r}")
    return loader  # type: ignore[no-any-return]  # it was looked at


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0][:300]


def _blame(plugin: Plugin, what: str, *, where: str) -> LoadError:
    return LoadError(f"{plugin.label} {what}", where=where, mend=f"Tell its makers, or uninstall {plugin.package}")
