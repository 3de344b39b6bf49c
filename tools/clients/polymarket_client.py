"""Reads a book with py-clob-client, only its host changed: `polymarket_client.py BASE_URL TOKEN`."""

import sys

from py_clob_client.client import ClobClient
from py_clob_client.exceptions import PolyApiException

BASE, TOKEN = sys.argv[1:]
client = ClobClient(f"{BASE}/api/clob")
book = client.get_order_book(TOKEN)
bid, ask = float(book.bids[-1].price), float(book.asks[-1].price)
assert book.asset_id == TOKEN
assert bid == max(float(level.price) for level in book.bids) and ask == min(float(level.price) for level in book.asks)
try:
    client.get_order_book("123")
    raise AssertionError("an unknown token has an order book")
except PolyApiException as error:
    assert error.status_code == 404, error
print("2 calls")
