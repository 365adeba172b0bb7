// The thread that reads one file of stock: see reader.ts, which starts it.
import { readStockFile } from './stock-file.js';
import { replyFromThread } from './thread-reply.js';

await replyFromThread(readStockFile);
