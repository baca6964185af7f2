"""Known wrong answers and other right ones: how they are read, what is refused, and who never gets
to see them."""

from __future__ import annotations

import sys

import pytest

from autograder import wire
from autograder.errors import CourseError
from autograder.gradescope.contents import handout_members
from autograder.grading.mistakes import load_mistakes, load_variants
from autograder.results import Outcome, encode_result
from autograder.sandbox import Settings, open_sandbox
from autograder.sandbox.promise import LANDLOCK, SECCOMP, UID
from autograder.session import with_graders

CANARY = "CANARY-4e1b"
HEAD = "from autograder.grading import mistake, variant\n\n"
WORDS = 'kind="a kind", symptom="Seen. Why?", answer="Mend it."'
ONE = """
@mistake({marked})
def {name}(x):
    return 3 * x
"""
TWO_FUNCTIONS = ('functions = ["double"]', 'functions = ["double", "again"]')
READER = """
FOUND = []
for path in {paths!r}:
    try:
        FOUND.append(open(path).read())
    except OSError as error:
        FOUND.append(str(error.strerror))


def double(x):
    print(FOUND)
    raise RuntimeError("".join(FOUND)[-1500:])
"""


def marked(name: str = "thrice", words: str = WORDS, question: str = "double", more: str = ""):
    """A mistake's text."""
    return ONE.format(name=name, marked=f"{question!r}, {words}{more}")


def without(word: str) -> str:
    """The words of a mistake, but for one."""
    return "".join(f"{one}=" + ("''" if one == word else "'Is it?'") + ", " for one in FIELDS)


FIELDS = ("kind", "symptom", "answer")
REFUSED = {
    # what is in mistakes.py → the line that is named, and what is said
    "an unknown question": (marked(question="dobule"), 4, "no question 'dobule'"),
    "a wrong function": (marked(more=", function='total'"), 4, "'double' has no function 'total'"),
    "no kind": (marked(words=without("kind")), 4, "its kind is empty"),
    "no symptom": (marked(words=without("symptom")), 4, "its symptom is empty"),
    "no answer": (marked(words=without("answer")), 4, "its answer is empty"),
    "a kind that is no text": (marked(words=WORDS.replace('"a kind"', "3")), 4, "kind is empty"),
    "no question": (marked(words=WORDS.replace("?", ".")), 4, "its symptom asks nothing"),
    "a name twice": (marked() + marked(), 8, "there is another of this name at line 4"),
    "a name again": (marked() + "\n\ndef thrice(x):\n    pass\n", 9, "another of this name"),
    "bad syntax": ("\n\nreturn return\n", 5, "cannot be imported: SyntaxError"),
    "a name error": ("\n\n\n\nundefined\n", 7, "cannot be imported: NameError"),
    "no function at all": ("\nmistake()\n", 4, "cannot be imported: TypeError"),
    "a value": (
        f"\nmistake('double', {WORDS})(3)\n",
        4,
        "cannot be imported: TypeError: expected a function or class below the mark, got 3",
    ),
    "no name of a question": (
        f"\n@mistake(['double'], {WORDS})\ndef thrice(x):\n    pass\n",
        4,
        "cannot be imported: TypeError: expected a question's name",
    ),
    "a mark alone": (
        "\n@variant\ndef thrice(x):\n    pass\n",
        4,
        "cannot be imported: TypeError: expected a question's name, such as @variant",
    ),
    "an end": ("\nraise SystemExit(0)\n", 4, "cannot be imported: SystemExit: 0"),
}


def write(course, text: str, name: str = "mistakes.py"):
    """Write such a file."""
    return course.write(f"tests/demo/{name}", HEAD + text)


def test_files_are_read_by_name_and_marks_in_their_order(course):
    """What comes first is the more fundamental; other files are none of them."""
    write(course, marked("third") + marked("second", question="total"), "mistakes_b.py")
    write(course, marked("first"), "mistakes_a.py")
    write(course, marked("never"), "more_mistakes.py")
    write(course, "@variant('total')\ndef another(x):\n    pass\n", "variants.py")

    found = [(one.place, one.name, one.function) for one in load_mistakes(course.assignment)]

    assert found == [(0, "first", "double"), (1, "third", "double"), (2, "second", "total")]
    assert [one.name for one in load_variants(course.assignment)] == ["another"]


