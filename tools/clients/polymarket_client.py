"""Reads a book and its prices with py-clob-client, only its host changed: `polymarket_client.py BASE_URL TOKEN`."""

import sys

from py_clob_client.client import ClobClient
from py_clob_client.exceptions import PolyApiException

BASE, TOKEN = sys.argv[1:]
client = ClobClient(f"{BASE}/api/clob")
book = client.get_order_book(TOKEN)
bid, ask = float(book.bids[-1].price), float(book.asks[-1].price)
assert book.asset_id == TOKEN
assert bid == max(float(level.price) for level in book.bids) and ask == min(float(level.price) for level in book.asks)
assert float(client.get_price(TOKEN, "BUY")["price"]) == bid
assert float(client.get_price(TOKEN, "SELL")["price"]) == ask
assert abs(float(client.get_midpoint(TOKEN)["mid"]) - (bid + ask) / 2) < 1e-6
assert abs(float(client.get_spread(TOKEN)["spread"]) - (ask - bid)) < 1e-6
assert client.get_last_trade_price(TOKEN)["side"] == ""
assert float(client.get_tick_size(TOKEN)) == float(book.tick_size)
assert client.get_neg_risk(TOKEN) == book.neg_risk
try:
    client.get_order_book("123")
    raise AssertionError("an unknown token has an order book")
except PolyApiException as error:
    assert error.status_code == 404, error
print("10 calls")
