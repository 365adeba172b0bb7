// The thread that reads one file of stock: see reader.ts, which starts it.

import { replyFromThread } from '../../imports/reader.js';
import { readStockFile } from './stock-file.js';

await replyFromThread(readStockFile);
