/**
 * Names in tables and bucket on which the stack, which creates them, and the functions must agree.
 */

/** The key attributes of the table of snapshots. DynamoDB deletes an item after its `ttl`. */
export const SNAPSHOT_KEYS = { partition: 'pk', sort: 'n', ttl: 'expiresAt' } as const;

/** The key attributes of the table of the rate limit. */
export const RATE_LIMIT_KEYS = { partition: 'pk', ttl: 'expiresAt' } as const;

/** The folder of the archive in its bucket. The archive job can access nothing else there. */
export const ARCHIVE_FOLDER = 'archive/';
