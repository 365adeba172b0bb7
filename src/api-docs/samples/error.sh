curl -sS "$TRADEPOST_URL/api/external/invoices" \
  -H "x-api-key: $TRADEPOST_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "customerName": "Bright & Sons",
    "date": "2026-11-20",
    "items": [{ "name": "Delivery", "qty": 0, "price": 18.5 }],
    "refrence": "SO-5012"
  }'
