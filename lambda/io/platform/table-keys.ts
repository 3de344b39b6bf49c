export const SNAPSHOT_KEYS = { partition: 'pk', sort: 'n', ttl: 'expiresAt' } as const;
export const RATE_LIMIT_KEYS = { partition: 'pk', ttl: 'expiresAt' } as const;