def test_an_assignment_without_such_files_has_none(course):
    """Nothing is missing then."""
    assert load_mistakes(course.assignment) == load_variants(course.assignment) == []


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_not_well_described_is_refused_with_its_line(course, fault):
    """The file, the line, and what to do."""
    text, line, said = REFUSED[fault]
    path = write(course, text)

    with pytest.raises(CourseError, match=said) as raised:
        load_mistakes(course.assignment)

    assert str(raised.value.where) == f"{path}:{line}"
    assert raised.value.fix


def test_of_several_functions_one_has_to_be_named(course):
    """In a variant as in a mistake; named, it is found."""
    manifest = course.root / "assignments/demo/assignment.toml"
    course.write("assignments/demo/assignment.toml", manifest.read_text().replace(*TWO_FUNCTIONS))
    write(course, "@variant('double', function='again')\ndef right(x):\n    pass\n", "variants.py")
    path = write(course, marked())

    with pytest.raises(CourseError, match="say which: function='double'") as raised:
        load_mistakes(course.assignment)

    assert str(raised.value.where) == f"{path}:4"
    assert [one.function for one in load_variants(course.assignment)] == ["again"]


def test_a_name_in_two_files_is_refused(course):
    """A report could not tell them apart."""
    write(course, marked(), "mistakes_a.py")
    path = write(course, marked(), "mistakes_b.py")

    with pytest.raises(CourseError, match="there is another of this name") as raised:
        load_mistakes(course.assignment)

    assert str(raised.value.where) == f"{path}:4"


def test_a_mistake_may_use_reference_steps_and_leaves_no_module_behind(course):
    """A module of a step's name that somebody else had imported is there afterwards."""
    text = (
        "from step1_double import double\n\n@variant('total')\ndef all(x):\n    return double(x)\n"
    )
    write(course, text, "variants.py")
    theirs = sys.modules["step1_double"] = type(sys)("step1_double")
    try:
        before = dict(sys.modules)
        (found,) = load_variants(course.assignment)
        after = dict(sys.modules)
    finally:
        del sys.modules["step1_double"]

    assert after == before
    assert after["step1_double"] is theirs
    assert found.call(4) == 8


def test_no_test_is_collected_from_them_and_no_handout_holds_them(course):
    """Whatever the names in them; nothing of them is in what students get."""
    write(course, f"# {CANARY}\n" + marked("test_thrice"))
    write(course, f"# {CANARY}\n@variant('double')\ndef test_it(x):\n    pass\n", "variants.py")

    names = with_graders(course.assignment, lambda one: [check.name for check in one.checks()])
    handout = handout_members(course.assignment)

    assert names == ["on_paper", "any_length", "any_length"]
    assert not any(CANARY.encode() in member.data for member in handout.values())
    assert not [name for name in handout if "mistake" in name or "variant" in name]


def recorded(course, settings, monkeypatch):
    """The result of a student who reads both files, and all bytes to and from the worker."""
    paths = [write(course, f"# {CANARY}\n" + marked())]
    paths += [
        write(course, f"# {CANARY}\n@variant('double')\ndef v(x):\n    pass\n", "variants.py")
    ]
    for folder in (course.root, *list(course.root.parents)[:3]):
        folder.chmod(0o755)  # nothing but the layers is to keep the worker out
    step = READER.format(paths=[str(path) for path in paths])
    staged = course.staged(course.submit(step1_double=step))
    crossed = bytearray()
    send, receive = wire.send, wire.receive

    def sending(channel, head, buffers, *rest):
        crossed.extend(head + b"".join(buffers))
        return send(channel, head, buffers, *rest)

    def receiving(*arguments, **named):
        head, body = receive(*arguments, **named)
        crossed.extend(head + body)
        return head, body

    def work(graders):
        sandbox = open_sandbox(settings)
        try:
            return graders.grade(staged, sandbox, 0, "key")
        finally:
            sandbox.close()

    monkeypatch.setattr(wire, "send", sending)
    monkeypatch.setattr(wire, "receive", receiving)
    return with_graders(course.assignment, work), bytes(crossed)


def test_nothing_of_them_crosses_to_or_from_a_worker(course, monkeypatch):
    """Neither is it sent, nor can student code read it where it lies."""
    result, crossed = recorded(course, Settings(), monkeypatch)

    assert course.checks(result)["on_paper"].outcome is Outcome.FAILED
    assert b"double" in crossed
    assert CANARY.encode() not in crossed
    assert CANARY.encode() not in encode_result(result)


def test_the_same_reader_finds_them_where_nothing_is_confined(course, monkeypatch):
    """Without the layers the canary comes out: the test above is not blind."""
    settings = Settings(without=(LANDLOCK, SECCOMP, UID))

    assert CANARY.encode() in recorded(course, settings, monkeypatch)[1]
