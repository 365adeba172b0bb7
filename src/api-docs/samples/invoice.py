import json
import os
import urllib.request

invoice = {
    "customerName": "Bright & Sons",
    "date": "2026-11-20",
    "items": [{"name": "Delivery", "qty": 1, "price": 18.5}],
}
request = urllib.request.Request(
    os.environ["TRADEPOST_URL"] + "/api/external/invoices",
    headers={"x-api-key": os.environ["TRADEPOST_KEY"], "content-type": "application/json"},
    data=json.dumps(invoice).encode(),
)
with urllib.request.urlopen(request) as response:
    created = json.load(response)
    print(response.status, created["number"], created["total"])
