import { listOrderBooks } from '../endpoints/order-books.ts';
import { bookHandler } from './create-handler.ts';

export const handler = bookHandler('list-order-books', listOrderBooks);
