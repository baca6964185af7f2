"""A student's code that came to no value is asked again on equal sizes, and so are the mistakes.
What the sizes hid is seen there. Calls no student code by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from autograder.grading.behaviour import Calls, Cause, Seen, behaviour, most_explained
from autograder.grading.equal_sizes import batch_axes, of_equal_sizes
from autograder.grading.mistakes import Mistake
from autograder.grading.observation import Did, Observation

# Makes a call of the student's function in a fresh worker; None where it could not be asked.
Ask = Callable[[Observation], Observation | None]

# The first that the reference takes. Five is no multiple of anything, and its root is no whole
# number, so few formulas agree by chance; heads may share a width of six or four.
SIZES = (5, 6, 4)


def asked_again(
    mistakes: Sequence[Mistake], calls: Sequence[Calls], exact: Sequence[Cause], ask: Ask
) -> Cause | None:
    """The cause that is seen on equal sizes; else the one of `exact` that is not refuted there.

    A mistake that gives the same wrong value there is the cause. Where the student's code is right
    on equal sizes, all that is known is which inputs it fails on: then the mistakes that fail on
    the very same ones have to be of one kind.

    Args:
        calls: of each function that mistakes stand for.
        exact: the causes that fit without asking, by exceptions alone.
        ask: used twice at most.
    """
    not_refuted = list(exact)
    so_far = list(mistakes)  # those that raised too, if the student's code did, when asked before
    for own, before, again in _asked(calls, ask):
        dids = {one: behaviour(one, again) for one in mistakes if one.function == again.function}
        causes = _fitting(dids, own, before, again)
        if own.seen(again, again.did) is Seen.RIGHT:
            causes = [one for one in causes if one.mistake in so_far]
            causes = causes if len({one.mistake.kind for one in causes}) == 1 else []
        if causes:
            return most_explained(causes)
        so_far = [
            one for one, did in dids.items() if isinstance(again.did, str) == isinstance(did, str)
        ]
        not_refuted = [one for one in exact if own.same(again, dids.get(one.mistake, ""))]
    return most_explained(not_refuted)


def _asked(calls: Sequence[Calls], ask: Ask) -> Iterator[tuple[Calls, Observation, Observation]]:
    """What the student's code did where it came to no value, and what it does on equal sizes:
    with batch axes where there were some, and without them where it is not right with them.

    Of all such calls the one with the fewest batch axes is taken: what fails without them is the
    more fundamental.
    """
    seen = [(own, one) for own in calls for one in own.without_value]
    if not seen:
        return
    own, before = min(seen, key=lambda pair: batch_axes(pair[1], pair[0].axes_for(pair[1])))
    for batch in (True, False) if batch_axes(before, own.axes_for(before)) else (True,):
        equal = _taken_by_the_reference(own, before, batch=batch)
        again = equal and ask(equal)
        if again is None or own.seen(again, again.did) is Seen.UNKNOWN:
            return
        yield own, before, again
        if own.seen(again, again.did) is Seen.RIGHT:
            return


def _taken_by_the_reference(own: Calls, one: Observation, *, batch: bool) -> Observation | None:
    equal = (of_equal_sizes(one, own.axes_for(one), size, batch=batch) for size in SIZES)
    return next((call for call in equal if call and own.is_taken(call)), None)


def _fitting(
    dids: Mapping[Mistake, Did], own: Calls, before: Observation, again: Observation
) -> list[Cause]:
    """The mistakes that do the same on equal sizes, and came to no value where the student's code
    did not either: in that call, and in every failed check where both are right on equal sizes.

    Args:
        dids: what each mistake does on equal sizes.
        before: a call of a failed check, which came to no value.
        again: the same call with equal sizes.
    """
    if again.answer is None:
        return []
    is_right = own.seen(again, again.answer) is Seen.RIGHT
    causes = [
        Cause(mistake, own.loosely_explained_by(mistake), on_equal_sizes=True)
        for mistake, did in dids.items()
        if own.same(again, did, any_width=is_right)
    ]
    return [
        one
        for one in causes
        if (one.checks == own.failed if is_right else before.check in one.checks)
    ]
