"""Starts MiniStack. Each argument is a resource type that it does not know, or a type and a property of it that it
does not know (`AWS::CloudWatch::Alarm/Metrics`): it takes such resources without making anything, so that a template
that holds them is deployed as it is. What it knows by now makes it fail, so that the list stays true."""

import sys

from ministack.app import main
from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS

UP_TO_DATE = "MiniStack knows {} by now: take it off the list in beyond-emulator.ts"


MARK = "not-made-"


def nothing(logical_id):
    """The physical id and the attributes of a resource that is not made."""
    return MARK + logical_id, {"Arn": f"arn:aws:none:us-east-1:000000000000:{logical_id}"}


def accept_type(kind):
    if kind in _RESOURCE_HANDLERS:
        raise SystemExit(UP_TO_DATE.format(kind))
    _RESOURCE_HANDLERS[kind] = {
        "create": lambda logical_id, _properties, _stack: nothing(logical_id),
        "delete": lambda _id, _properties: None,
    }


def accept_property(kind, name):
    handler = _RESOURCE_HANDLERS[kind]

    def create(logical_id, properties, stack):
        if name not in properties:
            return handler["create"](logical_id, properties, stack)
        try:
            handler["create"](logical_id, properties, stack)
        except Exception:  # whatever the emulator says of what it does not know
            return nothing(logical_id)
        raise ValueError(UP_TO_DATE.format(f"{kind}/{name}"))

    def update(physical_id, *more):
        if physical_id.startswith(MARK):
            return nothing(physical_id.removeprefix(MARK))
        return handler["update"](physical_id, *more)

    def delete(physical_id, properties):
        if not physical_id.startswith(MARK):
            handler["delete"](physical_id, properties)

    _RESOURCE_HANDLERS[kind] = {**handler, "create": create, "update": update, "delete": delete}


unknown, sys.argv[1:] = sys.argv[1:], []
for one in unknown:
    kind, _, name = one.partition("/")
    accept_property(kind, name) if name else accept_type(kind)
main()
