import { getOrderBook } from '../endpoints/order-books.ts';
import { bookHandler, type CreateHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) => bookHandler(environment, 'get-order-book', getOrderBook);
