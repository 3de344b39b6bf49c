/** The attribute names of the tables' keys and of their times to live; the stack creates the tables with them. */
export const SNAPSHOT_KEYS = { partition: 'pk', sort: 'n', ttl: 'expiresAt' } as const;
export const RATE_LIMIT_KEYS = { partition: 'pk', ttl: 'expiresAt' } as const;
