"""Reads books and prices with py-clob-client as it is, nothing but its host changed: `upstream_client.py BASE_URL`.

Prints one line a call. A token is taken whose book has both sides and is of the newer form: the client cannot read the
older one, of its own upstream neither.
"""

import json
import sys
from urllib.request import urlopen

from py_clob_client.client import ClobClient
from py_clob_client.clob_types import OrderBookSummary
from py_clob_client.exceptions import PolyApiException

BASE = sys.argv[1]


def read(path):
    with urlopen(f"{BASE}{path}") as response:
        return json.load(response)


def whole_book():
    for market in read("/api/markets?limit=100&fields=clobTokenId&maxSpread=0.1"):
        book = read(f"/api/clob/book?token_id={market['clobTokenId']}")
        if book["bids"] and book["asks"] and "tick_size" in book:
            return book
    raise SystemExit("no market has a whole book")


def check(name, seen, expected):
    if seen != expected:
        raise SystemExit(f"{name}: {seen!r} instead of {expected!r}")
    print(f"py-clob-client {name}: {seen}")


def decimals(*texts):
    return [round(float(text), 6) for text in texts]


book = whole_book()
token = book["asset_id"]
bid, ask = float(book["bids"][-1]["price"]), float(book["asks"][-1]["price"])
client = ClobClient(f"{BASE}/api/clob")

summary = client.get_order_book(token)
assert isinstance(summary, OrderBookSummary)
check("get_order_book", (summary.asset_id, summary.market), (token, book["market"]))
check("best of its sides", decimals(summary.bids[-1].price, summary.asks[-1].price), decimals(bid, ask))
check("get_midpoint", decimals(client.get_midpoint(token)["mid"]), decimals((bid + ask) / 2))
check("get_price BUY", decimals(client.get_price(token, "BUY")["price"]), decimals(bid))
check("get_price SELL", decimals(client.get_price(token, "SELL")["price"]), decimals(ask))
check("get_spread", decimals(client.get_spread(token)["spread"]), decimals(ask - bid))
last = book["last_trade_price"] or "0.5"
check("get_last_trade_price", client.get_last_trade_price(token), {"price": last, "side": ""})
check("get_tick_size", decimals(client.get_tick_size(token)), decimals(book["tick_size"]))
check("get_neg_risk", client.get_neg_risk(token), book["neg_risk"])
try:
    client.get_order_book("123")
    raise SystemExit("a book of a token that nobody has")
except PolyApiException as error:
    check("of an unknown token", error.status_code, 404)
