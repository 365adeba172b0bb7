import json
import os
import urllib.error
import urllib.request

invoice = {
    "customerName": "Bright & Sons",
    "date": "2026-11-20",
    "items": [{"name": "Delivery", "qty": 0, "price": 18.5}],
    "refrence": "SO-5012",
}
request = urllib.request.Request(
    os.environ["TRADEPOST_URL"] + "/api/external/invoices",
    headers={"x-api-key": os.environ["TRADEPOST_KEY"], "content-type": "application/json"},
    data=json.dumps(invoice).encode(),
)
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    problem = json.load(error)
    print(problem["status"], problem["code"])
    for field in problem.get("errors", []):
        print(field["pointer"], field["detail"])
