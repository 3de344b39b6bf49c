"""Reads every feed with feedparser: `feeds.py BASE_URL`. An unchanged feed is 304."""

import json
import sys
import urllib.request

import feedparser

BASE = sys.argv[1]
with urllib.request.urlopen(f"{BASE}/api/events?limit=1") as response:
    SLUG = json.load(response)[0]["slug"]

entries = 0
for path in (
    "/api/markets?sort=move1h&format=atom",
    "/api/markets?sort=move1d&format=atom",
    "/api/markets/search?q=will&sort=move1d&format=atom",
    f"/api/events/{SLUG}?format=atom",
):
    for _ in range(2):  # once more if a snapshot was published between the two requests
        feed = feedparser.parse(BASE + path)
        again = feedparser.parse(BASE + path, etag=feed.etag)
        if again.status == 304:
            break
    assert feed.status == 200 and not feed.bozo and feed.version == "atom10", (path, feed.get("bozo_exception"))
    assert again.status == 304, (path, again.status)
    addresses = [link.href for link in feed.feed.links if link.rel == "self"]
    assert addresses == [feed.feed.id] and addresses[0].startswith(BASE), addresses
    assert len({entry.id for entry in feed.entries}) == len(feed.entries) <= 50
    for entry in feed.entries:
        assert entry.title and entry.updated == feed.feed.updated and entry.content[0].value, entry
    entries += len(feed.entries)
assert entries > 0
print(f"4 feeds, {entries} entries")
