// The first bytes of workbooks, apart from what reads them, which takes long to load.

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Workbooks before 2007, and encrypted ones. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];

export const isOldWorkbook = (bytes: Uint8Array) => startsWith(bytes, OLD_WORKBOOK);

/** True for a workbook of any format. */
export const isWorkbook = (bytes: Uint8Array) => startsWith(bytes, ZIP) || isOldWorkbook(bytes);

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}
