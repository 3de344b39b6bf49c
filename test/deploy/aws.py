"""Makes AWS calls: a list of {service, operation, parameters, credentials?} on standard input, a list of
{result} or {error} on standard output. With botocore, which the emulator brings along, so that the project needs
no SDK client for each service that a deployment touches."""

import json
import sys

import botocore.exceptions
import botocore.session


def call(session, service, operation, parameters, credentials=None):
    keys = credentials or {}
    client = session.create_client(
        service, aws_access_key_id=keys.get("id"), aws_secret_access_key=keys.get("secret")
    )
    if not client.meta.endpoint_url.startswith("http://127.0.0.1:"):
        raise SystemExit(f"Refused to call {client.meta.endpoint_url}")
    try:
        return {"result": getattr(client, operation)(**parameters)}
    except botocore.exceptions.ClientError as error:
        return {"error": error.response["Error"]["Code"]}


session = botocore.session.get_session()
json.dump([call(session, **one) for one in json.load(sys.stdin)], sys.stdout, default=str)
