"""Starts MiniStack, an emulator of AWS, for the test of the deployment, with three additions.

1. Each argument is a resource type that MiniStack does not know. It accepts such resources without
   creating anything, so that the template is deployed unchanged. If MiniStack has learned one of
   them, the start fails, so that the list stays true.
2. MiniStack's CloudFront refuses to call an API Gateway, because its host name belongs to AWS. Here
   it calls MiniStack itself.
3. MiniStack does not report the id of a request's API key to functions. Here it does.

2 and 3 replace functions of MiniStack, which they call.
"""

import os
import sys

from ministack.app import main
from ministack.services import apigateway_v1, cloudfront
from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS

NOW_KNOWN = "MiniStack knows {} now: remove it from UNKNOWN_RESOURCES"


def id_of_nothing(logical_id):
    """The physical id and the attributes of a resource that is not created."""
    return "not-created-" + logical_id, {"Arn": f"arn:aws:none:eu-west-1:000000000000:{logical_id}"}


def accept_type(kind):
    """Lets MiniStack accept resources of a type and create nothing."""
    if kind in _RESOURCE_HANDLERS:
        raise SystemExit(NOW_KNOWN.format(kind))
    _RESOURCE_HANDLERS[kind] = {
        "create": lambda logical_id, _properties, _stack: id_of_nothing(logical_id),
        "delete": lambda _id, _properties: None,
    }


forward = cloudfront._forward_to_origin


def forward_to_emulator(origin, method, uri, *more):
    """Forwards a request of CloudFront to the API Gateway of the emulator."""
    api, _, rest = origin["domain_name"].partition(".")
    if not rest.startswith("execute-api."):
        raise SystemExit(f"The origin {origin['domain_name']} is not an API Gateway")
    local = {
        "domain_name": "127.0.0.1",
        "protocol_policy": "http-only",
        "http_port": int(os.environ["GATEWAY_PORT"]),
    }
    return forward({**origin, **local}, method, f"/_aws/execute-api/{api}{uri}", *more)


cloudfront._forward_to_origin = forward_to_emulator
build_event = apigateway_v1._build_lambda_event_v1


def build_event_with_key(*args, **more):
    """The event of a function, with the id of the API key that the request sent."""
    event = build_event(*args, **more)
    sent = {name.lower(): value for name, value in event["headers"].items()}.get("x-api-key")
    for key_id, key in apigateway_v1._api_keys.items():
        if sent is not None and key.get("value") == sent:
            event["requestContext"]["identity"]["apiKeyId"] = key_id
    return event


apigateway_v1._build_lambda_event_v1 = build_event_with_key
for kind in sys.argv[1:]:
    accept_type(kind)
# MiniStack reads the arguments too.
sys.argv[1:] = []
main()
