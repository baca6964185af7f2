"""Makes `benchmarks` importable, which is no package of anybody's."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3]))
