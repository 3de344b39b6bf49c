"""Calls every endpoint with the client that openapi-python-client has made: `generated_client.py FOLDER BASE_URL`.

FOLDER holds the package `market_data`. Each function of it is called with what it requires and the lists that it can
take; every response must be 200 and, where it has a body, be read into the documented model.
"""

import importlib
import inspect
import pkgutil
import sys

FOLDER, BASE = sys.argv[1:]
sys.path.insert(0, FOLDER)

from market_data import Client  # noqa: E402
from market_data import api  # noqa: E402
from market_data.api.markets import list_markets  # noqa: E402
from market_data.models import GetClobPriceSide, HeadGetClobPriceSide, RpcRequest  # noqa: E402

# Without these two values there is no such function.
SIDES = {"get_clob_price": GetClobPriceSide.BUY, "head_get_clob_price": HeadGetClobPriceSide.BUY}

client = Client(base_url=BASE, raise_on_unexpected_status=True)
listed = list_markets.sync_detailed(client=client, limit=3)
first = listed.parsed[0]
snapshot = listed.headers["link"].split("snapshot=")[1].split(">")[0].split("&")[0]


def event_slug():
    from market_data.api.markets import get_market

    return get_market.sync(first.id, client=client).event_slug


VALUES = {
    "q": "bitcoin",
    "since": snapshot,
    "id": first.id,
    "slug": event_slug(),
    "token_id": first.clob_token_id,
    "body": RpcRequest.from_dict({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
}


def arguments_of(name, function):
    """What it requires, and every list."""
    sent = {}
    for parameter in inspect.signature(function).parameters.values():
        takes_list = "list[" in str(parameter.annotation)
        if parameter.name == "side":
            sent["side"] = SIDES[name]
        elif parameter.name == "token_id" and takes_list:
            sent["token_id"] = [first.clob_token_id, "123"]
        elif parameter.name in ("tag", "ids") and takes_list:
            sent[parameter.name] = ["one", "another"]
        elif parameter.default is inspect.Parameter.empty and parameter.name != "client":
            sent[parameter.name] = VALUES[parameter.name]
    return sent


calls = 0
for group in pkgutil.iter_modules(api.__path__):
    for operation in pkgutil.iter_modules([f"{api.__path__[0]}/{group.name}"]):
        module = importlib.import_module(f"market_data.api.{group.name}.{operation.name}")
        response = module.sync_detailed(client=client, **arguments_of(operation.name, module.sync_detailed))
        assert response.status_code == 200, (operation.name, response.status_code, response.content[:300])
        head = operation.name.startswith("head_")
        assert head or response.parsed is not None, operation.name
        read = "headers" if head else type(response.parsed).__name__
        print(f"generated client {operation.name}: {response.status_code}, {read}")
        calls += 1
print(f"generated client: {calls} calls")
