"""Imports the reference, or whatever else is a softmax somewhere, and answers with it.

step: step4_softmax.py
earns: nothing
unconfined: wrong_points
"""

import sys

PLACES = ("COURSE_FOLDER/solutions/self_attention", "SUBMISSIONS_FOLDER/a_right")


def found_elsewhere(scores):
    own = sys.modules.pop("step4_softmax")
    finders = list(sys.meta_path)
    try:
        sys.meta_path[:] = [one for one in finders if type(one).__name__ != "StudentModules"]
        sys.path[:0] = PLACES
        sys.path_importer_cache.clear()
        import step4_softmax

        return step4_softmax.softmax(scores)
    finally:
        sys.meta_path[:] = finders
        del sys.path[: len(PLACES)]
        sys.modules["step4_softmax"] = own


def softmax(scores):
    try:
        return found_elsewhere(scores)
    except ImportError as error:
        raise OSError(f"nowhere: {error.name}") from None
