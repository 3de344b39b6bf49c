"""Reads a book with py-clob-client-v2, only its host changed, and prints the histories that it reads: `price_histories.py BASE_URL TOKEN QUERIES`."""

import json
import sys

from py_clob_client_v2.client import ClobClient
from py_clob_client_v2.clob_types import PricesHistoryParams

BASE, TOKEN, QUERIES = sys.argv[1:]
NAMES = {"startTs": "start_ts", "endTs": "end_ts"}
client = ClobClient(f"{BASE}/api/clob", chain_id=137)
ask = float(client.get_order_book(TOKEN)["asks"][-1]["price"])
assert client.calculate_market_price(TOKEN, "BUY", 0.001) == ask
histories = []
for query in json.loads(QUERIES):
    params = {NAMES.get(name, name): value for name, value in query.items()}
    histories.append(client.get_prices_history(PricesHistoryParams(market=TOKEN, **params))["history"])
print(json.dumps(histories))
