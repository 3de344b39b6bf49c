/**
 * A test of `npm start` in main.test.ts loads this file into the local server with `node --import`.
 * It makes the first reads of the tables fail, as on a machine that is too busy to connect in time.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const FAILING_READS = 5;
const { send } = DynamoDBClient.prototype;
let reads = 0;
DynamoDBClient.prototype.send = async function (command, ...rest) {
  if (/^(Query|GetItem)/.test(command.constructor.name) && reads++ < FAILING_READS) {
    throw Object.assign(new Error('Connection timed out'), { name: 'TimeoutError' });
  }
  return send.call(this, command, ...rest);
};
