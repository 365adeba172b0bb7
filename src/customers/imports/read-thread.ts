// The thread that reads one file of customers.
import { replyFromThread } from '../../imports/reader.js';
import { readCustomerFile } from './customer-file.js';

await replyFromThread(readCustomerFile);
