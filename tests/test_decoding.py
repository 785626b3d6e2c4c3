"""Structs from configuration files: what an error says about the place, the value and the remedy."""

from typing import Annotated, Literal

import msgspec
import pytest

from assay.decoding import FieldError, decode
from assay.errors import InputError
from assay.located import parse_data, parse_toml, read_data_file


class Wheel(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    size: Annotated[int, msgspec.Meta(ge=1)]
    kind: Literal["front", "rear"] = "front"
    label: str = ""

    def __post_init__(self):
        if self.size == 13:
            raise FieldError("size", "is unlucky", "take 12")


class Car(msgspec.Struct, forbid_unknown_fields=True):
    wheels: Annotated[list[Wheel | str], msgspec.Meta(min_length=1)]
    spare: dict[str, Wheel] = {}
    counts: dict[Literal["doors", "seats"], int] = {}
    price: Annotated[float, msgspec.Meta(ge=0, le=1e6)] | None = None


def refusal(text):
    with pytest.raises(InputError) as error:
        decode(parse_data(text, "car.yaml"), Car)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wheels: []", "car.yaml:1: wheels is empty; it must be a list with at least one entry"),
        ("price: 1", "car.yaml: there is no 'wheels'"),
        ("wheels:\n- size: 1\n- knid: front\n  size: 2", "car.yaml:3: wheels[1].knid is not a field here; did you mean 'kind'?"),
        ("wheels:\n- kind: front", "car.yaml:2: wheels[0] has no 'size'"),
        ("wheels:\n- size: 0", "car.yaml:2: wheels[0].size is 0; it must be a whole number, at least 1"),
        ("wheels:\n- size: '4'", "car.yaml:2: wheels[0].size is '4'; it must be a whole number (write it without quotes)"),
        ("wheels:\n- size: 4\n  label: 7", "car.yaml:3: wheels[0].label is 7; it must be text (put it in quotes if text is meant)"),
        ("wheels: [3]", "car.yaml:1: wheels[0] is 3; it must be text or a table (put it in quotes if text is meant)"),
        ("wheels: [{size: 1, kind: raer}]", "car.yaml:1: wheels[0].kind is 'raer'; did you mean 'rear'?"),
        ("wheels: [{size: 1, kind: top}]", "car.yaml:1: wheels[0].kind is 'top'; it may be front, rear"),
        ("wheels: [{size: 13}]", "car.yaml:1: wheels[0].size is unlucky (take 12)"),
        ("wheels: [a]\nspare:\n  one: {size: 1}\n  two: {size: no}", "car.yaml:4: spare.two.size is 'no'; it must be a whole number"),
        ("wheels: [a]\ncounts:\n  doors: 1\n  seets: 2", "car.yaml:4: counts.seets is 'seets'; did you mean 'seats'?"),
        ("wheels: [a]\nprice: 1e7", "car.yaml:2: price is 10000000.0; it must be a number, at most 1000000"),
        ("wheels: [a]\nprice: .nan", "car.yaml:2: price is nan; it must be a number, at least 0"),
        ("[1]", "car.yaml: is a list; it must be a table"),
    ],
)  # fmt: skip
def test_an_error_names_line_path_value_and_remedy(text, message):
    assert refusal(text) == message


def test_what_fits_is_converted():
    car = decode(parse_data("wheels: [{size: 2}, any]\nspare: {one: {size: 1}}", "car.yaml"), Car)
    assert car == Car(wheels=[Wheel(size=2), "any"], spare={"one": Wheel(size=1)})


def test_lines_of_toml():
    text = 'a = 1\n[models."x/y"]\nkey = """\nb = 2\n"""\n[[list]]\nn = 1\n[[list]]\nn = 2\n'
    data = parse_toml(text, "assay.toml")
    assert data.data["list"][1]["n"] == 2
    assert data.lines == {"a": 1, "models.x/y": 2, "models.x/y.key": 3, "list[0]": 6, "list[0].n": 7, "list[1]": 8, "list[1].n": 9}  # fmt: skip
    assert data.where("list[1].n.deeper") == "assay.toml:9"


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"a = \xff", "is not UTF-8"),
        (b"a = 1" + b"0" * 5000, "is not valid TOML"),
        (b"a = [" + b"[" * 20_000, "nested"),
        (b"a = 1\na = 2", "is not valid TOML"),
    ],
)
def test_toml_that_cannot_be_read_is_an_input_error(tmp_path, raw, problem):
    path = tmp_path / "assay.toml"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=problem):
        read_data_file(path)
