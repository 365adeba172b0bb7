const { TRADEPOST_URL, TRADEPOST_KEY } = process.env;

const response = await fetch(`${TRADEPOST_URL}/api/external/invoices`, {
  method: 'POST',
  headers: { 'x-api-key': TRADEPOST_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({
    customerName: 'Bright & Sons',
    date: '2026-11-20',
    items: [{ name: 'Delivery', qty: 1, price: 18.5 }],
  }),
});
const invoice = await response.json();
console.log(response.status, invoice.number, invoice.total);
