"""Makes AWS calls for the test of the deployment.

It reads a list of {service, operation, parameters, region?} from standard input, and writes a list
of {result} or {error}. It uses botocore, which MiniStack brings, so that the project needs no SDK
client for each service.
"""

import base64
import json
import sys

import botocore.exceptions
import botocore.session

session = botocore.session.get_session()


def call(service, operation, parameters, region=None):
    """The result of one call, or the code of its error. Calls only the emulator."""
    client = session.create_client(service, region_name=region)
    if not client.meta.endpoint_url.startswith("http://127.0.0.1:"):
        raise SystemExit(f"Refused to call {client.meta.endpoint_url}")
    try:
        return {"result": getattr(client, operation)(**parameters)}
    except botocore.exceptions.ClientError as error:
        return {"error": error.response["Error"]["Code"]}


def plain(value):
    """What JSON has in place of a value: base64 for a body, a text for a time."""
    return base64.b64encode(value.read()).decode() if hasattr(value, "read") else str(value)


json.dump([call(**one) for one in json.load(sys.stdin)], sys.stdout, default=plain)
