"""Comparison of measured with expected numbers, for the examples of this folder."""
import sys

failed = []


def near(name, measured, expected, tolerance):
    """`tolerance`: largest relative deviation that is accepted."""
    deviation = measured / expected - 1
    good = abs(deviation) <= tolerance  # False for nan
    print(f"{name:40} {measured:12.6g}   expected {expected:12.6g}   {100 * deviation:+9.3g} % "
          f"(within {100 * tolerance:g} %){'' if good else '   DISAGREES'}")
    if not good:
        failed.append(name)


def true(name, good):
    print(f"{name:40} {'yes' if good else 'no   DISAGREES'}")
    if not good:
        failed.append(name)


def finish():
    """Ends the script with status 1 if a check failed."""
    sys.stdout.flush()
    # Only a failure calls sys.exit: in ParaView 5.11 it ends with an X error after rendering.
    if failed:
        sys.exit(1)
    print("ALL PASSED")
