const { TRADEPOST_URL, TRADEPOST_KEY } = process.env;

const response = await fetch(`${TRADEPOST_URL}/api/external/invoices`, {
  method: 'POST',
  headers: { 'x-api-key': TRADEPOST_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({
    customerName: 'Bright & Sons',
    date: '2026-11-20',
    items: [{ name: 'Delivery', qty: 0, price: 18.5 }],
    refrence: 'SO-5012',
  }),
});
if (!response.ok) {
  const problem = await response.json();
  console.log(problem.status, problem.code);
  for (const { pointer, detail } of problem.errors ?? []) console.log(pointer, detail);
}
