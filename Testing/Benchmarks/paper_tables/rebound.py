"""Rebounds of Kureck's table 6.1 by an integration that does not use the solver."""
import math


def integrated_rebound(incidence, ratio, e=0.95, mu=0.75, steps=4000):
    """-v_t' / v_n' by the linear law with history and without tangential damping. Units: mass, normal stiffness and normal velocity are 1. The normal motion
    is the closed form of a damped oscillator; the slip is integrated, where 3.5 is 1 + m r^2 / I."""
    damping = -math.log(e) / math.hypot(math.log(e), math.pi)
    swing = math.sqrt(1 - damping * damping)
    dt = math.pi / swing / steps
    slip, stretch = incidence, 0
    for k in range(steps):
        t = (k + 0.5) * dt
        depth = math.exp(-damping * t) * math.sin(swing * t) / swing
        approach = math.exp(-damping * t) * math.cos(swing * t) - damping * depth
        most = mu * abs(depth + 2 * damping * approach) / ratio
        stretch = max(-most, min(most, stretch + slip * dt))
        slip -= 3.5 * ratio * stretch * dt
    return slip / e


def fitted_ratio(wanted):
    """The stiffness ratio whose sphere rebounds so at the incidence 1."""
    low, high = 0.05, 2 / 7
    for _ in range(14):
        ratio = 0.5 * (low + high)
        low, high = (ratio, high) if integrated_rebound(1, ratio) > wanted else (low, ratio)
    return 0.5 * (low + high)


def rebound_faults(figure, rows):
    """With history: the integration above at all incidences, the table's values at 0 and 1 (to which the ratio is fitted), and Walton's sliding line from 8
    on. Without: the slip keeps its direction, as in the table."""
    bad, ratio = [], fitted_ratio(-0.35 / 0.95)
    for r in rows:
        x, y = float(r["incidence"]), float(r["reflexion"])
        if r["variant"] == "with history":
            walton = figure["lines"]["sliding"](x) if x >= 8 else figure["paper"]["with history"][x]
            good = abs(y - integrated_rebound(x, ratio)) < 0.01 and (1 < x < 8 or abs(y - walton) < 0.02)
        else:
            good = 0 <= y <= x / 0.95
        if not good:
            bad.append(f"{r['variant']}, {x:g}: {y:.3f}")
    return bad
