"""Typed settings from TOML: frozen dataclasses, read with one-line errors that name the key."""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from trainer.errors import BadInput

Settings = TypeVar("Settings")


def load(
    cls: type[Settings],
    path: Path | None,
    changes: dict[str, Any] | None = None,
    default: Settings | None = None,
) -> Settings:
    """Read ``cls`` from a TOML file; a key that is not there keeps its default.

    Args:
        changes: dotted keys that win over the file, such as ``{"optimizer.learning_rate": 1e-3}``.
        default: what a key that is not there keeps, where that is not the class's own default.

    Raises:
        BadInput: for a file that cannot be read, a key that does not exist, a value of the wrong kind.
    """
    source = str(path) if path else "settings"
    return from_dict(cls, with_changes(_read(path) if path else {}, changes or {}), source, default=default)


def from_dict(
    cls: type[Settings], data: dict[str, Any], source: str, within: str = "", default: Any = None
) -> Settings:
    """As :func:`load`, from values that are read already.

    Args:
        default: where a table stands within settings that have other defaults for it than its class has.
    """
    hints = typing.get_type_hints(cls)
    known = {field.name for field in dataclasses.fields(cls) if field.init}  # type: ignore[arg-type]
    data = _by_present_names(cls, data, source, within)
    for key in data:
        if key not in known:
            raise BadInput(
                f"{source}: there is no setting {within}{key}; there are {', '.join(sorted(known))}"
            )
    values = {
        key: from_dict(hints[key], value, source, f"{within}{key}.", _default(cls, key, default))
        if dataclasses.is_dataclass(hints[key]) and isinstance(value, dict)
        else _value(hints[key], value, source, within + key)
        for key, value in data.items()
    }
    try:
        return cls(**values) if default is None else dataclasses.replace(default, **values)
    except (TypeError, ValueError) as problem:
        raise BadInput(f"{source}: {within.rstrip('.')} {problem}".replace(":  ", ": ")) from problem


def _by_present_names(cls: Any, data: dict[str, Any], source: str, within: str) -> dict[str, Any]:
    """The same, with what a class lists in ``OLD_KEYS`` under its present name: older files and runs are read."""
    found: dict[str, Any] = {}
    for key, value in data.items():
        name = getattr(cls, "OLD_KEYS", {}).get(key, key)
        if name in found:
            raise BadInput(f"{source}: {within}{name} is given twice, once by its old name")
        found[name] = value
    return found


def _default(cls: Any, key: str, settings: Any) -> Any:
    """What stands at ``key`` unless it is given; ``None`` where nothing does."""
    if settings is not None:
        return getattr(settings, key)
    field = next(field for field in dataclasses.fields(cls) if field.name == key)
    return None if field.default_factory is dataclasses.MISSING else field.default_factory()


def dump(settings: Any) -> str:
    """Settings as TOML, every value written out."""
    plain: list[str] = []
    tables: list[str] = []
    _dump(settings, "", plain, tables)
    return "\n".join([*plain, *tables]) + "\n"


def as_toml(values: dict[str, Any]) -> str:
    """Plain values as TOML; tables within are written inline."""
    return "".join(f"{name} = {_toml(value)}\n" for name, value in values.items())


def to_dict(settings: Any) -> dict[str, Any]:
    """Settings as plain values, as TOML would read them back."""
    return tomllib.loads(dump(settings))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadInput(f"{path}: {problem}") from problem


def with_changes(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """``data`` with values put at dotted keys."""
    for dotted, value in changes.items():
        *tables, key = dotted.split(".")
        at = data
        for table in tables:
            at = at.setdefault(table, {})
            if not isinstance(at, dict):
                raise BadInput(f"{table} is not a table of settings")
        at[key] = value
    return data


def _value(kind: Any, value: Any, source: str, key: str) -> Any:
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise BadInput(f"{source}: {key} must be a table")
        return from_dict(typing.cast("type[Any]", kind), value, source, key + ".")
    if origin in (Union, types.UnionType):
        inner = [each for each in get_args(kind) if each is not type(None)]
        return None if value is None else _value(inner[0], value, source, key)
    if origin is Literal:
        if value not in get_args(kind):
            raise BadInput(f"{source}: {key} must be one of {', '.join(get_args(kind))}, not {value!r}")
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise BadInput(f"{source}: {key} must be a list, not {value!r}")
        return tuple(_value(get_args(kind)[0], each, source, key) for each in value)
    if origin is dict:
        if not isinstance(value, dict):
            raise BadInput(f"{source}: {key} must be a table")
        return {
            name: _value(get_args(kind)[1], each, source, f"{key}.{name}") for name, each in value.items()
        }
    return _plain(kind, value, source, key)


def _plain(kind: Any, value: Any, source: str, key: str) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind is Path and isinstance(value, str):
        return Path(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        names = {float: "a number", int: "a whole number", str: "text", bool: "true or false", Path: "a path"}
        raise BadInput(f"{source}: {key} must be {names.get(kind, kind)}, not {value!r}")
    return value


def _dump(settings: Any, name: str, plain: list[str], tables: list[str]) -> None:
    own: list[str] = []
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if dataclasses.is_dataclass(value):
            _dump(value, f"{name}.{field.name}".lstrip("."), plain, tables)
        elif value is not None:
            own.append(f"{field.name} = {_toml(value)}")
    if not name:
        plain.extend(own)
    elif own:
        tables.append(f"\n[{name}]\n" + "\n".join(own))


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(each)}" for name, each in value.items()) + " }"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
