"""Calls every operation with the client that openapi-python-client generated: `generated_client.py FOLDER BASE_URL`.

FOLDER contains the package `market_data`. Each response must be 200 and, if it has a body, parse into its model.
"""

import importlib
import inspect
import pkgutil
import sys

FOLDER, BASE = sys.argv[1:]
sys.path.insert(0, FOLDER)

from market_data import Client, api  # noqa: E402
from market_data.api.core import list_markets  # noqa: E402
from market_data.api.more import get_market  # noqa: E402

client = Client(base_url=BASE, raise_on_unexpected_status=True)
listed = list_markets.sync_detailed(client=client, limit=3)
first = listed.parsed[0]
# The values of required parameters by name, and below those of parameters that are lists of texts.
VALUES = {
    "q": "bitcoin",
    "id": first.id,
    "slug": get_market.sync(first.id, client=client).event_slug,
    "token_id": first.clob_token_id,
}
LISTS = {"token_id": [first.clob_token_id, "123"], "tag": ["one", "another"], "ids": ["one", "another"]}


def arguments_of(function):
    """The arguments of an operation's call: the required ones, and all lists of texts."""
    sent = {}
    for parameter in inspect.signature(function).parameters.values():
        is_list = "list[str]" in str(parameter.annotation)
        if is_list and parameter.name in LISTS:
            sent[parameter.name] = LISTS[parameter.name]
        elif parameter.default is inspect.Parameter.empty and parameter.name != "client":
            sent[parameter.name] = VALUES[parameter.name]
    return sent


calls = 0
for group in pkgutil.iter_modules(api.__path__):
    for operation in pkgutil.iter_modules([f"{api.__path__[0]}/{group.name}"]):
        module = importlib.import_module(f"market_data.api.{group.name}.{operation.name}")
        response = module.sync_detailed(client=client, **arguments_of(module.sync_detailed))
        assert response.status_code == 200, (operation.name, response.status_code, response.content[:300])
        assert response.parsed is not None, operation.name
        calls += 1
print(f"{calls} operations")
