"""Checks a SCIM server with scim2-tester. Prints one line of JSON for each check."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

url, token = sys.argv[1:]
with Client(base_url=url, headers={"Authorization": f"Bearer {token}"}) as http:
    for result in check_server(SyncSCIMClient(http)):
        print(
            json.dumps(
                {
                    "status": result.status.name,
                    "title": result.title,
                    "resource": result.resource_type,
                    "reason": result.reason,
                }
            )
        )
