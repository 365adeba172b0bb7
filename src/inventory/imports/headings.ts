// The columns of files of stock, and the headings that mean them. Pure.
import { ColumnNames } from '../../imports/file/columns.js';

/** The guide lists these spellings; any case, spacing and punctuation is the same. */
export const STOCK_COLUMNS = new ColumnNames({
  name: {
    label: 'Name',
    kind: 'text',
    headings: [
      ...['item', 'item name', 'product', 'product name', 'article', 'article name'],
      ...['Artikelname', 'Produkt', 'Produktname', 'Warenbezeichnung'],
    ],
    // The name in a supplier's list. Next to a column that is called like a name, it is ignored.
    fallbacks: [
      ...['description', 'item description', 'product description', 'title'],
      ...['Bezeichnung', 'Artikelbezeichnung', 'Beschreibung', 'Artikel'],
    ],
  },
  sku: {
    label: 'SKU',
    kind: 'text',
    headings: [
      ...['item code', 'item number', 'item no', 'item #', 'product code', 'product number'],
      ...['product no', 'code', 'article number', 'article no', 'art no', 'article code'],
      ...['part number', 'part no', 'stock code', 'material number', 'material no'],
      ...['Artikelnummer', 'Artikel-Nr', 'Art-Nr', 'Artikelcode', 'Produktnummer', 'Produkt-Nr'],
      ...['Materialnummer', 'Teilenummer', 'Bestellnummer', 'Bestell-Nr'],
    ],
    fallbacks: ['EAN', 'GTIN', 'barcode', 'UPC'],
  },
  count: {
    label: 'Counted stock',
    kind: 'number',
    headings: [
      ...['on hand', 'quantity on hand', 'qty on hand', 'in stock', 'stock', 'stock level'],
      ...['quantity', 'qty', 'Bestand', 'Lagerbestand', 'Menge', 'Anzahl', 'Stück', 'Ist-Bestand'],
    ],
  },
  delta: {
    label: 'Change in stock',
    kind: 'number',
    headings: [
      ...['change', 'received', 'quantity received', 'Zugang', 'Änderung', 'Wareneingang'],
      ...['Liefermenge', 'gelieferte Menge'],
    ],
  },
  expectedOnHand: {
    label: 'Stock when exported',
    kind: 'number',
    headings: ['expected on hand', 'erwarteter Bestand'],
  },
  reorderPoint: {
    label: 'Reorder point',
    kind: 'number',
    headings: [
      ...['reorder at', 'reorder level', 'min stock', 'minimum stock'],
      ...['Mindestbestand', 'Meldebestand', 'Min-Bestand'],
    ],
  },
  unitCost: {
    label: 'Unit cost',
    kind: 'money',
    headings: [
      ...['cost', 'cost price', 'purchase price', 'buying price'],
      ...['Einkaufspreis', 'EK', 'EK-Preis', 'Einstandspreis', 'Kosten'],
    ],
  },
  unitPrice: {
    label: 'Unit price',
    kind: 'money',
    headings: [
      ...['price', 'sales price', 'selling price', 'list price', 'net price'],
      ...['Preis', 'Verkaufspreis', 'VK', 'VK-Preis', 'Listenpreis', 'Einzelpreis', 'Nettopreis'],
    ],
  },
  unit: {
    label: 'Unit',
    kind: 'text',
    headings: ['uom', 'unit of measure', 'Einheit', 'Mengeneinheit', 'ME'],
  },
});

export type StockField = (typeof STOCK_COLUMNS.names)[number];
