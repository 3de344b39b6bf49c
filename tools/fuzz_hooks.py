"""Hooks of the fuzz run (fuzz.ts), in which schemathesis sends generated requests: they replace most generated values
by values that exist in the service, which fuzz.ts passes as FUZZ_DATA.

Otherwise almost every generated token, market, event and snapshot would be unknown (404 or 410), and the rest of the
request would not be tested. A schema also cannot say that one parameter must be less than another.
"""

import json
import os
import re
import zlib
from datetime import datetime, timezone
from urllib.parse import unquote

import schemathesis

DATA = json.loads(os.environ["FUZZ_DATA"])
SNAPSHOT = re.compile(DATA["patterns"]["snapshot"])
TOKEN = re.compile(DATA["patterns"]["token"])
SEGMENT = re.compile(DATA["patterns"]["segment"])
# The most characters of a segment of a path.
MAX_SEGMENT = 500
# A time after that of the prices, such as 12h or 7d.
RELATIVE = re.compile(r"^[+ ]?(\d+)([hd])$")
# One of this many values stays as it is and so unknown, to test those errors.
VALUES_PER_UNKNOWN = 8


def chosen(value, known):
    """One of the known values, the same one for the same value; sometimes the value itself."""
    hash = zlib.crc32(repr(value).encode())
    unchanged = hash % VALUES_PER_UNKNOWN == 0 and value not in DATA["examples"]
    return value if unchanged else known[hash % len(known)]


def token(value):
    """A known token in place of a valid one. Leaves malformed ones, which test the error."""
    if not isinstance(value, str) or not TOKEN.fullmatch(value):
        return value
    # A schema cannot say that the number has at most 256 bits.
    return chosen(value, DATA["tokens"]) if int(value) < 2**256 else DATA["tokens"][0]


def moment(value):
    """A time in Unix seconds; None for a malformed one."""
    if not isinstance(value, str):
        return None
    relative = RELATIVE.match(value)
    if relative:
        hours = int(relative[1]) * (24 if relative[2] == "d" else 1)
        return DATA["asOf"] + hours * 3_600
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00").replace("z", "+00:00"))
    except ValueError:
        return None
    return (read if read.tzinfo else read.replace(tzinfo=timezone.utc)).timestamp()


def number(value):
    """The number that a value stands for; None if it is not one."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def timestamp(value):
    """A parameter of a history's window in Unix seconds: a number, or a date or time."""
    read = number(value)
    return moment(value) if read is None and isinstance(value, str) else read


def order(query, low, high, value_of):
    """Swaps the bounds of a reversed range, and removes the end of an empty one."""
    first, last = value_of(query.get(low)), value_of(query.get(high))
    if first is None or last is None:
        return
    if first > last:
        query[low], query[high] = query[high], query[low]
    if first == last:
        del query[high]


def window(query):
    """A window of a price history excludes an interval, begins in the past, and its end needs a start."""
    for name in ("startTs", "endTs"):
        # A schema cannot say that a date is not before 1970.
        if (timestamp(query.get(name)) or 0) < 0:
            query[name] = int(timestamp(query[name]) % DATA["asOf"])
    if "startTs" not in query and timestamp(query.get("endTs")) is not None:
        del query["endTs"]
    if timestamp(query.get("startTs")) is not None and query.get("interval") in DATA["intervals"]:
        del query["interval"]
    order(query, "startTs", "endTs", timestamp)
    start = timestamp(query.get("startTs"))
    if start is not None and start >= DATA["asOf"]:
        query["startTs"] = int(start % DATA["asOf"])


@schemathesis.hook
def before_call(context, case, kwargs):
    """schemathesis calls this before each request. It changes the query and the path."""
    query = case.query or {}
    if isinstance(query.get("snapshot"), str) and SNAPSHOT.fullmatch(query["snapshot"]):
        query["snapshot"] = DATA["snapshot"]
    if "token_id" in query:
        sent = query["token_id"]
        query["token_id"] = [token(one) for one in sent] if isinstance(sent, list) else token(sent)
    text = query.get("q")
    # A schema cannot say that the text has a letter or a digit of some script.
    if isinstance(text, str) and len(text) >= 2 and not any(one.isalnum() for one in text):
        query["q"] = "bitcoin"
    window(query)
    order(query, "minProbability", "maxProbability", number)
    order(query, "endsAfter", "endsBefore", moment)
    path = case.path_parameters or {}
    for name, known in (("id", DATA["ids"]), ("slug", DATA["events"])):
        # The generated value is percent-encoded.
        value = unquote(path[name]) if isinstance(path.get(name), str) else ""
        if len(value) <= MAX_SEGMENT and SEGMENT.fullmatch(value):
            path[name] = chosen(value, known)
