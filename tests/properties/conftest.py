"""The laws try the same examples each time; HYPOTHESIS_PROFILE=explore tries new ones."""

import os

from hypothesis import HealthCheck, Phase, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
# Shrinking whole games takes minutes: the failing table alone says enough to play it again.
settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=_SLOW,
)
settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
