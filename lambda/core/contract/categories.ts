/** In the order in which a market shows its first. `domain/categories.ts` assigns them. */
export const CATEGORY_NAMES = ['election', 'crypto', 'sports', 'economics', 'tech'] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];
