"""What people's labels make of a benchmark with disputed instances."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from bench_parts import NUMBERS, QUERIES, report, trajectory
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.interventions.artefacts import measure_artefacts
from assay.interventions.building import build
from assay.interventions.instances import read_disputed, read_instances, write_instances
from assay.interventions.manifest import manifest_of, validated_manifest
from assay.interventions.second_reading import SecondReading
from assay.interventions.settlement import settle, settled_instances
from assay.interventions.validation import validate

BUILT = build([*(report(seed) for seed in range(10)), trajectory()], [NUMBERS, QUERIES], per_type=9)
OBJECTION = SecondReading(
    reader="test/reader",
    answers={"present": "no", "plausible": "yes", "original_better": "yes", "other_change": "no"},
)
OWN = BUILT.instances[3:]
DISPUTED = [msgspec.structs.replace(item, second_reading=OBJECTION) for item in BUILT.instances[:3]]
ONE, TWO, THREE = (item.id for item in DISPUTED)
LABELS = ("valid", "invalid", "ambiguous")


def ids(items) -> list[str]:
    return [item.id for item in items]


def test_what_people_call_valid_joins_and_what_they_call_invalid_goes() -> None:
    labels = {
        "anna": {ONE: "valid", TWO: "invalid", THREE: "valid"},
        "ben": {ONE: "valid", TWO: "invalid", THREE: "invalid"},
    }
    settled = settled_instances(OWN, DISPUTED, labels)
    # The rest of the benchmark was not in question. The newcomer stands with its type.
    assert sorted(ids(settled.kept)) == sorted([*ids(OWN), ONE])
    assert [item.type for item in settled.kept] == ["numbers"] * (len(OWN)) + ["queries"]
    joined = next(item for item in settled.kept if item.id == ONE)
    assert joined.accepted_by == "people"
    assert joined.second_reading == OBJECTION
    assert all(item.accepted_by is None for item in settled.kept if item.id != ONE)
    assert ids(settled.disputed) == [THREE]
    assert settled.removed == 0


def test_a_split_in_three_is_named_first_and_a_further_sheet_settles_it() -> None:
    labels = {
        "anna": {ONE: "valid", TWO: "valid"},
        "ben": {ONE: "invalid", TWO: "invalid"},
        "cleo": {ONE: "invalid", TWO: "ambiguous"},
    }
    found = settle(DISPUTED, labels)
    assert found.undecided == {
        TWO: {"valid": 1, "invalid": 1, "ambiguous": 1},
        ONE: {"invalid": 2, "valid": 1},
    }
    assert list(found.undecided) == [TWO, ONE]
    assert found.unseen == (THREE,)
    settled = settled_instances(OWN, DISPUTED, labels)
    again = settled_instances(settled.kept, settled.disputed, {"dora": {ONE: "invalid", TWO: "valid"}})
    assert TWO in ids(again.kept)
    assert ONE not in ids(again.kept)
    assert ids(again.disputed) == [THREE]


def test_labels_of_the_benchmark_itself_are_heeded_too() -> None:
    first, second, third = ids(OWN)[:3]
    labels = {"anna": {first: "valid", second: "invalid", third: "ambiguous", ONE: "valid", TWO: "ambiguous"}}
    strict = settled_instances(OWN, DISPUTED, labels)
    assert sorted(ids(strict.kept)) == sorted([first, ONE])
    assert {item.accepted_by for item in strict.kept} == {"people"}
    assert strict.removed == len(OWN) - 1
    lenient = settled_instances(OWN, DISPUTED, labels, "not-invalid")
    # Nobody calls the second disputed one valid, so that the second reader's objection stands.
    assert sorted(ids(lenient.kept)) == sorted([*ids(OWN)[:1], *ids(OWN)[2:], ONE])
    assert next(item for item in lenient.kept if item.id == third).accepted_by is None


@given(
    st.lists(st.dictionaries(st.sampled_from([ONE, TWO, THREE]), st.sampled_from(LABELS)), max_size=4),
    st.booleans(),
)
def test_every_disputed_instance_ends_in_one_place(sheets: list[dict[str, str]], strict: bool) -> None:
    labels = {str(number): sheet for number, sheet in enumerate(sheets)}
    keep = "valid" if strict else "not-invalid"
    found = settle(DISPUTED, labels, keep)
    places = Counter([*found.accepted, *found.dropped, *found.undecided, *found.unseen])
    assert places == Counter([ONE, TWO, THREE])
    settled = settled_instances(OWN, DISPUTED, labels, keep)
    assert Counter([*ids(settled.kept), *ids(settled.disputed), *found.dropped]) == Counter(
        ids(BUILT.instances)
    )
    # More annotators who call it invalid never let an instance in.
    more = {**labels, "no": dict.fromkeys([ONE, TWO, THREE], "invalid")}
    assert settle(DISPUTED, more, keep).accepted == ()


def test_the_manifest_counts_and_measures_again() -> None:
    before = manifest_of(
        msgspec.structs.replace(BUILT, instances=tuple(OWN), disputed=tuple(DISPUTED)),
        measure_artefacts(OWN), types=["numbers", "queries"], per_type=9, seed=0, editor="rules",
    )  # fmt: skip
    labels = {"anna": {ONE: "valid", TWO: "invalid", THREE: "valid"}, "ben": {ONE: "valid", TWO: "valid"}}
    found = validate(OWN, labels, disputed=DISPUTED)
    settled = settled_instances(OWN, DISPUTED, labels)
    after = validated_manifest(before, settled, found, measure_artefacts(settled.kept), keep="valid")
    # As if the instances that are kept had been built.
    fresh = manifest_of(
        msgspec.structs.replace(BUILT, instances=settled.kept, disputed=settled.disputed),
        measure_artefacts(settled.kept), types=["numbers", "queries"], per_type=9, seed=0, editor="rules",
    )  # fmt: skip
    assert msgspec.structs.replace(after, validations=()) == fresh
    assert after.instances == before.instances + 2
    assert (before.types["numbers"].disputed, after.types["numbers"].disputed) == (3, 1)
    record = after.validations[0]
    assert (record.annotators, record.labelled) == (("anna", "ben"), 3)
    assert (record.accepted, record.dropped, record.undecided, record.removed) == (2, 0, 1, 0)
    # Two pairs, one alike; by the margins half is expected by chance: κ 0.
    assert (record.agreement[0].n, record.agreement[0].share, record.agreement[0].kappa) == (2, 0.5, 0.0)


def test_disputed_instances_are_read_as_they_were_written(tmp_path) -> None:
    assert read_disputed(tmp_path) == []
    write_instances(tmp_path / "disputed.jsonl", [])
    assert read_disputed(tmp_path) == []
    write_instances(tmp_path / "disputed.jsonl", DISPUTED)
    assert read_disputed(tmp_path) == DISPUTED
    settled = settled_instances(OWN, DISPUTED, {"anna": {ONE: "valid"}})
    write_instances(tmp_path / "instances.jsonl", settled.kept)
    assert tuple(read_instances(tmp_path)) == settled.kept
    with pytest.raises(InputError, match="labels of unknown instances: 1"):
        validate(OWN, {"anna": {ONE: "valid"}})
